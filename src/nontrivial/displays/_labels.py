"""What the displays of predicted labels have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike

from nontrivial._validation import check_fitted_to
from nontrivial.displays._base import two_classes


class LabelsDisplay:
    """A plot that is made from labels and predicted labels, by a `from_predictions` of its own."""

    from_predictions: ClassVar[Callable[..., Any]]

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, name: str | None = None, **options: Any
    ) -> Self:
        """Predict the labels of `X` with a fitted classifier, and draw as `from_predictions` does.

        Parameters
        ----------
        estimator : fitted classifier of two classes
        X : array-like of shape (n, n_features)
        y : array-like of shape (n,)
        name : str, optional
            As in `from_predictions`; by default the name of the estimator's class.
        **options
            For `from_predictions`; the positive class is the greater of the estimator's, unless `pos_label` is given.

        Returns
        -------
        display

        Raises
        ------
        ValueError
            If the estimator is no classifier of two classes, if `y` has another label, or as in
            `from_predictions`.
        """
        name = type(estimator).__name__ if name is None else name
        options = {"pos_label": two_classes(estimator)[1]} | options
        check_fitted_to(estimator, y, sample_weight=options.get("sample_weight"))
        display: Self = cls.from_predictions(y, estimator.predict(X), name=name, **options)
        return display
