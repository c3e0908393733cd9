"""A small folder of results for each test."""

import pytest
from report import small_results


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    small_results.write_results(folder)
    return folder
