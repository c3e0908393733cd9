"""The cells of a whole column: as labels, as numbers, or as names that only tell cases apart."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, chunks
from nontrivial.numerals import MISSING_NUMBERS, as_written
from nontrivial.reading.labels import MISSING, values_of
from nontrivial.terminal import shortened

MOST_LABELS = 1000
_NUMBER = r"^[+-]?([0-9]+{mark}?[0-9]*|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"
_WHOLE_ID = r"^(0|-?[1-9][0-9]{0,17})$"
_MISSING = {"", *MISSING}


class Cells(NamedTuple):
    """The different texts, and of each case the place of its text among them, or -1 for a missing one."""

    texts: list[str]
    cases: NDArray[Any]


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
        few = pc.count_distinct(self.cells[: 1 << 20]).as_py() <= 2 * MOST_LABELS
        encoded = self.cells.dictionary_encode("encode") if few else None
        if encoded is None or len(encoded.dictionary) > 2 * MOST_LABELS:
            return None
        texts = _texts(encoded.dictionary)
        absent = {text for text in texts if text.strip() in _MISSING - {self.positive}}
        words = {text for text in texts if text.strip().lower() in MISSING_NUMBERS and text != self.positive}
        if values_of(self._with_point(text) for text in texts if text not in absent | words):
            absent |= words
        found = _cells(encoded, texts, absent)
        return found if len(found.texts) <= MOST_LABELS else None

    @cached_property
    def names(self) -> pd.Categorical:
        """Any number of names, sorted as numbers if all are numbers."""
        cells = self.cells
        if pa.types.is_float64(cells.type):
            cells = pc.add(cells, 0.0)  # -0 is 0
        encoded = cells.dictionary_encode("encode")
        texts = _texts(encoded.dictionary)
        found = _cells(encoded, texts, {text for text in texts if text.strip() in _MISSING})
        named = pa.array(found.texts, pa.string())
        order = np.array(pc.sort_indices(named))
        with contextlib.suppress(pa.ArrowInvalid):
            order = order[np.array(pc.sort_indices(pc.cast(named.take(pa.array(order)), pa.float64())))]
        ranks = np.append(np.argsort(order), -1)  # the last for a missing one
        return pd.Categorical.from_codes(
            ranks[found.cases], pd.Index([found.texts[each] for each in order], dtype=object)
        )

    def identities(self) -> Ints | None:
        """Return a whole number for each name, the same for the same name in any file; None if any is missing."""
        if not _is_text(self.cells) or pc.all(pc.match_substring_regex(self.cells, _WHOLE_ID)).as_py():
            with contextlib.suppress(pa.ArrowException):
                whole = pc.cast(self.cells, pa.int64())
                return None if whole.null_count else np.array(whole)
        digests = []
        for piece in chunks(len(self.cells)):
            texts = _texts(self.cells[piece])
            if not _MISSING.isdisjoint(map(str.strip, texts)):
                return None
            digests.append(pd.util.hash_array(np.array(texts, dtype=object), categorize=False))
        return np.concatenate(digests).view(np.int64)

    @cached_property
    def numbers(self) -> Floats:
        """Finite numbers, NaN for a missing one; the first cell that holds anything else is an error."""
        values = None
        if self.decimal == "." or not _is_text(self.cells):
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
        with contextlib.suppress(ValueError):
            return len(self.numbers) > 0
        return False

    def are_shares(self) -> bool:
        """Tell whether it holds several numbers, all of them in [0, 1]."""
        if not self.are_numbers():
            return False
        numbers = pd.Series(self.numbers)  # whose least and greatest are not NaN
        return bool(0 <= numbers.min() < numbers.max() <= 1)

    def numerals(self) -> set[Any]:
        """Return the values of the labels, where all are numbers; else nothing."""
        return set(values_of(map(self._with_point, self.labels.texts if self.labels else [])).values())

    def _with_point(self, text: str) -> str:
        return text.replace(self.decimal, ".")

    def _numerals(self) -> pa.Array:
        """Return the texts as Arrow reads numbers, null for a missing one, or name the first that is no number."""
        texts = pc.replace_substring(pc.ascii_trim_whitespace(self.cells), "\N{MINUS SIGN}", "-")
        words = pa.array(["", *MISSING_NUMBERS], texts.type)
        texts = pc.if_else(pc.is_in(pc.utf8_lower(texts), words), pa.scalar(None, texts.type), texts)
        are_numbers = pc.match_substring_regex(texts, _NUMBER.format(mark=re.escape(self.decimal)))
        row = pc.index(are_numbers, False).as_py()
        if row < 0:
            return pc.replace_substring(texts, self.decimal, ".")
        text, remedy = shortened(self.cells[row].as_py().strip(), 60), "every case needs one"
        if self.decimal == "." and re.fullmatch(r"[+-]?\d*,\d+([eE][+-]?\d+)?", text):
            remedy = "if it has a decimal comma, give --decimal ,; thousands must not be separated"
        elif self.decimal != "." and re.search(r"\.\d", text):
            remedy = f"with --decimal {self.decimal} a number has no point"
        elif text.endswith("%"):
            remedy = "write a percentage as a share, such as 0.5"
        raise ValueError(
            f"{self.place} holds {text!r} in data row {row + 1}, which is not a number; {remedy}."
        )


def _cells(encoded: pa.DictionaryArray, texts: Sequence[str], absent: Container[str]) -> Cells:
    kept = np.array([text not in absent for text in texts], dtype=bool)
    places = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    return Cells([text for text in texts if text not in absent], places[np.array(encoded.indices)])


def _texts(values: pa.Array) -> list[str]:
    if _is_text(values):
        texts: list[str] = pc.fill_null(values, "").to_pylist()
        return texts
    return ["" if each is None else as_written(each) for each in values.to_pylist()]


def _is_text(cells: pa.Array) -> bool:
    return bool(pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type))
