"""What all displays of curves share: where the scores come from, and how one curve or many are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import _safe_indexing

from nontrivial._validation import as_labels, binary_truth

CURVE = "#0b5394"
HULL = "#b3261e"
QUIET = "0.72"
_CORNERS = {"lower left": (0, 0), "upper right": (1, 1), "upper left": (0, 1)}
_BEHIND_CURVES = 2.5
_SAMPLES = 2000  # of a curve, when its distance from something is measured
_COARSE = 10  # of so many samples one will do to find room for a number
_LABEL = 0.045  # of an axis from 0 to 1, which a number of two digits takes


class CurveDisplay:
    """A plot of one curve, or of one for each fold, in the manner of scikit-learn's displays.

    A subclass takes its arrays in the constructor, as ``name=array`` for one curve or ``name=[array, ...]`` for
    several, stores them under the same names, and says in `_curves_of` how they are made from labels and scores.
    """

    _area_name: ClassVar[str]
    name: str | Sequence[str] | None
    pos_label: Any

    @classmethod
    def _curves_of(cls, positive: NDArray[np.bool_], y_score: ArrayLike, weights: Any) -> dict[str, Any]:
        """Return the constructor's arguments for one curve."""
        raise NotImplementedError

    def plot(self, ax: Any = None, **options: Any) -> Self:
        """Draw what is stored."""
        raise NotImplementedError

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of labels and scores, and draw it.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Two labels: numbers, booleans or strings.
        y_score : array-like of shape (n,)
            Finite; the greater, the more positive.
        pos_label : label, optional
            The positive class; by default the greater label.
        sample_weight : array-like of shape (n,), optional
            0 or greater.
        name : str, optional
            Goes into the legend.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        **options
            For `plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If the lengths differ, a score is not finite, or one class is missing.
        """
        positive, label, _ = binary_truth(y_true, pos_label=pos_label)
        arrays = cls._curves_of(positive, y_score, sample_weight)
        return cls(**arrays, name=name, pos_label=label).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Score `X` with a fitted classifier, compute the curve, and draw it.

        Parameters
        ----------
        estimator : fitted classifier of two classes, or a pipeline that ends in one
        X : array-like of shape (n, n_features)
        y : array-like of shape (n,)
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            What gives the scores; "auto" takes the first of the two that the estimator has.
        pos_label : label, optional
            The positive class; by default the greater label.
        sample_weight : array-like of shape (n,), optional
            0 or greater.
        name : str, optional
            Goes into the legend; by default the name of the estimator's class.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        **options
            For `plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If the estimator has no scores for two classes, or as in `from_predictions`.
        """
        return cls.from_predictions(
            y,
            scores_of(estimator, X, response_method=response_method, pos_label=pos_label),
            pos_label=pos_label,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            **options,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of each fold of a cross-validation on its test cases, and draw them together.

        Parameters
        ----------
        cv_results : dict
            From scikit-learn's ``cross_validate`` with ``return_estimator=True`` and ``return_indices=True``.
        X : array-like of shape (n, n_features)
        y : array-like of shape (n,)
            What was cross-validated.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            What gives the scores; "auto" takes the first of the two that the estimators have.
        pos_label : label, optional
            The positive class; by default the greater label.
        sample_weight : array-like of shape (n,), optional
            0 or greater.
        name : str or list of str, optional
            Goes into the legend: one name for all folds, or one for each.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        **options
            For `plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If `cv_results` lacks the estimators or the indices, or a fold's test cases have one class only.
        """
        if not {"estimator", "indices"} <= set(cv_results):
            raise ValueError(
                "cv_results has no estimators or no indices; "
                "call cross_validate with return_estimator=True and return_indices=True."
            )
        labels = as_labels(y, "y")
        positive, label, _ = binary_truth(labels, pos_label=pos_label)
        folds = []
        for estimator, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
            scores = scores_of(
                estimator, _safe_indexing(X, test), response_method=response_method, pos_label=label
            )
            weights = None if sample_weight is None else np.asarray(sample_weight)[test]
            folds.append(cls._curves_of(positive[test], scores, weights))
        arrays = {key: [fold[key] for fold in folds] for key in folds[0]}
        return cls(**arrays, name=name, pos_label=label).plot(ax, **options)

    def _start(self, ax: Any, title_x: str, title_y: str) -> None:
        """Take the axes and name them."""
        self.ax_ = new_axes() if ax is None else ax
        self.figure_ = self.ax_.figure
        of = "" if self.pos_label is None else f" (positive label: {self.pos_label})"
        self.ax_.set(xlabel=title_x + of, ylabel=title_y + of)

    def _draw_isometrics(
        self,
        lines: Sequence[tuple[NDArray, NDArray]],
        values: Sequence[float],
        x: Sequence[NDArray],
        y: Sequence[NDArray],
    ) -> list[Any]:
        """Draw lines of equal value with their values, where these do not lie under the curves."""
        sampled = [_sampled(np.column_stack(curve)) for curve in zip(x, y, strict=True)]
        curves = np.concatenate([points[:: max(len(points) // _SAMPLES, 1) * _COARSE] for points in sampled])
        drawn = []
        for line, value in zip(lines, values, strict=True):
            drawn += self.ax_.plot(*line, color=QUIET, linewidth=0.7, linestyle=":", zorder=1)
            self._mark_isometric(drawn[-1], value, curves)
        return drawn

    def _mark_isometric(self, line: Any, value: float, curves: NDArray) -> None:
        """Write the value of an isometric on it, as near as the curves leave room to where it crosses the diagonal.

        That is at the value itself.
        """
        places = _sampled(line.get_xydata())[::_COARSE]
        places = places[(np.abs(places - 0.5) < 0.5 - _LABEL / 2).all(axis=1)]
        order = np.argsort(np.abs(places - value).max(axis=1), kind="stable")
        places = np.vstack([[value, value], places[order]])
        room = [np.abs(curves - place).max(axis=1).min() for place in places]
        self.ax_.text(
            *places[np.argmax(np.minimum(room, _LABEL))],
            f"{value:.1f}",
            color="0.5",
            fontsize="x-small",
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            zorder=2.2,  # over the baseline, under the curves
        )

    def _draw_curves(
        self,
        x: Sequence[NDArray],
        y: Sequence[NDArray],
        areas: Sequence[float] | None,
        name: str | Sequence[str] | None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None,
    ) -> None:
        """Draw each curve; several share one entry of the legend unless each has its own name or look."""
        name = self.name if name is None else name
        several = len(x) > 1
        own_looks = curve_kwargs is not None and not isinstance(curve_kwargs, Mapping)
        own_names = name is not None and not isinstance(name, str)
        own = several and (own_looks or own_names)
        looks = curve_kwargs if own_looks else [curve_kwargs or {}] * len(x)
        names = name if own_names else [name] * len(x)
        if not len(looks) == len(names) == len(x):
            raise ValueError(
                f"There are {len(x)} curves; lists of names and curve_kwargs must have as many entries."
            )
        if own or not several:
            labels = [
                self._label(one, areas and f"{area:.3f}")
                for one, area in zip(names, areas or [0.0] * len(x), strict=True)
            ]
        else:
            spread = f"{np.mean(areas):.3f} \u00b1 {np.std(areas):.3f}" if areas else None
            labels = [self._label(names[0], spread), *["_nolegend_"] * (len(x) - 1)]
        basic = {"linewidth": 1.0, "alpha": 0.6} if several else {"linewidth": 1.8}
        if not own:
            basic["color"] = CURVE
        lines = [
            self.ax_.plot(*curve, **{"label": label, "zorder": 3, **basic, **look})[0]
            for *curve, label, look in zip(x, y, labels, looks, strict=True)
        ]
        self.line_ = lines if several else lines[0]

    def _place_legend(self, x: Sequence[NDArray], y: Sequence[NDArray], loc: str | None = None) -> None:
        """Put the legend where it is told, or into the corner that the curves keep farthest from; never over them.

        Where nothing has a name, there is no legend.
        """
        if not self.ax_.get_legend_handles_labels()[0]:
            return
        if loc is None:
            frame = self.ax_.transLimits
            curves = np.concatenate(
                [frame.transform(_sampled(np.column_stack(c))) for c in zip(x, y, strict=True)]
            )
            nearest = {name: np.abs(curves - corner).max(axis=1).min() for name, corner in _CORNERS.items()}
            loc = max(nearest, key=nearest.__getitem__)
        legend = self.ax_.legend(loc=loc, fontsize="small", framealpha=1)
        legend.set_zorder(_BEHIND_CURVES)

    def _label(self, name: str | None, area: str | None) -> str:
        area = f"{self._area_name} = {area}" if area else None
        return f"{name} ({area})" if name and area else name or area or "_nolegend_"


def _sampled(points: NDArray) -> NDArray:
    """Return points along a polyline, its corners among them, close enough to see where it passes."""
    between = max(_SAMPLES // len(points), 1)
    place = np.arange((len(points) - 1) * between + 1) / between
    return np.column_stack([np.interp(place, np.arange(len(points)), column) for column in points.T])


def new_axes() -> Any:
    """Return the axes of a new figure, which makes room for what lies beside them."""
    import matplotlib.pyplot as plt  # here, so that to import a display costs nothing

    return plt.subplots(layout="constrained")[1]


def several(arrays: Any) -> list:
    """Return a list of curves from one curve or a list of them."""
    return arrays if isinstance(arrays, list) else [arrays]


def optional(values: Any) -> list | None:
    """Return a list with one value for each curve, or None if there are none."""
    return None if values is None else several(values)


def scores_of(estimator: Any, X: Any, *, response_method: str, pos_label: Any) -> NDArray:
    """Return the scores that a fitted classifier of two classes gives to the positive class."""
    methods = ("predict_proba", "decision_function")
    if response_method not in ("auto", *methods):
        raise ValueError(
            f"response_method is {response_method!r}; it must be one of auto, {', '.join(methods)}."
        )
    wanted = methods if response_method == "auto" else (response_method,)
    method = next((method for method in wanted if hasattr(estimator, method)), None)
    classes = list(getattr(estimator, "classes_", []))
    if method is None or len(classes) != 2:
        raise ValueError(
            f"{type(estimator).__name__} is not a fitted classifier of two classes with {' or '.join(wanted)}; "
            "pass such a classifier, or scores to from_predictions."
        )
    if pos_label is not None and pos_label not in classes:
        raise ValueError(f"pos_label is {pos_label!r}; it must be one of the classes {classes}.")
    column = 1 if pos_label is None else classes.index(pos_label)
    scores = np.asarray(getattr(estimator, method)(X))
    if method == "predict_proba":
        return scores[:, column]
    return scores if column == 1 else -scores
