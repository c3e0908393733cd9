"""What labels mean: which of them are the same, in which order classes stand, and which class is positive.

A label of a CSV file is kept as it is printed there. If all labels of a column are numbers, or all are words for true
and false, labels that are the same number are one label, also across columns: 1 is 1.0 and True. Numbers with leading
zeros, such as 01, are codes, and so they are text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial.numerals import is_decimal
from nontrivial.reading.asking import UnsettledError
from nontrivial.terminal import listed

_TRUTHS = {word: Decimal(0) for word in ("false", "False", "FALSE")}
_TRUTHS |= {word: Decimal(1) for word in ("true", "True", "TRUE")}
# As R, pandas, SQL, spreadsheets and Weka write a missing value. People give the names none, missing and - to classes.
MISSING_LABELS = ("NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "?")
# The usual names of two classes, the positive one last. True and false are among the numbers 1 and 0.
USUAL_PAIRS = [
    ("no", "yes"),
    ("negative", "positive"),
    ("neg", "pos"),
    ("control", "case"),
    ("false", "true"),
]
_USUAL_NUMBERS = ({Decimal(0), Decimal(1)}, {Decimal(-1), Decimal(1)})
_CODE = re.compile(r"[+-]?0[0-9]")


@dataclass(frozen=True)
class Classes:
    """The true classes in their order: their names, and which of them each printed label and each number is."""

    names: tuple[str, ...]
    places: dict[str, int]
    values: dict[str, Decimal]
    value_places: dict[Decimal, int]

    @classmethod
    def of(cls, texts: list[str]) -> Classes:
        """Sort labels, as numbers if they are numbers. If several are the same number, the first gives the name."""
        values = values_of(texts)
        keys: Mapping[str, Any] = values or {text: text for text in texts}
        order = {key: place for place, key in enumerate(sorted(set(keys.values())))}
        places = {text: order[key] for text, key in keys.items()}
        names = {place: text for text, place in reversed(places.items())}
        in_order = tuple(names[place] for place in range(len(order)))
        return cls(in_order, places, values, order if values else {})

    def find(self, text: str) -> int | None:
        """Return the place of the class that a label names, as printed or as an equal number; None if there is none."""
        value = value_of(text)
        return self.places.get(text, None if value is None else self.value_places.get(value))

    def find_named(self, text: str) -> int | None:
        """Return the place of the class that a user or a column's name means, also without blanks around it."""
        place = self.find(text)
        bare = {label.strip(): place for label, place in self.places.items()}
        return bare.get(text.strip()) if place is None else place

    def number(
        self, texts: list[str], cases: NDArray[np.int16], strangers: list[str] | None = None
    ) -> NDArray[np.int32]:
        """Return the place of the class of each case; labels that name no class are numbered after the classes."""
        others = {text: place for place, text in enumerate(strangers or (), start=len(self.names))}
        places = [others[text] if text in others else self.find(text) for text in texts]
        return np.array(places, dtype=np.int32)[cases]


def values_of(texts: Iterable[str]) -> dict[str, Decimal]:
    """Return the value of each label if all are numbers, or all are words for true and false; else nothing."""
    texts = list(texts)
    for read in (_number, _TRUTHS.get):
        values = {text: value for text in texts if (value := read(text)) is not None}
        if len(values) == len(set(texts)):
            return values
    return {}


def value_of(text: str) -> Decimal | None:
    """Return the value of one label, or None if it is neither a number nor a word for true or false."""
    return values_of([text]).get(text)


def equal_labels(values: Mapping[str, Hashable]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of labels that have the same value."""
    groups: dict[Hashable, list[str]] = {}
    for text, value in values.items():
        groups.setdefault(value, []).append(text)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _number(text: str) -> Decimal | None:
    text = text.strip(" \t")
    return Decimal(text) if is_decimal(text) and not _CODE.match(text) else None


def check_unknown_labels(strangers: list[str], predicted: list[str], classes: Classes, place: str) -> None:
    """Refuse predictions that are not labels: scores, or labels that a file of two classes cannot hold."""
    if not strangers:
        return
    known, values = listed(classes.names), {text: value_of(text) for text in strangers}
    fractions = [
        text for text, value in values.items() if value is not None and value != value.to_integral_value()
    ]
    if fractions:
        raise ValueError(
            f"{place} holds numbers that are not labels, such as {fractions[0]}; the labels are {known}; "
            "for scores, name the column with --score; for numbers to predict, give --task regression."
        )
    if len(classes.names) == 2 or len(strangers) == len(predicted):
        raise ValueError(
            f"{place} predicts {strangers[0]!r}, which is not a true label; the true labels are {known}."
        )


def refuse_look_alikes(labels: Iterable[str], place: str) -> None:
    """Refuse labels that differ only by case, blanks, invisible characters or the form of a character or a number."""
    labels = list(dict.fromkeys(labels))
    bare: dict[str, Hashable] = {}
    for text in labels:
        visible = "".join(filter(str.isprintable, text))
        plain = unicodedata.normalize("NFKC", visible).replace(" ", "").casefold()
        number = _number(plain)
        bare[text] = plain if number is None else number
    for group in () if values_of(labels) else equal_labels(bare):
        raise ValueError(
            f"{place} holds the labels {listed(map(repr, group))}, which look alike; if they are one label, write it "
            "in one way; if not, rename one."
        )


def find_positive(
    classes: Classes,
    counts: Sequence[int] | NDArray[Any],
    place: str,
    *,
    named: str | None = None,
    order: Sequence[str] = (),
) -> int | None:
    """Return the place of the positive class, or None for more than two classes of which none is named.

    It is the named class. Otherwise it is, of two classes, the one with the usual name, in any case of letters, or the
    greater one in the order of a categorical column. Everything else is asked: UnsettledError proposes the rarer label.

    `counts` are the cases of each class, `place` is what messages call the column, and `order` has the labels of an
    ordered categorical, the least first.

    >>> find_positive(Classes.of(["no", "yes"]), [90, 10], "Column 'y'")
    1
    >>> find_positive(Classes.of(["well", "ill"]), [10, 90], "y")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nontrivial.reading.asking.UnsettledError: y has the labels 'ill', 'well', either of which may be positive; give ...
    """
    names = classes.names
    if named is not None:
        place_of_named = classes.find_named(named)
        if place_of_named is None:
            raise ValueError(
                f"--positive is {named!r}, which {place[:1].lower()}{place[1:]} does not hold; it holds "
                f"{listed(map(repr, names), 8)}."
            )
        return place_of_named
    if len(names) != 2:
        return None
    ordered = [place for place in map(classes.find, order) if place is not None]
    chosen = {_usual_positive(classes), *ordered[-1:]} - {None}
    if len(chosen) == 1:
        return chosen.pop()
    raise UnsettledError(
        f"{place} has the labels {listed(map(repr, names))}, either of which may be positive",
        {"positive": names[0] if counts[0] < counts[1] else names[1]},
    )


def _usual_positive(classes: Classes) -> int | None:
    """Return the place of the positive one of two labels with usual names, if they have such names."""
    if set(classes.value_places) in _USUAL_NUMBERS:
        return classes.value_places[Decimal(1)]
    words = [name.strip().casefold() for name in classes.names]
    return next((words.index(pair[1]) for pair in USUAL_PAIRS if set(pair) == set(words)), None)
