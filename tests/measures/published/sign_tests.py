"""The sign tests of the best constant guess, in fractions."""

from fractions import Fraction
from math import comb


def tail(won, lost):
    """At least so many wins with fair coins."""
    return Fraction(sum(comb(won + lost, k) for k in range(won, won + lost + 1)), 2 ** (won + lost))


def p_values(counts, wrong):
    """Of the best constant guess, by the sign test against each class."""
    right = [count - errors for count, errors in zip(counts, wrong, strict=True)]
    pairs = [(sum(right) - right[c], wrong[c]) for c in range(len(counts))]
    return (
        float(max(tail(won, lost) for won, lost in pairs)),
        float(min(1, len(counts) * min(tail(lost, won) for won, lost in pairs))),
    )
