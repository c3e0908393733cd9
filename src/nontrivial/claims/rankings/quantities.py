"""The quantities of rankings by the names that the registry uses."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from nontrivial.claims.rankings import areas, calibration, shapes
from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio

Quantity = Callable[[Rankings], Ratio]


class OfBeta(Protocol):
    """A quantity for a beta squared, which is given as a ratio."""

    def __call__(self, rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio: ...


# Beta squared, as a ratio, by what a name says of beta.
_BETAS = {"f_half": (1, 4), "f1": (1, 1), "f2": (4, 1)}


def _named(*functions: Quantity) -> dict[str, Quantity]:
    return {function.__name__: function for function in functions}


def _for_betas(name: str, function: OfBeta, betas: Sequence[str] = tuple(_BETAS)) -> dict[str, Quantity]:
    return {name.format(beta): functools.partial(function, beta_squared=_BETAS[beta]) for beta in betas}


QUANTITIES: dict[str, Quantity] = {
    "positives": lambda rankings: (rankings.positives, 1),
    "negatives": lambda rankings: (rankings.negatives, 1),
    "n": lambda rankings: (rankings.n, 1),
    "prevalence": lambda rankings: (rankings.positives, rankings.n),
    "groups": lambda rankings: (rankings.groups, 1),
    **_named(
        shapes.ties,
        shapes.is_perfect,
        shapes.is_reversed,
        areas.roc_auc,
        areas.roc_auc_after_first,
        areas.roc_auc_axes_exchanged,
        areas.concordance,
        areas.expected_accuracy,
        areas.expected_accuracy_from_roc_auc,
        areas.average_precision,
        areas.mean_precision_at_positives,
        areas.pr_auc,
        areas.break_even_point,
        areas.prg_auc,
        areas.precision_gain_at_zero,
        areas.expected_f1_gain,
        areas.delta_falls,
        areas.delta_out_of_range,
        shapes.roc_hull_auc,
        shapes.pr_front_dents,
        shapes.above_hull,
        shapes.front_vertices_not_best,
        shapes.best_for_f_only,
        shapes.best_for_accuracy_only_above_baseline,
        calibration.isotonic_mismatches,
        calibration.unequal_edge_ends_exchanged,
        calibration.vertices_not_best_exchanged,
        calibration.f_vertices_not_best,
        calibration.first_edge_c,
        calibration.first_edge_d,
        calibration.is_calibrated,
        calibration.cost_curve_area,
        calibration.mean_least_cost,
    ),
    **_for_betas("{}_best", areas.best_f, ("f_half", "f1")),
    **_for_betas("{}_threshold", calibration.f_threshold),
    **_for_betas("{}_threshold_misses", calibration.f_threshold_misses, ["f1"]),
    **_for_betas("{}_better_subsets", calibration.better_subsets),
    **_for_betas("mean_{}_gain", areas.mean_f_gain),
    **_for_betas("expected_{}_gain_by_parts", areas.expected_f_gain, ("f_half", "f2")),
}


COUNTS = {  # of the quantities without a function of their own, what they are
    "positives": "The number of positives",
    "negatives": "The number of negatives",
    "n": "The number of cases",
    "prevalence": "The share of positives",
    "groups": "The number of distinct scores",
}

# Two numbers compare by cross products, which fit into 64 bits if all parts are less than this.
LARGEST_PART = 2**31


def quantity(rankings: Rankings, name: str) -> Ratio:
    """A quantity of all rankings of a block, computed once.

    In lowest terms, as 32-bit integers below `LARGEST_PART` in magnitude if they are, or else as Python's integers.
    """
    if name not in rankings.ratios:
        numerator, denominator = QUANTITIES[name](rankings)
        rankings.ratios[name] = _reduced(
            *np.broadcast_arrays(numerator, denominator, np.zeros(len(rankings)))[:2]
        )
    return rankings.ratios[name]


def _reduced(numerator: Ints, denominator: Ints) -> Ratio:
    common = np.maximum(np.gcd(numerator, denominator), 1)
    numerator, denominator = numerator // common, denominator // common
    if max(np.abs(numerator).max(initial=0), denominator.max(initial=0)) < LARGEST_PART:
        return numerator.astype(np.int32), denominator.astype(np.int32)
    return numerator.astype(object), denominator.astype(object)
