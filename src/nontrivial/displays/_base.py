"""The base of all displays: how they are made from scores, classifiers and cross-validations, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Labels
from nontrivial._estimators import METHODS, class_scores
from nontrivial._warnings import warn_undefined
from nontrivial.curves.points import operating_points
from nontrivial.terminal import naming_extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection
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
FRONT = 3  # the zorder of curves


def several(arrays: T | list[T]) -> list[T]:
    return arrays if isinstance(arrays, list) else [arrays]


def of_positive(pos_label: Any) -> str:
    """Return the end of an axis's name."""
    return "" if pos_label is None else f" (positive label: {pos_label})"


class Display:
    """A plot on axes that are given or new."""

    def _take_axes(self, ax: Axes | None) -> Axes:
        """Take the axes, or new ones in a figure that makes room for a legend beside them."""
        if ax is None:
            with naming_extras():
                import matplotlib.pyplot as plt  # here, so that importing a display is fast

            ax = plt.subplots(layout="constrained")[1]
            ax.set_prop_cycle(color=CURVES)
        self.ax_, self.figure_ = ax, ax.figure
        return ax


@dataclass(eq=False, repr=False)
class CurveDisplay(Display):
    """A plot of one curve, or of one for each fold: a dataclass of arrays, or of lists of arrays."""

    _x: ClassVar[tuple[str, str]]  # the attribute, and its name on the axis
    _y: ClassVar[tuple[str, str]]
    _area: ClassVar[tuple[str, str] | None] = None  # the attribute, and its name in the legend

    _: KW_ONLY
    name: Names = None
    pos_label: Any = None

    _of_points: ClassVar[Callable[..., dict[str, Any]]]
    plot: ClassVar[Callable[..., Any]]

    @classmethod
    def _of_ranking(
        cls, labels: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        try:
            points = operating_points(labels, y_score, pos_label=pos_label, sample_weight=weights)
        except validation.OneClassError as error:
            warn_undefined(f"{error} The result is set to NaN.")
            stored = {field.name for field in fields(cls)} - {"name", "pos_label"}
            return dict.fromkeys(stored, np.nan) | {name: np.full(1, np.nan) for name, _ in (cls._x, cls._y)}
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
        y_true, y_score, pos_label, sample_weight
            As in `nontrivial.curves.operating_points`, with its errors.
        name, ax : str and matplotlib axes, optional
            For the legend, and where to draw; by default on new axes.
        **options
            Further arguments of `plot`.
        """
        labels = validation.as_labels(y_true, "y_true")
        weights = validation.as_weights(sample_weight, len(labels))
        arrays = cls._of_ranking(labels, y_score, pos_label, weights)
        with suppress(validation.OneClassError):
            _, pos_label, _ = validation.binary_truth(labels, pos_label=pos_label, sample_weight=weights)
        display: Self = cls(**arrays, name=name, pos_label=pos_label).plot(ax, **options)
        return display

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
            What gives the scores; "auto" takes the first that the estimator has.
        pos_label, sample_weight, name, ax, **options
            As in `from_predictions`, with its errors. By default the classifier's second class is positive, and the
            name is that of its type.
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
            As in `from_estimator`, with its errors and warnings. The legend leaves out folds of one class.
        name : str or list of str, optional
            Goes into the legend: one name for all folds, or one for each.
        """
        from sklearn.utils import _safe_indexing, check_consistent_length  # slow to import

        if not {"estimator", "indices"} <= set(cv_results):
            raise ValueError(
                "cv_results has no estimators or no indices; "
                "call cross_validate with return_estimator=True and return_indices=True."
            )
        labels = validation.as_labels(y, "y")
        estimators, test_sets = cv_results["estimator"], cv_results["indices"]["test"]
        check_consistent_length(X, labels)
        check_consistent_length(estimators, test_sets)
        if max(map(np.max, test_sets)) >= len(labels):
            raise ValueError(
                f"cv_results has cases beyond the {len(labels)} of X and y; pass what was cross-validated."
            )
        pos_label = positive_class(estimators[0], labels, pos_label)
        weights = validation.as_weights(sample_weight, len(labels))
        folds = []
        for estimator, test in zip(estimators, test_sets, strict=True):
            scores = scores_of(estimator, _safe_indexing(X, test), response_method, pos_label)
            fold_weights = None if weights is None else weights[test]
            folds.append(cls._of_ranking(labels[test], scores, pos_label, fold_weights))
        arrays = {key: [fold[key] for fold in folds] for key in folds[0]}
        display: Self = cls(**arrays, name=name, pos_label=pos_label).plot(ax, **options)
        return display

    def _start(self, ax: Axes | None) -> list[list[Floats]]:
        """Take the axes and name them; return the two coordinates of all curves."""
        suffix = of_positive(self.pos_label)
        self._take_axes(ax).set(xlabel=self._x[1] + suffix, ylabel=self._y[1] + suffix)
        return [several(getattr(self, attribute)) for attribute, _ in (self._x, self._y)]

    def _draw_isometrics(
        self, value: Callable[[Floats, Floats], Floats], name: str, lowest: float = 0
    ) -> Collection:
        """Draw the lines of the values 0.1 to 0.9 of a function of x and y, unless these axes have them."""
        for drawn in self.ax_.collections:
            if drawn.get_label() == f"_{name}":
                return drawn
        x, y = np.linspace(0, 1, 201), np.linspace(lowest, 1, 201)
        levels = np.arange(1, 10) / 10
        look: dict[str, Any] = {"colors": QUIET, "linewidths": 0.7, "linestyles": ":", "zorder": 1}
        with np.errstate(invalid="ignore"):  # F1 is 0/0 in a corner
            contours = self.ax_.contour(x, y, value(x, y[:, None]), levels, **look)
        contours.set_label(f"_{name}")
        on_line: dict[str, Any] = {"colors": "0.5", "fontsize": "x-small", "inline": False, "zorder": 2.2}
        diagonal = [(level, level) for level in levels]  # each line crosses it at its value
        for number in self.ax_.clabel(contours, fmt="%.1f", manual=diagonal, **on_line):
            number.set(rotation=0, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})
        return contours

    def _draw_once(self, x: ArrayLike, y: ArrayLike, *, label: str, **look: Any) -> Line2D:
        """Draw a line around the curves, unless these axes have one with this label already."""
        for line in self.ax_.lines:
            if line.get_label() == label and line.get_zorder() < FRONT:
                return line
        return self.ax_.plot(x, y, label=label, **look, **AROUND)[0]

    def _draw_curves(self, curves: Sequence[Sequence[Floats]], name: Names, curve_kwargs: Looks) -> None:
        """Draw the curves; they share a colour and an entry in the legend, unless each has its own name or look."""
        from matplotlib.cbook import normalize_kwargs
        from matplotlib.lines import Line2D

        name, n = self.name if name is None else name, len(curves[0])
        stored = getattr(self, self._area[0]) if self._area else None
        areas: list[float] = [] if stored is None else several(stored)
        one_name, one_look = name is None or isinstance(name, str), not isinstance(curve_kwargs, Sequence)
        names: Any = [name] * n if one_name else name
        looks: Any = [curve_kwargs or {}] * n if one_look else curve_kwargs
        areas_of_curves = [[area] for area in areas] or [[]] * n
        validation.check_lengths(curves[0], curves[1], names, looks, areas_of_curves)
        labels = list(map(self._label, names, areas_of_curves))
        if one_name and one_look:
            labels = [self._label(names[0], areas)] + ["_nolegend_"] * (n - 1)
        basic: dict[str, Any] = {"linewidth": 1.0, "alpha": 0.6} if n > 1 else {"linewidth": 1.8}
        lines: list[Line2D] = []
        for x, y, label, look in zip(*curves, labels, looks, strict=True):
            options = normalize_kwargs(dict(look), Line2D)
            lines += self.ax_.plot(x, y, **{"label": label, "zorder": FRONT, **basic, **options})
            if one_name and one_look:
                basic["color"] = lines[0].get_color()
        self.line_ = lines if n > 1 else lines[0]

    def _draw_legend(self, loc: LegendLocType = "best") -> None:
        """Draw the legend behind the curves."""
        if self.ax_.get_legend_handles_labels()[0]:
            legend = self.ax_.legend(loc=loc, fontsize="small", framealpha=1)
            legend.set_zorder((AROUND["zorder"] + FRONT) / 2)

    def _label(self, name: str | None, areas: Sequence[float]) -> str:
        """Return an entry of the legend, with the mean and standard deviation of several areas."""
        defined = [area for area in areas if not np.isnan(area)]
        text = f"{np.mean(defined):.3f}" if defined else "nan"
        if defined and len(areas) > 1:
            text += f" \u00b1 {np.std(defined):.3f}"
            text += f", {len(defined)} of {len(areas)} curves" if len(defined) < len(areas) else ""
        area = f"{self._area[1]} = {text}" if self._area and areas else None
        return f"{name} ({area})" if name and area else name or area or "_nolegend_"


def positive_class(estimator: Any, y: ArrayLike, pos_label: Any) -> Any:
    """Return the positive class of a fitted classifier of two classes, to which the labels must belong."""
    classes = list(getattr(estimator, "classes_", []))
    if len(classes) != 2:
        raise ValueError(f"{type(estimator).__name__} is not a fitted classifier of two classes.")
    validation.encode_labels(validation.as_labels(y, "y"), classes=classes)
    if pos_label is None:
        return classes[1]
    return validation.find_positive(classes[0], classes[1], pos_label, "y")


def scores_of(estimator: Any, X: Any, response_method: str, pos_label: Any) -> Floats:
    """Return the scores that a fitted classifier of two classes gives to the positive one."""
    validation.check_choice(response_method, "response_method", ("auto", *METHODS))
    methods = METHODS if response_method == "auto" else [response_method]
    scores = class_scores(estimator, X, estimator.classes_, methods)
    if scores is None:
        raise ValueError(f"{type(estimator).__name__} has none of {', '.join(methods)}.")
    return scores[:, list(estimator.classes_).index(pos_label)]
