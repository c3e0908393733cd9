"""The catalogue of measures of confusion tables; functions, scorers, claims and pages follow from its records."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from nontrivial._arrays import Floats, Mask

Value = TypeVar("Value")


class ConfusionTables:
    """Confusion tables and their margins in floats, whole numbers, or terms of the claims' solver."""

    # `weights` are the weights of false positives and false negatives in F-beta: 1 and beta squared, or multiples.
    def __init__(self, tp: Any, fp: Any, fn: Any, tn: Any, *, weights: tuple[Any, Any] = (1, 1)) -> None:
        self.tp, self.fp, self.fn, self.tn, self.weights = tp, fp, fn, tn, weights
        self._lacking: dict[tuple[str, ...], Mask | None] = {}

    def select(self, rows: slice) -> ConfusionTables:
        cells = (self.tp, self.fp, self.fn, self.tn)
        return ConfusionTables(*(cell[rows] for cell in cells), weights=self.weights)

    # Margins are computed once, and only if a measure needs them.
    positives = cached_property(lambda self: self.tp + self.fn)
    negatives = cached_property(lambda self: self.fp + self.tn)
    predicted_positives = cached_property(lambda self: self.tp + self.fp)
    predicted_negatives = cached_property(lambda self: self.fn + self.tn)
    n = cached_property(lambda self: self.positives + self.negatives)
    errors = cached_property(lambda self: self.fp + self.fn)
    hits = cached_property(lambda self: self.tp + self.tn)
    # TP TN - FP FN is 0 if truth and prediction are independent, and positive if they mostly agree.
    determinant = cached_property(lambda self: self.tp * self.tn - self.fp * self.fn)
    class_product = cached_property(lambda self: self.positives * self.negatives)
    prediction_product = cached_property(lambda self: self.predicted_positives * self.predicted_negatives)
    minority = cached_property(lambda self: minimum(self.positives, self.negatives))
    majority = cached_property(lambda self: maximum(self.positives, self.negatives))
    weighted_hits = cached_property(lambda self: sum(self.weights) * self.tp)
    weighted_errors = cached_property(lambda self: self.weights[0] * self.fp + self.weights[1] * self.fn)

    @property
    def one_class(self) -> Mask:
        return np.asarray((self.positives == 0) | (self.negatives == 0))

    def lacking(self, margins: tuple[str, ...]) -> Mask | None:
        """Return which tables have a 0 among these margins; None if no table has."""
        if margins not in self._lacking:
            empty = np.logical_or.reduce([np.equal(getattr(self, margin), 0) for margin in margins])
            self._lacking[margins] = empty if empty.any() else None
        return self._lacking[margins]


# These also take the numbers of the claims' language, which have a method `constant`.


def minimum(first: Any, second: Any) -> Any:
    return first.choose("<=", second) if hasattr(first, "constant") else np.minimum(first, second)


def maximum(first: Any, second: Any) -> Any:
    if not hasattr(first, "constant"):
        return np.maximum(first, second)
    return first.choose(">=", second if hasattr(second, "constant") else first.constant(second))


@dataclass(frozen=True)
class Scale:
    """The monotone function (a x + b) / (c x + d) of a ratio x; with degree 2, x is the signed root of the ratio."""

    degree: int = 1
    a: int = 1
    b: int = 0
    c: int = 0
    d: int = 1

    @property
    def falls(self) -> bool:
        return self.a * self.d < self.b * self.c

    @property
    def of_reciprocal(self) -> Scale:
        return Scale(self.degree, self.b, self.a, self.d, self.c)

    def values(self, above: Floats, below: Floats) -> Floats:
        if self.degree == 2:
            is_signed = np.less(above, 0).any()  # saves time, as few ratios can be negative
            above = np.copysign(np.sqrt(np.abs(above)), above) if is_signed else np.sqrt(above)
            below = np.sqrt(below)
        value: Floats = _linear_combination(self.a, above, self.b, below) / _linear_combination(
            self.c, above, self.d, below
        )
        return value

    def ratio_of(self, above: Any, below: Any) -> tuple[Any, Any]:
        """Return the ratio at which the measure is above / below; its denominator is negative if there is none."""
        first = _linear_combination(self.d, above, -self.b, below)
        second = _linear_combination(self.a, below, -self.c, above)
        return (first, second) if self.degree == 1 else (first * abs(first), second * abs(second))

    def text(self, above: Any, below: Any) -> str:
        above, below = (Fraction(above) / below).as_integer_ratio() if below else (int(np.sign(above)), 0)
        root = above, below
        if self.degree == 2:
            root = int(math.copysign(math.isqrt(abs(above)), above)), math.isqrt(below)
        if self.degree == 1 or (root[0] ** 2, root[1] ** 2) == (abs(above), below):
            first, second = self.a * root[0] + self.b * root[1], self.c * root[0] + self.d * root[1]
            return str(Fraction(first, second)) if second else "inf" if first > 0 else "-inf"
        written = f"{'-' * (above < 0)}sqrt({Fraction(abs(above), below)})"
        parts = [_linear_text(self.b, self.a, written), _linear_text(self.d, self.c, written)]
        if parts[1] == "1":
            return parts[0]
        return "/".join(f"({part})" if " " in part else part for part in parts)


def _linear_combination(factor: int, number: Any, second_factor: int, second_number: Any) -> Any:
    """Return factor * number + second_factor * second_number, without terms of factor 0."""
    pairs = (factor, number), (second_factor, second_number)
    terms = [value if factor == 1 else factor * value for factor, value in pairs if factor]
    return terms[0] if len(terms) == 1 else terms[0] + terms[1]


def _linear_text(constant: int, factor: int, number: str) -> str:
    if not factor:
        return str(constant)
    term = number if factor == 1 else f"{factor}*{number}"
    return f"{constant} + {term}" if constant else term


RATIO_SCALE = Scale()
ROOT_SCALE = Scale(degree=2)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A ratio of polynomials in the cells, or of their minima and maxima, on a scale; denominators are not negative."""

    ratio: Callable[[ConfusionTables], tuple[Any, Any]]
    scale: Scale = RATIO_SCALE
    better: int = 1  # 1: greater is better, -1: less is, 0: neither
    needs: tuple[str, ...] = ()  # margins; if one of them is 0, the quantity is undefined
    at_0_by_0: float = math.nan  # the value of a ratio of 0/0 if no needed margin is 0

    def values(self, tables: ConfusionTables) -> Floats:
        """Return the values of tables of floats: NaN for 0/0, inf for x/0."""
        above, below = self.ratio(tables)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = self.scale.values(above, below)
        if not math.isnan(self.at_0_by_0) and np.equal(below, 0).any():
            values = np.where(np.equal(above, 0) & np.equal(below, 0), self.at_0_by_0, values)
        lacking = tables.lacking(self.needs)
        return values if lacking is None else np.where(lacking, np.nan, values)

    def exact_ratio(self, tables: ConfusionTables) -> tuple[Any, Any]:
        """Return numerators and denominators for arrays of Python's numbers; both are 0 for an undefined value."""
        above, below = self.ratio(tables)
        if math.isinf(self.at_0_by_0):
            sign = int(math.copysign(1, self.at_0_by_0))
            above = np.where(np.equal(above, 0) & np.equal(below, 0), sign, above)
        lacking = tables.lacking(self.needs)
        return (above, below) if lacking is None else (above * ~lacking, below * ~lacking)

    def compare(self, tables: ConfusionTables, numerator: Any, denominator: Any) -> Any:
        """Return the exact sign of the value minus a number for arrays of Python's numbers; 0 if undefined."""
        above, below = self.exact_ratio(tables)
        first, second = self.scale.ratio_of(numerator, denominator)
        return np.sign(above * second - below * first)


@dataclass(frozen=True)
class Measure(Quantity):
    """What the package knows of a measure."""

    name: str
    label: str  # as a heading
    meaning: str  # in a sentence
    definition: str  # with P = TP + FN, N = FP + TN, n = P + N and D = TP TN - FP FN
    _: KW_ONLY
    range: str = "[0, 1]"
    aliases: tuple[str, ...] = ()  # names that functions and look-ups accept, too
    headings: str = ""  # column headings in papers; results have the first one
    option: str = ""  # the help of the option of `nontrivial published`, if it has one
    source: str = ""
    is_column: bool = True  # whether `confusion_measures` has it
    is_proportion: bool = False  # whether the ratio is successes over trials
    is_monotone: bool = True  # whether, for given classes, more TP or more TN never make it worse
    # With this text, a measure gets a function of labels and a scorer. It describes the values, and when they are 0/0.
    values_of_labels: str = ""
    function: str = ""  # by default the measure's name with _score

    @property
    def bounds(self) -> tuple[Fraction | float, Fraction | float]:
        """The least and the greatest value: fractions, or infinite floats."""
        low, high = (float(end) if "inf" in end else Fraction(end) for end in self.range[1:-1].split(", "))
        return low, high


CLASS_SIZES = ("positives", "negatives")
PREDICTION_SIZES = ("predicted_positives", "predicted_negatives")


def _gain_ratio(tables: ConfusionTables, errors: Any, hits: Any) -> tuple[Any, Any]:
    """Return the ratio 1 - (P / N) errors / hits, a scale on which the prevalence is 0 and perfection is 1."""
    unit = tables.negatives * hits
    return unit - tables.positives * errors, unit


# fmt: off
_MEASURE_RECORDS = (
    Measure("accuracy", "Accuracy", "Share of cases that are predicted correctly.",
        "(TP + TN) / n", ratio=lambda t: (t.hits, t.n), is_proportion=True,
        headings="accuracy acc classification_accuracy overall_accuracy test_accuracy correct correctly_classified",
        option="The accuracy as printed."),
    Measure("error_rate", "Error rate", "Share of cases that are predicted incorrectly.",
        "(FP + FN) / n", ratio=lambda t: (t.errors, t.n), better=-1, is_proportion=True, aliases=("error",),
        headings="error err misclassification_rate classification_error test_error",
        option="The error rate as printed, such as 0.273 or 27.3%; trailing zeros count."),
    Measure("balanced_accuracy", "Balanced accuracy", "Mean of the classes' shares of correct predictions.",
        "(recall + specificity) / 2", ratio=lambda t: (t.tp * t.negatives + t.tn * t.positives, 2 * t.class_product),
        needs=CLASS_SIZES, headings="balanced_accuracy bacc bac bal_acc balanced_acc", option="The balanced accuracy."),
    Measure("precision", "Precision (PPV)", "Share of positives among the cases predicted positive.",
        "TP / (TP + FP)", ratio=lambda t: (t.tp, t.predicted_positives), needs=("predicted_positives",),
        is_proportion=True, aliases=("ppv",), headings="precision prec positive_predictive_value",
        option="The precision, or positive predictive value."),
    Measure("recall", "Recall (sensitivity)", "Share of the positives that are predicted positive.",
        "TP / P", ratio=lambda t: (t.tp, t.positives), needs=("positives",), is_proportion=True,
        aliases=("sensitivity",), headings="recall sens tpr true_positive_rate hit_rate sn se",
        option="The recall, or sensitivity."),
    Measure("specificity", "Specificity", "Share of the negatives that are predicted negative.",
        "TN / N", ratio=lambda t: (t.tn, t.negatives), needs=("negatives",), is_proportion=True,
        headings="specificity spec tnr true_negative_rate sp", option="The specificity."),
    Measure("negative_predictive_value", "Negative predictive value", "Negatives among cases predicted negative.",
        "TN / (TN + FN)", ratio=lambda t: (t.tn, t.predicted_negatives), needs=("predicted_negatives",),
        is_proportion=True, aliases=("npv",), headings="npv", option="The negative predictive value."),
    Measure("false_positive_rate", "False positive rate", "Share of the negatives that are predicted positive.",
        "FP / N", ratio=lambda t: (t.fp, t.negatives), better=-1, needs=("negatives",), is_proportion=True,
        headings="false_positive_rate fpr fp_rate fall_out"),
    Measure("false_negative_rate", "False negative rate", "Share of the positives that are predicted negative.",
        "FN / P", ratio=lambda t: (t.fn, t.positives), better=-1, needs=("positives",), is_proportion=True,
        headings="false_negative_rate fnr fn_rate miss_rate"),
    Measure("false_discovery_rate", "False discovery rate", "Negatives among the cases predicted positive.",
        "FP / (TP + FP)", ratio=lambda t: (t.fp, t.predicted_positives), better=-1, needs=("predicted_positives",),
        is_proportion=True, headings="false_discovery_rate fdr"),
    Measure("false_omission_rate", "False omission rate", "Positives among the cases predicted negative.",
        "FN / (TN + FN)", ratio=lambda t: (t.fn, t.predicted_negatives), better=-1, needs=("predicted_negatives",),
        is_proportion=True),
    Measure("f_beta", "F1", "Harmonic mean of precision and recall.",
        "TP / (TP + (FP + beta^2 FN) / (1 + beta^2))",
        ratio=lambda t: (t.weighted_hits, t.weighted_hits + t.weighted_errors), aliases=("f1",),
        headings="f1 f1_score f_score f_measure f1_measure fscore fmeasure dice", option="The F1 score."),
    Measure("p4", "P4", "Harmonic mean of precision, recall, specificity and negative predictive value.",
        "4 TP TN / (4 TP TN + (TP + TN) (FP + FN))",
        ratio=lambda t: (product := 4 * (t.tp * t.tn), product + t.hits * t.errors), headings="p4",
        option="The P4 metric.", source="P4 article, definition",
        values_of_labels="The same whichever class is positive. NaN (0/0) if no case is predicted rightly."),
    Measure("matthews_corrcoef", "Matthews correlation (MCC)", "Correlation of truth and prediction; 0 means none.",
        "D / sqrt(P N (TP + FP) (TN + FN))",
        ratio=lambda t: (t.determinant * abs(t.determinant), t.class_product * t.prediction_product), scale=ROOT_SCALE,
        range="[-1, 1]", needs=CLASS_SIZES + PREDICTION_SIZES, aliases=("mcc",),
        headings="mcc matthews_correlation_coefficient matthews_correlation",
        option="The Matthews correlation coefficient."),
    Measure("fowlkes_mallows", "Fowlkes-Mallows index", "Geometric mean of precision and recall.",
        "TP / sqrt((TP + FP) P)", ratio=lambda t: (t.tp * t.tp, t.predicted_positives * t.positives), scale=ROOT_SCALE,
        needs=("predicted_positives", "positives")),
    Measure("jaccard", "Jaccard index", "True positives among cases that are positive or predicted positive.",
        "TP / (TP + FP + FN)", ratio=lambda t: (t.tp, t.tp + t.errors), is_proportion=True),
    Measure("informedness", "Informedness (Youden's J)", "Recall plus specificity minus 1.",
        "recall + specificity - 1 = D / (P N)", ratio=lambda t: (t.determinant, t.class_product), range="[-1, 1]",
        needs=CLASS_SIZES, aliases=("youden",),
        headings="informedness youdens_j youden_index youdens_index j bookmaker_informedness",
        option="Informedness, or Youden's J.", source="P4 article, table of measures; Powers 2011",
        values_of_labels="0 for a constant prediction; the same whichever class is positive. Of two classes never "
        "0/0; a class that is only predicted has NaN."),
    Measure("markedness", "Markedness", "Precision plus negative predictive value minus 1.",
        "precision + NPV - 1 = D / ((TP + FP) (TN + FN))", ratio=lambda t: (t.determinant, t.prediction_product),
        range="[-1, 1]", needs=PREDICTION_SIZES, source="P4 article, table of measures; Powers 2011",
        values_of_labels="The same whichever class is positive. NaN (0/0) for a constant prediction."),
    Measure("prevalence", "Prevalence", "Share of positives among all cases.",
        "P / n", ratio=lambda t: (t.positives, t.n), better=0, is_proportion=True,
        headings="prevalence positive_rate share_of_positives"),
    Measure("prevalence_threshold", "Prevalence threshold", "Prevalence below which precision falls steeply.",
        "sqrt(FPR) / (sqrt(recall) + sqrt(FPR))", ratio=lambda t: (t.tp * t.negatives, t.fp * t.positives),
        scale=Scale(2, 0, 1, 1, 1), better=-1, needs=CLASS_SIZES),
    Measure("positive_likelihood_ratio", "Positive likelihood ratio", "Recall over the false positive rate.",
        "recall / FPR", ratio=lambda t: (t.tp * t.negatives, t.fp * t.positives), range="[0, inf]", needs=CLASS_SIZES,
        headings="positive_likelihood_ratio lr_plus lr+ plr"),
    Measure("negative_likelihood_ratio", "Negative likelihood ratio", "False negative rate over specificity.",
        "FNR / specificity", ratio=lambda t: (t.fn * t.negatives, t.tn * t.positives), range="[0, inf]", better=-1,
        needs=CLASS_SIZES, headings="negative_likelihood_ratio lr_minus nlr"),
    Measure("diagnostic_odds_ratio", "Diagnostic odds ratio", "Positive likelihood ratio over the negative one.",
        "TP TN / (FP FN)", ratio=lambda t: (t.tp * t.tn, t.fp * t.fn), range="[0, inf]", needs=CLASS_SIZES,
        headings="diagnostic_odds_ratio dor"),
    Measure("cohen_kappa", "Cohen's kappa", "Agreement of truth and prediction beyond chance.",
        "2 D / ((TP + FP) N + P (TN + FN))",
        ratio=lambda t: (2 * t.determinant, t.predicted_positives * t.negatives + t.positives * t.predicted_negatives,),
        range="[-1, 1]", aliases=("kappa",), headings="kappa cohens_kappa kappa_statistic κ",
        option="Cohen's kappa."),
    Measure("no_information_rate", "No-information rate", "Accuracy of always predicting the most frequent class.",
        "max(P, N) / n", ratio=lambda t: (t.majority, t.n), range="[0.5, 1]", better=0),
    Measure("goodman_kruskal_lambda", "Goodman and Kruskal's lambda",
        "Prediction Advantage if each predicted label is replaced by its most frequent true class.",
        "1 - (min(TP, FP) + min(FN, TN)) / min(P, N)",
        ratio=lambda t: (maximum(t.minority - (minimum(t.tp, t.fp) + minimum(t.fn, t.tn)), 0), t.minority),
        needs=CLASS_SIZES, is_monotone=False),
    Measure("prediction_advantage", "Prediction Advantage (PA)",
        "One minus the ratio of the error, or mean loss, to that of the best constant guess: 1 is perfect, 0 "
        "trivial, less than 0 worse.",
        "1 - (FP + FN) / min(P, N)", ratio=lambda t: (t.minority - t.errors, t.minority), range="(-inf, 1]",
        needs=CLASS_SIZES),
    Measure("precision_gain", "Precision gain", "Precision rescaled harmonically: 0 at the prevalence, 1 if perfect.",
        "1 - (P / N) FP / TP", ratio=lambda t: _gain_ratio(t, t.fp, t.tp), range="[-inf, 1]", needs=CLASS_SIZES,
        at_0_by_0=-math.inf, source="PRG paper, section 3.1",
        values_of_labels="0 for always-positive; -inf (x/0) without a true positive, even for always-negative, "
        "whose precision is 0/0. Of two classes never NaN."),
    Measure("recall_gain", "Recall gain", "Recall rescaled harmonically: 0 at the prevalence, 1 if perfect.",
        "1 - (P / N) FN / TP", ratio=lambda t: _gain_ratio(t, t.fn, t.tp), range="[-inf, 1]", needs=CLASS_SIZES,
        source="PRG paper, section 3.1",
        values_of_labels="0 if recall equals the prevalence, 1 for always-positive, -inf (x/0) without a true "
        "positive. Of two classes never NaN."),
    Measure("f_beta_gain", "F1 gain", "F1 rescaled harmonically: 0 at the prevalence, 1 if perfect.",
        "1 - (P / N) (FP + beta^2 FN) / (1 + beta^2) / TP",
        ratio=lambda t: _gain_ratio(t, t.weighted_errors, t.weighted_hits), range="[-inf, 1]", needs=CLASS_SIZES,
        at_0_by_0=-math.inf, aliases=("f1_gain",), source="PRG paper, section 3.1 and theorem 2",
        function="f_gain_score",
        values_of_labels="beta^2 / (1 + beta^2) for always-positive, -inf without a true positive. Of two classes "
        "never NaN."),
    Measure("geometric_mean", "G-mean", "Geometric mean of recall and specificity.",
        "sqrt(recall specificity)", ratio=lambda t: (t.tp * t.tn, t.class_product), scale=ROOT_SCALE, needs=CLASS_SIZES,
        is_column=False, aliases=("g_mean",), headings="g_mean gmean g_measure gm",
        option="The geometric mean of recall and specificity.", source="Kubat and Matwin 1997",
        values_of_labels="0 for a constant prediction; the same whichever class is positive and whatever the "
        "prevalence. Of two classes never 0/0; a class that is only predicted has NaN."),
    Measure("lift", "Lift", "How many times as often predicted positives are positive as all cases are.",
        "precision / prevalence", ratio=lambda t: (t.tp * t.n, t.predicted_positives * t.positives), range="[0, inf)",
        needs=("predicted_positives", "positives"), is_column=False,
        source='Brin, Motwani, Ullman and Tsur 1997 (as "interest")',
        values_of_labels="1 for always-positive; NaN (0/0) if nothing is predicted positive."),
)
# fmt: on
CATALOGUE = {measure.name: measure for measure in _MEASURE_RECORDS}

# Other usual names of measures, losses and methods, which functions and look-ups accept; no output has them.
ALIASES = {
    **{alias: measure.name for measure in CATALOGUE.values() for alias in measure.aliases},
    "auc": "roc_auc",
    "log_loss": "cross_entropy",
    "quantile": "pinball",
    "bayesian_bootstrap": "bootstrap",
}


def canonical_name(name: Any) -> Any:
    """Return the name that this package uses for another usual name; other values stay as they are."""
    return ALIASES.get(name, name) if isinstance(name, str) else name


class AliasedDict(dict[str, Value]):
    """Values by name; ``[...]`` also finds them by other usual names."""

    def __missing__(self, name: str) -> Value:
        if name not in ALIASES:
            raise KeyError(name)
        return self[ALIASES[name]]
