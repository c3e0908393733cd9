"""What a printed error rate is worth: its Prediction Advantage, and what the printed digits leave open."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from nontrivial._validation import show
from nontrivial.measures.published.printed import Printed, check_counts, read_printed


@dataclass(frozen=True)
class PublishedAdvantage:
    """What follows from a printed error rate.

    Attributes
    ----------
    error : float in [0, 1]
        The error rate as printed, or 1 - the accuracy as printed.
    error_low, error_high : float in [0, 1]
        The ends of the rates that are printed so; both ends belong to them.
    trivial_error : float in (0, 1/2]
        The share of the minority class, which is the error of always predicting the other.
    advantage, low, high : float in (-inf, 1]
        Prediction Advantage at the printed rate, and its least and greatest value over the rounding interval.
    sign_certain : bool
        Whether the Prediction Advantage has one sign (positive, negative) throughout that interval.
    possible : bool
        Whether some whole number of errors among the n cases gives a rate that is printed so.
    errors : (int, int) or None
        The least and the greatest such number of errors; None if there is none.
    """

    error: float
    error_low: float
    error_high: float
    trivial_error: float
    advantage: float
    low: float
    high: float
    sign_certain: bool
    possible: bool
    errors: tuple[int, int] | None


def published_advantage(
    *,
    error: Printed | None = None,
    accuracy: Printed | None = None,
    digits: int | None = None,
    positives: int,
    n: int,
) -> PublishedAdvantage:
    """Compute the Prediction Advantage of a published 0/1 error, with what its printed digits leave open.

    A printed rate stands for all rates that round to it: "0.3" for 0.25 to 0.35, "0.30" for 0.295 to 0.305.
    Both ends belong to the interval, since a tie may have been rounded either way. The arithmetic is exact.

    Parameters
    ----------
    error, accuracy : str, float or decimal.Decimal in [0, 1]
        Exactly one of them, as a share, not in percent. A string keeps its trailing zeros.
    digits : int, optional
        The number of printed decimals; by default those of the number as written, so that the float 0.30 has
        one.
    positives : int
        Cases of either of the two classes; at least 1.
    n : int
        All cases; greater than `positives`.

    Returns
    -------
    PublishedAdvantage
        A record with `advantage`, `low`, `high`, `sign_certain`, `possible` and the rates and counts behind
        them.

    Raises
    ------
    ValueError
        If not exactly one of `error` and `accuracy` is given, it is not a number in [0, 1] or has more decimals
        than `digits`, or the counts leave a class empty.

    References
    ----------
    PA paper, sections 2.4 and appendix A.

    Examples
    --------
    An error of 0.273 on 306 cases, 81 of them in the minority, which is 0.265:

    >>> record = published_advantage(error="0.273", positives=81, n=306)
    >>> round(record.advantage, 4), record.sign_certain
    (-0.0313, True)

    No number of errors among 306 cases is printed as 0.273:

    >>> record.possible
    False
    """
    rates = {"error": error, "accuracy": accuracy}
    given = [(name, rate) for name, rate in rates.items() if rate is not None]
    if len(given) != 1:
        raise ValueError("Give exactly one of error and accuracy.")
    positives, n = check_counts(positives, n)
    minority = Fraction(min(positives, n - positives), n)
    [(name, printed)] = given
    rate, half_unit = read_printed(printed, digits, name)
    if not 0 <= rate <= 1:
        raise ValueError(f"{name} is {show(printed)}; it must lie in [0, 1] (a share, not a percentage).")
    if name == "accuracy":
        rate = 1 - rate
    low, high = max(rate - half_unit, Fraction(0)), min(rate + half_unit, Fraction(1))
    fewest, most = math.ceil(low * n), math.floor(high * n)
    advantage, advantage_low, advantage_high = (1 - each / minority for each in (rate, high, low))
    return PublishedAdvantage(
        error=float(rate),
        error_low=float(low),
        error_high=float(high),
        trivial_error=float(minority),
        advantage=float(advantage),
        low=float(advantage_low),
        high=float(advantage_high),
        sign_certain=advantage_low > 0 or advantage_high < 0,
        possible=fewest <= most,
        errors=(fewest, most) if fewest <= most else None,
    )
