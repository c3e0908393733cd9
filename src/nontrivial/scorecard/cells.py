"""The cells of a whole column: as labels, as numbers, or as names that only tell cases apart."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask, chunks
from nontrivial.labels import MISSING, Classes, values_of
from nontrivial.numerals import MISSING_NUMBERS, as_written
from nontrivial.terminal import shortened

MOST_LABELS = 1000
_NUMBER = r"^[+-]?([0-9]+{mark}?[0-9]*|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"
_WHOLE_ID = r"^(0|-?[1-9][0-9]{0,17})$"


class Cells(NamedTuple):
    """Of each case, the place of its text in `texts`, or -1 for a missing one."""

    cases: NDArray[Any]
    texts: list[str]


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a file, of text, numbers or booleans; `positive` is a label that is no missing value."""

    place: str  # what to call it in an error
    cells: pa.Array
    decimal: str = "."
    positive: str | None = None

    @cached_property
    def labels(self) -> Cells | None:
        """The labels in the order in which they come; None if they are more than `MOST_LABELS`.

        A word for a missing number, such as None, is a label, unless all other labels are numbers.
        """
        # Words for missing values are among these; far fewer rows than all tell a column of numbers.
        if pc.count_distinct(self.cells[: 1 << 20]).as_py() > 2 * MOST_LABELS:
            return None
        encoded = self.cells.dictionary_encode("encode")
        if len(encoded.dictionary) > 2 * MOST_LABELS:
            return None
        texts = _texts(encoded.dictionary)
        absent = {text for text in texts if text.strip() in {"", *MISSING} - {self.positive}}
        words = {text for text in texts if text.strip().lower() in MISSING_NUMBERS and text != self.positive}
        if values_of(self._with_point(text) for text in texts if text not in absent | words):
            absent |= words
        kept = [text for text in texts if text not in absent]
        if len(kept) > MOST_LABELS:
            return None
        return Cells(_places(encoded, np.array([text in absent for text in texts], dtype=bool)), kept)

    @cached_property
    def names(self) -> Cells:
        """Any number of names, sorted as numbers if all are numbers."""
        encoded = self.cells.dictionary_encode("encode")
        absent = _are_missing(encoded.dictionary, MISSING)
        texts = pa.array(_texts(encoded.dictionary.filter(pa.array(~absent))), pa.string())
        order = np.array(pc.sort_indices(texts))
        with contextlib.suppress(pa.ArrowInvalid):
            order = order[np.array(pc.sort_indices(pc.cast(texts.take(pa.array(order)), pa.float64())))]
        ranks = np.append(np.argsort(order), -1)  # the last for a missing one
        return Cells(ranks[_places(encoded, absent)], texts.take(pa.array(order)).to_pylist())

    def identities(self) -> Ints | None:
        """Return a whole number for each name, the same for the same name in any file; None if any is missing."""
        if not _is_text(self.cells.type) or pc.all(pc.match_substring_regex(self.cells, _WHOLE_ID)).as_py():
            with contextlib.suppress(pa.ArrowException):
                whole = pc.cast(self.cells, pa.int64())
                return None if whole.null_count else np.array(whole)
        if _are_missing(self.cells, MISSING).any():
            return None
        digests = [
            pd.util.hash_array(np.array(_texts(self.cells[piece]), dtype=object), categorize=False)
            for piece in chunks(len(self.cells))
        ]
        return np.concatenate(digests).view(np.int64)

    @cached_property
    def numbers(self) -> Floats:
        """Finite numbers, NaN for a missing one; the first cell that holds anything else is an error."""
        values = None
        if self.decimal == "." or not _is_text(self.cells.type):
            with contextlib.suppress(pa.ArrowInvalid):
                values = np.array(pc.cast(self.cells, pa.float64(), safe=False))
        if values is None:  # blanks, another decimal or minus sign, words for missing numbers, or an error
            values = np.array(pc.cast(self._numerals(), pa.float64()))
        if np.isinf(values).any():
            row = int(np.isinf(values).argmax()) + 1
            raise ValueError(f"{self.place} is not finite in data row {row}; every case needs a number.")
        return values

    def are_numbers(self) -> bool:
        """Tell whether all cells are numbers that can be read, or missing."""
        try:
            self.numbers  # noqa: B018
        except ValueError:
            return False
        return True

    def are_labels(self, classes: Classes) -> bool:
        """Tell whether it holds several values, all of them labels of the classes."""
        texts = self.labels.texts if self.labels else []
        return len(texts) > 1 and all(classes.find(text) is not None for text in texts)

    def are_shares(self) -> bool:
        """Tell whether it holds several numbers, all of them in [0, 1]."""
        if not self.are_numbers():
            return False
        values = self.numbers[~np.isnan(self.numbers)]
        return len(values) > 0 and 0 <= values.min() < values.max() <= 1

    def numerals(self) -> set[Any]:
        """Return the values of the labels, where all are numbers; else nothing."""
        texts = self.labels.texts if self.labels else []
        return set(values_of(map(self._with_point, texts)).values())

    def _with_point(self, text: str) -> str:
        return text.replace(self.decimal, ".")

    def _numerals(self) -> pa.Array:
        """Return the texts as Arrow reads numbers, null for a missing one, or name the first that is no number."""
        texts = pc.replace_substring(pc.ascii_trim_whitespace(self.cells), "\N{MINUS SIGN}", "-")
        is_missing = pa.array(_are_missing(self.cells, MISSING_NUMBERS))
        texts = pc.if_else(is_missing, pa.scalar(None, texts.type), texts)
        are_numbers = pc.match_substring_regex(texts, _NUMBER.format(mark=re.escape(self.decimal)))
        row = pc.index(are_numbers, False).as_py()
        if row >= 0:
            raise ValueError(self._no_number(row, shortened(self.cells[row].as_py().strip(), 60)))
        return pc.replace_substring(texts, self.decimal, ".")

    def _no_number(self, row: int, text: str) -> str:
        remedy = "every case needs one"
        if self.decimal == "." and re.fullmatch(r"[+-]?\d*,\d+([eE][+-]?\d+)?", text):
            remedy = "if it has a decimal comma, give --decimal ,; thousands must not be separated"
        elif self.decimal != "." and re.search(r"\.\d", text):
            remedy = f"with --decimal {self.decimal} a number has no point"
        elif text.endswith("%"):
            remedy = "write a percentage as a share, such as 0.5"
        return f"{self.place} holds {text!r} in data row {row + 1}, which is not a number; {remedy}."


def _places(encoded: pa.DictionaryArray, absent: Mask) -> NDArray[Any]:
    """Return the place of each case's text among those that are not absent, and -1 for these."""
    kept = np.where(absent, -1, np.cumsum(~absent) - 1).astype(np.int32)
    places: NDArray[Any] = kept[np.array(encoded.indices)]
    return places


def _texts(values: pa.Array) -> list[str]:
    if pa.types.is_integer(values.type):
        values = pc.cast(values, pa.string())
    if _is_text(values.type):
        texts: list[str] = pc.fill_null(values, "").to_pylist()
        return texts
    return ["" if each is None else as_written(each) for each in values.to_pylist()]


def _are_missing(cells: pa.Array, words: Sequence[str]) -> Mask:
    """Tell which cells are empty, or hold one of the words for a missing value; those of numbers in any case."""
    if _is_text(cells.type):
        trimmed = pc.ascii_trim_whitespace(cells)
        trimmed = pc.utf8_lower(trimmed) if words is MISSING_NUMBERS else trimmed
        found = pc.or_kleene(pc.is_null(cells), pc.is_in(trimmed, pa.array(["", *words], cells.type)))
    else:
        found = pc.is_null(cells, nan_is_null=pa.types.is_floating(cells.type))
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
