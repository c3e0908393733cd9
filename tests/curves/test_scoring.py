"""What all scores and curves of rankings share: classes, weights, prevalences, columns, and what they refuse."""

import itertools
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from curves.rankings import moderate, rankings, split
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.preprocessing import label_binarize

from nontrivial import curves
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")

SCORES = {name: getattr(curves, name) for name in curves.__all__ if name.endswith("_score")}
every_score = pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)


def draw(seed, k=2, n=80):
    rng = generator_for("scoring", seed, k)
    truth = rng.integers(0, k, n)
    truth[:k] = range(k)
    scores = rng.integers(0, 30, (n, k)) + 8 * (truth[:, None] == np.arange(k))  # with ties
    return rng, truth, scores if k > 2 else scores[:, 1] - scores[:, 0]


# A class missing, one of several, or with a name of its own.


@every_score
@pytest.mark.parametrize("weighted", [False, True])
def test_several_classes_are_each_against_the_rest(score, weighted):
    rng, truth, scores = draw(0, k=4)
    weights = rng.integers(1, 4, len(truth)) if weighted else None
    each = [score(truth == k, scores[:, k], sample_weight=weights) for k in range(4)]
    pooled = score(
        label_binarize(truth, classes=range(4)).ravel(),
        scores.ravel(),
        sample_weight=None if weights is None else weights.repeat(4),
    )
    weighted_mean = np.average(each, weights=np.bincount(truth, weights=weights))
    for average, expected in {None: each, "macro": np.mean(each), "weighted": weighted_mean, "micro": pooled}.items():
        result = score(truth, scores, average=average, sample_weight=weights)
        np.testing.assert_allclose(result, expected, rtol=1e-13)


def test_names_of_classes_and_frames_change_nothing():
    _, truth, scores = draw(2, k=3)
    expected = curves.prg_auc_score(truth, scores, average=None)
    named = np.array(["ash", "birch", "cedar"])[truth]
    for other in (named, named.tolist(), pd.Series(named, index=truth * 7), pd.Categorical(named)):
        result = curves.prg_auc_score(other, pd.DataFrame(scores), average=None)
        np.testing.assert_array_equal(result, expected)
    turned = curves.prg_auc_score(named, scores[:, [2, 0, 1]], average=None, labels=["cedar", "ash", "birch"])
    np.testing.assert_array_equal(turned, expected[[2, 0, 1]])


def test_a_class_without_cases_is_undefined_and_weighs_nothing():
    truth, scores = [0, 1, 2, 0], np.eye(4)[[0, 1, 2, 0]]
    for average, expected in {None: [1, 1, 1, np.nan], "macro": np.nan, "weighted": 1}.items():
        with pytest.warns(UndefinedMetricWarning, match=r"classes 3 against"):
            result = curves.pr_auc_score(truth, scores, average=average, labels=range(4))
        np.testing.assert_array_equal(result, expected)
    for average in ("macro", "weighted", "micro", None):
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(curves.prg_auc_score([0] * 4, scores, labels=range(4), average=average)).all()


@pytest.mark.parametrize("options", [{}, {"compared_with": [2, 1]}], ids=["one model", "two"])
def test_one_class_has_no_intervals(options):
    with pytest.warns(UndefinedMetricWarning) as caught:
        result = curves.bootstrap_curve_areas([1, 1], [1, 2], **options)
    assert caught[0].filename == __file__
    expected = curves.bootstrap_curve_areas([0, 1], [1, 2], n_resamples=50, **options)
    assert result.axes[0].equals(expected.axes[0])
    assert result.axes[1].equals(expected.axes[1])
    assert result.drop(index="resamples").isna().all(axis=None)
    for mistake in ({"compared_with": [1, np.nan]}, {"compared_with": [1]}, {"groups": [1]}):
        with pytest.raises(ValueError, match=r"NaN|inconsistent"):
            curves.bootstrap_curve_areas([1, 1], [1, 2], **mistake)


# Options and arrays that are refused, with the name of what is wrong.


@pytest.mark.parametrize(
    ("score", "options", "message"),
    [
        (curves.prg_auc_score, {"average": "binary"}, "average"),
        (curves.prg_auc_score, {"labels": [0, 1, 2]}, "labels has 3 classes"),
        (curves.prg_auc_score, {"labels": [7, 8]}, "none of the classes 7, 8"),
        (curves.prg_auc_score, {"pos_label": 2}, "pos_label"),
        *((curves.prg_auc_score, {"prevalence": p}, "prevalence") for p in (0, 1, -0.1, np.nan, "half", 1e-17)),
        *((curves.pr_auc_score, {"interpolation": i}, "hyperbolic, step, linear") for i in ("cubic", None)),
        *((curves.expected_f_gain_score, {"beta": beta}, "beta") for beta in (-1, np.nan, "1", None)),
        *((curves.h_measure_score, {"shape": s}, "shape") for s in (5, (2,), (0, 1), (1, np.inf), ("a", 1))),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(score, options, message):
    with pytest.raises(ValueError, match=message):
        score([0, 1, 1, 0], [1, 4, 2, 3], **options)
    with pytest.raises(TypeError, match=f"{score.__name__}.*unknown"):
        score([0, 1], [1, 2], unknown=1)


@pytest.mark.parametrize(
    "options", [{"pos_label": 1}, {"prevalence": 0.5}, {"labels": [0, 1, 2, 3]}, {"labels": [0, 1]}]
)
def test_options_that_do_not_fit_several_classes_are_refused(options):
    _, truth, scores = draw(3, k=3)
    with pytest.raises(ValueError, match=r"\.$"):
        curves.prg_auc_score(truth, scores, **options)


# Weights and prevalences.


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@every_score
@moderate
@given(rows=rankings, weights=st.lists(st.integers(1, 3), min_size=30, max_size=30), fraction=st.booleans())
@example(rows=[(False, 1), (True, 0), (True, 2)], weights=[2, 1, 1], fraction=False)
@example(rows=[(False, 3), (True, 3), (False, 2), (True, 1)], weights=[1, 1, 1, 1], fraction=True)
def test_weights_are_repetitions_and_a_common_factor_changes_nothing(score, rows, weights, fraction):
    truth, scores = split(rows)
    weights = np.array(weights[: len(truth)])
    expected = score(truth, scores, sample_weight=weights)
    repeated = score(np.repeat(truth, weights), np.repeat(scores, weights))
    np.testing.assert_allclose(repeated, expected, rtol=1e-12, atol=1e-14)
    # Products of the sums are not exact any more; scaled thirds are whole numbers for a float64, too.
    factor = 1e17 / 3 if fraction else 100_000_007
    result = score(truth, scores, sample_weight=weights * factor)
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)


@every_score
def test_a_case_of_no_weight_counts_for_nothing_but_its_score_is_a_number(score):
    _, truth, scores = draw(7)
    weights = np.append(np.ones(len(truth)), 0)
    expected = score(truth, scores)
    result = score(np.append(truth, 7), np.append(scores, 5), sample_weight=weights)
    assert result == pytest.approx(expected, rel=1e-12)
    _, classes, columns = draw(8, k=3)
    of_classes = score(np.append(classes, 7), np.vstack([columns, [0, 0, 0]]), sample_weight=weights)
    assert of_classes == pytest.approx(score(classes, columns), rel=1e-12)
    for unknown in ([1, 2, np.nan], [[1, 2, 3], [3, 2, 1], [np.nan, 3, 2]]):
        with pytest.raises(ValueError, match="NaN"):
            score([0, 1, 2], unknown, sample_weight=[1, 1, 0])


# Values that are exact, and what areas cost.

CONSTANT = [
    (curves.roc_hull_auc_score, {}, lambda _: 0.5),
    (curves.cost_curve_area_score, {}, lambda _: 0.25),
    (curves.prg_auc_score, {}, lambda _: 0.0),
    (curves.prg_auc_score, {"clip": True}, lambda _: 0.0),
    (curves.expected_f_gain_score, {}, lambda _: 0.25),
    (curves.expected_f_gain_score, {"beta": 2}, lambda _: 0.4),
    (curves.pr_auc_score, {}, lambda p: p),
    (curves.pr_auc_score, {"interpolation": "step"}, lambda p: p),
    (curves.pr_auc_score, {"interpolation": "linear"}, lambda p: (1 + p) / 2),
    (curves.break_even_point_score, {}, lambda p: p),
]
WEIGHTS = {
    "none": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(1, 9, n),
    "decimal": lambda rng, n: rng.random(n) + 0.01,
    "twelve decades": lambda rng, n: 10 ** rng.uniform(-6, 6, n),
}


@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_constant_score_has_exactly_the_area_that_is_documented(kind):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 40))
        labels = rng.integers(0, 2, n)
        labels[:2] = 0, 1
        weights, scores = WEIGHTS[kind](rng, n), np.zeros(n)
        points = curves.operating_points(labels, scores, sample_weight=weights)
        prevalence = points.positives / (points.positives + points.negatives)
        for score, options, value in CONSTANT:
            assert score(labels, scores, sample_weight=weights, **options) == value(prevalence), (score, options)


def test_a_perfect_ranking_has_its_areas_exactly_however_its_scores_are_tied():
    perfect = dict.fromkeys(("roc_auc", "average_precision", "pr_auc", "prg_auc"), 1.0)
    perfect["cost_curve_area"] = 0.0
    rng = np.random.default_rng(0)
    for positives, negatives in itertools.product([1, 2, 3, 7, 10, 49, 1000, 40_000], repeat=2):
        for weights in (None, rng.random(positives + negatives) + 0.01):
            scores = np.concatenate(
                [rng.integers(5, 5 + rng.integers(1, 20), positives), rng.integers(0, rng.integers(1, 5), negatives)]
            )
            labels = np.repeat([1, 0], [positives, negatives])
            areas = curves.curve_areas(labels, scores, sample_weight=weights)
            gain = areas["expected_f1_gain"]
            assert gain == (0.75 if weights is None else pytest.approx(0.75, abs=1e-14))
            assert areas | perfect == areas


@pytest.mark.parametrize("score", [curves.curve_areas, curves.prg_auc_score, curves.expected_f_gain_score])
def test_an_extrapolated_area_is_announced_once(score):
    few = np.arange(100) < 3
    with pytest.warns(curves.ExtrapolatedAreaWarning, match=r"extrapolated.*mean_random_prg_auc") as caught:
        score(few, -np.arange(100))
    assert [each.filename for each in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(np.arange(100) < 10, -np.arange(100))  # recall gain 0 is at TP = 1, a point


@pytest.mark.parametrize("area", [curves.prg_auc_score, curves.curve_areas])
def test_memory_is_that_of_a_few_arrays_of_scores(area):
    rng = generator_for("memory of curves")
    labels = rng.random(10**5) < 0.3
    scores = rng.normal(size=labels.size) + labels
    area(labels[:100], scores[:100])  # whatever the first call of all needs
    tracemalloc.start()
    area(labels, scores)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 8 * scores.nbytes


@pytest.mark.filterwarnings("ignore:The effective sample size")
@pytest.mark.parametrize("areas", [curves.curve_areas, curves.bootstrap_curve_areas])
def test_an_expected_gain_that_is_undefined_is_announced(areas):
    with pytest.warns(UndefinedMetricWarning, match="expected F gain is set to NaN"):
        result = areas([1, 1, 1, 0], [1, 2, 3, 4])
    assert np.isnan(np.ravel(result["expected_f1_gain"])[0])
