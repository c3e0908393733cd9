"""Decide which labels are equal, how classes are ordered, and which class is positive.

A label is the text of its cell. But if all labels of a column are numbers, or all are words for true and false, equal
values are one label, also across columns: 1 is 1.0 and True. A number with leading zeros, such as 01, is text.
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

_TRUTH_WORDS = {word: Decimal(0) for word in ("false", "False", "FALSE")}
_TRUTH_WORDS |= {word: Decimal(1) for word in ("true", "True", "TRUE")}
# R, pandas, SQL, spreadsheets and Weka write missing values so. Words such as none, missing or - may name classes.
MISSING_LABELS = ("NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "?")
# The usual names of two classes, the positive one last.
USUAL_PAIRS = [("no", "yes"), ("negative", "positive"), ("neg", "pos"), ("control", "case"), ("false", "true")]
_USUAL_NUMBERS = ({Decimal(0), Decimal(1)}, {Decimal(-1), Decimal(1)})
_PADDED_CODE = re.compile(r"[+-]?0[0-9]")


@dataclass(frozen=True)
class Classes:
    """The true classes in their order; `indices` maps each printed label to the index of its class.

    If labels are numbers, `values` maps labels to numbers, and `indices_of_values` maps numbers to indices.
    """

    names: tuple[str, ...]
    indices: dict[str, int]
    values: dict[str, Decimal]
    indices_of_values: dict[Decimal, int]

    @classmethod
    def from_labels(cls, texts: list[str]) -> Classes:
        """Return the classes of labels, sorted as numbers if all are numbers. The first of equal labels is the name."""
        values = label_values(texts)
        keys: Mapping[str, Any] = values or {text: text for text in texts}
        order = {key: index for index, key in enumerate(sorted(set(keys.values())))}
        indices = {text: order[key] for text, key in keys.items()}
        names = {index: text for text, index in reversed(indices.items())}
        return cls(tuple(names[index] for index in sorted(names)), indices, values, order if values else {})

    def find(self, text: str) -> int | None:
        """Return the index of the class with this label or an equal number; None if there is none."""
        value = label_value(text)
        return self.indices.get(text, None if value is None else self.indices_of_values.get(value))

    def find_named(self, text: str) -> int | None:
        """Return the index of the class that a user or the name of a column names; ignore blanks around labels."""
        index = self.find(text)
        without_blanks = {label.strip(): index for label, index in self.indices.items()}
        return without_blanks.get(text.strip()) if index is None else index

    def encode(self, texts: list[str], codes: NDArray[np.int16], unknown: list[str] | None = None) -> NDArray[np.int32]:
        """Return the index of each row's class. Labels in `unknown` name no class and get the next indices."""
        after_classes = {text: index for index, text in enumerate(unknown or (), start=len(self.names))}
        indices = [after_classes.get(text, self.find(text)) for text in texts]
        return np.array(indices, dtype=np.int32)[codes]


def label_values(texts: Iterable[str]) -> dict[str, Decimal]:
    """Return labels with their values if all are numbers, or all are words for true and false; else {}."""
    texts = list(texts)
    for parse in (_parse_numeric_label, _TRUTH_WORDS.get):
        values = {text: value for text in texts if (value := parse(text)) is not None}
        if len(values) == len(set(texts)):
            return values
    return {}


def label_value(text: str) -> Decimal | None:
    """Return the value of a label; None if the label is neither a number nor a word for true or false."""
    return label_values([text]).get(text)


def equal_labels(values: Mapping[str, Hashable]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of labels that have the same value."""
    groups: dict[Hashable, list[str]] = {}
    for text, value in values.items():
        groups.setdefault(value, []).append(text)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _parse_numeric_label(text: str) -> Decimal | None:
    text = text.strip(" \t")
    return Decimal(text) if is_decimal(text) and not _PADDED_CODE.match(text) else None


def refuse_unknown_labels(unknown: list[str], predicted: list[str], classes: Classes, place: str) -> None:
    """Refuse unknown predicted labels if some are fractions, if there are only two classes, or if all are unknown."""
    if not unknown:
        return
    true_labels, values = listed(classes.names), {text: label_value(text) for text in unknown}
    fractions = [text for text, value in values.items() if value is not None and value != value.to_integral_value()]
    if fractions:
        raise ValueError(
            f"{place} holds numbers that are not labels, such as {fractions[0]}; the labels are {true_labels}; "
            "for scores, name the column with --score; for numbers to predict, give --task regression."
        )
    if len(classes.names) == 2 or len(unknown) == len(predicted):
        raise ValueError(
            f"{place} predicts {unknown[0]!r}, which is not a true label; the true labels are {true_labels}."
        )


def refuse_look_alikes(labels: Iterable[str], place: str) -> None:
    """Refuse labels that differ only in case, blanks, invisible characters, or the form of a character or number."""
    labels = list(dict.fromkeys(labels))
    bare: dict[str, Hashable] = {}
    for text in labels:
        visible = "".join(filter(str.isprintable, text))
        plain = unicodedata.normalize("NFKC", visible).replace(" ", "").casefold()
        number = _parse_numeric_label(plain)
        bare[text] = plain if number is None else number
    for group in () if label_values(labels) else equal_labels(bare):
        raise ValueError(
            f"{place} holds the labels {listed(map(repr, group))}, which look alike; if they are one label, write "
            "it in one way; if not, rename one."
        )


def choose_positive_class(
    classes: Classes,
    counts: Sequence[int] | NDArray[Any],
    place: str,
    *,
    named: str | None = None,
    order: Sequence[str] = (),
) -> int | None:
    """Return the index of the positive class, or None if there are more than two classes and none is named.

    The named class is positive. If no class is named, one of two classes is positive: the class with a usual name, in
    any case of letters, or the greater class of an ordered categorical. If both exist and differ, or none exists,
    UnsettledError proposes the rarer label. `counts` has the number of cases of each class. Messages call the column by
    its `place`. `order` has the labels of an ordered categorical, the least first.

    >>> choose_positive_class(Classes.from_labels(["no", "yes"]), [90, 10], "Column 'y'")
    1
    """
    names = classes.names
    if named is not None:
        index = classes.find_named(named)
        if index is None:
            raise ValueError(
                f"--positive is {named!r}, which {place[:1].lower()}{place[1:]} does not hold; it holds "
                f"{listed(map(repr, names), 8)}."
            )
        return index
    if len(names) != 2:
        return None
    ordered = [index for index in map(classes.find, order) if index is not None]
    positive = {_find_usual_positive(classes), *ordered[-1:]} - {None}
    if len(positive) == 1:
        return positive.pop()
    raise UnsettledError(
        f"{place} has the labels {listed(map(repr, names))}, either of which may be positive",
        {"positive": names[0] if counts[0] < counts[1] else names[1]},
    )


def _find_usual_positive(classes: Classes) -> int | None:
    """Return the index of the positive class if two classes have usual names, such as no and yes."""
    if set(classes.indices_of_values) in _USUAL_NUMBERS:
        return classes.indices_of_values[Decimal(1)]
    words = [name.strip().casefold() for name in classes.names]
    return next((words.index(pair[1]) for pair in USUAL_PAIRS if set(pair) == set(words)), None)
