"""Tables as CSV: equal to the byte, joined as they were divided, each column of one type."""

import numpy as np
import pandas as pd
import pytest

from nontrivial.files import sha256_of
from nontrivial_study.tables import join_tables, read_table, read_texts, write_table


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
    join_tables(tmp_path / "joined.csv", (table[start:stop] for start, stop in [(0, 1), (1, 1), (1, 4)]))
    assert (tmp_path / "joined.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_tables_of_other_columns_are_not_joined(tmp_path):
    with pytest.raises(ValueError, match="Table 2 has other columns than the first"):
        join_tables(tmp_path / "joined.csv", (pd.DataFrame({name: [1]}) for name in "ab"))
    assert not (tmp_path / "joined.csv").exists()


def test_columns_come_back_with_their_types(tmp_path):
    table = pd.DataFrame(
        {
            "name": ["nan", "", None],
            "whole": [1, -2, 3],
            "number": [0.5, np.inf, np.nan],
            "good": [True, False, True],
        }
    )
    table["perhaps"] = pd.array([True, None, False], dtype="boolean")
    table["count"] = pd.array([7, None, 8], dtype="Int64")
    table["nothing"] = np.nan
    write_table(tmp_path / "a.csv", table)
    back = read_table(tmp_path / "a.csv")
    kinds = ["str", "int64", "float64", "bool", "boolean", "float64", "float64"]
    assert [column.dtype for _, column in back.items()] == [pd.Series(dtype=kind).dtype for kind in kinds]
    pd.testing.assert_frame_equal(back, table, check_dtype=False)


def test_a_column_of_texts_and_numbers_is_one_of_texts(tmp_path):
    write_table(tmp_path / "a.csv", pd.DataFrame({"fold": [1, 2.5, "mean"]}))
    assert read_table(tmp_path / "a.csv")["fold"].tolist() == ["1", "2.5", "mean"]


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    write_table(tmp_path / "a.csv", pd.DataFrame(columns=["x", "y"]))
    assert read_table(tmp_path / "a.csv").shape == read_texts(tmp_path / "a.csv").shape == (0, 2)


def test_parts_keep_what_is_a_text_where_they_are_joined(tmp_path):
    parts = (pd.DataFrame({"positive": classes}) for classes in (["1", "0"], ["yes", None]))
    join_tables(tmp_path / "joined.csv", parts)
    assert read_table(tmp_path / "joined.csv")["positive"].fillna("missing").tolist() == [
        "1",
        "0",
        "yes",
        "missing",
    ]
