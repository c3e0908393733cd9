"""A table made for the purpose."""

import pytest


@pytest.fixture
def write(tmp_path):
    """A function that writes a table from its lines, and returns its folder."""

    def write_lines(*lines):
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write_lines
