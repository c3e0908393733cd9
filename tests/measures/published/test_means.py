"""Means over folds: whether folds can have them, and which tables of all folds together may."""

import itertools
import logging
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from measures.exact_tables import measures
from sklearn.model_selection import StratifiedKFold

from nontrivial.measures import confusion_measures, published_scores_possible, published_verdict
from nontrivial.measures.published import feasibility
from nontrivial.measures.published.feasibility import ENDS, fold_sizes, pooled_ranges, tables_of_means

STRATIFIED = pytest.mark.parametrize(
    ("positives", "negatives", "folds"), [(7, 10, 3), (10, 10, 10), (81, 225, 10), (5, 31, 4)]
)


@pytest.mark.parametrize("n_repeats", [1, 2])
def test_means_over_stated_folds_agree_with_a_search(n_repeats):
    means = {
        Fraction(7 * a + 5 * b, 70 * n_repeats)
        for a in range(5 * n_repeats + 1)
        for b in range(7 * n_repeats + 1)
    }
    design = {"positives": 5, "n": 12, "folds": [(2, 5), (3, 7)], "n_repeats": n_repeats, "average": "mean"}
    for step in range(0, 101, 5):
        expected = any(abs(mean - Fraction(step, 100)) <= Fraction(1, 200) for mean in means)
        assert published_scores_possible({"accuracy": f"{step / 100:.2f}"}, **design) == expected


@pytest.mark.parametrize(
    "scores",
    [
        {"recall": "0.4167"},
        {"recall": "0.4"},
        {"recall": "0.417", "accuracy": "0.7"},
        {"recall": "0.4175", "accuracy": "0.75"},
    ],
)
def test_means_of_one_rate_and_of_unequal_digits_agree_with_a_search(scores):
    expected = False
    for a, b, c, d in itertools.product(range(3), range(4), range(4), range(5)):
        means = {
            "recall": Fraction(a, 4) + Fraction(b, 6),
            "accuracy": Fraction(a + c, 10) + Fraction(b + d, 14),
        }
        halves = {name: Fraction(1, 2 * 10 ** (len(printed) - 2)) for name, printed in scores.items()}
        expected |= all(abs(means[name] - Fraction(scores[name])) <= halves[name] for name in scores)
    design = {"positives": 5, "n": 12, "folds": [(2, 5), (3, 7)]}
    assert published_scores_possible(scores, **design, average="mean") == expected


def test_a_mean_that_misses_the_range_by_more_than_a_millionth_is_none():
    """Means of the accuracy are multiples of 1/70; 32/70 is 0.457143."""
    design = {"positives": 5, "n": 12, "folds": [(2, 5), (3, 7)], "average": "mean"}
    for low, possible in (("0.45714", True), ("0.45715", False)):
        scores = {"accuracy": f">{low}", "error_rate": ">0.529"}
        assert published_scores_possible(scores, **design) is possible


def test_haberman_means_over_folds_can_be_what_one_table_cannot():
    design = {"positives": 81, "n": 306}
    assert not published_scores_possible({"error_rate": "0.273"}, **design)
    assert not published_scores_possible({"error_rate": "0.273"}, **design, folds=10)
    assert published_scores_possible({"error_rate": "0.273"}, **design, folds=10, n_repeats=10)
    assert published_scores_possible({"error_rate": "0.273"}, **design, folds=10, average="mean")
    assert published_scores_possible({"error_rate": ">0.3"}, **design, folds=10, average="mean")


def test_folds_that_nobody_stated_are_tried_one_after_the_other(monkeypatch):
    monkeypatch.setattr(feasibility, "MOST_FOLDINGS", 50)
    design = {"positives": 8, "n": 30, "folds": 3, "average": "mean", "stratified": False}
    assert published_scores_possible({"accuracy": "0.7333"}, **design)
    assert not published_scores_possible({"accuracy": "0.7123"}, **design)
    with pytest.raises(ValueError, match="give the folds themselves"):
        published_scores_possible(
            {"accuracy": "0.70001"}, **design | {"positives": 40, "n": 100, "folds": 10}
        )


def test_the_search_is_silent(caplog, capfd):
    caplog.set_level(logging.DEBUG)
    published_scores_possible({"accuracy": "0.7"}, positives=20, n=50, folds=5, average="mean")
    assert not [record for record in caplog.records if record.levelno > logging.DEBUG]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("error_rate", "possible"), [("0.2", True), ("0.3", True), ("0.31", False)])
def test_a_mean_and_that_of_the_complement_bound_each_other(error_rate, possible):
    """An accuracy of 0.8 with one decimal lies from 0.75 to 0.85."""
    scores = {"accuracy": "0.8", "error_rate": error_rate}
    options = {"positives": 40, "n": 100, "folds": 2, "average": "mean"}
    assert published_scores_possible(scores, **options) is possible


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"scores": {}}, "empty"),
        ({"scores": ["accuracy"]}, "scores is of type list"),
        ({"scores": {"area": 0.5}}, "'area' is unknown"),
        ({"scores": {"f1": 0.5, "f_beta": 0.5}}, "f_beta is given twice"),
        ({"scores": {"accuracy": "high"}}, "must be a number"),
        ({"scores": {"precision": 0.7}, "n_repeats": 2, "average": "mean"}, "mean of 'precision'"),
        ({"positives": 0}, "both classes"),
        ({"average": "macro"}, "average"),
        ({"n_repeats": 0}, "n_repeats"),
        ({"folds": 1}, "at least 2"),
        ({"folds": [(2, 5), (3, 8)]}, "do not add up"),
        ({"folds": 2.5}, "folds is "),
        ({"folds": "ab"}, "folds is "),
        ({"folds": [(1.5, 6), (1.5, 6)]}, "folds is "),
        ({"folds": [(-1, 4), (6, 8)]}, "folds is "),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_scores_possible(**{"scores": {"accuracy": "0.7"}, "positives": 5, "n": 12} | arguments)


@STRATIFIED
def test_folds_are_those_of_scikit_learn(positives, negatives, folds):
    truth = np.repeat([1, 0], [positives, negatives])
    splits = StratifiedKFold(folds).split(truth, truth)
    sizes = Counter((int(truth[test].sum()), int((1 - truth[test]).sum())) for _, test in splits)
    assert Counter(fold_sizes(positives, negatives, folds)) == sizes


@pytest.mark.parametrize("seed", range(10))
@STRATIFIED
def test_pooled_scores_lie_in_the_ranges_that_their_means_leave(seed, positives, negatives, folds):
    generator, sizes = np.random.default_rng(seed), fold_sizes(positives, negatives, folds)
    hits = [(int(generator.integers(p + 1)), int(generator.integers(n + 1))) for p, n in sizes]
    rates = [linear_scores(*hit, *size) for hit, size in zip(hits, sizes, strict=True)]
    pooled = linear_scores(*map(sum, zip(*hits, strict=True)), positives, negatives)
    means = {name: sum(rate[name] for rate in rates) / folds for name in pooled}
    for name, (low, high) in pooled_ranges({key: (mean, mean) for key, mean in means.items()}, sizes).items():
        assert low <= pooled[name] <= high
        if positives % folds == negatives % folds == 0:
            assert low == high == pooled[name]


def linear_scores(tp, tn, positives, negatives):
    exact = measures(tp, negatives - tn, positives - tp, tn)
    return {name: exact[name] for name in feasibility.LINEAR}


def test_ranges_are_attained_by_the_small_and_by_the_large_folds():
    """Of three folds of 2, 1 and 1 positives, one of two thirds of them right leaves 2 or 3 of 4."""
    mean, sizes = Fraction(2, 3), fold_sizes(4, 9, 3)
    assert pooled_ranges({"recall": (mean, mean)}, sizes) == {"recall": (Fraction(2, 4), Fraction(3, 4))}
    assert pooled_ranges({"recall": (None, Fraction(2))}, sizes) == {"recall": (None, Fraction(2))}


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
    counts = [
        each for each in itertools.product(range(3), repeat=4) if each[0] + each[2] and each[1] + each[3]
    ]
    scores = [measures(*each) for each in counts]
    for name in ENDS.keys() - {"roc_auc"}:  # which always has a value
        defined = [float(each[name]) for each in scores if each[name] is not None]
        assert (min(defined), max(defined)) == ENDS[name], name


def test_more_means_leave_fewer_tables():
    pytest.importorskip("mlscorecheck")
    design = {"positives": 40, "n": 100, "folds": 5}
    kappa = published_verdict({"cohen_kappa": "0.61"}, **design)
    assert kappa.verdict == "better"
    assert 0 < published_verdict({"cohen_kappa": "0.61", "f1": "0.70"}, **design).tables < kappa.tables
    assert kappa.errors[0] < 18 < kappa.errors[1]
    assert published_verdict({"cohen_kappa": "0.61", "accuracy": "0.82"}, **design).errors == (18, 18)
    assert published_verdict({"cohen_kappa": "0.61", "accuracy": "0.6"}, **design).tables == 0


def test_means_that_are_not_bounded_or_take_too_long_are_refused():
    with pytest.raises(ValueError, match=r"'lift' over folds is not bounded; those of .* cohen_kappa"):
        published_verdict({"lift": "2"}, positives=40, n=100, folds=5)
    with pytest.raises(ValueError, match=r"takes .* steps with these cases"):
        published_verdict({"cohen_kappa": "0.61"}, positives=4000, n=10_000, folds=5)
