"""Files of predictions: read as they are written, or refused in one sentence that names them."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecard.valid import read_predictions


@pytest.fixture
def write(tmp_path):
    def write_file(text):
        path = tmp_path / "predictions.csv"
        path.write_text(text, newline="")
        return path

    return write_file


def assert_refused(path, **options):
    with pytest.raises(ValueError, match=r".") as error:
        read_predictions(path, **options)
    assert path.name in str(error.value)
    assert len(str(error.value)) < 1000
    return str(error.value)


@pytest.mark.parametrize(
    "texts", [("01", "1.0x"), ("1.0", "2.0"), ("1e0", "2e0"), ("nan", "x"), ("NA", "x"), ("None", "x")]
)
def test_labels_are_kept_as_printed(write, texts):
    read = read_predictions(write("y,prediction\n{0},{0}\n{1},{0}\n".format(*texts)), positive=texts[0])
    assert (read.positive, set(read.labels)) == (texts[0], set(texts))


@pytest.mark.parametrize(("true", "guess"), [("1.0", "1"), ("1", "1e0"), ("1", "True"), ("true", "TRUE"), ("1", " 1")])
def test_one_number_is_one_label_in_both_columns_and_in_the_options(write, true, guess):
    other = "false" if true == "true" else "0"
    path = write(f"y,prediction\n{true},{guess}\n{other},{guess}\n")
    for positive in (true, guess):
        read = read_predictions(path, positive=positive)
        assert (read.positive, read.prediction.tolist()) == (true, [True, True])


@pytest.mark.parametrize(
    ("cell", "value"),
    [(" 0.5 ", 0.5), ("+.5", 0.5), ("-0", 0), ("\u22120", 0), ("1E-3", 0.001), ("0." + "3" * 4000, 1 / 3)],
)
def test_numbers_are_read_to_the_last_bit(write, cell, value):
    assert read_predictions(write(f"y,p\n1,{cell}\n0,0.1\n")).score[0] == value


def test_many_labels_are_refused(write):
    assert "1,000" in assert_refused(write("y,prediction\n" + "".join(f"c{i},c{i}\n" for i in range(20_000))))
    numbers = "y,p\n" + "".join(f"{i * 1.37},{i}\n" for i in range(5000))
    assert "1,000" in assert_refused(write(numbers), task="classification")


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    for content in (data, b"y,p\n1,1\n" + data, b"PAR1" + data):
        path.write_bytes(content)
        refused_or_read(path)


CELL = st.text(alphabet=st.sampled_from('01.,;"\t e-+_naNx\u00a0\n\r'), max_size=6)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8))
def test_any_cells_are_read_or_refused(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "cells.csv"
    pd.DataFrame(rows, columns=["y", "prediction"]).to_csv(path, index=False)
    read = refused_or_read(path)
    if read is not None:
        assert len(read.truth) == len(rows)


def refused_or_read(path):
    try:
        return read_predictions(path)
    except ValueError:
        assert_refused(path)
        return None
