"""Several tables in one row, worked by hand."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.metrics import confusion_matrix

from nontrivial.measures import confusion_measures, macro_average, micro_average

TABLES = [[8, 2, 0, 10], [1, 0, 3, 16]]  # TP, FP, FN, TN


def test_macro_by_hand():
    average = macro_average(TABLES)
    assert average["precision"] == pytest.approx((8 / 10 + 1) / 2)
    assert average["recall"] == pytest.approx((1 + 1 / 4) / 2)
    precision, recall = 0.9, 0.625
    assert average["f_beta"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert average["f_beta"] != pytest.approx(confusion_measures(*np.transpose(TABLES))["f_beta"].mean())


def test_macro_f_beta_weighs_averaged_precision_and_recall():
    average = macro_average(TABLES, beta=2)
    assert average["f_beta"] == pytest.approx(5 * 0.9 * 0.625 / (4 * 0.9 + 0.625))


def test_micro_by_hand():
    average = micro_average(TABLES)
    assert average["precision"] == pytest.approx(9 / 11)
    assert average["recall"] == pytest.approx(9 / 12)
    assert average["f_beta"] == pytest.approx(18 / 23)


@pytest.mark.parametrize("table", [TABLES[0], (0, 5, 3, 10)])
def test_one_table_is_its_own_average(table):
    expected = confusion_measures(*table).iloc[0]
    pd.testing.assert_series_equal(micro_average([table]), expected, check_names=False)
    pd.testing.assert_series_equal(macro_average([table]), expected, check_names=False, rtol=1e-14)


def test_forms_of_tables():
    frame = pd.DataFrame(TABLES, columns=["tp", "fp", "fn", "tn"])[["tn", "tp", "fn", "fp"]]
    matrices = [confusion_matrix(np.repeat([1, 0, 1, 0], t), np.repeat([1, 1, 0, 0], t)) for t in TABLES]
    for average in (macro_average, micro_average):
        expected = average(TABLES)
        pd.testing.assert_series_equal(average(frame), expected)
        pd.testing.assert_series_equal(average(pa.Table.from_pandas(frame)), expected)
        pd.testing.assert_series_equal(average(np.array(matrices)), expected)


@pytest.mark.parametrize("beta", [np.int8(20), np.int64(2**40)])
def test_the_square_of_a_whole_beta_does_not_wrap_round(beta):
    assert macro_average(TABLES, beta=beta)["f_beta"] == macro_average(TABLES, beta=float(beta))["f_beta"]


def test_an_undefined_measure_of_one_table_makes_the_macro_average_undefined():
    average = macro_average([[0, 0, 5, 5], [5, 0, 0, 5]])  # nothing predicted positive in the first
    assert np.isnan(average["precision"])
    assert np.isnan(average["f_beta"])
    assert average["recall"] == 0.5


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        ([], "shape"),
        ([1, 2, 3, 4], "shape"),
        ([[1, 2, 3]], "shape"),
        ([[1, 2, 3, -4]], "negative"),
        ([[1, 2, 3, np.nan]], "NaN"),
        ([[1, 2, 3], [1, 2, 3, 4]], "tables"),
        (pd.DataFrame({"tp": [1], "fp": [1], "fn": [1]}), "lacks the column tn"),
    ],
)
@pytest.mark.parametrize("average", [macro_average, micro_average])
def test_bad_tables_are_one_sentence(average, tables, reason):
    with pytest.raises(ValueError, match=reason):
        average(tables)
