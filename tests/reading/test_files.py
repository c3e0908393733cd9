"""Files as columns: what stands before the names, sheets of workbooks, and the order of categories."""

import gzip

import pandas as pd
import pytest
from reading.test_alike import saved, workbook

from nontrivial.reading.files import open_table

ROWS = pd.DataFrame({"y": ["ill", "well"], "p": [0.7, 0.2]})


@pytest.fixture
def opened(tmp_path):
    def open_content(content, **options):
        path = tmp_path / "a.dat"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_table(path, **options)

    return open_content


def texts(table):
    return {name: [str(cell) for cell in cells.to_pylist()] for name, cells in table.read(table.names).items()}


COMMENTED = pd.DataFrame([["# made by x", ""], ["", ""], ["y", "p"], ["ill", "0.7"], ["well", "0.2"]])


@pytest.mark.parametrize(
    "content",
    [
        "# made by x, today\n# y,p\ny,p\nill,0.7\nwell,0.2\n",
        gzip.compress("#\ny\tp\nill\t0.7\nwell\t0.2\n".encode("utf-16"), mtime=0),
        workbook(A=COMMENTED.iloc[2:].set_axis(COMMENTED.iloc[1], axis=1)),
    ],
)
def test_comments_and_blank_lines_may_stand_before_the_names(content, opened):
    assert texts(opened(content)) == {"y": ["ill", "well"], "p": ["0.7", "0.2"]}


def test_a_name_may_begin_with_the_mark_of_a_comment(opened):
    assert opened("#id,p\n7,0.7\n8,0.2\n").names == ["#id", "p"]


def test_of_several_sheets_with_cells_one_must_be_named(opened):
    book = workbook(A=ROWS, B=ROWS[::-1])
    assert texts(opened(book, sheet="B"))["y"] == ["well", "ill"]
    with pytest.raises(
        ValueError, match=r"^a.dat has several sheets with cells: 'A', 'B'; give --sheet A or --sheet B"
    ):
        opened(book)
    with pytest.raises(ValueError, match="no sheet 'C'; it has 'A', 'B'"):
        opened(book, sheet="C")


@pytest.mark.parametrize("write", [lambda rows: rows, pd.DataFrame.to_parquet, lambda rows: saved(rows.to_feather)])
def test_the_order_of_categories_is_read_where_there_is_one(write, opened):
    rows = write(ROWS.astype({"y": pd.CategoricalDtype(["well", "ill"], ordered=True)}))
    table = opened(rows) if isinstance(rows, bytes) else open_table(rows)
    assert (table.order("y"), table.order("p")) == (["well", "ill"], [])


def test_other_columns_have_no_order(opened):
    assert open_table(ROWS.astype({"y": "category"})).order("y") == opened("y,p\nill,0.7\n").order("y") == []


def test_dates_are_texts_and_row_numbers_of_pandas_are_no_column(opened):
    rows = pd.DataFrame({"day": [pd.Timestamp("2020-01-31").date()] * 2}, index=[3, 8])
    assert texts(opened(rows.to_parquet())) == {"day": ["2020-01-31"] * 2}
