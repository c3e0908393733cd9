"""Several classes, one class, given prevalences and columns: what all scores of rankings share."""

import numpy as np
import pandas as pd
import pytest
from curves.rankings import moderate, rankings, split
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.exceptions import DataConversionWarning, UndefinedMetricWarning
from sklearn.metrics import average_precision_score
from sklearn.preprocessing import label_binarize

from nontrivial import curves
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")

AREAS = {
    "prg_auc": curves.prg_auc_score,
    "pr_auc": curves.pr_auc_score,
    "expected_f_gain": curves.expected_f_gain_score,
    "roc_hull_auc": curves.roc_hull_auc_score,
    "cost_curve_area": curves.cost_curve_area_score,
    "break_even_point": curves.break_even_point_score,
    "kolmogorov_smirnov": curves.kolmogorov_smirnov_score,
    "h_measure": curves.h_measure_score,
}
OF_CLASSES = {name: AREAS[name] for name in ("prg_auc", "pr_auc")}
AT_PREVALENCE = {name: AREAS[name] for name in ("prg_auc", "pr_auc", "expected_f_gain")}


def draw(seed, k=2, n=80):
    rng = generator_for("scoring", seed, k)
    truth = rng.integers(0, k, n)
    truth[:k] = range(k)
    scores = rng.integers(0, 30, (n, k)) + 8 * (truth[:, None] == np.arange(k))  # with ties
    return rng, truth, scores if k > 2 else scores[:, 1] - scores[:, 0]


@pytest.mark.parametrize("score", OF_CLASSES.values(), ids=OF_CLASSES)
@pytest.mark.parametrize("weighted", [False, True])
def test_several_classes_are_each_against_the_rest(score, weighted):
    rng, truth, scores = draw(0, k=4)
    weights = rng.integers(1, 4, len(truth)) if weighted else None
    each = [score(truth == k, scores[:, k], sample_weight=weights) for k in range(4)]
    mass = np.bincount(truth, weights=weights)
    found = score(truth, scores, average=None, sample_weight=weights)
    assert found.tolist() == each
    assert score(truth, scores, sample_weight=weights) == pytest.approx(np.mean(each), rel=1e-14)
    weighted_mean = score(truth, scores, average="weighted", sample_weight=weights)
    assert weighted_mean == pytest.approx(np.average(each, weights=mass), rel=1e-14)
    pooled = score(
        label_binarize(truth, classes=range(4)).ravel(),
        scores.ravel(),
        sample_weight=None if weights is None else weights.repeat(4),
    )
    assert score(truth, scores, average="micro", sample_weight=weights) == pytest.approx(pooled, rel=1e-14)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
def test_steps_are_average_precision_of_scikit_learn(average):
    _, truth, scores = draw(1, k=3)
    expected = average_precision_score(label_binarize(truth, classes=range(3)), scores, average=average)
    found = curves.pr_auc_score(truth, scores, interpolation="step", average=average)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_names_of_classes_and_frames_change_nothing():
    _, truth, scores = draw(2, k=3)
    expected = curves.prg_auc_score(truth, scores, average=None)
    named = np.array(["ash", "birch", "cedar"])[truth]
    for other in (named, named.tolist(), pd.Series(named, index=truth * 7), pd.Categorical(named)):
        found = curves.prg_auc_score(other, pd.DataFrame(scores), average=None)
        np.testing.assert_array_equal(found, expected)
    turned = curves.prg_auc_score(named, scores[:, [2, 0, 1]], average=None, labels=["cedar", "ash", "birch"])
    np.testing.assert_array_equal(turned, expected[[2, 0, 1]])


def test_a_class_without_cases_is_undefined_and_weighs_nothing():
    scores = np.eye(4)[[0, 1, 2, 0]]
    with pytest.warns(UndefinedMetricWarning, match=r"classes 3 against"):
        each = curves.pr_auc_score([0, 1, 2, 0], scores, average=None, labels=range(4))
    np.testing.assert_array_equal(each, [1, 1, 1, np.nan])
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(curves.pr_auc_score([0, 1, 2, 0], scores, labels=range(4)))
    with pytest.warns(UndefinedMetricWarning):
        assert curves.pr_auc_score([0, 1, 2, 0], scores, labels=range(4), average="weighted") == 1


@pytest.mark.parametrize(
    "options",
    [
        {"average": "binary"},
        {"average": np.array(["macro", "micro"])},
        {"pos_label": 1},
        {"prevalence": 0.5},
        {"labels": [0, 1, 2, 3]},
        {"labels": [0, 1]},
    ],
)
def test_options_that_do_not_fit_several_classes_are_refused(options):
    _, truth, scores = draw(3, k=3)
    with pytest.raises(ValueError, match=r"\.$"):
        curves.prg_auc_score(truth, scores, **options)


def test_one_class_does_not_hide_other_mistakes():
    for options in ({"compared_with": [1, np.nan]}, {"compared_with": [1]}, {"groups": [1]}):
        with pytest.raises(ValueError, match=r"\.$"):
            curves.bootstrap_curve_areas([1, 1], [1, 2], **options)
    with pytest.raises(ValueError, match="prevalence"):
        curves.prg_auc_score([1, 1], [1, 2], prevalence=5)


@pytest.mark.parametrize("options", [{}, {"compared_with": [2, 1]}], ids=["one model", "two"])
def test_one_class_has_no_intervals(options):
    with pytest.warns(UndefinedMetricWarning) as caught:
        found = curves.bootstrap_curve_areas([1, 1], [1, 2], **options)
    assert caught[0].filename == __file__
    expected = curves.bootstrap_curve_areas([0, 1], [1, 2], n_resamples=50, **options)
    assert found.axes[0].equals(expected.axes[0])
    assert found.axes[1].equals(expected.axes[1])
    assert found.drop(index="resamples").isna().all(axis=None)


def test_a_prevalence_so_near_0_that_a_class_would_be_lost_is_refused():
    with pytest.raises(ValueError, match="prevalence"):
        curves.pr_auc_score([0, 1, 1, 0], [1, 4, 2, 3], prevalence=1e-17)


@pytest.mark.parametrize("score", [*AREAS.values(), curves.curve_areas, curves.precision_recall_gain_curve])
def test_strings_are_asked_for_the_positive_one(score):
    with pytest.raises(ValueError, match="pos_label must say which of 'a' and 'b' is positive"):
        score(["a", "b"], [1, 2])
    found, expected = score(["a", "b", "a"], [1, 2, 3], pos_label="a"), score([1, 0, 1], [1, 2, 3])
    assert repr(found) == repr(expected)


@pytest.mark.parametrize("score", AREAS.values(), ids=AREAS)
def test_columns_are_taken_with_a_warning(score):
    _, truth, scores = draw(4)
    expected = score(truth, scores)
    with pytest.warns(DataConversionWarning, match="y_true") as caught:
        assert score(truth[:, None], scores) == expected
    assert caught[0].filename == __file__
    with pytest.warns(DataConversionWarning, match="y_score"):
        assert score(truth, pd.DataFrame({"score": scores})) == expected


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("score", AREAS.values(), ids=AREAS)
@moderate
@given(rows=rankings, weights=st.lists(st.integers(1, 3), min_size=30, max_size=30), fraction=st.booleans())
@example(rows=[(False, 1), (True, 0), (True, 2)], weights=[2, 1, 1], fraction=False)
@example(rows=[(False, 3), (True, 3), (False, 2), (True, 1)], weights=[1, 1, 1, 1], fraction=True)
def test_a_common_factor_of_the_weights_changes_nothing(score, rows, weights, fraction):
    truth, scores = split(rows)
    weights = np.array(weights[: len(truth)])
    expected = score(truth, scores, sample_weight=weights)
    # Products of the sums are not exact any more; scaled thirds are whole numbers for a float64, too.
    factor = 1e17 / 3 if fraction else 100_000_007
    found = score(truth, scores, sample_weight=weights * factor)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("score", AREAS.values(), ids=AREAS)
def test_a_case_of_no_weight_counts_for_nothing_whatever_its_label(score):
    _, truth, scores = draw(7)
    weights = np.ones(len(truth))
    weights[2] = 0
    expected = score(np.delete(truth, 2), np.delete(scores, 2))
    truth[2] = 7
    assert score(truth, scores, sample_weight=weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("score", OF_CLASSES.values(), ids=OF_CLASSES)
def test_a_case_of_no_weight_is_of_no_class(score):
    _, truth, scores = draw(8, k=3)
    weights = np.append(np.ones(len(truth)), 0)
    found = score(np.append(truth, 7), np.vstack([scores, [0, 0, 0]]), sample_weight=weights)
    assert found == pytest.approx(score(truth, scores), rel=1e-12)
    assert score([0, 1, 7], [1, 2, 3], labels=[0, 1], sample_weight=[1, 1, 0]) == 1


@pytest.mark.parametrize("score", [curves.prg_auc_score, curves.expected_f_gain_score])
def test_prevalences_next_to_1_are_right_or_refused(score):
    with pytest.raises(ValueError, match="prevalence"):
        score([1, 1, 0], [3, 2, 1], prevalence=1 - 1e-13)
    assert score([1, 1, 0], [3, 2, 1], prevalence=1 - 2e-9) == pytest.approx(score([1, 1, 0], [3, 2, 1]))


@pytest.mark.parametrize("score", OF_CLASSES.values(), ids=OF_CLASSES)
def test_labels_of_one_column_are_two(score):
    assert score([0, 1], [1, 2], labels=[0, 1]) == 1
    with pytest.raises(ValueError, match="labels has 3 classes"):
        score([0, 1], [1, 2], labels=[0, 1, 2])
    with pytest.raises(ValueError, match="not in labels"):
        score([0, 1], [1, 2], labels=[7, 8])


@pytest.mark.parametrize("score", AT_PREVALENCE.values(), ids=AT_PREVALENCE)
@pytest.mark.parametrize("prevalence", [0.01, 0.3, 0.9])
def test_a_prevalence_is_a_weight_of_the_classes(score, prevalence):
    _, truth, scores = draw(6)
    share = truth.mean()
    weights = np.where(truth == 1, prevalence / share, (1 - prevalence) / (1 - share))
    found = score(truth, scores, prevalence=prevalence)
    assert found == pytest.approx(score(truth, scores, sample_weight=weights), rel=1e-11)
    assert score(truth, scores, prevalence=share) == pytest.approx(score(truth, scores), rel=1e-11)


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, np.nan, "half"])
def test_a_prevalence_lies_between_0_and_1(prevalence):
    with pytest.raises(ValueError, match="prevalence"):
        curves.prg_auc_score([0, 1], [1, 2], prevalence=prevalence)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
def test_one_class_of_several_is_nan_with_a_warning(average):
    scores = np.arange(12).reshape(4, 3)
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(curves.prg_auc_score([0] * 4, scores, labels=[0, 1, 2], average=average)).all()


def test_whole_numbers_of_columns_of_several_types_keep_their_digits():
    scores = np.array([[2**63 + 1, 1, 1], [2**63, 1, 2], [2**63, 3, 3], [2**63 + 2, 0, 0]], dtype=object)
    order = sorted(set(scores.flat))
    ranks = np.array([order.index(each) for each in scores.flat]).reshape(scores.shape)
    found = curves.pr_auc_score([0, 1, 2, 0], scores, average="micro", interpolation="step")
    assert found == curves.pr_auc_score([0, 1, 2, 0], ranks, average="micro", interpolation="step")
    scores[:, 2] = [0.5, 0.5, 0.25, 0.125]
    with pytest.raises(ValueError, match="whole numbers"):
        curves.pr_auc_score([0, 1, 2, 0], scores, average="micro")


@pytest.mark.parametrize("score", OF_CLASSES.values(), ids=OF_CLASSES)
@pytest.mark.parametrize("scores", [[1, 2, np.nan], [[1, 2, 3], [3, 2, 1], [np.nan, 3, 2]]])
def test_scores_of_cases_without_weight_are_numbers_too(score, scores):
    with pytest.raises(ValueError, match="NaN"):
        score([0, 1, 2], scores, sample_weight=[1, 1, 0])
