"""Files are whole or absent, and equal to the byte."""

import json

import numpy as np
import pytest

from nontrivial.files import DamagedFile, atomic_path, escape_formula, read_json, write_json, write_text


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
    write_json(tmp_path / "a.json", {"b": np.float64("nan"), "a": [np.int64(1), np.inf], "c": np.array([True])})
    text = (tmp_path / "a.json").read_text()
    assert json.loads(text) == read_json(tmp_path / "a.json") == {"a": [1, "inf"], "b": None, "c": [True]}
    assert text.index('"a"') < text.index('"b"')


@pytest.mark.parametrize("content", [b"", b"nul", b'{"a": 1', b"[" * 200_000, b"\xff"])
def test_damaged_json_is_named_with_what_to_do(content, tmp_path):
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(DamagedFile, match=r"r\.json is damaged: .*; delete it and run the same command again\.$"):
        read_json(tmp_path / "r.json")


FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", '"=1', '\n"+1', "-cmd|' /C calc'!A0"]
FORMULAS += ["\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "+", "-", "-inf", "+1", "--1", "-1/x", "'quoted'"]


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_could_run_gets_an_apostrophe(text):
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "-0.5", "-1", "-1/3", "a-b", "1e+05", "a = b", '"quoted"'])
def test_what_it_could_not_run_stays(text):
    assert escape_formula(text) == text
