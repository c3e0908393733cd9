"""The base of all displays: how they are made from scores, classifiers and cross-validations, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Labels
from nontrivial._estimators import SCORE_METHODS, class_scores
from nontrivial._warnings import warn_undefined
from nontrivial.curves.points import operating_points
from nontrivial.terminal import naming_extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.typing import LegendLocType

CurveNames = str | Sequence[str] | None
LineOptions = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None

# Colours of displays that are drawn on the same axes; the colour-blind see them apart (Okabe and Ito 2008).
CURVE_COLORS = ("#0b5394", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
HULL_COLOR = "#b3261e"
GUIDE_COLOR = "0.72"
# The look of the lines that curves are compared with, such as a baseline.
REFERENCE_LINE: dict[str, Any] = {"color": "0.35", "linewidth": 1.0, "zorder": 2}
CURVE_ZORDER = 3


def list_curves(arrays: Any) -> list[Any]:
    """Return one entry for each curve; a display of a single curve stores its entry without a list."""
    return arrays if isinstance(arrays, list) else [arrays]


def mean_prevalence(prevalence: float | list[float] | None) -> float | None:
    """Return the mean of the prevalences above 0, or None without any."""
    above_zero = [] if prevalence is None else [share for share in list_curves(prevalence) if share > 0]
    return float(np.mean(above_zero)) if above_zero else None


def positive_label_suffix(pos_label: Any) -> str:
    """Return the end of an axis's label, which names the positive class."""
    return "" if pos_label is None else f" (positive label: {pos_label})"


class Display:
    """A plot on the user's axes or on new ones."""

    def _set_axes(self, ax: Axes | None) -> Axes:
        """Store and return the axes, by default new ones in a figure that makes room for a legend beside them."""
        if ax is None:
            with naming_extras():
                import matplotlib.pyplot as plt  # here, so that importing a display is fast

            ax = plt.subplots(layout="constrained")[1]
            ax.set_prop_cycle(color=CURVE_COLORS)
        self.ax_, self.figure_ = ax, ax.figure
        return ax


class LabelsDisplay(Display):
    """A plot of labels and predicted labels, which `from_predictions` computes."""

    from_predictions: ClassVar[Callable[..., Any]]

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: ArrayLike, *, name: str | None = None, **options: Any) -> Self:
        """Predict the labels of `X` with a fitted classifier, draw the plot, and return the display.

        Parameters
        ----------
        estimator, X, y, name
            As in `PrecisionRecallGainDisplay.from_estimator`.
        **options
            Further arguments of `from_predictions`. `pos_label` is by default the classifier's second class.
        """
        name = type(estimator).__name__ if name is None else name
        options["pos_label"] = find_positive_class(estimator, y, options.get("pos_label"))
        display: Self = cls.from_predictions(y, estimator.predict(X), name=name, **options)
        return display


class LabelledField(NamedTuple):
    """A field of a display, and how the plot calls it."""

    name: str
    label: str


@dataclass(eq=False, repr=False)
class CurveDisplay(Display):
    """A plot of one curve, whose fields are arrays, or of several curves, whose fields are lists of arrays."""

    _x: ClassVar[LabelledField]
    _y: ClassVar[LabelledField]
    _area: ClassVar[LabelledField | None] = None

    _: KW_ONLY
    name: CurveNames = None
    pos_label: Any = None

    _fields_from_points: ClassVar[Callable[..., dict[str, Any]]]
    plot: ClassVar[Callable[..., Any]]

    @classmethod
    def _fields_from_scores(
        cls, labels: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        """Compute the curve and its area; with one class only, warn, and return NaN for each."""
        try:
            points = operating_points(labels, y_score, pos_label=pos_label, sample_weight=weights)
        except validation.OneClassError as error:
            warn_undefined(f"{error} The result is set to NaN.")
            computed = {field.name for field in fields(cls)} - {"name", "pos_label"}
            return dict.fromkeys(computed, np.nan) | {axis.name: np.full(1, np.nan) for axis in (cls._x, cls._y)}
        return cls._fields_from_points(points)

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
            As in `nontrivial.curves.operating_points`, which raises the same errors.
        name, ax : str and matplotlib axes, optional
            The name in the legend, and where to draw; by default new axes.
        **options
            Further arguments of `plot`.
        """
        labels = validation.as_labels(y_true, "y_true")
        weights = validation.as_weights(sample_weight, len(labels))
        computed = cls._fields_from_scores(labels, y_score, pos_label, weights)
        with suppress(validation.OneClassError):  # then the axes name the class that the user names
            _, pos_label, _ = validation.binary_truth(labels, pos_label=pos_label, sample_weight=weights)
        display: Self = cls(**computed, name=name, pos_label=pos_label).plot(ax, **options)
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
            Method that computes the scores; "auto" is the first of the two that the estimator has.
        pos_label, sample_weight, name, ax, **options
            As in `from_predictions`; by default the classifier's second class is positive, and its type is the name.
        """
        pos_label = find_positive_class(estimator, y, pos_label)
        return cls.from_predictions(
            y,
            scores_of_positive(estimator, X, response_method, pos_label),
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
        name: CurveNames = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of each fold of a cross-validation on its test cases, draw all, and return the display.

        The area of a fold whose cases have one class is NaN, and does not count in the legend.

        Parameters
        ----------
        cv_results : dict
            From scikit-learn's ``cross_validate`` with ``return_estimator=True`` and ``return_indices=True``.
        X, y : array-like of shape (n, n_features) and (n,)
            The data that were cross-validated.
        name : str or list of str, optional
            Name in the legend: one for all folds, or one for each.
        response_method, pos_label, sample_weight, ax, **options
            As in `from_estimator`, which raises the same errors.
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
        pos_label = find_positive_class(estimators[0], labels, pos_label)
        weights = validation.as_weights(sample_weight, len(labels))
        folds = []
        for estimator, test in zip(estimators, test_sets, strict=True):
            scores = scores_of_positive(estimator, _safe_indexing(X, test), response_method, pos_label)
            fold_weights = None if weights is None else weights[test]
            folds.append(cls._fields_from_scores(labels[test], scores, pos_label, fold_weights))
        computed = {field: [fold[field] for fold in folds] for field in folds[0]}
        display: Self = cls(**computed, name=name, pos_label=pos_label).plot(ax, **options)
        return display

    def _start_plot(self, ax: Axes | None) -> tuple[list[Floats], list[Floats]]:
        """Set and label the axes; return the x and the y of all curves."""
        suffix = positive_label_suffix(self.pos_label)
        self._set_axes(ax).set(xlabel=self._x.label + suffix, ylabel=self._y.label + suffix)
        return list_curves(getattr(self, self._x.name)), list_curves(getattr(self, self._y.name))

    def _draw_isometrics(self, value: Callable[[Floats, Floats], Floats], name: str, lowest: float = 0) -> Collection:
        """Draw the lines on which a function of x and y is 0.1, 0.2, ... 0.9, unless these axes have them."""
        for drawn in self.ax_.collections:
            if drawn.get_label() == f"_{name}":
                return drawn
        x, y = np.linspace(0, 1, 201), np.linspace(lowest, 1, 201)
        levels = np.arange(1, 10) / 10
        line_look: dict[str, Any] = {"colors": GUIDE_COLOR, "linewidths": 0.7, "linestyles": ":", "zorder": 1}
        with np.errstate(invalid="ignore"):  # F1 is 0/0 in a corner
            contours = self.ax_.contour(x, y, value(x, y[:, None]), levels, **line_look)
        contours.set_label(f"_{name}")
        text_look: dict[str, Any] = {"colors": "0.5", "fontsize": "x-small", "inline": False, "zorder": 2.2}
        diagonal = [(level, level) for level in levels]  # a value's line crosses the diagonal at the value
        for text in self.ax_.clabel(contours, fmt="%.1f", manual=diagonal, **text_look):
            text.set(rotation=0, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})
        return contours

    def _draw_reference_line(self, x: ArrayLike, y: ArrayLike, *, label: str, **look: Any) -> Line2D:
        """Draw a line to compare the curves with, unless these axes have one with this label."""
        for line in self.ax_.lines:
            if line.get_label() == label and line.get_zorder() < CURVE_ZORDER:
                return line
        return self.ax_.plot(x, y, label=label, **look, **REFERENCE_LINE)[0]

    def _draw_curves(self, curves: Sequence[Sequence[Floats]], name: CurveNames, curve_kwargs: LineOptions) -> None:
        """Draw the curves; they share a colour and an entry in the legend, unless each has a name or options."""
        from matplotlib.cbook import normalize_kwargs
        from matplotlib.lines import Line2D

        name, n_curves = self.name if name is None else name, len(curves[0])
        stored_areas = getattr(self, self._area.name) if self._area else None
        areas: list[float] = [] if stored_areas is None else list_curves(stored_areas)
        has_one_name = name is None or isinstance(name, str)
        is_one_series = has_one_name and not isinstance(curve_kwargs, Sequence)
        names: Any = [name] * n_curves if has_one_name else name
        options: Any = curve_kwargs if isinstance(curve_kwargs, Sequence) else [curve_kwargs or {}] * n_curves
        areas_by_curve = [[area] for area in areas] or [[]] * n_curves
        validation.check_lengths(curves[0], curves[1], names, options, areas_by_curve)
        labels = list(map(self._legend_entry, names, areas_by_curve))
        if is_one_series:
            labels = [self._legend_entry(names[0], areas)] + ["_nolegend_"] * (n_curves - 1)
        defaults: dict[str, Any] = {"linewidth": 1.0, "alpha": 0.6} if n_curves > 1 else {"linewidth": 1.8}
        lines: list[Line2D] = []
        for x, y, label, own in zip(*curves, labels, options, strict=True):
            own = normalize_kwargs(dict(own), Line2D)
            lines += self.ax_.plot(x, y, **{"label": label, "zorder": CURVE_ZORDER, **defaults, **own})
            if is_one_series:
                defaults["color"] = lines[0].get_color()
        self.line_ = lines if n_curves > 1 else lines[0]

    def _draw_legend(self, loc: LegendLocType = "best") -> None:
        """Draw the legend behind the curves."""
        if self.ax_.get_legend_handles_labels()[0]:
            legend = self.ax_.legend(loc=loc, fontsize="small", framealpha=1)
            legend.set_zorder((REFERENCE_LINE["zorder"] + CURVE_ZORDER) / 2)

    def _legend_entry(self, name: str | None, areas: Sequence[float]) -> str:
        """Return a name with its area, or with the mean and standard deviation of several areas."""
        defined = [area for area in areas if not np.isnan(area)]
        text = f"{np.mean(defined):.3f}" if defined else "nan"
        if defined and len(areas) > 1:
            text += f" \u00b1 {np.std(defined):.3f}"
            text += f", {len(defined)} of {len(areas)} curves" if len(defined) < len(areas) else ""
        area = f"{self._area.label} = {text}" if self._area and areas else None
        return f"{name} ({area})" if name and area else name or area or "_nolegend_"


def find_positive_class(estimator: Any, y: ArrayLike, pos_label: Any) -> Any:
    """Return the positive class of a fitted classifier of two classes, which must know all labels."""
    classes = list(getattr(estimator, "classes_", []))
    if len(classes) != 2:
        raise ValueError(f"{type(estimator).__name__} is not a fitted classifier of two classes.")
    validation.encode_labels(validation.as_labels(y, "y"), classes=classes)
    if pos_label is None:
        return classes[1]
    return validation.find_positive(classes[0], classes[1], pos_label, "y")


def scores_of_positive(estimator: Any, X: Any, response_method: str, pos_label: Any) -> Floats:
    """Return the scores of the positive class from a fitted classifier of two classes."""
    validation.check_choice(response_method, "response_method", ("auto", *SCORE_METHODS))
    methods = SCORE_METHODS if response_method == "auto" else [response_method]
    scores = class_scores(estimator, X, estimator.classes_, methods)
    if scores is None:
        raise ValueError(f"{type(estimator).__name__} has none of {', '.join(methods)}.")
    return scores[:, list(estimator.classes_).index(pos_label)]
