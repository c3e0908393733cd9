"""Tables as shown: texts kept, numbers rounded, wide ones turned, long ones closed or cut, all within a budget."""

import pandas as pd
import pytest

from nontrivial_study.report.tables import OPEN_ROWS, WHOLE_ROWS, Cell, show_table, show_tables
from nontrivial_study.tables import read_texts


def test_texts_stay_as_they_stand(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("stated,class,empty\n0.30,NA,\nnot stated,null,\n")
    frame = read_texts(path)
    assert frame.to_numpy().tolist() == [["0.30", "NA", ""], ["not stated", "null", ""]]
    table = show_table("t", frame)
    assert [[cell.text for cell in row] for row in table.rows] == frame.to_numpy().tolist()
    assert [column.numeric for column in table.columns] == [False, False, False]


def test_a_wide_table_of_few_rows_is_turned():
    frame = pd.DataFrame(
        {"example": ["cats", "dogs"]} | {f"m{number}": ["0.12345", "2"] for number in range(11)}
    )
    table = show_table("t", frame)
    assert [column.name for column in table.columns] == ["column", "cats", "dogs"]
    assert [column.numeric for column in table.columns] == [False, True, True]
    assert [cell.text for cell in table.rows[0]] == ["m0", "0.1235", "2"]
    assert len(table.rows) == 11
    assert table.total == 2


def test_rounded_numbers_keep_their_exact_text():
    table = show_table("t", pd.DataFrame({"x": ["0.123456789", "0.5", ""]}))
    assert [row[0] for row in table.rows] == [Cell("0.1235", "0.123456789"), Cell("0.5"), Cell("")]


@pytest.mark.parametrize(
    ("columns", "width"),
    [(9, ""), (10, " dense"), (14, " dense"), (15, " wide")],
    ids=lambda value: str(value),
)
def test_tables_that_do_not_fit_upright_on_paper_say_so(columns, width):
    cells = ["1" * 11] * 9  # and a space and a half beside it
    frame = pd.DataFrame({f"c{number}": cells for number in range(columns)})
    assert show_table("t", frame).width == width


def test_tables_beyond_a_length_show_their_first_rows():
    rows = [str(number) for number in range(WHOLE_ROWS + 1)]
    whole, cut = (
        show_table("t", pd.DataFrame({"x": rows[:count]})) for count in (WHOLE_ROWS, WHOLE_ROWS + 1)
    )
    assert (len(whole.rows), whole.total, whole.whole) == (WHOLE_ROWS, WHOLE_ROWS, True)
    assert (len(cut.rows), cut.total, cut.whole) == (OPEN_ROWS, WHOLE_ROWS + 1, False)
    assert [row[0].text for row in cut.rows] == rows[:OPEN_ROWS]


def test_tables_beyond_the_budget_show_their_first_rows():
    (table,) = show_tables({"t": pd.DataFrame({"x": ["1"] * 100})}, budget=99)
    assert (len(table.rows), table.total, table.whole) == (OPEN_ROWS, 100, False)


def test_the_budget_serves_small_tables_first_and_keeps_the_order():
    frames = {name: pd.DataFrame({"x": ["1"] * length}) for name, length in (("c", 60), ("a", 50), ("b", 40))}
    assert [(table.name, table.whole) for table in show_tables(frames, budget=100)] == [
        ("c", False),
        ("a", True),
        ("b", True),
    ]
