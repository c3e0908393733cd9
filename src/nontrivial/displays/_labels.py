"""What the displays of predicted labels have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class LabelsDisplay:
    """A plot that is made from labels and predicted labels, by a `from_predictions` of its own."""

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw what labels and predicted labels give."""
        raise NotImplementedError

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
            Title of the plot; by default the name of the estimator's class.
        **options
            For `from_predictions`; the positive class is the greater of the estimator's, unless `pos_label` is given.

        Returns
        -------
        display
        """
        name = type(estimator).__name__ if name is None else name
        options = {"pos_label": estimator.classes_[1]} | options
        return cls.from_predictions(y, estimator.predict(X), name=name, **options)
