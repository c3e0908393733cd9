"""What all displays share: how they are made from scores, classifiers and cross-validations, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._validation import (
    OneClassError,
    as_labels,
    as_weights,
    binary_truth,
    check_choice,
    encode_labels,
    show,
)
from nontrivial._warnings import warn_undefined
from nontrivial.curves.points import OperatingPoints, operating_points
from nontrivial.terminal import naming_extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.typing import LegendLocType

T = TypeVar("T")
Names = str | Sequence[str] | None
Looks = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None

# One display after the other on the same axes; told apart by the colour-blind too (Okabe and Ito 2008).
CURVES = ("#0b5394", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
HULL = "#b3261e"
QUIET = "0.72"
AROUND: dict[str, Any] = {"color": "0.35", "linewidth": 1.0, "zorder": 2}  # baselines and trivial predictions
_CORNERS: dict[LegendLocType, tuple[int, int]]
_CORNERS = {"lower left": (0, 0), "upper right": (1, 1), "upper left": (0, 1)}
_BEHIND_CURVES = 2.5
_SAMPLES = 2000  # of a curve, when its distance from something is measured
_COARSE = 10  # one of so many samples is enough to find room for a number
_LABEL = 0.045  # of an axis from 0 to 1, which a number of two digits takes


def _sampled(points: Floats) -> Floats:
    """Return points along a polyline, its corners among them, close enough to see where it passes."""
    if len(points) == 0 or np.isnan(points).any():  # the curve of cases of one class
        return points[:0]
    between = max(_SAMPLES // len(points), 1)
    place = np.arange((len(points) - 1) * between + 1) / between
    return np.column_stack([np.interp(place, np.arange(len(points)), column) for column in points.T])


def several(arrays: T | list[T]) -> list[T]:
    """Return a list of curves from one curve or a list of them."""
    return arrays if isinstance(arrays, list) else [arrays]


def of_positive(pos_label: Any) -> str:
    """Return what follows the name of an axis."""
    return "" if pos_label is None else f" (positive label: {pos_label})"


class Display:
    """A plot on axes that are given or new."""

    def _take_axes(self, ax: Axes | None) -> Axes:
        """Take the axes, or those of a new figure, which makes room for what lies beside them."""
        if ax is None:
            with naming_extras():
                import matplotlib.pyplot as plt  # here, so that importing a display is fast

            ax = plt.subplots(layout="constrained")[1]
        self.ax_, self.figure_ = ax, ax.figure
        return ax


@dataclass(eq=False, repr=False)
class CurveDisplay(Display):
    """A plot of one curve, or of one for each fold, in the manner of scikit-learn's displays.

    A subclass is a dataclass of arrays, ``array`` for one curve or ``[array, ...]`` for several. `_of_points` says how
    they are made; for cases of one class they are NaN, or what `_undefined` says.
    """

    _x: ClassVar[tuple[str, str]]  # the attribute, and its name on the axis
    _y: ClassVar[tuple[str, str]]
    _area: ClassVar[tuple[str, str] | None] = None  # the attribute, and its name in the legend
    _undefined: ClassVar[Mapping[str, Any]] = {}

    _: KW_ONLY
    name: Names = None
    pos_label: Any = None

    @classmethod
    def _of_points(cls, points: OperatingPoints) -> dict[str, Any]:
        raise NotImplementedError

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw what is stored."""
        raise NotImplementedError

    @classmethod
    def _of_ranking(
        cls, labels: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        try:
            points = operating_points(labels, y_score, pos_label=pos_label, sample_weight=weights)
        except OneClassError as error:
            warn_undefined(f"{error} The result is set to NaN.")
            stored = {field.name for field in fields(cls)} - {"name", "pos_label"}
            curve = {name: np.full(1, np.nan) for name, _ in (cls._x, cls._y)}
            return {**dict.fromkeys(stored, np.nan), **curve, **cls._undefined}
        return cls._of_points(points)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of labels and scores, draw it, and return the display.

        Cases of one class have a curve and an area of NaN, with an UndefinedMetricWarning.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Two labels: numbers, booleans or strings.
        y_score : array-like of shape (n,)
            The greater, the more positive. Another length, or a score that is not finite, is a ValueError.
        pos_label : label, optional
            The positive class; by default the greater label. Strings have no default.
        sample_weight : array-like of shape (n,), optional
            0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.
        name, ax : str and matplotlib axes, optional
            For the legend, and where to draw; by default on new axes.
        **options
            For `plot`.
        """
        labels = as_labels(y_true, "y_true")
        weights = as_weights(sample_weight, len(labels))
        arrays = cls._of_ranking(labels, y_score, pos_label, weights)
        with suppress(OneClassError):
            _, pos_label, _ = binary_truth(labels, pos_label=pos_label, sample_weight=weights)
        return cls(**arrays, name=name, pos_label=pos_label).plot(ax, **options)

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
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Score `X` with a fitted classifier, compute the curve, draw it, and return the display.

        Parameters
        ----------
        estimator : fitted classifier of two classes, or a pipeline that ends in one
        X, y : array-like of shape (n, n_features) and (n,)
            A label that the classifier does not know is a ValueError.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            What gives the scores; "auto" takes the first that the estimator has. One without is a ValueError.
        pos_label, sample_weight, name, ax, **options
            As in `from_predictions`, with its errors; the name is by default that of the estimator's class.
        """
        pos_label = positive_class(estimator, y, pos_label)
        return cls.from_predictions(
            y,
            scores_of(estimator, X, response_method, pos_label),
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
        name: Names = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of each fold of a cross-validation on its test cases, draw all, and return the display.

        Parameters
        ----------
        cv_results : dict
            From scikit-learn's ``cross_validate`` with ``return_estimator=True`` and ``return_indices=True``.
        X, y : array-like of shape (n, n_features) and (n,)
            What was cross-validated.
        response_method, pos_label, sample_weight, ax, **options
            As in `from_estimator`; so are errors and warnings. The legend leaves out folds of one class.
        name : str or list of str, optional
            Goes into the legend: one name for all folds, or one for each.
        """
        from sklearn.utils import _safe_indexing  # slow to import, and nothing else here needs it
        from sklearn.utils.validation import _num_samples

        if not {"estimator", "indices"} <= set(cv_results):
            raise ValueError(
                "cv_results has no estimators or no indices; "
                "call cross_validate with return_estimator=True and return_indices=True."
            )
        labels = as_labels(y, "y")
        n, last = _num_samples(X), max(np.max(test) for test in cv_results["indices"]["test"])
        if not last < n == len(labels):
            raise ValueError(
                f"X has {n} cases and y {len(labels)}; both must hold all cases that were cross-validated, at least "
                f"{last + 1}."
            )
        pos_label = positive_class(cv_results["estimator"][0], labels, pos_label)
        weights = as_weights(sample_weight, len(labels))
        folds = []
        for estimator, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
            scores = scores_of(estimator, _safe_indexing(X, test), response_method, pos_label)
            of_fold = None if weights is None else weights[test]
            folds.append(cls._of_ranking(labels[test], scores, pos_label, of_fold))
        arrays = {key: [fold[key] for fold in folds] for key in folds[0]}
        return cls(**arrays, name=name, pos_label=pos_label).plot(ax, **options)

    def _start(self, ax: Axes | None) -> list[list[Floats]]:
        """Take the axes and name them; return the two coordinates of all curves."""
        curves = [several(getattr(self, attribute)) for attribute, _ in (self._x, self._y)]
        x, y = (list(map(len, each)) for each in curves)
        if x != y:
            raise ValueError(
                f"The curves have {x} x and {y} y coordinates; each curve must have as many of both."
            )
        of = of_positive(self.pos_label)
        self._take_axes(ax).set(xlabel=self._x[1] + of, ylabel=self._y[1] + of)
        return curves

    def _draw_isometrics(
        self, line_of: Callable[[float], tuple[Floats, Floats]], name: str, curves: Sequence[Sequence[Floats]]
    ) -> list[Line2D]:
        """Draw the lines of the values 0.1 to 0.9 with these values, where they do not lie under the curves."""
        sampled = [_sampled(np.column_stack(curve)) for curve in zip(*curves, strict=True)]
        taken = np.concatenate([points[:: max(len(points) // _SAMPLES, 1) * _COARSE] for points in sampled])
        lines = []
        for value in np.arange(1, 10) / 10:
            before, label = len(self.ax_.lines), f"_{name} = {value}"
            look: dict[str, Any] = {"color": QUIET, "linewidth": 0.7, "linestyle": ":", "zorder": 1}
            lines.append(self._draw_once(*line_of(value), label=label, **look))
            if len(self.ax_.lines) > before:
                self._mark_isometric(lines[-1], value, taken)
        return lines

    def _draw_once(self, x: ArrayLike, y: ArrayLike, *, label: str, zorder: float, **look: Any) -> Line2D:
        """Draw a line, unless these axes have one with this label already."""
        for line in self.ax_.lines:
            if (line.get_label(), line.get_zorder()) == (label, zorder):
                return line
        return self.ax_.plot(x, y, label=label, zorder=zorder, **look)[0]

    def _mark_isometric(self, line: Line2D, value: float, taken: Floats) -> None:
        """Write the value of an isometric on it, as near as the curves leave room to where it crosses the diagonal."""
        places = _sampled(np.asarray(line.get_xydata()))[::_COARSE]
        places = places[(np.abs(places - 0.5) < 0.5 - _LABEL / 2).all(axis=1)]
        order = np.argsort(np.abs(places - value).max(axis=1), kind="stable")
        places = np.vstack([[value, value], places[order]])  # it crosses the diagonal at the value itself
        room = [np.abs(taken - place).max(axis=1).min(initial=1.0) for place in places]
        x, y = places[np.argmax(np.minimum(room, _LABEL))]
        look: dict[str, Any] = {"color": "0.5", "fontsize": "x-small", "ha": "center", "va": "center"}
        look["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
        self.ax_.text(x, y, f"{value:.1f}", zorder=2.2, **look)  # over the baseline, under the curves

    def _draw_curves(self, curves: Sequence[Sequence[Floats]], name: Names, curve_kwargs: Looks) -> None:
        """Draw each curve; several share one entry of the legend unless each has its own name or look."""
        from matplotlib.cbook import normalize_kwargs
        from matplotlib.lines import Line2D

        name, n = self.name if name is None else name, len(curves[0])
        stored = getattr(self, self._area[0]) if self._area else None
        areas: list[float] = [] if stored is None else several(stored)
        one_name, one_look = name is None or isinstance(name, str), not isinstance(curve_kwargs, Sequence)
        names: Any = [name] * n if one_name else name
        looks: Any = [curve_kwargs or {}] * n if one_look else curve_kwargs
        of_each = [[area] for area in areas] or [[]] * n
        if not len(looks) == len(names) == len(of_each) == n:
            raise ValueError(
                f"There are {n} curves; lists of areas, names and curve_kwargs must have as many entries."
            )
        labels = list(map(self._label, names, of_each))
        basic: dict[str, Any] = {"linewidth": 1.0, "alpha": 0.6} if n > 1 else {"linewidth": 1.8}
        if n == 1 or (one_name and one_look):
            labels = [self._label(names[0], areas)] + ["_nolegend_"] * (n - 1)
            taken = {line.get_color() for line in self.ax_.lines}
            basic["color"] = next((color for color in CURVES if color not in taken), None)
        lines = []
        for x, y, label, look in zip(*curves, labels, looks, strict=True):
            whole = {"label": label, "zorder": 3, **basic, **normalize_kwargs(dict(look), Line2D)}
            lines += self.ax_.plot(x, y, **whole)
        self.line_ = lines if n > 1 else lines[0]

    def _curves(self) -> list[Line2D]:
        """Return all curves on the axes."""
        found = [line for line in self.ax_.lines if line.get_zorder() > _BEHIND_CURVES]
        return found or several(self.line_)

    def _place_legend(self, loc: LegendLocType | None = None) -> None:
        """Put the legend where it is told, or into the corner that all curves keep farthest from; never over them."""
        if not self.ax_.get_legend_handles_labels()[0]:
            return
        if loc is None:
            points = np.concatenate([_sampled(np.asarray(line.get_xydata())) for line in self._curves()])
            points = self.ax_.transLimits.transform(points)
            room = [np.abs(points - at).max(axis=1).min(initial=1.0) for at in _CORNERS.values()]
            loc = list(_CORNERS)[int(np.argmax(room))]
        legend = self.ax_.legend(loc=loc, fontsize="small", frameon=True, framealpha=1)
        legend.set_zorder(_BEHIND_CURVES)

    def _label(self, name: str | None, areas: Sequence[float]) -> str:
        """Return an entry of the legend; several areas have their mean and standard deviation there."""
        defined = [area for area in areas if not np.isnan(area)]
        text = f"{np.mean(defined):.3f}" if defined else "nan"
        if defined and len(areas) > 1:
            text += f" \u00b1 {np.std(defined):.3f}"
            text += f", {len(defined)} of {len(areas)} curves" if len(defined) < len(areas) else ""
        area = f"{self._area[1]} = {text}" if self._area and areas else None
        return f"{name} ({area})" if name and area else name or area or "_nolegend_"


def two_classes(estimator: Any) -> list[Any]:
    """Return the classes of a fitted classifier, which must be two."""
    from sklearn.base import BaseEstimator  # slow to import, as above
    from sklearn.utils.validation import check_is_fitted

    if isinstance(estimator, BaseEstimator):
        check_is_fitted(estimator)
    classes = list(getattr(estimator, "classes_", []))
    if len(classes) != 2:
        raise ValueError(
            f"{type(estimator).__name__} is not a fitted classifier of two classes; pass such a classifier, or its "
            "predictions to from_predictions."
        )
    return classes


def positive_class(estimator: Any, y: ArrayLike, pos_label: Any) -> Any:
    """Return the positive class of a fitted classifier of two classes, to which the labels must belong."""
    classes = two_classes(estimator)
    encode_labels(as_labels(y, "y"), classes=classes)
    return classes[1] if pos_label is None else pos_label


def scores_of(estimator: Any, X: Any, response_method: str, pos_label: Any) -> Floats:
    """Return the scores that a fitted classifier of two classes gives to the positive class."""
    methods = ("predict_proba", "decision_function")
    check_choice(response_method, "response_method", ("auto", *methods))
    wanted = methods if response_method == "auto" else (response_method,)
    classes = two_classes(estimator)
    method = next((method for method in wanted if hasattr(estimator, method)), None)
    if method is None:
        raise ValueError(
            f"{type(estimator).__name__} has no {' and no '.join(wanted)}; pass scores to from_predictions."
        )
    if pos_label not in classes:
        low, high = map(show, classes)
        raise ValueError(f"pos_label is {show(pos_label)}; it must be one of the classes {low} and {high}.")
    scores = np.asarray(getattr(estimator, method)(X))
    if method == "predict_proba":
        return scores[:, classes.index(pos_label)]
    return scores if pos_label == classes[1] else -scores
