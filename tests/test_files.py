"""Files are whole or absent, and equal to the byte."""

import json

import numpy as np
import pytest

from nontrivial.files import atomic_path, is_temporary, write_json, write_text


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    def write_half():
        with atomic_path(tmp_path / "a.txt") as temporary:
            temporary.write_text("half")
            raise RuntimeError

    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(RuntimeError):
        write_half()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def test_what_a_killed_writer_left_is_removed_by_the_next_one_of_the_same_file_alone(tmp_path):
    left = [".a-k2x8_3qz.part.txt", ".b-k2x8_3qz.part.txt", ".a-original.txt", ".a.txt"]
    for name in left:
        (tmp_path / name).touch()
    with atomic_path(tmp_path / "a.txt", shared=True) as temporary:
        assert is_temporary(temporary.name)
        temporary.write_text("x")
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", *left}
    write_text(tmp_path / "a.txt", "x")
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", *left[1:]}


def test_written_files_are_readable_for_all_that_the_umask_allows(tmp_path):
    write_text(tmp_path / "a.txt", "x")
    (tmp_path / "b.txt").write_text("x")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


def test_what_only_its_owner_may_read_stays_so(tmp_path):
    path = tmp_path / "patients.html"
    path.write_text("before")
    path.chmod(0o600)
    write_text(path, "after")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("after", 0o600)


def test_json_is_sorted_strict_and_takes_numpy(tmp_path):
    write_json(
        tmp_path / "a.json", {"b": np.float64("nan"), "a": [np.int64(1), np.inf], "c": np.array([True])}
    )
    text = (tmp_path / "a.json").read_text()
    assert json.loads(text) == {"a": [1, "inf"], "b": None, "c": [True]}
    assert text.index('"a"') < text.index('"b"')
