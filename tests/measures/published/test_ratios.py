"""Measures of a table as ratios, compared with printed numbers."""

from measures.published.twelve_cases import MEASURES, POSITIVES, N, found

from nontrivial.measures import confusion_measures
from nontrivial.measures.published.tables import NAMES


def test_every_measure_of_a_table_is_known():
    assert set(confusion_measures(1, 2, 3, 4).columns) <= set(MEASURES)
    assert set(MEASURES) == set(NAMES) - {"roc_auc"}


def test_ties_round_either_way():
    assert found({"recall": "0.2"}, 4, 9) == found({"recall": "0.3"}, 4, 9) == [(1, tn) for tn in range(6)]
    # sqrt((2/4) (2/4)) = 0.5 is a tie of 0 and 1, by a comparison of squares
    for printed in ("0", "1"):
        assert (2, 3) in found({"fowlkes_mallows": printed}, 4, 9)


def test_a_score_that_is_0_by_0_may_have_been_printed_as_0_or_1():
    silent, all_wrong = (0, N - POSITIVES), (0, 0)
    assert silent in found({"precision": "1.0"})
    assert silent in found({"precision": "0.0"})
    assert silent not in found({"precision": "0.99"})
    assert {silent, (POSITIVES, 0)} <= set(found({"matthews_corrcoef": "0.00"}))
    assert found({"matthews_corrcoef": "0.123456"}) == []
    assert all_wrong in found({"p4": "0"})
    assert found({"p4": "0.123456"}) == found({"precision": "0.99", "recall": "0.5"}) == []
