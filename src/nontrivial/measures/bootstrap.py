"""Resamples of the Prediction Advantage: of labels with imaginary cases, and of numbers without."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import PRIOR, Cells, class_order, ends, p_values, resample
from nontrivial.measures.losses import Case, CostLoss, LabelLoss
from nontrivial.measures.sign_verdict import agreeing_with_test, sign_p_values


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


@dataclass(frozen=True)
class Design:
    """How cases are drawn: how often, by what weights, and together with which others.

    With `stratify` the weight of every class stays what it is.
    """

    n_resamples: int
    generator: np.random.Generator
    weights: Floats | None = None
    groups: Ints | None = None
    stratify: bool = False


class Bounds(NamedTuple):
    """Bounds of the Prediction Advantage, and p-values of "no better than the best constant" and of "no worse"."""

    low: float
    high: float
    p_better: float
    p_worse: float


def bound_advantage(
    cells: Cells, level: float, n_resamples: int, generator: np.random.Generator, known: int | None = None
) -> Bounds:
    """Return bounds of the Prediction Advantage under 0/1 loss, and p-values that agree with them.

    The p-values of single cases are those of the exact sign tests, and the ends are moved to agree with them. With
    weights or groups they are read off the draws. All are NaN where the best constant is never wrong.

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
    of_class = cells.weights[::2] + cells.weights[1::2]
    constants = np.flatnonzero(of_class) if known is None else np.array([known])

    def advantages(drawn: Floats) -> dict[str, Floats]:
        masses = drawn[:, ::2] + drawn[:, 1::2]
        others = masses.sum(axis=1, keepdims=True) - masses[:, constants]
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"": 1 - drawn[:, 1::2].sum(axis=1, keepdims=True) / others}

    value = float(advantages(cells.weights[None])[""].min())
    if not np.isfinite(value):
        return Bounds(np.nan, np.nan, np.nan, np.nan)
    found = bound_least(resample(cells, advantages, n_resamples, generator)[""], value, level)
    if not cells.are_cases:
        return found
    tests = sign_p_values(of_class, cells.weights[1::2], known)
    return Bounds(*agreeing_with_test(found.low, found.high, tests, (1 - level) / 2), *tests)


def bound_least(draws: Floats, value: float, level: float) -> Bounds:
    """Return bounds and p-values of an advantage over the best constant: the least over all, of which none is known.

    The lower bound is against the best constant of each resample. The upper bound is the least over the constants,
    among which its tail is divided; choosing the best in each resample would count the luck of the choice twice.

    Parameters
    ----------
    draws : ndarray of shape (n_resamples, n_constants)
        Those of the advantage over each constant.
    value : float
        The advantage in the sample.
    level : float in (0, 1)
    """
    k = draws.shape[1]
    low, _ = ends(draws.min(axis=1), value, level)
    p_better, _ = p_values(draws.min(axis=1), value)
    place = max(int((1 - level) / 2 / k * (len(draws) + 1) + 1e-9), 1)
    high = float(np.partition(draws, -place, axis=0)[-place].min())
    above = int(np.count_nonzero(draws >= 0, axis=0).min())
    p_worse = min(k * (1 + above) / (1 + len(draws)), 1.0)
    if p_worse > (1 - level) / 2:  # so few draws cannot show that it is worse
        high = max(high, 0.0)
    return Bounds(low, max(high, value), p_better, p_worse if value < 0 else max(p_worse, 0.5))


def label_draws(case: Case, losses: list[Floats], design: Design) -> Floats:
    """Return resamples of the Prediction Advantage under a loss between classes, or of its difference of two models.

    Those of one model are over each constant, of shape (n_resamples, n_constants); the difference is over the best
    constant of each resample. The imaginary cases of a class are predicted rightly, or lose what a wrong prediction of
    it loses on average.

    Parameters
    ----------
    case : Case
        Its truth, loss and baseline count, not its prediction.
    losses : list of one or two ndarrays of shape (n,)
        Those of each model; the second is the model that the first is compared with.
    design : Design
    """
    loss, n = case.loss, len(case.truth)
    assert isinstance(loss, LabelLoss)
    k = len(loss.classes)
    mass = np.ones(n) if design.weights is None else design.weights
    masses = np.bincount(case.truth, weights=mass, minlength=k).astype(np.float64)
    sums = [np.bincount(case.truth, weights=each * mass, minlength=k) for each in losses]
    # Drawn in this order, intervals are the same whatever the classes are called.
    order = class_order(np.column_stack([masses, *sums]))
    place, present = np.argsort(order), order[masses[order] > 0]
    sides = list(itertools.product(_losses_of_imaginary(loss), repeat=len(losses)))
    members = np.concatenate([place[case.truth], np.tile(place[present], len(sides))])
    lost = [
        np.concatenate([of_model, *(side[model][present] for side in sides)])
        for model, of_model in enumerate(losses)
    ]
    kinds = members
    for each in lost:
        values, codes = np.unique(each, return_inverse=True)
        kinds = kinds * len(values) + codes
    _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
    lost, classes, n_kinds = [each[first] for each in lost], members[first], len(first)
    parts = np.full(len(kinds) - n, 4 * PRIOR / len(sides) / len(present))
    cells = Cells.of_cases(
        [kinds[:n]], n_kinds, [kinds[n:]], parts, (members[:n], members[n:]), design.weights, design.groups
    )
    of_class = csr_array((np.ones(n_kinds), (np.arange(n_kinds), classes)), (n_kinds, k))

    def statistic(drawn: Floats) -> dict[str, Floats]:
        found = np.asarray(drawn @ of_class)
        if design.stratify:
            with np.errstate(divide="ignore", invalid="ignore"):
                drawn = drawn * (masses[order] / found)[:, classes]
            found = np.broadcast_to(masses[order], found.shape)
        if isinstance(loss, CostLoss):
            risks = found @ loss.cost[:, order].T
        else:
            risks = (found.sum(axis=1, keepdims=True) - found)[:, place]
        if case.baseline is not None:
            risks = risks[:, [int(case.marginal(None))]]
        with np.errstate(divide="ignore", invalid="ignore"):
            if len(lost) == 1:
                return {"": 1 - (drawn @ lost[0])[:, None] / risks}
            return {"": drawn @ (lost[1] - lost[0]) / risks.min(axis=1)}

    return resample(cells, statistic, design.n_resamples, design.generator)[""]


def _losses_of_imaginary(loss: LabelLoss) -> tuple[Floats, Floats]:
    """Return what a right prediction of each class loses, and a wrong one on average."""
    k = len(loss.classes)
    if not isinstance(loss, CostLoss):
        return np.zeros(k), np.ones(k)
    right = loss.cost.diagonal()
    return right, (loss.cost.sum(axis=0) - right) / max(k - 1, 1)


def number_draws(case: Case, losses: Floats, design: Design) -> Floats:
    """Return resamples of the Prediction Advantage under another loss, without imaginary cases.

    The constant is that of the sample in all of them. If it were chosen again for each, the optimism of choosing in
    hindsight would count twice.
    """
    mass = np.ones(len(losses)) if design.weights is None else design.weights
    total = GroupSums(mass, design.groups)
    marginal = case.loss.pointwise(case.truth, case.marginal(design.weights))
    lost, of_constant, strata = total(losses), total(marginal), np.zeros(len(mass), dtype=np.intp)
    if design.stratify:
        strata = np.unique(case.truth, return_inverse=True)[1]
    member = (strata[:, None] == np.arange(strata.max() + 1)) * mass[:, None]
    cells = Cells(lost, np.ones(len(lost)), None, False, False)

    def statistic(drawn: Floats) -> dict[str, Floats]:
        if design.stratify:
            drawn = drawn * (member.sum(axis=0) / (drawn @ member))[:, strata]
        return {"": 1 - (drawn @ lost) / (drawn @ of_constant)}

    return resample(cells, statistic, design.n_resamples, design.generator)[""]
