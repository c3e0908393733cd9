"""The sign tests of the best constant guess, in fractions."""

from fractions import Fraction


def tail(won, lost):
    """At least so many wins with fair coins."""
    n, ways, some = won + lost, 1, 0
    for k in range(n, won - 1, -1):  # each binomial coefficient from the one before
        some += ways
        ways = ways * k // (n - k + 1)
    return Fraction(some, 2**n)


def p_values(counts, wrong):
    """Of the best constant guess, by the sign test against each class."""
    right = [count - errors for count, errors in zip(counts, wrong, strict=True)]
    pairs = [(sum(right) - right[c], wrong[c]) for c in range(len(counts))]
    return (
        float(max(tail(won, lost) for won, lost in pairs)),
        float(min(1, len(counts) * min(tail(lost, won) for won, lost in pairs))),
    )
