"""The numbers of errors that are possible with a printed score, for predictions of several classes.

An error may be any label, also one outside the listed classes. Each score rises or falls along with a sum over the
classes of so much for each error. The sum is least, or greatest, where the errors are made class by class, in the order
of what they add. So for each number of errors it is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import itemgetter

from nontrivial.measures.published.ratios import Limit

Span = tuple[int, int]
Part = tuple[int, Fraction]  # so many errors, and what each of them adds


def errors_by_accuracy(low: Fraction, high: Fraction, counts: Sequence[int]) -> Span | None:
    """Return the fewest and the most errors with an accuracy between two shares."""
    n = sum(counts)
    return math.ceil((1 - high) * n), math.floor((1 - low) * n)


def errors_by_error_rate(low: Fraction, high: Fraction, counts: Sequence[int]) -> Span | None:
    """Return the fewest and the most errors with an error rate between two shares."""
    return errors_by_accuracy(1 - high, 1 - low, counts)


def errors_by_balanced_accuracy(low: Fraction, high: Fraction, counts: Sequence[int]) -> Span | None:
    """Return the fewest and the most errors with a mean recall of the classes that have cases between two shares.

    Each error takes one by the size of its class from the sum of the recalls.
    """
    ordered = sorted(filter(None, counts))
    lack = [(1 - limit) * len(ordered) for limit in (high, low)]
    fewest = _first(-lack[0], [(count, Fraction(1, count)) for count in ordered])
    most = _last(lack[1], [(count, -Fraction(1, count)) for count in reversed(ordered)])
    return None if fewest is None or most is None else (fewest, most)


def errors_by_kappa(low: Fraction, high: Fraction, counts: Sequence[int]) -> Span | None:
    """Return the fewest and the most errors with a Cohen's kappa between two limits.

    With E errors among n cases, kappa is 1 - n E / (n^2 - S). S sums, over the cases, the size of the class that is
    predicted: an error adds the size of the class that is taken for the right one, less that of the right one. A label
    outside the classes has size 0.
    """
    n, squares = sum(counts), sum(count * count for count in counts)
    first, second, *_ = sorted(counts, reverse=True)
    # Of several greatest classes, each is taken for another one of them.
    gains = [(count, (second if count == first else first) - count) for count in counts]
    fewest = _first(
        -(1 - high) * (n * n - squares),
        [(count, n + (1 - high) * gain) for count, gain in sorted(gains, key=itemgetter(1), reverse=True)],
    )
    most = _last(
        (1 - low) * (n * n - squares),
        [(count, (1 - low) * count - n) for count in sorted(counts, reverse=True)],
    )
    return None if fewest is None or most is None else (fewest, most)


def _first(value: Fraction, parts: Sequence[Part]) -> int | None:
    """Return the fewest errors at which a value is at least 0; each part adds less by the error than the one before."""
    errors = 0
    for count, slope in parts:
        if value >= 0:
            break
        if value + count * slope >= 0:
            return errors + math.ceil(-value / slope)
        value, errors = value + count * slope, errors + count
    return errors if value >= 0 else None


def _last(value: Fraction, parts: Sequence[Part]) -> int | None:
    """Return the most errors at which a value is at least 0, which it is at first; the parts are as in `_first`."""
    errors = 0
    if value < 0:
        return None
    for count, slope in parts:
        if value + count * slope < 0:
            return errors + math.floor(-value / slope)
        value, errors = value + count * slope, errors + count
    return errors


ERRORS: dict[str, Callable[[Fraction, Fraction, Sequence[int]], Span | None]] = {
    "accuracy": errors_by_accuracy,
    "error_rate": errors_by_error_rate,
    "balanced_accuracy": errors_by_balanced_accuracy,
    "cohen_kappa": errors_by_kappa,
}
LEAST = {"cohen_kappa": Fraction(-1)}  # of the others 0


def errors_between(name: str, low: Limit, high: Limit, counts: Sequence[int]) -> Span | None:
    """Return the fewest and the most errors that predictions can have with a score within limits; None if none can.

    Parameters
    ----------
    name : str
        A score in `ERRORS`.
    low, high : Fraction or None
    counts : sequence of int
        The cases of each class; at least two classes have some.

    Examples
    --------
    >>> errors_between("cohen_kappa", Fraction(1, 2), Fraction(1), [50, 30, 20])
    (0, 41)
    """
    low = max(LEAST.get(name, Fraction(0)), LEAST.get(name, Fraction(0)) if low is None else low)
    high = min(Fraction(1), Fraction(1) if high is None else high)
    found = ERRORS[name](low, high, counts)
    return found if found is not None and low <= high and found[0] <= found[1] else None
