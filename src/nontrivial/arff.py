"""ARFF, the form of Weka's tables: a header that declares the columns, and rows whose cells are texts.

A quoted name, label or cell is what stands between its quotation marks. Cells stand between commas, with or without
blanks, or between blanks alone. ``?`` is a missing cell, and so is nothing between two commas. ``%`` begins a comment,
but not within a word. A sparse row, in braces, names only the cells that are not 0 or the first label of their column.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

Lines = Iterable[tuple[int, str]]  # with their numbers

_CELLS_AT_A_TIME = 500_000
_QUOTED = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_TOKEN = re.compile(rf"""({_QUOTED})|(%.*)|([^\s,{{}}'"][^\s,{{}}]*)|(,)|\s+|(.)""", re.DOTALL)
_QUOTED_NAME = re.compile(_QUOTED)
_TYPE = re.compile(
    r"\s(numeric|real|integer|string|date)(?:(?<!date)\s*\[[^\[\]]*\]|(?<=date)\s+"
    rf"(?:{_QUOTED}|[^\s%'\"{{}}]+(?:\s[^\s%'\"{{}}]+)?))?\s*(?:%.*)?$",
    re.IGNORECASE,
)
# Weka's weight of an attribute, which says nothing of its values.
_WEIGHT = re.compile(r"(\s(?:numeric|real|integer|string|date)|\})\s*\{\s*[0-9.]+\s*\}\s*$", re.IGNORECASE)
_ODD = re.compile(r"""[\s'"{}%]""")  # in a row that is not just cells and commas
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Attribute(NamedTuple):
    """A column as the header declares it: its type in lower case; of a nominal one, the labels."""

    name: str
    type: str
    labels: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.type in ("numeric", "real", "integer")


def read_header(lines: Lines) -> list[Attribute]:
    """Read the declarations, up to and with the line ``@data``.

    Raises
    ------
    ValueError
        If there is no such line, or a declaration cannot be read; its line is named.

    Examples
    --------
    >>> read_header(enumerate(["@attribute 'the truth' {no, 'oh, yes'} % the class", "@data"], start=1))
    [Attribute(name='the truth', type='nominal', labels=('no', 'oh, yes'))]
    """
    found: dict[str, Attribute] = {}
    for number, line in lines:
        text = line.strip()
        keyword = text[:10].lower()
        if keyword.startswith("@data"):
            return list(found.values())
        if keyword == "@attribute":
            try:
                attribute = _attribute(text)
            except ValueError as error:
                raise ValueError(f"line {number:,} {error}") from None
            if attribute.name in found:
                raise ValueError(f"line {number:,} declares {attribute.name[:60]!r} again")
            found[attribute.name] = attribute
    raise ValueError("it has no line @data")


def read_table(
    lines: Lines,
    attributes: Sequence[Attribute],
    places: Sequence[int],
    *,
    declared_only: bool = True,
    most_cells: float = math.inf,
) -> pa.Table:
    """Read the rows after the header; the columns at some places, as texts.

    Parameters
    ----------
    lines : iterable of (int, str)
        The lines after ``@data``, with their numbers.
    attributes : sequence of Attribute
    places : sequence of int
        The columns that are wanted, at least one.
    declared_only : bool
        Whether to refuse labels that are not declared.
    most_cells : float
        How many cells all rows may have, those that sparse rows do not name among them.

    Raises
    ------
    ValueError
        If a row cannot be read, has other cells than declared, or there are too many; its line is named.

    Examples
    --------
    >>> attributes = [Attribute("a", "numeric"), Attribute("b", "nominal", ("no", "yes"))]
    >>> read_table([(4, "1.5, yes"), (5, "{0 2}")], attributes, [0, 1]).to_pydict()
    {'a': ['1.5', '2'], 'b': ['yes', 'no']}
    """
    declared = [frozenset(attributes[place].labels) if declared_only else None for place in places]
    rows = _rows(lines, attributes, places, declared, most_cells)
    schema = pa.schema([(attributes[place].name, pa.string()) for place in places])
    at_a_time = max(1, _CELLS_AT_A_TIME // len(places))
    batches = []
    while piece := list(itertools.islice(rows, at_a_time)):
        columns = [pa.array(column, pa.string()) for column in zip(*piece, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _rows(
    lines: Lines,
    attributes: Sequence[Attribute],
    places: Sequence[int],
    declared: Sequence[frozenset[str] | None],
    most_cells: float,
) -> Iterator[list[str | None]]:
    n, cells = len(attributes), 0
    omitted: dict[int, str | None] = {place: _omitted(attributes[place]) for place in places}
    limited = [(order, labels) for order, labels in enumerate(declared) if labels]
    for number, line in lines:
        text = line.strip().strip("\0")  # which OpenML puts at the end
        if not text or text[0] == "%":
            continue
        cells += len(places)
        try:
            if cells > most_cells:
                raise ValueError(f"has cell {most_cells + 1:,}, too many to read")
            row: Any = omitted | _named(text, n) if text[0] == "{" else _cells(text, n)  # by place
            wanted = [row[place] for place in places]
            for order, labels in limited:
                cell = wanted[order]
                if cell not in labels and cell is not None:
                    name = attributes[places[order]].name[:60]
                    raise ValueError(f"has {cell[:60]!r} in column {name!r}, which does not declare it")
        except ValueError as error:
            raise ValueError(f"line {number:,} {error}") from None
        yield wanted


def _omitted(attribute: Attribute) -> str:
    """Return what a cell holds that a sparse row does not name."""
    return "0" if attribute.is_number else next(iter(attribute.labels), "")


def _attribute(line: str) -> Attribute:
    declared = line[10:].strip()
    quoted = _QUOTED_NAME.match(declared)
    start = quoted.end() if quoted else 0
    declared = _WEIGHT.sub(r"\1", declared)
    brace = declared.find("{", start)
    if brace >= 0 and re.search(r"\s%", declared[start:brace]):
        brace = -1  # in a comment
    kind = None if brace >= 0 else _TYPE.search(declared, start)
    name = declared[: kind.start() if kind else max(brace, 0)].strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = _unquoted(name)
    if not name:
        raise ValueError(f"declares {line[:60]!r}, which has no known type")
    if kind:
        return Attribute(name, kind[1].lower())
    cells = _split(declared[brace:])
    labels = cells if len(cells) > 1 else [[label] for label in cells[0]]
    return Attribute(name, "nominal", tuple(_text(cell) for cell in labels if cell))


def _cells(text: str, columns: int) -> list[str | None]:
    """Return the cells of a row in full."""
    if not _ODD.search(text):
        plain = text.split(",")
        if len(plain) == columns:
            return [None if cell in ("?", "") else cell for cell in plain]
    cells = _split(text)
    if len(cells) != columns and all(cells[:-1]):
        words = [[word] for cell in cells for word in cell]
        cells = words if len(words) == columns or len(cells) == 1 else cells
    if len(cells) != columns:
        raise ValueError(
            f"has {len(cells):,} cell{'' if len(cells) == 1 else 's'}, but {columns:,} columns are declared"
        )
    return [_cell(cell) for cell in cells]


def _named(text: str, columns: int) -> dict[int, str | None]:
    """Return the cells that a sparse row names."""
    found: dict[int, str | None] = {}
    for place, *cell in filter(None, _split(text)):
        if not (place.isascii() and place.isdigit()) or not cell:
            raise ValueError(f"has {place!r} where the number of a column and a value are needed")
        if len(place) > 9 or int(place) >= columns or int(place) in found:
            raise ValueError(f"names column {place[:20]}, which is not declared or named twice")
        found[int(place)] = _cell(cell)
    return found


def _split(text: str) -> list[list[str]]:
    """Divide a text at its commas into cells, and each cell into words and quoted parts; braces may be around it."""
    cells: list[list[str]] = [[]]
    braces, closed = text.startswith("{"), False
    for quoted, comment, word, comma, other in _TOKEN.findall(text, int(braces)):
        if closed and not comment and (quoted or word or comma or other):
            raise ValueError("has something behind a closing brace")
        if comma:
            cells.append([])
        elif quoted or word:
            cells[-1].append(quoted or word)
        elif other == "}" and braces:
            closed = True
        elif other == "{" and not braces:
            raise ValueError("has the weight of an instance in braces, which is not read; make it a column")
        elif other:
            quote = other in "'\""
            raise ValueError(
                f"has {'a quotation mark that is never closed' if quote else f'{other!r} outside quotes'}"
            )
    if braces and not closed:
        raise ValueError("has a brace that is never closed")
    return cells


def _cell(parts: list[str]) -> str | None:
    return None if parts in ([], ["?"]) else _text(parts)


def _text(parts: list[str]) -> str:
    if len(parts) > 1 and any(part[0] in "'\"" for part in parts):
        raise ValueError(f"has {' '.join(parts)[:60]!r} without a comma between")
    return _unquoted(parts[0]) if parts[0][0] in "'\"" else " ".join(parts)


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(_escaped, text[1:-1])


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "u" and len(code) > 1:
        return chr(int(code[1:], 16))
    return chr(int(code, 8)) if code[0] in "01234567" else _ESCAPED.get(code, code)
