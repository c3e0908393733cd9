"""Read the cells of a column as labels, as numbers, or as names that only tell rows apart."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask, chunk_slices
from nontrivial.numerals import MISSING_NUMBERS, cell_text, parse_number, parse_numbers
from nontrivial.reading.labels import MISSING_LABELS, label_values, refuse_look_alikes
from nontrivial.terminal import shorten

_PERCENTAGES, _UNSIGNED = "percentages", "numbers without %"
MAX_LABELS = 1000
MAX_NUMERIC_CLASSES = 50  # more distinct whole numbers are a regression target
_PLAIN_NUMERAL = r"^[+-]?([0-9]+{mark}?[0-9]*|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"
_WHOLE_ID = r"^(0|-?[1-9][0-9]{0,17})(\.0+)?$"  # pandas writes 3.0 for 3 if the column has a gap
_MISSING_TEXTS = {"", *MISSING_LABELS}


class EncodedTexts(NamedTuple):
    """The different texts of a column, and for each row the index of its text, or -1 for a missing cell."""

    texts: list[str]
    codes: NDArray[Any]

    @property
    def counts(self) -> Ints:
        """The number of rows with each text."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))


class NumberCells(NamedTuple):
    """The different cells of a column as numbers; each array has one element for each different cell.

    A numeral is the text of a cell without blanks and without the sign %. Percentages are shares: 12% is 0.12. Missing
    and other cells are NaN. `is_odd` marks cells that are not numbers, and numbers in a rarer notation, such as 3 among
    percentages. `usual` names the common notation in messages. `decimal` is None if no cell shows the decimal mark.
    """

    numerals: list[str]
    numbers: Floats
    is_missing: Mask
    is_number: Mask
    is_odd: Mask
    usual: str
    decimal: str | None
    has_thousands: bool
    are_percentages: bool


def read_number_cells(cells: Sequence[str], counts: Ints, decimal: str | None = None) -> NumberCells:
    """Read the different cells of a column as numbers; `counts` has the number of rows with each cell.

    >>> cells = read_number_cells(["0,5", "1.234,5", "?"], np.array([1, 1, 1]))
    >>> cells.numbers, cells.decimal, cells.has_thousands
    (array([5.0000e-01, 1.2345e+03,        nan]), ',', True)
    """
    texts = [cell.strip() for cell in cells]
    numerals = [text.removesuffix("%").rstrip() or text for text in texts]
    values, mark = parse_numbers(numerals, decimal)
    numbers: Floats = np.array(values, dtype=np.float64)  # NaN for None
    is_odd = np.array([value is None for value in values], dtype=bool)
    is_missing = np.isnan(numbers) & ~is_odd
    is_number = ~is_missing & ~is_odd
    for index in np.flatnonzero(is_odd):
        is_number[index] = any(parse_number(numerals[index], other_mark) is not None for other_mark in ".,")
    has_sign = ~is_missing & np.array([a != b for a, b in zip(texts, numerals, strict=True)], dtype=bool)
    usual = "numbers" if decimal is None else f"numbers with the decimal mark {decimal!r}"
    n_signs, n_cells = counts[has_sign].sum(), counts[~is_missing].sum()
    if not is_odd.any() and 0 < n_signs < n_cells:
        most_have_signs = 2 * n_signs > n_cells
        is_odd = ~is_missing & (has_sign != most_have_signs)
        usual = _PERCENTAGES if most_have_signs else _UNSIGNED
    numbers[has_sign] /= 100
    plain = set("0123456789eE+-\N{MINUS SIGN}") | {mark}
    has_thousands = any(not plain.issuperset(numerals[index]) for index in np.flatnonzero(is_number))
    return NumberCells(numerals, numbers, is_missing, is_number, is_odd, usual, mark, has_thousands, bool(n_signs))


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of text, numbers or booleans.

    Messages call the column by its `place`. If `decimal` is None, the cells show the decimal mark. The label `positive`
    is never missing, even if it looks like a missing value.
    """

    place: str
    cells: pa.Array
    decimal: str | None = None
    positive: str | None = None

    @property
    def is_text(self) -> bool:
        return bool(pa.types.is_string(self.cells.type) or pa.types.is_large_string(self.cells.type))

    @cached_property
    def distinct_texts(self) -> EncodedTexts:
        """The different cells as texts in their original spelling; a missing cell is an empty text."""
        is_float = self.cells.type in (pa.float32(), pa.float64())
        cells = pc.add(self.cells, 0.0) if is_float else self.cells  # so that -0 becomes 0
        encoded = cells.dictionary_encode("encode")
        return EncodedTexts(_write_cells(encoded.dictionary), np.array(encoded.indices))

    @cached_property
    def labels(self) -> EncodedTexts | None:
        """The labels, in the order of their first cells; None if there are more than `MAX_LABELS` labels."""
        # The first million rows show whether there are few labels. The limit is doubled for words for missing values.
        are_few = pc.count_distinct(self.cells[: 1 << 20]).as_py() <= 2 * MAX_LABELS
        encoded = self.cells.dictionary_encode("encode") if are_few else None
        if encoded is None or len(encoded.dictionary) > 2 * MAX_LABELS:
            return None
        texts = _write_cells(encoded.dictionary)
        absent = {text for text in texts if text.strip() in _MISSING_TEXTS - {self.positive}}
        # A word for a missing number, such as None, is a label, unless all other labels are numbers.
        words = {text for text in texts if text.strip().lower() in MISSING_NUMBERS and text != self.positive}
        if self._find_label_values([text for text in texts if text not in absent | words]):
            absent |= words
        is_present = np.array([text not in absent for text in texts], dtype=bool)
        codes = np.where(is_present, np.cumsum(is_present) - 1, -1).astype(np.int32)
        labels = [text for text in texts if text not in absent]
        return EncodedTexts(labels, codes[np.array(encoded.indices)]) if len(labels) <= MAX_LABELS else None

    def complete_labels(self) -> EncodedTexts:
        """Return the labels; raise ValueError if there are too many, one is missing, or two look alike."""
        labels = self.labels
        if labels is None:
            raise ValueError(f"{self.place} has more than {MAX_LABELS:,} different labels; name a column of classes.")
        if (labels.codes < 0).any():
            row = int((labels.codes < 0).argmax())
            text = str(self.cells[row].as_py() or "")
            holds = f"holds {text!r}, which stands for a missing value," if text.strip() else "is empty"
            raise ValueError(f"{self.place} {holds} in data row {row + 1:,}; each row needs a label.")
        refuse_look_alikes(labels.texts, self.place)
        return labels

    @cached_property
    def names(self) -> pd.Categorical:
        """The cells as a categorical; its categories are sorted, as numbers if all are numbers."""
        texts, codes = self.distinct_texts
        names = sorted(text for text in texts if text.strip() not in _MISSING_TEXTS)
        with contextlib.suppress(ValueError):  # other names stay sorted as texts
            names.sort(key=float)
        indices = {name: index for index, name in enumerate(names)}
        indices_of_texts = np.array([indices.get(text, -1) for text in texts])
        return pd.Categorical.from_codes(indices_of_texts[codes], pd.Index(names, dtype=object))

    @cached_property
    def identity_numbers(self) -> Ints | None:
        """A whole number for the name in each row, which is the same in any file; None if a name is missing."""
        if not self.is_text or pc.all(pc.match_substring_regex(self.cells, _WHOLE_ID)).as_py():
            with contextlib.suppress(pa.ArrowException):  # fractions and other types are hashed as texts
                cells = pc.replace_substring_regex(self.cells, r"\.0+$", "") if self.is_text else self.cells
                numbers = pc.cast(cells, pa.int64())
                return None if numbers.null_count else np.array(numbers)
        hashes = []
        for rows in chunk_slices(len(self.cells)):
            texts = _write_cells(self.cells[rows])
            if not _MISSING_TEXTS.isdisjoint(map(str.strip, texts)):
                return None
            hashes.append(pd.util.hash_array(np.array(texts, dtype=object), categorize=False))
        return np.concatenate(hashes).view(np.int64)

    @cached_property
    def numbers(self) -> Floats:
        """The cells as finite numbers, NaN for a missing cell; any other cell raises ValueError."""
        numbers = None
        if self.decimal != "," or not self.is_text:
            with contextlib.suppress(pa.ArrowInvalid):  # other texts are read below, more slowly
                numbers = np.array(pc.cast(self.cells, pa.float64(), safe=False))
        if numbers is None:
            plain = self._find_plain_numerals()
            numbers = self._read_numerals() if plain is None else np.array(pc.cast(plain, pa.float64()))
        if np.isinf(numbers).any():
            row = int(np.isinf(numbers).argmax()) + 1
            raise ValueError(f"{self.place} is not finite in data row {row:,}; every case needs a number.")
        return numbers

    def is_numeric(self) -> bool:
        """Tell whether the column has cells, and each of them is a number or missing."""
        try:
            return len(self.numbers) > 0
        except ValueError:
            return False

    def is_regression_target(self) -> bool:
        """Tell whether a truth has numbers to predict, not classes: many different numbers, or fractions."""
        if self.labels is None:
            return self.is_numeric()
        values = set(self._find_label_values(self.labels.texts).values())
        has_fractions = any(value != value.to_integral_value() for value in values)
        return len(values) > MAX_NUMERIC_CLASSES or has_fractions

    def _find_label_values(self, texts: Sequence[str]) -> dict[str, Decimal]:
        """Return labels with their values if all are numbers, or all are words for true and false; else {}."""
        decimal = self.decimal
        if decimal is None and any("," in text for text in texts):
            numbers, decimal = parse_numbers(texts)
            if decimal is None:
                self.refuse_mark(",", texts, texts)
            decimal = None if None in numbers else decimal
        return label_values(text.replace(decimal or ".", ".") for text in texts)

    def _find_plain_numerals(self) -> pa.Array | None:
        """Return numerals that Arrow can read, null for missing cells; None if any other text is in the column."""
        mark = self.decimal or "."
        texts = pc.replace_substring(pc.ascii_trim_whitespace(self.cells), "\N{MINUS SIGN}", "-")
        words = pa.array(["", *MISSING_NUMBERS], texts.type)
        texts = pc.if_else(pc.is_in(pc.utf8_lower(texts), words), pa.scalar(None, texts.type), texts)
        are_numbers = pc.match_substring_regex(texts, _PLAIN_NUMERAL.format(mark=re.escape(mark)))
        return None if pc.index(are_numbers, False).as_py() >= 0 else pc.replace_substring(texts, mark, ".")

    def _read_numerals(self) -> Floats:
        """Read cells that may have decimal commas, thousands separators or percent signs as numbers."""
        texts, codes = self.distinct_texts
        cells = read_number_cells(texts, self.distinct_texts.counts, self.decimal)
        if cells.is_odd.any():
            self._refuse_odd_cell(int(cells.is_odd[codes].argmax()), cells)
        if cells.decimal is None:
            self.refuse_mark(",", texts, cells.numerals)
        numbers: Floats = cells.numbers[codes]
        return numbers

    def _refuse_odd_cell(self, row: int, cells: NumberCells) -> NoReturn:
        text = shorten(self.cells[row].as_py().strip(), 60)
        reason = "which is not a number; every case needs one"
        if cells.usual in (_PERCENTAGES, _UNSIGNED):
            reason = f"but most cells are {cells.usual}; write all with the sign %, or none"
        elif self.decimal and cells.is_number[self.distinct_texts.codes[row]]:
            reason = f"which is not a number with the decimal mark {self.decimal!r}; --decimal names it"
        raise ValueError(f"{self.place} holds {text!r} in data row {row + 1:,}, {reason}.")

    def refuse_mark(self, mark: str, texts: Sequence[str], numerals: Sequence[str]) -> NoReturn:
        """Raise ValueError on the first cell in which this mark may be a decimal mark or a thousands separator."""
        index = next(index for index, numeral in enumerate(numerals) if mark in numeral)
        row = pc.index(self.cells, texts[index]).as_py() + 1
        readings = " or ".join(f"{parse_number(numerals[index], mark):.15g}" for mark in ".,")
        raise ValueError(
            f"{self.place} holds {texts[index]!r} in data row {row:,}, which may be {readings}; "
            "name the decimal mark with --decimal, which is '.' or ','."
        )


def _write_cells(cells: pa.Array) -> list[str]:
    """Return cells as texts; a missing cell becomes an empty text."""
    if pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
        texts: list[str] = pc.fill_null(cells, "").to_pylist()
        return texts
    return ["" if cell is None or cell != cell else cell_text(cell) for cell in cells.to_pylist()]
