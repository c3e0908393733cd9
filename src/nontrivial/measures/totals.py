"""Sums over the units that are drawn: cases, or groups of cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nontrivial._arrays import Floats, Ints


@dataclass(frozen=True)
class Totals:
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
