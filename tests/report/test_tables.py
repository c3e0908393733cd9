"""Tables as shown: texts kept, numbers rounded but never to what they are not, long ones within a budget."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.report.tables import OPEN_ROWS, read_texts, round_number, show_table, show_tables


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.123456789", "0.1235"),
        ("-0.0388888888889", "-0.03889"),
        ("0.99999", "0.99999"),
        ("4997.5", "4997.5"),
        ("94952.5", "94952.5"),
        ("2.63282607551e-05", "2.633e-05"),
        ("0.5", "0.5"),
        ("0", "0"),
        ("-99", "-99"),
        ("25980", "25980"),
        ("1000000000000", "1000000000000"),
        ("inf", "inf"),
        ("-inf", "-inf"),
        ("", ""),
    ],
)
def test_numbers_are_rounded_for_reading(text, shown):
    cell = round_number(text)
    assert cell.text == shown
    assert cell.exact == (None if text == shown else text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_keeps_the_value_and_what_is_not_whole(value):
    shown = float(round_number(f"{value:.12g}").text)
    assert math.isclose(shown, value, rel_tol=1e-3, abs_tol=0)
    assert shown.is_integer() == float(f"{value:.12g}").is_integer()


def test_texts_stay_as_they_stand(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("stated,class,empty\n0.30,NA,\nnot stated,null,\n")
    frame = read_texts(path)
    assert frame.to_numpy().tolist() == [["0.30", "NA", ""], ["not stated", "null", ""]]
    table = show_table("t", frame)
    assert [[cell.text for cell in row] for row in table.rows] == frame.to_numpy().tolist()
    assert [column.numeric for column in table.columns] == [False, False, False]


def test_an_empty_table_has_its_headings():
    table = show_table("t", pd.DataFrame({"a": pd.Series(dtype="str")}))
    assert [column.name for column in table.columns] == ["a"]
    assert (table.total, table.whole, table.folded) == (0, True, False)


def test_a_wide_table_of_few_rows_is_turned():
    frame = pd.DataFrame(
        {"example": ["cats", "dogs"]} | {f"m{number}": ["0.12345", "2"] for number in range(13)}
    )
    table = show_table("t", frame)
    assert [column.name for column in table.columns] == ["column", "cats", "dogs"]
    assert [column.numeric for column in table.columns] == [False, True, True]
    assert [cell.text for cell in table.rows[0]] == ["m0", "0.1235", "2"]
    assert len(table.rows) == 13
    assert table.total == 2


def test_long_tables_are_folded():
    table = show_table("t", pd.DataFrame({"x": ["1"] * (OPEN_ROWS + 1)}))
    assert (len(table.rows), table.whole, table.folded) == (OPEN_ROWS + 1, True, True)


def test_tables_beyond_the_budget_show_their_first_rows_and_are_open():
    rows = [str(number) for number in range(100)]
    (table,) = show_tables({"t": pd.DataFrame({"x": rows})}, budget=99)
    assert [row[0].text for row in table.rows] == rows[:OPEN_ROWS]
    assert (table.total, table.whole, table.folded) == (100, False, False)


def test_the_budget_serves_small_tables_first_and_keeps_the_order():
    frames = {name: pd.DataFrame({"x": ["1"] * length}) for name, length in (("c", 60), ("a", 50), ("b", 40))}
    assert [(table.name, table.whole) for table in show_tables(frames, budget=100)] == [
        ("c", False),
        ("a", True),
        ("b", True),
    ]
