"""The cells of a whole column: as labels, as numbers, or as names that only tell cases apart."""

import contextlib
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, chunks
from nontrivial.numerals import MISSING_NUMBERS, as_written, numbers_in
from nontrivial.reading.labels import MISSING_LABELS, refuse_look_alikes, values_of
from nontrivial.reading.number_cells import (
    PERCENTAGES,
    UNSIGNED,
    NumberCells,
    both_readings,
    read_number_cells,
)
from nontrivial.terminal import shortened

MAX_LABELS = 1000
MAX_NUMERIC_CLASSES = 50  # of whole numbers; a truth of more is one of numbers to predict
_NUMBER = r"^[+-]?([0-9]+{mark}?[0-9]*|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"
_WHOLE_ID = r"^(0|-?[1-9][0-9]{0,17})(\.0+)?$"  # pandas writes 3.0 if another number is missing
_MISSING_TEXTS = {"", *MISSING_LABELS}


class EncodedTexts(NamedTuple):
    """The different texts, and of each case the place of its text among them, or -1 for a missing one."""

    texts: list[str]
    codes: NDArray[Any]

    @property
    def counts(self) -> Ints:
        """How often each text occurs."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of a file, of text, numbers or booleans."""

    place: str  # what to call it in an error
    cells: pa.Array
    decimal: str | None = None  # without a decimal mark, the cells tell it
    positive: str | None = None  # a label, even if it looks like a missing value

    @property
    def is_text(self) -> bool:
        return bool(pa.types.is_string(self.cells.type) or pa.types.is_large_string(self.cells.type))

    @cached_property
    def written(self) -> EncodedTexts:
        """All different texts as they are written, an empty one for an empty cell."""
        is_float = self.cells.type in (pa.float32(), pa.float64())
        encoded = (pc.add(self.cells, 0.0) if is_float else self.cells).dictionary_encode("encode")  # -0 is 0
        texts = _texts(encoded.dictionary)
        return _cells(encoded, texts, set())

    @cached_property
    def labels(self) -> EncodedTexts | None:
        """The labels in the order in which they come; None if they are more than `MAX_LABELS`."""
        # Words for missing values are among these; far fewer rows than all tell a column of numbers.
        few = pc.count_distinct(self.cells[: 1 << 20]).as_py() <= 2 * MAX_LABELS
        encoded = self.cells.dictionary_encode("encode") if few else None
        if encoded is None or len(encoded.dictionary) > 2 * MAX_LABELS:
            return None
        texts = _texts(encoded.dictionary)
        absent = {text for text in texts if text.strip() in _MISSING_TEXTS - {self.positive}}
        # A word for a missing number, such as None, is a label, unless all other labels are numbers.
        words = {text for text in texts if text.strip().lower() in MISSING_NUMBERS and text != self.positive}
        if self._values([text for text in texts if text not in absent | words]):
            absent |= words
        labels = _cells(encoded, texts, absent)
        return labels if len(labels.texts) <= MAX_LABELS else None

    def complete_labels(self) -> EncodedTexts:
        """Return the labels; too many, a missing one, or labels that look alike are an error."""
        labels = self.labels
        if labels is None:
            raise ValueError(
                f"{self.place} has more than {MAX_LABELS:,} different labels; name a column of classes."
            )
        if (labels.codes < 0).any():
            row = int((labels.codes < 0).argmax())
            text = str(self.cells[row].as_py() or "")
            holds = f"holds {text!r}, which stands for a missing value," if text.strip() else "is empty"
            raise ValueError(f"{self.place} {holds} in data row {row + 1:,}; each row needs a label.")
        refuse_look_alikes(labels.texts, self.place)
        return labels

    @cached_property
    def names(self) -> pd.Categorical:
        """Any number of names, sorted as numbers if all are numbers."""
        texts, cases = self.written
        names = sorted(text for text in texts if text.strip() not in _MISSING_TEXTS)
        with contextlib.suppress(ValueError):
            names.sort(key=float)
        places = {name: place for place, name in enumerate(names)}
        codes = np.array([places.get(text, -1) for text in texts])
        return pd.Categorical.from_codes(codes[cases], pd.Index(names, dtype=object))

    def identities(self) -> Ints | None:
        """Return a whole number for each name, the same for the same name in any file; None if any is missing."""
        if not self.is_text or pc.all(pc.match_substring_regex(self.cells, _WHOLE_ID)).as_py():
            with contextlib.suppress(pa.ArrowException):
                cells = pc.replace_substring_regex(self.cells, r"\.0+$", "") if self.is_text else self.cells
                whole = pc.cast(cells, pa.int64())
                return None if whole.null_count else np.array(whole)
        digests = []
        for piece in chunks(len(self.cells)):
            texts = _texts(self.cells[piece])
            if not _MISSING_TEXTS.isdisjoint(map(str.strip, texts)):
                return None
            digests.append(pd.util.hash_array(np.array(texts, dtype=object), categorize=False))
        return np.concatenate(digests).view(np.int64)

    def first_padded(self) -> str | None:
        """Return the first whole number with leading zeros, such as 001, which is a text; None if there is none."""
        row = (
            pc.index(pc.match_substring_regex(self.cells, "^0[0-9]+$"), True).as_py() if self.is_text else -1
        )
        return self.cells[row].as_py() if row >= 0 else None

    @cached_property
    def numbers(self) -> Floats:
        """Finite numbers, NaN for a missing one; the first cell that holds anything else is an error."""
        values = None
        if self.decimal != "," or not self.is_text:
            with contextlib.suppress(pa.ArrowInvalid):
                values = np.array(pc.cast(self.cells, pa.float64(), safe=False))
        if values is None:
            plain = self._plain_numerals()
            values = self._read_cells() if plain is None else np.array(pc.cast(plain, pa.float64()))
        if np.isinf(values).any():
            row = int(np.isinf(values).argmax()) + 1
            raise ValueError(f"{self.place} is not finite in data row {row:,}; every case needs a number.")
        return values

    def are_numbers(self) -> bool:
        """Tell whether all cells are numbers that can be read, or missing."""
        with contextlib.suppress(ValueError):
            return len(self.numbers) > 0
        return False

    def are_targets(self) -> bool:
        """Tell whether a truth has numbers to predict, and not classes: some are not whole, or they are many."""
        if self.labels is None:
            return self.are_numbers()
        values = set(self._values(self.labels.texts).values())
        has_fractions = any(value != value.to_integral_value() for value in values)
        return len(values) > MAX_NUMERIC_CLASSES or has_fractions

    def _values(self, texts: Sequence[str]) -> dict[str, Decimal]:
        """Return the values of labels if all are numbers or words for true and false; else nothing."""
        decimal = self.decimal
        if decimal is None and any("," in text for text in texts):
            numbers, decimal = numbers_in(texts)
            if decimal is None:
                self.refuse_mark(",", texts, texts)
            decimal = None if None in numbers else decimal
        return values_of(text.replace(decimal or ".", ".") for text in texts)

    def _plain_numerals(self) -> pa.Array | None:
        """Return the texts as Arrow reads numbers, null for a missing one; None if others are among them."""
        mark = self.decimal or "."
        texts = pc.replace_substring(pc.ascii_trim_whitespace(self.cells), "\N{MINUS SIGN}", "-")
        words = pa.array(["", *MISSING_NUMBERS], texts.type)
        texts = pc.if_else(pc.is_in(pc.utf8_lower(texts), words), pa.scalar(None, texts.type), texts)
        are_numbers = pc.match_substring_regex(texts, _NUMBER.format(mark=re.escape(mark)))
        return None if pc.index(are_numbers, False).as_py() >= 0 else pc.replace_substring(texts, mark, ".")

    def _read_cells(self) -> Floats:
        """Return numbers with a decimal mark that the cells tell, thousands or percentages."""
        texts, cases = self.written
        cells = read_number_cells(texts, self.written.counts, self.decimal)
        if cells.is_odd.any():
            self._refuse(int(cells.is_odd[cases].argmax()), cells)
        if cells.decimal is None:
            self.refuse_mark(",", texts, cells.numerals)
        numbers: Floats = cells.numbers[cases]
        return numbers

    def _refuse(self, row: int, cells: NumberCells) -> NoReturn:
        text = shortened(self.cells[row].as_py().strip(), 60)
        why = "which is not a number; every case needs one"
        if cells.usual in (PERCENTAGES, UNSIGNED):
            why = f"but most cells are {cells.usual}; write all with the sign %, or none"
        elif self.decimal and cells.is_number[self.written.codes[row]]:
            why = f"which is not a number with the decimal mark {self.decimal!r}; --decimal names it"
        raise ValueError(f"{self.place} holds {text!r} in data row {row + 1:,}, {why}.")

    def refuse_mark(self, mark: str, texts: Sequence[str], numerals: Sequence[str]) -> NoReturn:
        """Refuse the first cell with a mark that may be the decimal one or separate thousands."""
        cell = next(place for place, numeral in enumerate(numerals) if mark in numeral)
        row = pc.index(self.cells, texts[cell]).as_py() + 1
        raise ValueError(
            f"{self.place} holds {texts[cell]!r} in data row {row:,}, which may be {both_readings(numerals[cell])}; "
            "name the decimal mark with --decimal, which is '.' or ','."
        )


def _cells(encoded: pa.DictionaryArray, texts: Sequence[str], absent: Container[str]) -> EncodedTexts:
    is_present = np.array([text not in absent for text in texts], dtype=bool)
    places = np.where(is_present, np.cumsum(is_present) - 1, -1).astype(np.int32)
    return EncodedTexts([text for text in texts if text not in absent], places[np.array(encoded.indices)])


def _texts(values: pa.Array) -> list[str]:
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        texts: list[str] = pc.fill_null(values, "").to_pylist()
        return texts
    return ["" if value is None or value != value else as_written(value) for value in values.to_pylist()]
