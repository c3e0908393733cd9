"""A user's own file becomes a data set, or one sentence says why it cannot."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from nontrivial_study.data.own import own_dataset, own_entry, own_warnings

ROWS = pd.DataFrame(
    {"age": [50, 61.5, None, 48], "sex": ["f", "m", None, "f"], "outcome": ["ill", "well", "well", "well"]}
)
SETTING = {"target": "outcome"}


def test_rows_become_a_table(tmp_path):
    ROWS.to_csv(tmp_path / "a.csv", index=False)
    entry = own_entry("a", SETTING | {"file": str(tmp_path / "a.csv")})
    assert (entry["rows"], entry["features"], entry["classes"]) == (4, 2, {"ill": 1, "well": 3})
    table, _ = own_dataset("a", entry)
    assert table.columns.tolist() == ["age", "sex", "target"]
    assert table["target"].tolist() == ROWS["outcome"].tolist()
    assert table["sex"].isna().tolist() == [False, False, True, False]
    np.testing.assert_array_equal(table["age"], ROWS["age"])


@pytest.fixture
def read_column(tmp_path):
    """Return the column x of a data set with these cells, and what its record says of it."""

    def read(cells, kind=None, **setting):
        rows = {"x": cells, "y": ["ill", "well"] * (len(cells) // 2) + ["well"] * (len(cells) % 2)}
        path = str(tmp_path / ("a.parquet" if kind else "a.csv"))
        if kind:
            pa.parquet.write_table(pa.table(rows | {"x": pa.array(cells, kind)}), path)
        else:
            pd.DataFrame(rows).to_csv(path, sep=";", index=False)
        table, record = own_dataset("a", own_entry("a", {"file": path, "target": "y", **setting}))
        return table["x"].tolist(), record["columns"]["x"]

    return read


NAN = np.nan


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1.5", "?", "-", "na", "None", "NULL", "n/a", "missing"], [1.5] + [NAN] * 7),
        (["0,5", "1,25", "2"], [0.5, 1.25, 2]),
        (["1.234,5", "-1.000", "3"], [1234.5, -1000, 3]),
        (["1,234.5", "12"], [1234.5, 12]),
        (["1,234,567", "12"], [1234567, 12]),
        (["1\u202f234,5", "1 000"], [1234.5, 1000]),
        (["1,234", "0,5"], [1.234, 0.5]),
        (["\u22120.5", "+1", ".5", "1e-3", " 7\u00a0"], [-0.5, 1, 0.5, 0.001, 7]),
        (["12%", "3 %"], [0.12, 0.03]),
        (["true", "False", "TRUE", "NA"], [1, 0, 1, NAN]),
    ],
)
def test_usual_spellings_of_numbers_are_numbers(cells, numbers, read_column):
    for kind in (None, pa.string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        contents, about = read_column(cells, kind)
        np.testing.assert_allclose(contents, numbers, rtol=1e-15)
        assert about["read_as"] == "numbers"
        assert about["missing"] == np.isnan(numbers).sum()


@pytest.mark.parametrize(
    "cells",
    [["07", "12"], ["a", "1", "-", "none"], ["a", "?", "b"], ["2020-01-31", "2020-02-01"], ["<1", "<2", "3", "4"]],
)
def test_other_texts_are_categories(cells, read_column):
    contents, about = read_column(cells)
    assert contents == cells
    assert (about["read_as"], about["levels"]) == ("categories", len(cells))


@pytest.mark.parametrize(
    ("cells", "setting", "text"),
    [
        (["1", "2", "<0.1"], {}, "'<0.1' in data row 3"),
        (["1", "inf", "2"], {}, "'inf' in data row 2"),
        (["1", "2", "1_000"], {}, "'1_000' .* row 3"),
        (["7", "8", "007"], {}, "'007' .* row 3"),
        (["0.5", "0,5"], {}, "'0,5' .* row 2"),
        (["12%", "3", "4%"], {}, "'3' .* row 2"),
        (["12%", "3", "4"], {}, "'12%' .* row 1"),
        (["12", "1,234"], {}, "'1,234' in data row 2, which may be 1234 or 1.234; .* setting decimal"),
        (["0.5", "0.7"], {"decimal": ","}, "'0.5' .* row 1"),
        (["0,5", "1.5", "2.5"], {"decimal": "."}, "'0,5' .* row 1"),
        (["1", "2"], {"categories": ["z"]}, "has no column 'z'"),
    ],
)
def test_numbers_that_cannot_be_told_are_named(cells, setting, text, read_column):
    with pytest.raises(ValueError, match=f"a.csv .*{text}"):
        read_column(cells, **setting)


def test_settings_tell_what_the_cells_cannot(read_column, tmp_path):
    cells = ["12", "1,234"]
    assert read_column(cells, decimal=",")[0] == [12, 1.234]
    assert read_column(cells, decimal=".")[0] == [12, 1234]
    assert read_column(cells, categories=["x"])[0] == cells
    path = tmp_path / "a.csv"
    path.write_text("x;z;y\n0,5;1.234;ill\n1,5;2;well\n")
    setting = {"file": str(path), "target": "y"}
    with pytest.raises(ValueError, match=r"'z' .*holds '1\.234'"):  # thousands, beside decimal commas
        own_dataset("a", own_entry("a", setting))
    table, _ = own_dataset("a", own_entry("a", setting | {"decimal": ","}))
    assert table["z"].tolist() == [1234, 2]


@pytest.mark.parametrize(
    ("cells", "kind", "numbers"),
    [
        ([Decimal("1.50"), None], pa.decimal128(9, 2), [1.5, NAN]),
        ([True, None], pa.bool_(), [1, NAN]),
        ([3, None], pa.int64(), [3, NAN]),
    ],
)
def test_numbers_and_booleans_of_parquet_are_numbers(cells, kind, numbers, read_column):
    np.testing.assert_array_equal(read_column(cells, kind)[0], numbers)


def test_dates_are_categories_in_every_form(read_column):
    contents, about = read_column([datetime.date(2020, 1, 31)] * 2, pa.date32())
    assert (contents, about["read_as"]) == (["2020-01-31"] * 2, "categories")


def test_labels_that_are_the_same_number_are_one_class_and_stand_in_the_order_of_numbers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,10\n2,9\n3,9.0\n4,10\n")
    table, record = own_dataset("a", own_entry("a", {"file": str(path), "target": "y"}))
    assert list(record["classes"].items()) == [("9", 2), ("10", 2)]
    assert table["target"].tolist() == ["10", "9", "9", "10"]
    assert record["positive"] == "10"


def test_labels_are_kept_as_they_are_written_and_a_feature_may_be_called_target(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("target,code,y\n1,a,01\n2,b,1\n3,a,1\n")
    entry = own_entry("a", {"file": str(path), "target": "y"})
    assert entry["classes"] == {"01": 1, "1": 2}
    assert own_dataset("a", entry)[0].columns.tolist() == ["target_feature", "code", "target"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["target", "target_feature", "y"], ["target_feature_feature", "target_feature", "target"]),
        (["target_feature", "target", "y"], ["target_feature", "target_feature_feature", "target"]),
        (["target_feature", "x", "target"], ["target_feature", "x", "target"]),
    ],
)
def test_no_feature_is_lost_to_the_name_of_the_target(names, expected, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",".join(names) + "\n1,2,ill\n3,4,well\n")
    table, _ = own_dataset("a", own_entry("a", {"file": str(path), "target": names[-1]}))
    assert table.columns.tolist() == expected
    assert table[expected[:2]].to_numpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("cells", "setting", "text"),
    [
        (["1.266 kg", "1.3 kg", "1.3 kg"], {}, "write these alone, such as 1.266;"),
        (["a7", "b7", "c7"], {}, "if it tells the rows apart, leave the column out;"),
        (["a", "b", "b", "a"], {}, None),
        (["1.266 kg", "1.3 kg"], {"categories": ["x"]}, None),
        (["1.5", "1.25"], {}, None),
    ],
)
def test_a_column_of_categories_that_hardly_recur_is_warned_of(cells, setting, text, read_column, tmp_path):
    about = read_column(cells, **setting)[1]
    (*warnings,) = own_warnings(own_entry("a", {"file": str(tmp_path / "a.csv"), "target": "y", **setting}))
    assert warnings == [value for key, value in about.items() if key == "warning"]
    assert all(text in warning and "categories: [x]" in warning for warning in warnings)
    assert bool(warnings) == (text is not None)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "is not a file"),
        ("age,sex\n1,f\n", "has no column 'outcome'; it has age, sex"),
        ("outcome\nill\nwell\n", "has no column beside 'outcome'"),
        ("age,outcome\n1,ill\n2,null\n", "'null', which stands for a missing value, in data row 2"),
        ("age,outcome\n1,ill\n2,Ill\n", "holds the labels 'ill', 'Ill', which look alike"),
        ("age,outcome\n1,ill\n2,ill\n", "1 different values in 'outcome'; classes must be 2 to 50"),
        ("age,outcome\n" + "".join(f"1,c{n}\n" for n in range(51)), "51 different values"),
        ("age,age,outcome\n1,1,ill\n", "several columns named 'age'"),
        (b"PAR1 and no more", "cannot be read"),
    ],
)
def test_a_file_that_cannot_serve_is_named(content, text, tmp_path):
    path = tmp_path / "a.csv"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=f"a.csv .*{text}") as caught:
        own_entry("a", SETTING | {"file": str(path)})
    assert "\n" not in str(caught.value)
