"""Bootstrap intervals for the Prediction Advantage under any loss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask, weight_counts
from nontrivial._draws import are_few, assign_blocks, effective_units, expanded_tail, typical_weight
from nontrivial.measures.losses import Case, CrossEntropyLoss, LabelLoss
from nontrivial.measures.sign_verdict import agreeing_with_test, sign_p_values

# Sums over the units that are drawn: cases, or groups of cases.


@dataclass(frozen=True)
class GroupSums:
    """Sums values over groups, with weights; all are divided by one number, so that those in [-1, 1] stay there."""

    mass: Floats
    groups: Ints | None

    def __call__(self, values: Floats) -> Floats:
        if self.groups is None:
            return np.asarray(values * (self.mass / self.mass.max()))
        with np.errstate(invalid="ignore"):
            sums = np.bincount(self.groups, weights=values * self.mass)
        return np.asarray(sums[self._sizes > 0] / self._sizes.max())

    @cached_property
    def _sizes(self) -> Floats:
        assert self.groups is not None
        return np.bincount(self.groups, weights=self.mass).astype(np.float64)


# Resamples of the cells of a table of truths and predictions, by the Bayesian bootstrap.


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a table.

    Attributes
    ----------
    weights : ndarray of shape (n_cells,)
        How many cases each holds, or their summed weights.
    unit : float
        The weight of a case, or of the cases of a group that are in one cell: where they differ, the typical one, as
        in `unit_weight`.
    of_units : sparse array of shape (n_units, n_cells) or None
        What each of these weighs in each cell; None where each is a case, which weighs 1.
    units : float
        The effective sample size.
    are_few : bool
        Whether it is too small for an interval.
    """

    weights: Floats
    unit: float = 1.0
    of_units: csr_array | None = None
    units: float = math.inf
    are_few: bool = False

    @classmethod
    def of_cases(cls, cells: Ints, n_cells: int, weights: Floats | None, groups: Ints | None) -> Cells:
        """Count cases.

        Parameters
        ----------
        cells : int array of shape (n,)
            The cell of each case.
        n_cells : int
        weights : ndarray of shape (n,) or None
        groups : int array of shape (n,) or None
            What cases are drawn by.
        """
        summed = weight_counts(cells, n_cells, weights)
        if weights is None and groups is None:
            return cls(summed, units=float(len(cells)))
        units = None if groups is None else np.unique(groups, return_inverse=True)[1]
        each = np.ones(len(cells)) if weights is None else weights
        blocks, n_blocks = assign_blocks(units, len(cells))
        return cls(
            summed,
            unit_weight(cells, n_cells, weights, groups),
            csr_array((each, (blocks, cells)), (n_blocks, n_cells)),
            effective_units(weights, units, len(cells)),
            are_few(weights, units, len(cells)),
        )

    @classmethod
    def of_predictions(
        cls,
        truth: Ints | Mask,
        prediction: Ints | Mask,
        n_classes: int,
        weights: Floats | None,
        groups: Ints | None,
    ) -> Cells:
        """Count, of each class in turn, the cases predicted rightly and those predicted wrongly."""
        wrong = truth != prediction
        if weights is None and groups is None:  # counted without an array of as many places
            counts, errors = (weight_counts(places, n_classes) for places in (truth, truth[wrong]))
            return cls(np.column_stack([counts - errors, errors]).ravel(), units=float(len(truth)))
        return cls.of_cases(2 * truth.astype(np.intp) + wrong, 2 * n_classes, weights, groups)

    def draw(self, generator: np.random.Generator, size: int) -> Floats:
        """Return the weights of the cells in each of `size` resamples."""
        if self.of_units is None:
            return generator.standard_gamma(self.weights, size=(size, len(self.weights)))
        drawn = generator.standard_exponential((size, self.of_units.shape[0]))
        return np.asarray(drawn @ self.of_units)

    def draw_classes(self, generator: np.random.Generator, size: int) -> Floats:
        """Draw as `draw` does, but class by class in the order of `class_order`; each cell stays in its column."""
        if self.of_units is not None:  # the order of units has nothing to do with that of classes
            return self.draw(generator, size)
        places = (2 * class_order(self.weights)[:, None] + [0, 1]).ravel()
        drawn = np.empty((size, len(places)))
        drawn[:, places] = generator.standard_gamma(self.weights[places], size=drawn.shape)
        return drawn


def class_order(cells: Floats) -> Ints:
    """Return an order of the classes that does not change if they are exchanged, unless their cells are equal.

    Drawn in this order, intervals are the same whichever class is positive. The cells are, of each class in turn, the
    cases predicted rightly and those predicted wrongly.
    """
    order: Ints = np.lexsort(cells.reshape(-1, 2).T)
    return order


def unit_weight(cells: Ints, n_cells: int, weights: Floats | None, groups: Ints | None) -> float:
    """Return the weight of a case, or what the cases of a group that are in one cell weigh where that is least.

    A lump is the cases of a group that are in one cell. The least lumps show best whether the cases of a group go wrong
    one by one. Each cell is given one more lump, of the weight that is typical of all lumps.
    """
    if groups is None:
        return 1.0 if weights is None else typical_weight(weights, None)
    names, places = np.unique(groups.astype(np.intp) * n_cells + cells, return_inverse=True)
    of_lumps = np.bincount(places, weights=weights).astype(np.float64)
    typical = typical_weight(of_lumps, None)
    sums, squares = (np.bincount(names % n_cells, weights=of_lumps**power) for power in (1, 2))
    return float(((squares + typical**2) / (sums + typical)).min())


# The Prediction Advantage under 0/1 loss by the Bayesian bootstrap, over the constant that is truly the best.
#
# The sample does not show for certain which constant that is. So the lower bound is against the best constant of each
# resample. The upper bound is the least over all constants; its tail is divided among those that may be the best.


DRAWS_AT_A_TIME = 100  # few enough that what is drawn for a hundred thousand cases stays small
RARELY = 0.001  # a class that is the most frequent in no more of the resamples is taken not to be so in truth


def may_be_best(times: Ints) -> Mask:
    """Tell which constants may be the best, from how often each was in the resamples; one of them at least."""
    return np.asarray(times > min(RARELY * times.sum(), times.max() / 2))


class ResampledAdvantage(NamedTuple):
    """Bounds of the Prediction Advantage, and the one-sided p-values that agree with them."""

    low: float
    high: float
    p_better: float
    p_worse: float


def resampled_advantage(
    cells: Cells, level: float, n_resamples: int, generator: np.random.Generator, known: int | None = None
) -> ResampledAdvantage:
    """Return bounds, and p-values of "no better than the best constant" and of "no worse".

    The lower bound adds an error where a constant guess is right, and half an error where it is wrong. A whole one
    there would hide how bad a model is that errs more often than the constant. The upper bound adds a hit at either
    place. A p-value is the share of the draws at or beyond 0, so that p-values and interval agree. Against one
    constant, without weights and groups, this share is the p-value of the sign test but for the chance of drawing;
    against several it may be greater. There the p-values are those of the sign tests, and the ends are moved to agree
    with them.

    Parameters
    ----------
    cells : Cells
        Of each class in turn, the cases predicted rightly and those predicted wrongly.
    level : float in (0, 1)
    n_resamples : int
    generator : numpy.random.Generator
    known : int, optional
        The best constant, where it is known.
    """
    constants = slice(None) if known is None else [known]
    lower, upper, best = [], [], []
    for start in range(0, n_resamples, DRAWS_AT_A_TIME):
        size = min(DRAWS_AT_A_TIME, n_resamples - start)
        drawn = cells.draw_classes(generator, size)
        errors = drawn[:, 1::2].sum(axis=1, keepdims=True)
        of_class = drawn[:, ::2] + drawn[:, 1::2]
        of_others = (of_class.sum(axis=1, keepdims=True) - of_class)[:, constants]
        inside, outside = cells.unit * generator.standard_exponential((2, size, 1))
        half_outside = cells.unit * generator.standard_gamma(0.5, outside.shape)
        of_best = of_others.min(axis=1, keepdims=True)
        lower.append((1 - (errors + inside + half_outside) / (of_best + half_outside)).ravel())
        upper.append(1 - errors / (of_others + outside))
        best.append(of_class[:, constants].argmax(axis=1))
    against_all, against_each = np.sort(np.concatenate(lower)), np.sort(np.concatenate(upper), axis=0)
    candidates = int(may_be_best(np.bincount(np.concatenate(best))).sum())
    tail = (1 - level) / 2
    place, place_of_each = (int((1 + n_resamples) * each + 1e-9) for each in (tail, tail / candidates))
    high = float(against_each[-max(place_of_each, 1)].min())
    if not place_of_each:  # so few draws cannot show that it is worse
        high = max(high, 0.0)
    low = float(against_all[max(place, 1) - 1])
    if cells.of_units is None:
        p_values = sign_p_values(cells.weights[::2] + cells.weights[1::2], cells.weights[1::2], known)
        return ResampledAdvantage(*agreeing_with_test(low, high, p_values, tail), *p_values)
    not_above, not_below = np.count_nonzero(against_all <= 0), np.count_nonzero(against_each >= 0, axis=0)
    p_better, p_worse = ((1 + int(count)) / (1 + n_resamples) for count in (not_above, not_below.min()))
    return ResampledAdvantage(low, high, p_better, min(candidates * p_worse, 1.0))


# Bootstrap intervals for the Prediction Advantage under any loss.
#
# Every case has two losses, that of the model and that of a constant, and the advantage over the constant is one
# minus the ratio of their means. The Bayesian bootstrap (Rubin 1981) draws the weights of the cases from a flat
# Dirichlet distribution; cases that are alike are drawn together. The constant stays the same in all draws. If it
# were chosen again for each, the optimism of choosing in hindsight would be counted twice. Where several classes may
# be the marginal prediction, the interval goes from the least of their lower bounds to the least of their upper
# bounds, among which the upper tail is divided.


BATCH = 2**22  # weights drawn at once


class _Kinds(NamedTuple):
    """Kinds of cases: the class whose weight is kept, the two losses, the weight of one, and how many there are.

    Losses are multiplied with the weights already.
    """

    stratum: Ints
    loss: Floats
    marginal_loss: Floats
    mass: Floats
    cases: Floats


@dataclass(frozen=True)
class Design:
    """How cases are drawn: by what weights, together with which others, and how often.

    With `stratify` the weight of every class stays what it is.
    """

    n_resamples: int
    generator: np.random.Generator
    weights: Floats | None = None
    groups: Ints | None = None
    stratify: bool = False


def bootstrap_interval(case: Case, level: float, design: Design) -> tuple[float, float]:
    """Return percentile bounds for the Prediction Advantage; NaN where the marginal prediction has no risk.

    Under 0/1 loss, without strata, `resampled_advantage` gives the bounds instead.
    """
    losses = case.loss.pointwise(case.truth, case.prediction)
    extremes, kinds = None, None
    if isinstance(case.loss, LabelLoss):
        extremes = case.loss.extremes()
        kinds = case.truth * len(case.loss.classes) + case.prediction
    constants = _candidates(case, design)
    units = effective_units(design.weights, design.groups, len(losses))
    tail = expanded_tail((1 - level) / 2, units)
    divided = expanded_tail((1 - level) / 2 / len(constants), units)
    greatest, least = [], []
    for constant in constants:
        # With half a case, coverage fell to 88 % where two costly mistakes are expected.
        worst, best = resampled_ratios(case, losses, kinds, extremes, design, constant, part=3 / 4)
        greatest.append(np.quantile(worst, 1 - tail, method="inverted_cdf"))
        least.append(np.quantile(best, divided, method="inverted_cdf"))
    return 1 - float(max(greatest)), 1 - float(max(least))


def _candidates(case: Case, design: Design) -> list[Any]:
    """Return the classes that may be the marginal prediction in truth; a number is that of the sample."""
    sample = case.marginal(design.weights)
    if not isinstance(case.loss, LabelLoss) or case.baseline is not None or design.stratify:
        return [sample]
    loss, k = case.loss, len(case.loss.classes)
    cells = Cells.of_cases(case.truth, k, design.weights, design.groups)
    of_constants = np.array([loss.pointwise(np.arange(k), np.intp(constant)) for constant in range(k)])
    times = np.zeros(k, dtype=np.intp)
    for _ in range(0, design.n_resamples, DRAWS_AT_A_TIME):
        risks = cells.draw(design.generator, DRAWS_AT_A_TIME) @ of_constants.T
        times += np.bincount(risks.argmin(axis=1), minlength=k)
    chosen = may_be_best(times)
    chosen[sample] = True
    return [np.intp(constant) for constant in np.flatnonzero(chosen)]


def resampled_ratios(
    case: Case,
    losses: Floats,
    kinds: Ints | None,
    extremes: tuple[Floats, Floats] | None,
    design: Design,
    constant: Any,
    *,
    part: float,
    unit: float | None = None,
) -> tuple[Floats, Floats]:
    """Return resampled ratios of the mean of `losses` to the risk of a constant.

    Parameters
    ----------
    case : Case
    losses : ndarray of shape (n,)
    kinds : int array of shape (n,), or None
        Cases of one kind have the same class and the same losses, and may be drawn together.
    extremes : pair of ndarray of shape (k,), or None
        The least and the greatest that `losses` can be for a case of each class, if that is known.
    constant : int, float or ndarray
    part : float
        How much of a case each pseudo-case counts.
    unit : float, optional
        The weight of such a case; by default the typical one, as in `typical_weight`.

    Returns
    -------
    greatest, least : ndarray of shape (n_resamples,)
        With pseudo-cases of the greatest and of the least losses, if these are known; else the same. NaN where the
        constant has no risk.
    """
    truth, weights, groups = case.truth, design.weights, design.groups
    if design.stratify and not isinstance(case.loss, (LabelLoss, CrossEntropyLoss)):
        raise ValueError("stratify holds the shares of classes fixed; this loss has no classes.")
    if design.stratify and groups is not None:
        raise ValueError("stratify and groups exclude each other: a group may have cases of several classes.")
    counts = np.ones(len(truth))
    if kinds is not None and weights is None and groups is None:
        _, kept, repeats = np.unique(kinds, return_index=True, return_counts=True)
        counts = repeats.astype(np.float64)
        truth, losses = truth[kept], losses[kept]
    mass = np.ones(len(truth)) if weights is None else weights
    stratum = np.zeros(len(truth), dtype=np.intp)
    if design.stratify:
        stratum = np.unique(truth, return_inverse=True)[1]
    cells = _Kinds(stratum, mass * losses, mass * case.loss.pointwise(truth, constant), mass, counts)
    if groups is not None:
        cells = _joined(cells, groups)
    if not cells.marginal_loss.any():
        undefined = np.full(design.n_resamples, np.nan)
        return undefined, undefined
    masses = np.bincount(cells.stratum, weights=cells.mass * cells.cases).astype(np.float64)
    if extremes is None:
        ratios = _risk_ratios(cells, masses, design)
        return ratios, ratios
    assert isinstance(case.loss, LabelLoss)
    least, greatest = (
        _with_pseudo_cases(cells, case.loss, np.unique(truth), constant, extreme, part, unit)
        for extreme in extremes
    )
    return _risk_ratios(greatest, masses, design), _risk_ratios(least, masses, design)


def _joined(cells: _Kinds, groups: Ints) -> _Kinds:
    """Return one cell for each group that has a case that counts."""
    has_cases = np.bincount(groups) > 0
    loss, marginal_loss, mass = (
        np.bincount(groups, weights=each).astype(np.float64)[has_cases]
        for each in (cells.loss, cells.marginal_loss, cells.mass)
    )
    return _Kinds(np.zeros(len(mass), dtype=np.intp), loss, marginal_loss, mass, np.ones(len(mass)))


def _with_pseudo_cases(
    cells: _Kinds,
    loss: LabelLoss,
    classes: Ints,
    marginal: np.intp,
    extreme: Floats,
    part: float,
    unit: float | None,
) -> _Kinds:
    """Add part of a case of extreme loss where the marginal prediction is right, and as much where it is wrong."""
    # Without them, an outcome that did not occur could not occur in a draw, and the interval of a model without an
    # error would be a point. The lower bound adds cases against the model, and the upper bound adds cases for it, as
    # the asymmetric bounds of a binomial share do.
    stratum = np.arange(len(classes)) if cells.stratum.any() else np.zeros(len(classes), dtype=np.intp)
    share = np.where(classes == marginal, part, part / max(len(classes) - 1, 1))
    if unit is None:
        unit = float(cells.mass**2 @ cells.cases / (cells.mass @ cells.cases))
    mass = np.full(len(classes), unit)
    return _Kinds(
        np.concatenate([cells.stratum, stratum]),
        np.concatenate([cells.loss, mass * extreme[classes]]),
        np.concatenate([cells.marginal_loss, mass * loss.pointwise(classes, marginal)]),
        np.concatenate([cells.mass, mass]),
        np.concatenate([cells.cases, share]),
    )


def _risk_ratios(cells: _Kinds, masses: Floats, design: Design) -> Floats:
    """Draw weights that leave each stratum its mass, and return the ratio of the two mean losses per draw."""
    # Kinds are drawn in an order that does not change with the names of the classes.
    order = np.lexsort(cells)
    cells = _Kinds._make(each[order] for each in cells)
    member = (cells.stratum[:, None] == np.arange(len(masses))) * cells.mass[:, None]
    batch = max(BATCH // len(cells.cases), 1)
    ratios = []
    for start in range(0, design.n_resamples, batch):
        size = (min(batch, design.n_resamples - start), len(cells.cases))
        weights = design.generator.standard_gamma(cells.cases, size=size)
        if len(masses) > 1:
            weights *= (masses / (weights @ member))[:, cells.stratum]
        ratios.append((weights @ cells.loss) / (weights @ cells.marginal_loss))
    return np.concatenate(ratios)
