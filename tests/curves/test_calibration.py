"""Scores calibrated for F-beta, as a scikit-learn estimator."""

import numpy as np
import pandas as pd
import pytest
from curves.rankings import f_beta
from sklearn.metrics import fbeta_score
from sklearn.utils.estimator_checks import check_estimator

from nontrivial.curves import FBetaCalibrator, prg_convex_hull

LABELS = np.array([1, 1, 0, 1, 0, 0, 1, 0])
SCORES = np.arange(8, 0, -1)


def test_worked_by_hand():
    calibrator = FBetaCalibrator().fit(SCORES, LABELS)
    np.testing.assert_array_equal(calibrator.thresholds_, [7, 5, 2])
    np.testing.assert_allclose(calibrator.calibrated_scores_, [1, 2 / 3, 4 / 9, 0])
    np.testing.assert_allclose(
        calibrator.predict([100, 7, 6.9, 5, 4.9, 2, 1.9, -100]), [1, 1, 2 / 3, 2 / 3, 4 / 9, 4 / 9, 0, 0]
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("beta", [0, 0.3, 1, 2, 10, np.inf])
def test_cutting_d_is_cutting_the_score_at_the_best_threshold(seed, beta):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(80) < 25)
    scores = rng.normal(size=80).round(1) + labels
    calibrator = FBetaCalibrator().fit(scores, labels)
    d = calibrator.predict(np.sort(scores))
    of_segments = 1 / (1 + prg_convex_hull(labels, scores)[3])
    np.testing.assert_allclose(d[np.diff(d, prepend=-1) != 0], [0, *of_segments[::-1], 1])
    threshold = calibrator.optimal_threshold(beta)
    predicted = calibrator.predict(scores) > 1 / (1 + beta**2) if beta else calibrator.predict(scores) == 1
    np.testing.assert_array_equal(predicted, scores >= threshold)
    if np.isfinite(beta):
        best = max(f_beta(labels, scores >= t, beta) for t in np.unique(scores))
        assert fbeta_score(labels, scores >= threshold, beta=beta) == pytest.approx(best, rel=1e-12)
    else:
        assert threshold == scores[labels == 1].min()


def test_scores_may_come_as_a_column_and_weights_count_like_repetition():
    calibrator = FBetaCalibrator().fit(SCORES[:, None], LABELS, sample_weight=np.arange(1, 9))
    repeated = FBetaCalibrator().fit(np.repeat(SCORES, np.arange(1, 9)), np.repeat(LABELS, np.arange(1, 9)))
    np.testing.assert_array_equal(calibrator.thresholds_, repeated.thresholds_)
    np.testing.assert_array_equal(calibrator.calibrated_scores_, repeated.calibrated_scores_)
    assert calibrator.transform(SCORES[:, None]).shape == (8, 1)
    assert calibrator.transform(SCORES).shape == calibrator.predict(SCORES[:, None]).shape == (8,)


class TakesTables(FBetaCalibrator):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


def test_it_meets_scikit_learns_checks_that_need_one_feature_and_two_classes_at_most():
    """`check_estimator` passes over estimators of one feature: run its checks by name, less those that need more."""

    results = check_estimator(TakesTables(), on_fail=None, on_skip=None)
    passed = {result["check_name"] for result in results if result["status"] == "passed"}
    assert passed >= {
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_estimators_dtypes",
        "check_estimators_pickle",
        "check_estimators_unfitted",
        "check_fit1d",
        "check_fit_idempotent",
        "check_get_params_invariance",
        "check_no_attributes_set_in_init",
        "check_pipeline_consistency",
        "check_sample_weights_pandas_series",
        "check_transformer_preserve_dtypes",
    }


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 1.0, 0.5]])
def test_integers_beyond_the_floats_stay_themselves(weights):
    scores = 2**53 + np.arange(4)
    calibrator = FBetaCalibrator().fit(scores, [0, 1, 0, 1], sample_weight=weights)
    assert calibrator.thresholds_.dtype == scores.dtype
    assert calibrator.thresholds_.tolist() == [2**53 + 3, 2**53 + 1]
    assert calibrator.predict(scores)[[0, 3]].tolist() == [0, 1]
    assert calibrator.optimal_threshold(beta=1) == 2**53 + 1


def test_names_of_the_column_are_kept_and_compared():
    table = pd.DataFrame({"risk": SCORES.astype(float)})
    calibrator = FBetaCalibrator().fit(table, LABELS)
    assert (calibrator.n_features_in_, list(calibrator.feature_names_in_)) == (1, ["risk"])
    assert list(calibrator.get_feature_names_out()) == ["risk"]
    with pytest.raises(ValueError, match="feature names"):
        calibrator.predict(table.rename(columns={"risk": "other"}))
    nameless = FBetaCalibrator().fit(SCORES, LABELS)
    assert nameless.n_features_in_ == 1
    assert not hasattr(nameless, "feature_names_in_")
    assert list(nameless.get_feature_names_out()) == ["x0"]
    assert not hasattr(calibrator.fit(SCORES, LABELS), "feature_names_in_")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([1, 2, 3], [0, 1]), "inconsistent numbers of samples"),
        (([1, 2], [0, 1], [0, 0]), r"weight.*zero"),  # as scikit-learn's checks want it
        *((([1, 2, 3], labels), r"^y (has|holds)") for labels in ([0, 0, 0], [0, 1, 2], list("aba"))),
    ],
)
def test_what_cannot_be_fitted_is_named_as_the_user_does(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        FBetaCalibrator().fit(*arguments)
    for beta in (-1, np.nan, "f1"):
        with pytest.raises(ValueError, match="beta"):
            FBetaCalibrator().fit(SCORES, LABELS).optimal_threshold(beta)
