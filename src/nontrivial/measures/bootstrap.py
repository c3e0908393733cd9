"""The Prediction Advantage by resamples: of labels with imaginary cases, and of numbers without."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import PRIOR, UNDEFINED, Bounds, Cells, class_order, ends, p_values, resample, summing
from nontrivial.measures.losses import Case, CostLoss, LabelLoss, ZeroOneLoss
from nontrivial.measures.sign_verdict import sign_p_values


def bound_advantage(
    cells: Cells, level: float, n_resamples: int, generator: np.random.Generator, known: int | None = None
) -> Bounds:
    """Bound the Prediction Advantage under 0/1 loss; NaN where the best constant, which may be known, never errs.

    The cells are, of each class in turn, the cases predicted rightly and those predicted wrongly. The p-values of
    single cases are those of the exact sign tests; with weights or groups they are read off the draws.
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
        return UNDEFINED
    found = _bound_least(resample(cells, advantages, n_resamples, generator)[""], value, level)
    if not cells.are_cases:
        return found
    return found.tested(*sign_p_values(of_class, cells.weights[1::2], known), level)


def _bound_least(draws: Floats, value: float, level: float) -> Bounds:
    """Bound the advantage over the best constant, from draws of shape (n_resamples, n_constants) of that over each.

    The lower bound is against the best constant of each resample. The upper bound is the least over the constants,
    among which its tail is divided; choosing the best in each resample would count the luck of the choice twice.
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


def label_draws(
    case: Case,
    losses: list[Floats],
    weights: Floats | None,
    groups: Ints | None,
    n_resamples: int,
    generator: np.random.Generator,
    stratify: bool = False,
) -> Floats:
    """Draw the advantage under a loss between classes, or how much greater the first of two models' is.

    Those of one model are over each constant, of shape (n_resamples, n_constants); the difference is over the best
    constant of each resample. The imaginary cases of a class are predicted rightly, or lose what a wrong prediction of
    it loses on average.
    """
    loss, n = case.loss, len(case.truth)
    assert isinstance(loss, LabelLoss)
    k = len(loss.classes)
    mass = np.ones(n) if weights is None else weights
    masses, *sums = (
        np.bincount(case.truth, weights=each * mass, minlength=k) for each in (np.ones(n), *losses)
    )
    # Drawn in this order, intervals are the same whatever the classes are called.
    order = class_order(np.column_stack([masses, *sums]))
    place, present = np.argsort(order), order[masses[order] > 0]
    sides = list(itertools.product(_losses_of_imaginary(loss), repeat=len(losses)))
    members = np.concatenate([place[case.truth], np.tile(place[present], len(sides))])
    lost = [
        np.concatenate([mine, *(side[model][present] for side in sides)]) for model, mine in enumerate(losses)
    ]
    kinds = members
    for each in lost:
        values, codes = np.unique(each, return_inverse=True)
        kinds = kinds * len(values) + codes
    _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
    parts = np.full(len(kinds) - n, 4 * PRIOR / len(sides) / len(present))
    cells = Cells.of_cases(
        [kinds[:n]], len(first), [kinds[n:]], parts, (members[:n], members[n:]), weights, groups
    )
    lost, classes = [each[first] for each in lost], members[first]
    of_class = csr_array((np.ones(len(first)), (np.arange(len(first)), classes)), (len(first), k))

    def statistic(drawn: Floats) -> dict[str, Floats]:
        found = np.asarray(drawn @ of_class)
        if stratify:
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

    return resample(cells, statistic, n_resamples, generator)[""]


def _losses_of_imaginary(loss: LabelLoss) -> tuple[Floats, Floats]:
    """Return what a right prediction of each class loses, and a wrong one on average."""
    k = len(loss.classes)
    if not isinstance(loss, CostLoss):
        return np.zeros(k), np.ones(k)
    right = loss.cost.diagonal()
    return right, (loss.cost.sum(axis=0) - right) / max(k - 1, 1)


def bound_by_draws(
    case: Case,
    level: float,
    weights: Floats | None,
    groups: Ints | None,
    n_resamples: int,
    generator: np.random.Generator,
    stratify: bool = False,
) -> Bounds:
    """Bound the Prediction Advantage under any loss; NaN where the marginal prediction has no risk.

    Losses that are not between classes have no imaginary cases, and one constant, that of the sample. If it were chosen
    again for each resample, the optimism of choosing in hindsight would count twice.
    """
    if isinstance(case.loss, ZeroOneLoss) and not stratify:
        cells = Cells.of_predictions(case.truth, case.prediction, len(case.loss.classes), weights, groups)
        return bound_advantage(cells, level, n_resamples, generator, case.known_class)
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal = case.loss.pointwise(case.truth, case.marginal(weights))
    mass = np.ones(len(losses)) if weights is None else weights
    if mass @ marginal == 0:
        return UNDEFINED
    value = float(1 - mass @ losses / (mass @ marginal))
    if isinstance(case.loss, LabelLoss):
        draws = label_draws(case, [losses], weights, groups, n_resamples, generator, stratify)
        return _bound_least(draws, value, level)
    total = summing(weights, groups)
    lost, of_constant = total(losses), total(marginal)
    strata = np.unique(case.truth, return_inverse=True)[1] if stratify else np.zeros(len(mass), dtype=np.intp)
    member = (strata[:, None] == np.arange(strata.max() + 1)) * mass[:, None]

    def statistic(drawn: Floats) -> dict[str, Floats]:
        if stratify:
            drawn = drawn * (member.sum(axis=0) / (drawn @ member))[:, strata]
        return {"": 1 - (drawn @ lost) / (drawn @ of_constant)}

    cells = Cells(lost, np.ones(len(lost)), None, False, False)
    return Bounds.of_draws(resample(cells, statistic, n_resamples, generator)[""], value, level)
