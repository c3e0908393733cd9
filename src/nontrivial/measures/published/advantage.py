"""The Prediction Advantage of a printed error rate."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral

from nontrivial._validation import repr_of
from nontrivial.measures.published.numbers import Printed, RoundingInterval, parse_printed
from nontrivial.measures.published.sizes import check_counts


@dataclass(frozen=True)
class PublishedAdvantage:
    """What follows from a printed error rate.

    Attributes
    ----------
    advantage, low, high : float in (-inf, 1]
        Prediction Advantage at the printed rate, and its least and greatest value over the rounding interval.
    sign_certain : bool
        Whether the advantage is positive, or negative, throughout the rounding interval.
    possible : bool
        Whether some whole number of errors among the n cases would be printed like this.
    """

    advantage: float
    low: float
    high: float
    sign_certain: bool
    possible: bool


def published_advantage(
    *, error: Printed | None = None, accuracy: Printed | None = None, digits: int | None = None, positives: int, n: int
) -> PublishedAdvantage:
    """Compute the Prediction Advantage of a published 0/1 error, and its range over the rounding interval.

    "0.3" stands for 0.25 to 0.35, and "0.30" for 0.295 to 0.305, both ends included. The arithmetic is exact.

    Parameters
    ----------
    error, accuracy : str, float or decimal.Decimal
        Exactly one of them: a share from 0 to 1, or a percentage such as "27.3%". A string keeps its trailing zeros.
    digits : int, optional
        The number of decimals of the share. Default: the decimals as written; the string 0.30 has two, the float one.
    positives, n : int
        Number of cases of one class, either of the two, and number of all cases.

    Returns
    -------
    PublishedAdvantage

    Raises
    ------
    ValueError
        If not exactly one of `error` and `accuracy` is given, if this number is not a share or has more decimals than
        `digits`, or if a class has no cases.

    References
    ----------
    PA paper, sections 2.4 and appendix A.

    Examples
    --------
    An error of 0.273 on 306 cases, 81 of them in the minority (0.265). No number of errors would be printed like this:

    >>> record = published_advantage(error="0.273", positives=81, n=306)
    >>> round(record.advantage, 4), record.sign_certain, record.possible
    (-0.0313, True, False)
    """
    positives, n = check_counts(positives, n)
    if error is not None and accuracy is None:
        rate = parse_printed(error, "error", may_be_limit=False)
    elif accuracy is not None and error is None:
        rate = parse_printed(accuracy, "accuracy", may_be_limit=False).complement()
    else:
        raise ValueError("Give exactly one of error and accuracy.")
    if digits is not None:
        if not isinstance(digits, Integral) or isinstance(digits, bool) or digits < 0:
            raise ValueError(f"digits is {repr_of(digits)}; it must be a whole number of 0 or greater.")
        if rate.value * 10 ** int(digits) % 1:
            raise ValueError(f"{rate.name} has more than the {digits} decimals that digits states.")
        half = Fraction(1, 2 * 10 ** int(digits))
        rate = replace(rate, low=max(rate.value - half, 0), high=min(rate.value + half, 1))
    return advantage_of_error(rate, positives, n)


def advantage_of_error(error: RoundingInterval, positives: int, n: int) -> PublishedAdvantage:
    """Compute the Prediction Advantage, and its range, from the rounding interval of an error rate."""
    minority = Fraction(min(positives, n - positives), n)
    low, high = 1 - error.high / minority, 1 - error.low / minority
    return PublishedAdvantage(
        advantage=float(1 - error.value / minority),
        low=float(low),
        high=float(high),
        sign_certain=low > 0 or high < 0,
        possible=math.ceil(error.low * n) <= math.floor(error.high * n),
    )
