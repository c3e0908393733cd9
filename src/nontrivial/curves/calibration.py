"""Calibration of scores for F-beta (PRG paper, Section 3.4)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Scores
from nontrivial.curves.hull import beta_squared_between, find_roc_hull, select_f_vertices
from nontrivial.curves.points import count_steps


class FBetaCalibrator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Turn scores into d = 1 / (1 + beta^2), for the beta with which the best rule for F-beta just accepts the case.

    For beta > 0, the best rule for F-beta predicts a case positive if its d is above 1 / (1 + beta^2); if they are
    equal, both predictions are equally good. For beta = 0, which is precision, cases with d = 1 are positive (PRG
    paper, Theorem 4). The map is a step function that does not decrease with the score. On each segment, the isotonic
    score is d times the F-beta of both ends. Fit it on scores of cases that the model was not trained on:
    ``FBetaCalibrator().fit(model.predict_proba(X)[:, 1], y)``.

    Parameters
    ----------
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.

    Attributes
    ----------
    thresholds_ : ndarray of shape (n_vertices,)
        Scores at the vertices of the convex hull of the Precision-Recall-Gain curve, decreasing, in the type of `X`.
    calibrated_scores_ : ndarray of shape (n_vertices + 1,)
        d, decreasing from 1 to 0: for scores from the first threshold up, between the thresholds, and below the last.
    n_features_in_, feature_names_in_
        1, and the name of the fitted column if it is a string.

    Examples
    --------
    >>> calibrator = FBetaCalibrator().fit([0.9, 0.8, 0.4, 0.2, 0.1], [1, 0, 1, 0, 0])
    >>> calibrator.predict([0.95, 0.6, 0.4, 0.3]).round(3)
    array([1.   , 0.667, 0.667, 0.   ])
    >>> calibrator.optimal_threshold(beta=1), calibrator.optimal_threshold(beta=0.5)
    (0.4, 0.9)
    """

    def __init__(self, *, pos_label: Any = None) -> None:
        self.pos_label = pos_label

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the thresholds and the calibrated scores from scores `X` and labels `y`.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, 1)
            Finite scores; the greater, the more positive.
        y, sample_weight
            As in `operating_points`, as are the errors.

        Returns
        -------
        FBetaCalibrator
            The fitted calibrator.
        """
        scores, labels = self._check_scores(X, reset=True), validation.as_labels(y, "y")
        validation.check_lengths(scores, labels)
        weights = validation.as_weights(sample_weight, len(labels))
        truth = validation.binary_truth(labels, pos_label=self.pos_label, sample_weight=weights, name="y")
        hull = select_f_vertices(find_roc_hull(count_steps(truth.is_positive, scores, weights)))
        self.thresholds_ = hull.scores
        self.calibrated_scores_ = np.concatenate([[1.0], 1 / (1 + beta_squared_between(hull)), [0.0]])
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return d in [0, 1] for each score of `X`, of shape (n,) or (n, 1), as an array of shape (n,)."""
        check_is_fitted(self)
        not_above = np.searchsorted(self.thresholds_[::-1], self._check_scores(X, reset=False), side="right")
        return self.calibrated_scores_[::-1][not_above]

    def transform(self, X: ArrayLike) -> Floats:
        """Return d for each score, in the shape of `X`."""
        return self.predict(X).reshape(np.shape(X))

    def optimal_threshold(self, beta: float = 1.0) -> float:
        """Return the threshold with the greatest F-beta on the fitted cases.

        Parameters
        ----------
        beta : float, default 1
            How many times as much recall counts as precision, 0 or greater; infinite leaves recall alone.

        Returns
        -------
        float or int
            The threshold in the type of the scores; scores at or above it are predicted positive. Of several best
            thresholds, the greatest one on the hull.
        """
        check_is_fitted(self)
        beta = validation.check_beta(beta)
        between = self.calibrated_scores_[1:-1]
        threshold: float = self.thresholds_[np.count_nonzero(between > 1 / (1 + beta * beta))].item()
        return threshold

    def _check_scores(self, X: ArrayLike, *, reset: bool) -> Scores:
        """Return the scores of a vector or a table with one column, and store the column's name or compare it."""
        array = validation.as_array(X, "X")
        if array.ndim == 2 and array.shape[1] == 1:
            validate_data(self, X, reset=reset, skip_check_array=True)
            return validation.as_scores(array[:, 0], "X")
        if reset:
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_ = 1
        return validation.as_scores(X, "X")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = True
        return tags
