"""Which tables of all folds together may have means of scores, against all tables of few folds."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from measures.exact_tables import measures
from sklearn.model_selection import StratifiedKFold

from nontrivial.measures import confusion_measures, published_verdict
from nontrivial.measures.published.feasibility import ENDS, fold_sizes, tables_of_means


@pytest.mark.parametrize(
    ("positives", "negatives", "folds"), [(7, 10, 3), (10, 10, 10), (81, 225, 10), (5, 31, 4)]
)
def test_folds_are_those_of_scikit_learn(positives, negatives, folds):
    truth = np.repeat([1, 0], [positives, negatives])
    splits = StratifiedKFold(folds).split(truth, truth)
    sizes = Counter((int(truth[test].sum()), int((1 - truth[test]).sum())) for _, test in splits)
    assert Counter(fold_sizes(positives, negatives, folds)) == sizes


def values_of(name, positives, negatives):
    """The least and the greatest score of each table of a fold."""
    tp, tn = (each.ravel() for each in np.mgrid[: positives + 1, : negatives + 1])
    fn, fp = positives - tp, negatives - tn
    if name == "roc_auc":
        low, high = tp * tn / (positives * negatives), 1 - fn * fp / (positives * negatives)
    elif name == "geometric_mean":
        low = high = np.sqrt(tp * tn / (positives * negatives))
    else:
        values = confusion_measures(tp, fp, fn, tn)[name].to_numpy()
        low, high = (np.where(np.isnan(values), end, values) for end in ENDS[name])
    return list(zip(tp.tolist(), tn.tolist(), low.tolist(), high.tolist(), strict=True))


def test_what_a_score_that_is_undefined_may_be_is_what_any_table_reaches():
    found = {}
    for counts in itertools.product(range(3), repeat=4):
        if counts[0] + counts[2] and counts[1] + counts[3]:
            for name, value in measures(*counts).items():
                found.setdefault(name, []).append(value)
    for name in ENDS.keys() & found.keys():
        defined = [float(value) for value in found[name] if value is not None]
        assert (min(defined), max(defined)) == ENDS[name], name
    assert ENDS.keys() - found.keys() == {"roc_auc"}  # which always has a value


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize(("positives", "negatives", "folds"), [(3, 7, 3), (5, 4, 2)])
def test_tables_are_left_out_where_no_folds_have_such_a_mean(name, positives, negatives, folds):
    means = {}
    for tables in itertools.product(
        *(values_of(name, *size) for size in fold_sizes(positives, negatives, folds))
    ):
        tp, tn, low, high = map(sum, zip(*tables, strict=True))
        least, greatest = means.get((tp, tn), (np.inf, -np.inf))
        means[tp, tn] = min(least, low / folds), max(greatest, high / folds)
    for low, high in ((0.2, 0.25), (0.71, 0.72), (0.9, None), (None, 0.1)):
        limits = tuple(None if end is None else Fraction(str(end)) for end in (low, high))
        found = tables_of_means({name: limits}, positives, negatives, folds)
        expected = [
            table
            for table, (least, greatest) in means.items()
            if (high is None or least <= high + 1e-12) and (low is None or greatest >= low - 1e-12)
        ]
        assert list(zip(*map(np.ndarray.tolist, found.all()), strict=True)) == sorted(expected)
        assert found.count == len(expected)


def test_means_of_several_scores_leave_fewer_tables():
    kappa = published_verdict({"cohen_kappa": "0.61"}, positives=40, n=100, folds=5)
    both = published_verdict({"cohen_kappa": "0.61", "f1": "0.70"}, positives=40, n=100, folds=5)
    assert 0 < both.tables < kappa.tables
    assert kappa.verdict == "better"


def test_means_that_are_decided_and_means_that_are_bounded_go_together():
    pytest.importorskip("mlscorecheck")
    kappa = published_verdict({"cohen_kappa": "0.61"}, positives=40, n=100, folds=5)
    both = published_verdict({"cohen_kappa": "0.61", "accuracy": "0.82"}, positives=40, n=100, folds=5)
    assert both.errors == (18, 18)
    assert kappa.errors[0] < 18 < kappa.errors[1]
    assert (
        published_verdict({"cohen_kappa": "0.61", "accuracy": "0.6"}, positives=40, n=100, folds=5).tables
        == 0
    )


def test_means_that_are_not_bounded_or_take_too_long_are_refused():
    with pytest.raises(ValueError, match=r"'lift' over folds is not bounded; those of .* cohen_kappa"):
        published_verdict({"lift": "2"}, positives=40, n=100, folds=5)
    with pytest.raises(ValueError, match=r"takes .* steps with these cases"):
        published_verdict({"cohen_kappa": "0.61"}, positives=4000, n=10_000, folds=5)
