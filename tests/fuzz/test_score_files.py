"""Files of predictions: right whatever their size, or refused in one sentence that names them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecard.valid import read_predictions

from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.read import _BLOCK


@pytest.fixture
def write(tmp_path):
    def write_file(data, name="predictions.csv"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write_file


def assert_refused(path, **options):
    with pytest.raises(ValueError, match=r".") as error:
        read_predictions(path, **options)
    assert path.name in str(error.value)
    assert len(str(error.value)) < 1000
    return str(error.value)


# one meaning for a column, beyond any piece


def test_a_label_after_many_others_changes_none_of_them(write):
    """pandas read each chunk of the column with a type of its own, so that the 1 of one was not the 1 of another."""
    rows = ["1,0.9\n", "0,0.1\n"] * 150_000 + ["1,0.8\n", "unknown,0.2\n"]
    read = read_predictions(write("".join(["y,p\n", *rows])), positive="1")
    assert np.count_nonzero(read.truth) == 150_001
    assert (read.truth == read.prediction).all()


def test_rows_are_counted_across_pieces(write):
    rows = _BLOCK // 6 + 10  # of six bytes each
    good = "1,0.3\n" * rows
    assert f"row {rows + 1}," in assert_refused(write(f"y,p\n{good}0,zz\n"))
    assert f"row {rows + 1:,} has 3" in assert_refused(write(f"y,p\n{good}0,1,2\n"))
    assert f"row {rows + 1:,})" in assert_refused(write(f"y,p\n{good},1\n"))


# labels and numbers


@pytest.mark.parametrize(
    "texts", [("01", "1.0x"), ("1.0", "2.0"), ("1e0", "2e0"), ("nan", "x"), ("NA", "x"), ("None", "x")]
)
def test_labels_are_kept_as_printed(write, texts):
    read = read_predictions(write("y,prediction\n{0},{0}\n{1},{0}\n".format(*texts)), positive=texts[0])
    assert (read.positive, set(read.labels)) == (texts[0], set(texts))


@pytest.mark.parametrize(
    ("true", "guess"), [("1.0", "1"), ("1", "1e0"), ("1", "True"), ("true", "TRUE"), ("1", " 1")]
)
def test_one_number_is_one_label_in_both_columns(write, true, guess):
    other = "false" if true == "true" else "0"
    read = read_predictions(write(f"y,prediction\n{true},{guess}\n{other},{guess}\n"), positive=true)
    assert read.prediction.tolist() == [True, True]


@pytest.mark.parametrize("other", ["yes ", "yes\u00a0", "yes\u200b", "yes\t"])
def test_labels_that_differ_by_blanks_or_are_one_number_are_noted(write, other):
    read = read_predictions(write(f'y,prediction\nyes,yes\n"{other}",no\nno,no\n'))
    assert read.alike == (("yes", other),)
    assert any(repr(other) in warning for warning in make_scorecard(read).warnings)
    read = read_predictions(write("y,prediction\n1,1\n1.0,1\n0,0\n"))
    assert (read.labels, read.merged) == (("0", "1"), (("1", "1.0"),))
    assert any("'1.0'" in warning for warning in make_scorecard(read).warnings)


NO_NUMBERS = (
    *("1_0", "\N{FULLWIDTH DIGIT ONE}", "0x10", "1d5", "nan", "-inf", "1e400", "9" * 4000, "", '"1,5"'),
)


@pytest.mark.parametrize("cell", NO_NUMBERS)
def test_what_is_no_number_is_no_score(write, cell):
    assert "'p'" in assert_refused(write(f"y,p\n1,0.4\n0,{cell}\n"))


@pytest.mark.parametrize(
    ("cell", "value"), [(" 0.5 ", 0.5), ("+.5", 0.5), ("-0", 0), ("1E-3", 0.001), ("0." + "3" * 4000, 1 / 3)]
)
def test_numbers_are_read_to_the_last_bit(write, cell, value):
    assert read_predictions(write(f"y,p\n1,{cell}\n0,0.1\n")).score[0] == value


# limits


def test_many_labels_are_refused(write):
    assert "1,000" in assert_refused(write("y,prediction\n" + "".join(f"c{i},c{i}\n" for i in range(20_000))))
    numbers = "y,p\n" + "".join(f"{i * 1.37},{i}\n" for i in range(5000))
    assert "1,000" in assert_refused(write(numbers), task="classification")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("columns.csv", "y,p" + ",abc" * 3_000_000 + "\n"),
        ("row.csv", "y,p,z\n1,0.4," + "x" * 3 * _BLOCK + "\n0,0.2,1\n"),
        ("name.csv", '"' + "y" * 200_000 + '",p\n1,1\n'),
        ("blank.arff", "@relation r\n@attribute" + " " * 500_000 + "\n"),
        ("wide.arff", "@relation r\n" + "".join(f"@attribute a{i} numeric\n" for i in range(30_000))),
        ("half.jsonl", '{"y":"\\ud800","p":1}\n{"y":"b","p":0}\n'),
        ("deep.jsonl", '{"y":' + "[" * 100_000),
        ("long.jsonl", '{"y":' + "1" * 5000 + ',"p":1}\n'),
    ],
)
def test_long_and_deep_things_are_refused(write, name, text):
    assert_refused(write(text, name))


def test_a_long_cell_beside_is_no_matter_and_a_quotation_mark_that_is_never_closed_swallows_no_rows(write):
    read = read_predictions(write("y,p,z\n1,0.9," + "x" * 200_000 + "\n0,0.2,\n"))
    assert read.prediction.tolist() == [True, False]
    assert_refused(write('y,p,z\n1,0.4,"a\n0,0.1,2\n1,0.6,2\n'))
    assert read_predictions(write('y,p,z\n1,0.4,"a\nb"\n0,0.1,2"\n')).truth.tolist() == [True, False]


@pytest.mark.parametrize(
    "column",
    [
        *([[1], [0]], [{"a": 1}, {"a": 2}], [b"1", b"0"]),
        *(pa.array([None, None]), pa.array(["a", None]), pa.array(["a", " "]).dictionary_encode()),
    ],
)
@pytest.mark.parametrize("name", ["y", "p", "prediction"])
def test_columns_of_parquet_that_are_no_plain_values_are_refused(tmp_path, column, name):
    path = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"y": [1, 0], "p": [0.5, 0.4]} | {name: column}), path)
    assert repr(name) in assert_refused(path)


def test_parquet_means_what_csv_does(tmp_path):
    frame = pd.DataFrame({"y": ["01", "1", "x"] * 50_000, "prediction": ["01", "x", "x"] * 50_000})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet", row_group_size=40_000)
    frame.astype("category").to_parquet(tmp_path / "b.parquet", row_group_size=40_000)
    cards = [
        make_scorecard(read_predictions(tmp_path / name)) for name in ("a.csv", "a.parquet", "b.parquet")
    ]
    assert repr(cards[0].measures) == repr(cards[1].measures) == repr(cards[2].measures)  # NaN equals nothing
    assert [row.label for row in cards[0].classes] == ["01", "1", "x"]


# whatever comes


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    for name in ("any.csv", "any.parquet"):
        (folder / name).write_bytes(data)
        refused_or_read(folder / name)
    (folder / "any.csv").write_bytes(b"y,p\n1,1\n" + data)
    refused_or_read(folder / "any.csv")


CELL = st.text(alphabet=st.sampled_from('01.,;"\t e-+_naNx\u00a0\n\r'), max_size=6)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8))
def test_any_cells_are_read_or_refused(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "cells.csv"
    pd.DataFrame(rows, columns=["y", "prediction"]).to_csv(path, index=False)
    read = refused_or_read(path)
    if read is not None:
        assert len(read.truth) == len(rows)


@given(st.data())
def test_any_change_to_a_parquet_file_is_read_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    good, path = folder / "good.parquet", folder / "changed.parquet"
    if not good.exists():
        pq.write_table(pa.table({"y": ["a", "b"] * 50, "p": np.linspace(0, 1, 100)}), good)
    content = bytearray(good.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content)))]
    else:
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    refused_or_read(path)


def refused_or_read(path):
    try:
        return read_predictions(path)
    except ValueError:
        assert_refused(path)
        return None
