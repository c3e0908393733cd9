"""The tables that printed scores can belong to, against all tables tried one by one with exact fractions."""

import logging
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.exact_tables import all_tables, measures, rounded, searched
from measures.published.twelve_cases import MEASURES, POSITIVES, TABLES, N, found

from nontrivial.measures import (
    confusion_measures,
    published_advantage,
    published_scores_possible,
    published_tables,
)
from nontrivial.measures.published import feasibility
from nontrivial.measures.published.feasibility import fitting_tables


@pytest.mark.parametrize("name", MEASURES)
def test_single_scores_agree_with_all_tables(name):
    sizes = set()
    can_be_negative = any(each[name] is not None and float(each[name]) < 0 for each in TABLES.values())
    for digits, least, most, by in ((1, -12, 22, 1), (3, -1000, 1001, 37)):
        for step in range(least if can_be_negative else -1, most, by):
            printed = rounded_step(step, digits)
            expected = searched(TABLES, {name: printed})
            assert found({name: printed}) == expected, printed
            sizes.add(len(expected))
    assert len(sizes) > 1


def rounded_step(step, digits):
    return f"{step / 10**digits:.{digits}f}"


@pytest.mark.parametrize(("positives", "n"), [(1, 2), (1, 6), (6, 7), (4, 8), (3, 10), (7, 9)])
def test_what_tables_print_is_found_and_nothing_else(positives, n):
    tables = all_tables(positives, n)
    for name in MEASURES:
        for value in {rounded(values[name], 2) for values in tables.values() if values[name] is not None}:
            if len(value) < 9:  # not infinite
                assert found({name: value}, positives, n) == searched(tables, {name: value}), (name, value)


@pytest.mark.parametrize("name", ["cohen_kappa", "matthews_corrcoef"])
@pytest.mark.parametrize(("positives", "n"), [(4, 47), (11, 35), (2, 20)])
def test_pairs_with_accuracy_that_no_table_has_are_impossible(name, positives, n):
    """Each score is that of a table or next to it; bounding one after the other lets half of the impossible pass."""
    tables = all_tables(positives, n)
    impossible = 0
    for step in range(10, 100, 9):
        accuracy = {"accuracy": f"{step / 100:.2f}"}
        alike = {at: tables[at] for at in searched(tables, accuracy)}
        values = [float(each[name]) for each in alike.values() if each[name] is not None]
        for value in sorted({round(value + near, 2) for value in values for near in (-0.02, 0, 0.02)}):
            scores = {name: f"{value:.2f}"}
            expected = searched(alike, scores)
            assert found(accuracy | scores, positives, n) == expected, scores
            impossible += not expected
    assert impossible > 5


def test_the_pair_of_accuracy_and_kappa_that_passed():
    design = {"positives": 4, "n": 47}
    assert not published_scores_possible({"accuracy": "0.89", "cohen_kappa": "0.24"}, **design)
    assert published_scores_possible({"accuracy": "0.89", "cohen_kappa": "0.23"}, **design) == bool(
        searched(all_tables(**design), {"accuracy": "0.89", "cohen_kappa": "0.23"})
    )


cells = st.integers(0, 1000)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    cells, cells, cells, cells, st.sets(st.sampled_from(MEASURES), min_size=1, max_size=4), st.integers(1, 9)
)
def test_a_table_fits_its_own_scores(tp, fp, fn, tn, names, digits):
    tp, fp = tp + 1, fp + 1  # both classes are there
    values = measures(tp, fp, fn, tn)
    finite = [name for name in sorted(names) if values[name] is not None and abs(float(values[name])) < 1e8]
    scores = {name: rounded(values[name], digits) for name in finite}
    if scores:
        table = fitting_tables(scores, positives=tp + fn, n=tp + fp + fn + tn)
        rows, columns = (tp, tn) if table.order == 1 else (tn, tp)
        assert ((table.row == rows) & (table.low <= columns) & (columns <= table.high)).any()


def test_limits_bound_one_side_and_belong_to_it():
    assert found({"error_rate": ">0.5"}) == [at for at, m in TABLES.items() if m["error_rate"] >= 0.5]
    assert found({"recall": "<0.4"}) == [at for at, m in TABLES.items() if m["recall"] <= 0.4]


def test_areas_bound_the_tables_of_their_thresholds():
    """Cases in all orders, two of three tied, cut wherever they can be, have all of these tables and no other."""
    positives, n = 2, 4
    tables = {}
    for scores in product(range(n), repeat=n):
        wins = [(s > t) + (s == t) / 2 for s in scores[:positives] for t in scores[positives:]]
        area = sum(wins) / len(wins)
        for cut in range(n + 1):
            tp = sum(s >= cut for s in scores[:positives])
            tn = sum(s < cut for s in scores[positives:])
            tables.setdefault(area, set()).add((tp, tn))
    assert len(tables) == 9
    for area, expected in tables.items():
        assert found({"roc_auc": f"{area:.3f}"}, positives, n) == sorted(expected)
    assert found({"roc_auc": "0.55"}, positives, n) == []  # no multiple of 1/8


def test_prediction_advantage_is_that_of_the_table():
    table = published_tables({"recall": "0.6"}, positives=POSITIVES, n=N)
    expected = confusion_measures(table["tp"], table["fp"], table["fn"], table["tn"])["prediction_advantage"]
    assert table["prediction_advantage"].tolist() == expected.tolist()


@pytest.mark.parametrize("step", range(0, 101, 5))
@pytest.mark.parametrize("n_repeats", [1, 2])
def test_means_over_stated_folds_agree_with_a_search(step, n_repeats):
    folds = [(2, 5), (3, 7)]
    printed = f"{step / 100:.2f}"
    means = {
        (a / 5 + b / 7) / (2 * n_repeats) for a in range(5 * n_repeats + 1) for b in range(7 * n_repeats + 1)
    }
    expected = any(abs(mean - step / 100) <= 0.005 + 1e-9 for mean in means)
    possible = published_scores_possible(
        {"accuracy": printed}, positives=POSITIVES, n=N, folds=folds, n_repeats=n_repeats, average="mean"
    )
    assert possible == expected


@pytest.mark.parametrize(
    "scores", [{"recall": "0.4167"}, {"recall": "0.4"}, {"recall": "0.417", "accuracy": "0.7"}]
)
@pytest.mark.parametrize("shift", ["", "5"])
def test_means_of_one_rate_and_of_unequal_digits_agree_with_a_search(scores, shift):
    scores = {name: printed + shift for name, printed in scores.items()}
    folds = [(2, 5), (3, 7)]
    expected = False
    for a, b, c, d in product(range(3), range(4), range(4), range(5)):
        means = {
            "recall": Fraction(a, 4) + Fraction(b, 6),
            "accuracy": Fraction(a + c, 10) + Fraction(b + d, 14),
        }
        halves = {name: Fraction(1, 2 * 10 ** (len(printed) - 2)) for name, printed in scores.items()}
        expected |= all(abs(means[name] - Fraction(scores[name])) <= halves[name] for name in scores)
    possible = published_scores_possible(scores, positives=POSITIVES, n=N, folds=folds, average="mean")
    assert possible == expected


def test_haberman_means_over_folds_can_be_what_one_table_cannot():
    design = {"positives": 81, "n": 306}
    assert not published_scores_possible({"error_rate": "0.273"}, **design)
    assert not published_scores_possible({"error_rate": "0.273"}, **design, folds=10)
    assert published_scores_possible({"error_rate": "0.273"}, **design, folds=10, n_repeats=10)
    assert published_scores_possible({"error_rate": "0.273"}, **design, folds=10, average="mean")
    assert published_scores_possible({"error_rate": ">0.3"}, **design, folds=10, average="mean")


@pytest.mark.parametrize("printed", ["0.27", "0.3", "0.273", "0.2742", "0.266"])
def test_one_table_agrees_with_published_advantage(printed):
    record = published_advantage(error=printed, positives=81, n=306)
    assert published_scores_possible({"error_rate": printed}, positives=81, n=306) == record.possible


def test_folds_that_nobody_stated_are_tried_one_after_the_other(monkeypatch):
    monkeypatch.setattr(feasibility, "MOST_FOLDINGS", 50)
    design = {"positives": 8, "n": 30, "folds": 3, "average": "mean", "stratified": False}
    assert published_scores_possible({"accuracy": "0.7333"}, **design)
    assert not published_scores_possible({"accuracy": "0.7123"}, **design)
    with pytest.raises(ValueError, match="give the folds themselves"):
        published_scores_possible(
            {"accuracy": "0.70001"}, positives=40, n=100, folds=10, average="mean", stratified=False
        )


def test_the_search_is_silent(caplog, capfd):
    caplog.set_level(logging.DEBUG)
    published_scores_possible({"accuracy": "0.7"}, positives=20, n=50, folds=5, average="mean")
    published_scores_possible({"accuracy": "0.7"}, positives=20, n=50)
    assert not [record for record in caplog.records if record.levelno > logging.DEBUG]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"scores": {}}, "empty"),
        ({"scores": ["accuracy"]}, "scores is of type list"),
        ({"scores": {"area": 0.5}}, "'area' is unknown"),
        ({"scores": {"f1": 0.5, "f_beta": 0.5}}, "f_beta is given twice"),
        ({"scores": {"accuracy": "high"}}, "must be a number"),
        (
            {"scores": {"precision": 0.7}, "n_repeats": 2, "average": "mean"},
            "mean of 'precision'",
        ),
        ({"positives": 0}, "both classes"),
        ({"average": "macro"}, "average"),
        ({"n_repeats": 0}, "n_repeats"),
        ({"folds": 1}, "at least 2"),
        ({"folds": [(2, 5), (3, 8)]}, "do not add up"),
        ({"scores": {"f1": 0.5}, "folds": 3, "average": "mean"}, "balanced_accuracy"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_scores_possible(**{"scores": {"accuracy": "0.7"}, "positives": 5, "n": 12} | arguments)


@pytest.mark.parametrize("folds", [2.5, [(1, 2, 3)], "ab", [(1.5, 6), (1.5, 6)], [(-1, 4), (4, 8)]])
def test_folds_that_are_none_are_refused(folds):
    with pytest.raises(ValueError, match="folds is "):
        published_scores_possible({"accuracy": "0.9"}, positives=3, n=12, folds=folds)


@pytest.mark.parametrize(
    ("error_rate", "possible"), [("0.2", True), ("0.1", True), ("0.3", True), ("0.31", False)]
)
def test_a_mean_and_that_of_the_complement_bound_each_other(error_rate, possible):
    """An accuracy of 0.8 with one decimal lies from 0.75 to 0.85."""
    scores = {"accuracy": "0.8", "error_rate": error_rate}
    options = {"positives": 40, "n": 100, "folds": 2, "average": "mean"}
    assert published_scores_possible(scores, **options) is possible


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
def test_a_limit_may_name_what_it_includes(sign):
    assert published_scores_possible({"accuracy": f"{sign}0.5"}, positives=1, n=2)
