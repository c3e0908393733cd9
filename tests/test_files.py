"""Files are whole or absent, and equal to the byte."""

import json

import numpy as np
import pandas as pd
import pytest

from nontrivial.csv_tables import join_tables, write_table
from nontrivial.files import atomic_path, sha256_of, write_json, write_text


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


def test_written_files_are_readable_for_all_that_the_umask_allows(tmp_path):
    write_text(tmp_path / "a.txt", "x")
    (tmp_path / "b.txt").write_text("x")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


def test_json_is_sorted_strict_and_takes_numpy(tmp_path):
    write_json(
        tmp_path / "a.json", {"b": np.float64("nan"), "a": [np.int64(1), np.inf], "c": np.array([True])}
    )
    text = (tmp_path / "a.json").read_text()
    assert json.loads(text) == {"a": [1, "inf"], "b": None, "c": [True]}
    assert text.index('"a"') < text.index('"b"')


def test_tables_are_equal_to_the_byte(tmp_path):
    table = pd.DataFrame({"x": [1 / 3, 2.0], "name": ["a", "b"]})
    for name in ("one", "two"):
        write_table(tmp_path / f"{name}.csv", table)
    assert sha256_of(tmp_path / "one.csv") == sha256_of(tmp_path / "two.csv")


def test_csv_hides_the_last_bits(tmp_path):
    write_table(tmp_path / "a.csv", pd.DataFrame({"x": [0.1 + 0.2]}))
    assert (tmp_path / "a.csv").read_text() == "x\n0.3\n"


def test_joined_tables_are_the_table_that_was_divided(tmp_path):
    table = pd.DataFrame({"x": [1 / 3, np.nan, 2.0, 1e-9], "name": ["a", "b,c", None, "d\ne"]})
    table["count"] = pd.array([1, None, 3, 4], dtype="Int64")
    write_table(tmp_path / "whole.csv", table)
    for start, stop in [(0, 1), (1, 1), (1, 4)]:
        write_table(tmp_path / f"{start}-{stop}.csv", table[start:stop])
    join_tables(tmp_path / "joined.csv", [tmp_path / f"{name}.csv" for name in ("0-1", "1-1", "1-4")])
    assert (tmp_path / "joined.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_tables_of_other_columns_are_not_joined(tmp_path):
    for name in "ab":
        write_table(tmp_path / f"{name}.csv", pd.DataFrame({name: [1]}))
    with pytest.raises(ValueError, match=r"b\.csv has other columns than the tables before it"):
        join_tables(tmp_path / "joined.csv", [tmp_path / "a.csv", tmp_path / "b.csv"])
    assert not (tmp_path / "joined.csv").exists()
