"""What labels mean: when labels that are printed differently are the same, and in which order classes stand.

A label of a CSV file is kept as it is printed there. If all labels of a column are numbers, or all are words for true
and false, labels that are the same number are one label, also across columns: 1 is 1.0 and True. Numbers with leading
zeros, such as 01, are codes, and so they are text.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Mask
from nontrivial.numerals import is_decimal
from nontrivial.terminal import listed

_TRUTHS = {
    each: Decimal(value)
    for value, word in enumerate(("false", "true"))
    for each in (word, word.title(), word.upper())
}
# As R, pandas, SQL, spreadsheets and Weka write a missing value. People give the names none, missing and - to classes.
MISSING = ("NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "?")
MANY = 20  # different numbers; up to so many are taken for classes, whatever was predicted
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
        return cls(
            tuple(names[place] for place in range(len(order))), places, values, order if values else {}
        )

    def find(self, text: str) -> int | None:
        """Return the place of the class that a label names, as printed or as an equal number; None if there is none."""
        value = value_of(text)
        return self.places.get(text, None if value is None else self.value_places.get(value))

    def number(
        self, texts: list[str], cases: NDArray[np.int16], strangers: list[str] | None = None
    ) -> NDArray[np.int32]:
        """Return the place of the class of each case; labels that name no class are numbered after the classes."""
        others = {text: place for place, text in enumerate(strangers or (), start=len(self.names))}
        places = [others[text] if text in others else self.find(text) for text in texts]
        return np.array(places, dtype=np.int32)[cases]


def values_of(texts: Iterable[str]) -> dict[str, Decimal]:
    """Return the value of each label, where all are numbers or all are words for true and false; else nothing."""
    texts = list(texts)
    for read in (_number, _TRUTHS.get):
        values = {text: value for text in texts if (value := read(text)) is not None}
        if len(values) == len(set(texts)):
            return values
    return {}


def value_of(text: str) -> Decimal | None:
    """Return the value of one label, or None if it is no number and no word for true or false."""
    return values_of([text]).get(text)


def look_alikes(texts: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of labels that differ only by case, by blanks or by invisible characters."""
    bare = {text: "".join(filter(str.isprintable, text)).replace(" ", "").casefold() for text in texts}
    return equal_labels(bare)


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
    known, values = listed(classes.names), ((text, value_of(text)) for text in strangers)
    fractions = [text for text, value in values if value is not None and value != value.to_integral_value()]
    if fractions:
        raise ValueError(
            f"{place} holds numbers that are not labels, such as {fractions[0]}; the labels are {known}; "
            "for scores, name the column with --score; for numbers to predict, give --task regression."
        )
    if len(strangers) == len(predicted) and len(classes.names) > MANY:
        raise ValueError(
            f"{place} predicts {strangers[0]!r}, which is none of the {len(classes.names):,} true labels, such as "
            f"{classes.names[0]!r}; if these are numbers to predict, a decimal comma needs --decimal , and "
            "thousands must not be separated."
        )
    if len(classes.names) == 2 or len(strangers) == len(predicted):
        raise ValueError(
            f"{place} predicts {strangers[0]!r}, which is not a true label; the true labels are {known}."
        )


def are_separable(score: Floats, predicted: Mask) -> bool:
    """Tell whether predictions follow from scores: whether a threshold t exists with ``predicted == (score >= t)``."""
    predicted = np.asarray(predicted, dtype=bool)
    return bool(predicted.all() or not predicted.any() or score[predicted].min() > score[~predicted].max())


def are_confidences(score: Floats, predicted: NDArray[Any], n_classes: int) -> bool:
    """Tell whether scores look like the confidence in the predicted label and not in one class.

    They do if they differ, all lie in [1/k, 1] for k classes, several classes are predicted, and no threshold
    separates the predictions of any class from the others. A third counts as reached from 0.33 on, as files round it.
    """
    classes = np.unique(predicted)
    least, greatest = score.min(), score.max()
    if len(classes) < 2 or least == greatest or least < int(100 / n_classes) / 100 or greatest > 1:
        return False
    return not any(are_separable(score, predicted == each) for each in classes)
