"""Resamples of the cells of a table of truths and predictions, by the Bayesian bootstrap."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._blocks import in_blocks
from nontrivial._draws import are_few, effective_units, typical_mass
from nontrivial._stretches import masses


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a table.

    Attributes
    ----------
    weights : ndarray of shape (n_cells,)
        How many cases each holds, or their summed weights.
    unit : float
        The weight of a case, or of the cases of a group that are in one cell: where they differ, the typical one, as
        in `unit_of`.
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
        summed = masses(cells, n_cells, weights)
        if weights is None and groups is None:
            return cls(summed, units=float(len(cells)))
        units = None if groups is None else np.unique(groups, return_inverse=True)[1]
        each = np.ones(len(cells)) if weights is None else weights
        blocks, n_blocks = in_blocks(units, len(cells))
        return cls(
            summed,
            unit_of(cells, n_cells, weights, groups),
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
            counts, errors = (masses(places, n_classes) for places in (truth, truth[wrong]))
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


def unit_of(cells: Ints, n_cells: int, weights: Floats | None, groups: Ints | None) -> float:
    """Return the weight of a case, or what the cases of a group that are in one cell weigh where that is least.

    A lump is the cases of a group that are in one cell. The least lumps show best whether the cases of a group go wrong
    one by one. Each cell is given one more lump, of the weight that is typical of all lumps.
    """
    if groups is None:
        return 1.0 if weights is None else typical_mass(weights, None)
    names, places = np.unique(groups.astype(np.intp) * n_cells + cells, return_inverse=True)
    of_lumps = np.bincount(places, weights=weights).astype(np.float64)
    typical = typical_mass(of_lumps, None)
    sums, squares = (np.bincount(names % n_cells, weights=of_lumps**power) for power in (1, 2))
    return float(((squares + typical**2) / (sums + typical)).min())
