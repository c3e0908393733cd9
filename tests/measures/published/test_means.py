"""Means over folds: whether folds can have them, and which tables of all folds together may."""

import itertools
import logging
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from nontrivial.measures import published_scores_possible, published_verdict
from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.measures.confusion import as_tables
from nontrivial.measures.published.folds import BOUNDED_SCORES, spread_evenly, tables_of_means
from nontrivial.measures.published.tables import SCORE_BOUNDS, parse_scores

FOLDS = {"positives": 5, "n": 12, "folds": [(2, 5), (3, 7)], "average": "mean"}
HABERMAN = {"positives": 81, "n": 306}


@pytest.mark.parametrize(
    "scores",
    [
        {"recall": "0.4167"},
        *({"accuracy": f"{step / 100:.2f}"} for step in range(0, 101, 5)),
        {"recall": "0.417", "accuracy": "0.7"},
        {"recall": "0.4175", "accuracy": "0.75"},
    ],
)
def test_means_over_stated_folds_agree_with_a_search(scores):
    expected = False
    for a, b, c, d in itertools.product(range(3), range(4), range(4), range(5)):
        means = {"recall": Fraction(a, 4) + Fraction(b, 6), "accuracy": Fraction(a + c, 10) + Fraction(b + d, 14)}
        halves = {name: Fraction(1, 2 * 10 ** (len(printed) - 2)) for name, printed in scores.items()}
        expected |= all(abs(means[name] - Fraction(scores[name])) <= halves[name] for name in scores)
    assert published_scores_possible(scores, **FOLDS) == expected


@pytest.mark.parametrize(
    ("scores", "design", "possible"),
    [
        ({"error_rate": "0.273"}, HABERMAN, False),
        ({"error_rate": "0.273"}, HABERMAN | {"folds": 10}, False),
        ({"error_rate": "0.273"}, HABERMAN | {"folds": 10, "n_repeats": 10}, True),
        ({"error_rate": "0.273"}, HABERMAN | {"folds": 10, "average": "mean"}, True),
        ({"error_rate": ">0.3"}, HABERMAN | {"folds": 10, "average": "mean"}, True),
        # no mean over scikit-learn's stratified folds, but one over five folds of 14 cases and five of 16
        ({"accuracy": "87.5%"}, {"positives": 45, "n": 150, "folds": 10, "average": "mean"}, True),
        ({"accuracy": "0.51"}, {"positives": 10, "n": 30, "folds": 2, "average": "mean"}, False),
        # means of the accuracy are multiples of 1/70, and 32/70 is 0.457143: a millionth beside it passes, no more
        ({"accuracy": ">0.45714", "error_rate": ">0.529"}, FOLDS, True),
        ({"accuracy": ">0.45715", "error_rate": ">0.529"}, FOLDS, False),
        # two folds have no negative case, which the accuracy does not need
        ({"accuracy": "0.3"}, {"positives": 11, "n": 14, "folds": 5, "average": "mean"}, True),
        ({"accuracy": "0.98"}, {"positives": 11, "n": 14, "folds": 5, "average": "mean"}, False),
        # a score and its complement bound each other: 0.8 lies from 0.75 to 0.85
        ({"accuracy": "0.8", "error_rate": "0.3"}, {"positives": 40, "n": 100, "folds": 2, "average": "mean"}, True),
        ({"accuracy": "0.8", "error_rate": "0.31"}, {"positives": 40, "n": 100, "folds": 2, "average": "mean"}, False),
    ],
)  # fmt: skip
def test_what_one_table_and_means_can_be(scores, design, possible):
    assert published_scores_possible(scores, **design) is possible


def test_the_search_is_silent(caplog, capfd):
    caplog.set_level(logging.DEBUG)
    published_scores_possible({"accuracy": "0.7"}, positives=20, n=50, folds=5, average="mean")
    assert not [record for record in caplog.records if record.levelno > logging.DEBUG]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"scores": {}}, "empty"),
        ({"scores": ["accuracy"]}, "scores is of type list"),
        ({"scores": {"area": 0.5}}, "'area' is unknown"),
        ({"scores": {"f1": 0.5, "f_beta": 0.5}}, "f_beta is given twice"),
        ({"scores": {"precision": 0.7}, "n_repeats": 2, "average": "mean"}, "mean of precision"),
        ({"average": "macro"}, "average"),
        ({"folds": 1, "average": "mean"}, "from 2 to 6"),
        ({"folds": [(0, 5), (5, 7)], "average": "mean", "scores": {"recall": "0.7"}}, "no case of one class"),
        ({"folds": [(2, 5), (3, 8)]}, "do not add up"),
        *(({"folds": bad}, "folds is ") for bad in (2.5, "ab", [(1.5, 6), (1.5, 6)], [(-1, 4), (6, 8)], [[1], [2, 3]])),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_scores_possible(**{"scores": {"accuracy": "0.7"}, "positives": 5, "n": 12} | arguments)


@pytest.mark.parametrize(("positives", "negatives", "folds"), [(7, 10, 3), (10, 10, 10), (81, 225, 10), (5, 31, 4)])
def test_folds_are_those_of_scikit_learn(positives, negatives, folds):
    truth = np.repeat([1, 0], [positives, negatives])
    splits = StratifiedKFold(folds).split(truth, truth)
    sizes = Counter((int(truth[i].sum()), int((1 - truth[i]).sum())) for _, i in splits)
    assert Counter(spread_evenly(positives, negatives, folds)[0]) == sizes


@pytest.mark.parametrize("positives", [3, 4])
def test_means_of_folds_of_even_size_or_even_classes_are_never_excluded(positives):
    """All folds of either rule, with the means of the accuracy, and of the recall if each fold has positives."""
    n, folds = 8, 3
    tables = {}
    fold_tables = list(itertools.product(range(positives + 1), range(n - positives + 1)))
    for design in itertools.product(fold_tables, repeat=folds):
        sizes, classes = list(map(sum, design)), list(zip(*design, strict=True))
        is_even = max(sizes) - min(sizes) <= 1
        if list(map(sum, classes)) != [positives, n - positives] or not (
            is_even or all(max(part) - min(part) <= 1 for part in classes)
        ):
            continue
        cells = [list(itertools.product(range(p + 1), range(q + 1))) for p, q in design]
        for hits in itertools.product(*cells):
            accuracy = sum(sum(right) / size for right, size in zip(hits, sizes, strict=True)) / folds
            scores = {"accuracy": f"{accuracy:.4f}"}
            if min(classes[0]):
                recall = sum(tp / p for (tp, _), p in zip(hits, classes[0], strict=True)) / folds
                scores["recall"] = f"{recall:.4f}"
            tables.setdefault(tuple(scores.items()), set()).add(n - sum(map(sum, hits)))
    for scores, errors in list(tables.items())[::5]:
        record = published_verdict(dict(scores), positives=positives, n=n, folds=folds)
        assert record.errors[0] <= min(errors) <= max(errors) <= record.errors[1]
    record = published_verdict({"accuracy": "0.0101"}, positives=positives, n=n, folds=folds)
    assert (record.tables, record.fold_rule) == (0, "even")


@pytest.mark.parametrize("name", BOUNDED_SCORES)
@pytest.mark.parametrize(("positives", "negatives", "folds"), [(3, 7, 3), (5, 4, 2)])
def test_tables_are_left_out_where_no_folds_have_such_a_mean(name, positives, negatives, folds):
    means = {}
    sizes = spread_evenly(positives, negatives, folds)[0]
    for tables in itertools.product(*(values_of(name, *size) for size in sizes)):
        tp, tn, low, high = map(sum, zip(*tables, strict=True))
        least, greatest = means.get((tp, tn), (np.inf, -np.inf))
        means[tp, tn] = min(least, low / folds), max(greatest, high / folds)
    for printed in ("0.6", "0.71", ">0.9", "<0.55"):
        ranges = parse_scores({name: printed})
        fitting = tables_of_means(ranges, positives, negatives, folds, stratified=True)
        low, high = float(ranges[name].low), float(ranges[name].high)
        expected = [hits for hits, (least, most) in means.items() if least <= high + 1e-12 and most >= low - 1e-12]
        assert list(zip(*map(np.ndarray.tolist, fitting.list_hits()), strict=True)) == sorted(expected)


def values_of(name, positives, negatives):
    """Return the least and the greatest score of all tables of a fold; a score of 0/0 may be anything."""
    tp, tn = (cells.ravel() for cells in np.mgrid[: positives + 1, : negatives + 1])
    fn, fp = positives - tp, negatives - tn
    if name == "roc_auc":
        low, high = tp * tn / (positives * negatives), 1 - fn * fp / (positives * negatives)
    else:
        values = CATALOGUE[name].values(as_tables(tp, fp, fn, tn))
        low, high = (np.where(np.isnan(values), float(end), values) for end in SCORE_BOUNDS[name])
    return list(zip(tp.tolist(), tn.tolist(), low.tolist(), high.tolist(), strict=True))


def test_more_means_leave_fewer_tables():
    design = {"positives": 40, "n": 100, "folds": 5, "stratified": True}
    kappa = published_verdict({"cohen_kappa": "0.61"}, **design)
    assert kappa.verdict == "better"
    assert 0 < published_verdict({"cohen_kappa": "0.61", "f1": "0.70"}, **design).tables < kappa.tables
    assert kappa.errors[0] < 18 < kappa.errors[1]
    assert published_verdict({"cohen_kappa": "0.61", "accuracy": "0.82"}, **design).errors == (18, 18)
    assert published_verdict({"cohen_kappa": "0.61", "accuracy": "0.6"}, **design).tables == 0


def test_means_that_are_not_bounded_or_take_too_long_are_refused():
    with pytest.raises(ValueError, match=r"lift over folds is not bounded; the means of .* cohen_kappa"):
        published_verdict({"lift": "2"}, positives=40, n=100, folds=5, stratified=True)
    with pytest.raises(ValueError, match=r"takes .* steps with these cases"):
        published_verdict({"cohen_kappa": "0.61"}, positives=4000, n=10_000, folds=5, stratified=True)
