"""Delta, by fractions."""

import itertools
from fractions import Fraction

import pytest
from claims.rankings.cases import FEW, number, points

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain.ExtrapolatedAreaWarning")


def test_delta_by_fractions():
    for rankings, row in FEW:
        p, n = rankings.positives, rankings.negatives
        share = Fraction(p, p + n)
        deltas = []
        for t, f in points(rankings.integers(row)):
            if t:
                recall, precision = (1 - Fraction(p, n) * Fraction(error, t) for error in (p - t, f))
                deltas.append(recall / share - precision / (1 - share))
        steps = [after - before for before, after in itertools.pairwise(deltas)]
        assert number(rankings, row, "delta_falls") == sum(step < 0 for step in steps)
