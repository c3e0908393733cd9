"""Confusion tables in all forms, at other prevalences, and averages of several."""

import functools
import itertools

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.metrics import confusion_matrix

from nontrivial.measures import confusion_measures, macro_average, micro_average
from nontrivial.measures.confusion import MEASURES

CELLS = np.array(list(itertools.product(range(6), repeat=4)))
NAN, INF = float("nan"), float("inf")
MASKED = np.ma.array([0, 1], mask=[1, 0])
SAME = functools.partial(pd.testing.assert_frame_equal, check_exact=True)


@pytest.fixture(scope="module")
def measured():
    return confusion_measures(*CELLS.T)


def test_infinite_beta_is_recall(measured):
    result = confusion_measures(*CELLS.T, beta=INF)
    known = measured["recall"].notna()
    np.testing.assert_array_equal(result["f_beta"][known], measured["recall"][known])
    np.testing.assert_array_equal(result["f_beta_gain"], measured["recall_gain"])


def test_forms_of_counts_do_not_matter(measured):
    for dtype in (np.uint8, np.int32, np.uint64, np.float32, object):
        SAME(confusion_measures(*CELLS.T.astype(dtype)), measured)
    by_position = pd.Series([1, 5], index=[9, 3]), pd.Series([2, 6], index=[3, 9]), 3, 4
    both = confusion_measures(*by_position)
    SAME(both, confusion_measures([1, 5], [2, 6], [3, 3], [4, 4]))
    SAME(both.iloc[[0]], confusion_measures(1, 2, 3, 4))
    assert confusion_measures([], [], [], []).shape == (0, len(MEASURES))


@pytest.mark.parametrize(
    ("cells", "options", "reason"),
    [
        ((-1, 0, 0, 1), {}, "tp has negative"),
        ((1, NAN, 0, 1), {}, "fp contains NaN"),
        ((1, 1, INF, 1), {}, "fn contains infinity"),
        ((1, 1, 1, "many"), {}, "tn has type"),
        (([1, 2], [1, 2, 3], 1, 1), {}, r"fp \(3,\)"),
        (([[1, 2]], 1, 1, 1), {}, r"tp \(1, 2\)"),
        ((MASKED, 1, 1, 1), {}, "tp has masked values"),
        *(((1, 1, 1, 1), {"beta": bad}, "beta") for bad in (-1, NAN, "1")),
        *(((1, 1, 1, 1), {"prevalence": bad}, "prevalence") for bad in (0, 1, NAN)),
    ],
)
def test_bad_counts_are_one_sentence(cells, options, reason):
    with pytest.raises(ValueError, match=reason):
        confusion_measures(*cells, **options)


def test_every_measure_at_a_prevalence_by_bayes():
    table = confusion_measures([90, 3], [5, 1], [10, 0], [95, 2], prevalence=0.01)
    assert table["prevalence"].tolist() == pytest.approx([0.01, 0.01], rel=1e-14)
    assert table["recall"].tolist() == pytest.approx([0.9, 1.0], rel=1e-14)
    precision = 0.01 * 0.9 / (0.01 * 0.9 + 0.99 * 0.05)
    assert table["precision"][0] == pytest.approx(precision, rel=1e-14)
    assert table["f_beta"][0] == pytest.approx(2 * precision * 0.9 / (precision + 0.9), rel=1e-14)
    assert table["prediction_advantage"][0] == pytest.approx(1 - (0.001 + 0.0495) / 0.01, rel=1e-13)
    assert confusion_measures(3, 0, 1, 0, prevalence=0.5).isna().to_numpy().all()
    mixed = confusion_measures([3, 1], [0, 3], [1, 3], [0, 1], prevalence=0.5)["matthews_corrcoef"]
    assert mixed[1] == pytest.approx(-0.5)
    assert np.isnan(mixed[0])


# Several tables in one row.

TABLES = [[8, 2, 0, 10], [1, 0, 3, 16]]  # TP, FP, FN, TN


def test_averages_by_hand():
    average, precision, recall = macro_average(TABLES), (8 / 10 + 1) / 2, (1 + 1 / 4) / 2
    assert average[["precision", "recall"]].tolist() == pytest.approx([precision, recall])
    assert average["f_beta"] == pytest.approx(2 * precision * recall / (precision + recall))
    expected = 5 * precision * recall / (4 * precision + recall)
    for beta in (2, np.int8(2)):
        assert macro_average(TABLES, beta=beta)["f_beta"] == pytest.approx(expected)
    great = np.int64(2**40)  # whose square would wrap round
    assert macro_average(TABLES, beta=great)["f_beta"] == pytest.approx(recall)
    average = micro_average(TABLES)
    assert average[["precision", "recall", "f_beta"]].tolist() == pytest.approx([9 / 11, 9 / 12, 18 / 23])


def test_forms_of_tables():
    frame = pd.DataFrame(TABLES, columns=["tp", "fp", "fn", "tn"])[["tn", "tp", "fn", "fp"]]
    matrices = [confusion_matrix(np.repeat([1, 0, 1, 0], t), np.repeat([1, 1, 0, 0], t)) for t in TABLES]
    for average in (macro_average, micro_average):
        for form in (frame, pa.Table.from_pandas(frame), np.array(matrices)):
            pd.testing.assert_series_equal(average(form), average(TABLES))


def test_an_undefined_measure_of_one_table_makes_the_macro_average_undefined():
    average = macro_average([[0, 0, 5, 5], [5, 0, 0, 5]])  # nothing predicted positive in the first
    assert average[["precision", "f_beta"]].isna().all()
    assert average["recall"] == 0.5


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        ([], "shape"),
        ([[1, 2, 3]], "shape"),
        ([[1, 2, 3, -4]], "negative"),
        (np.ma.array([[1, 2, 3, 4]], mask=[[0, 0, 0, 1]]), "masked values"),
        ([[1, 2, 3], [1, 2, 3, 4]], "inhomogeneous"),
        (pd.DataFrame({"tp": [1], "fp": [1], "fn": [1]}), "lacks the column tn"),
    ],
)
@pytest.mark.parametrize("average", [macro_average, micro_average])
def test_bad_tables_are_one_sentence(average, tables, reason):
    with pytest.raises(ValueError, match=reason):
        average(tables)
