"""ARFF, the form of Weka's tables: a header that declares the columns, and rows whose cells are texts.

A quoted name, label or cell is what stands between its quotation marks. Cells stand between commas, with or without
blanks, or between blanks alone. ``?`` is a missing cell, and so is nothing between two commas. ``%`` begins a comment,
but not within a word. A sparse row, in braces, names only the cells that are not 0 or the first label of their column.
"""

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

Lines = Iterable[tuple[int, str]]  # with their numbers

_CELLS_AT_A_TIME = 500_000
_QUOTED = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_TOKEN = re.compile(rf"""({_QUOTED}|[^\s,{{}}'"%][^\s,{{}}]*)|%.*|\s+|(.)""", re.DOTALL)
_ODD = re.compile(r"""[\s'"{}%]""")  # in a row that is not just cells and commas
_DECLARED = re.compile(
    rf"(?P<name>{_QUOTED}|.+?)\s*(?:(?P<labels>{{.*)|(?<=\s)(?P<type>numeric|real|integer|string|date)"
    rf"(?:(?<!date)\s*\[[^\[\]]*\]|(?<=date)\s+(?:{_QUOTED}|[^\s%'\"{{}}]+(?:\s[^\s%'\"{{}}]+)?))?\s*(?:%.*)?)",
    re.IGNORECASE,
)
_QUOTES = "'\""
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}  # behind a backslash; other characters stand for themselves


class Attribute(NamedTuple):
    """A column as the header declares it: its type in lower case; of a nominal one, the labels."""

    name: str
    type: str
    labels: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.type in ("numeric", "real", "integer")


def read_header(lines: Lines) -> list[Attribute]:
    """Read the declarations, up to and with the line ``@data``; ValueError names the line that cannot be read.

    >>> read_header(enumerate(["@attribute 'the truth' {no, 'oh, yes'} % the class", "@data"], start=1))
    [Attribute(name='the truth', type='nominal', labels=('no', 'oh, yes'))]
    """
    attributes: dict[str, Attribute] = {}
    number = 0
    try:
        for number, line in lines:  # noqa: B007
            text = line.strip()
            if text[:5].lower() == "@data":
                return list(attributes.values())
            if text[:10].lower() == "@attribute":
                attribute = _attribute(text)
                if attribute.name in attributes:
                    raise ValueError(f"declares {attribute.name[:60]!r} again")
                attributes[attribute.name] = attribute
    except ValueError as error:
        raise ValueError(f"line {number:,} {error}") from None
    raise ValueError("it has no line @data")


def read_table(
    lines: Lines,
    attributes: Sequence[Attribute],
    places: Sequence[int],
    *,
    declared_only: bool = True,
    most_cells: float = math.inf,
) -> pa.Table:
    """Read the rows after the header: the columns at some places, as texts; ValueError names the line of a wrong row.

    With `declared_only`, labels that are not declared are refused. All rows may have `most_cells` cells, those that
    sparse rows do not name among them.

    >>> attributes = [Attribute("a", "numeric"), Attribute("b", "nominal", ("no", "yes"))]
    >>> read_table([(4, "1.5, yes"), (5, "{0 2}")], attributes, [0, 1]).to_pydict()
    {'a': ['1.5', '2'], 'b': ['yes', 'no']}
    """
    rows = _rows(lines, attributes, places, declared_only, most_cells)
    schema = pa.schema([(attributes[place].name, pa.string()) for place in places])
    batches = []
    while piece := list(itertools.islice(rows, max(1, _CELLS_AT_A_TIME // len(places)))):
        columns = [pa.array(column, pa.string()) for column in zip(*piece, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _rows(
    lines: Lines,
    attributes: Sequence[Attribute],
    places: Sequence[int],
    declared_only: bool,
    most_cells: float,
) -> Iterator[list[str | None]]:
    wanted = {place: attributes[place] for place in places}
    declared = {place: frozenset(attribute.labels) for place, attribute in wanted.items() if attribute.labels}
    # A sparse row does not name these cells.
    omitted = {
        place: "0" if attribute.is_number else next(iter(attribute.labels), "")
        for place, attribute in wanted.items()
    }
    cells, number = 0, 0
    try:
        for number, line in lines:  # noqa: B007
            text = line.strip().strip("\0")  # which OpenML puts at the end
            if not text or text[0] == "%":
                continue
            cells += len(places)
            if cells > most_cells:
                raise ValueError(f"has cell {most_cells + 1:,}, too many to read")
            n, is_sparse = len(attributes), text[0] == "{"
            row: Any = omitted | _sparse(text, n) if is_sparse else _dense(text, n)
            for place, labels in declared.items() if declared_only else ():
                if row[place] not in labels and row[place] is not None:
                    cell, name = row[place][:60], attributes[place].name[:60]
                    raise ValueError(f"has {cell!r} in column {name!r}, which does not declare it")
            yield [row[place] for place in places]
    except ValueError as error:
        raise ValueError(f"line {number:,} {error}") from None


def _attribute(line: str) -> Attribute:
    declaration = _DECLARED.fullmatch(line[10:].strip())
    if declaration is None:
        raise ValueError(f"declares {line[:60]!r}, which has no known type")
    name = declaration["name"].strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = _unquoted(name)
    if declaration["type"]:
        return Attribute(name, declaration["type"].lower())
    cells = _split(declaration["labels"])
    labels = cells if len(cells) > 1 else [[word] for word in cells[0]]  # between blanks
    return Attribute(name, "nominal", tuple(_text(cell) for cell in labels if cell))


def _dense(text: str, columns: int) -> list[str | None]:
    """Return the cells of a row in full."""
    if not _ODD.search(text):
        plain = text.split(",")
        if len(plain) == columns:
            return [None if cell in ("?", "") else cell for cell in plain]
    cells = _split(text)
    if len(cells) == 1 < columns:  # between blanks
        cells = [[word] for word in cells[0]]
    if len(cells) != columns:
        plural = "" if len(cells) == 1 else "s"
        raise ValueError(f"has {len(cells):,} cell{plural}, but {columns:,} columns are declared")
    return [_cell(cell) for cell in cells]


def _sparse(text: str, columns: int) -> dict[int, str | None]:
    """Return the cells that a row names."""
    named: dict[int, str | None] = {}
    for place, *cell in filter(None, _split(text)):
        if not re.fullmatch("[0-9]{1,9}", place) or not cell:
            raise ValueError(f"has {place[:20]!r} where the number of a column and a value are needed")
        if int(place) >= columns or int(place) in named:
            raise ValueError(f"names column {place}, which is not declared or named twice")
        named[int(place)] = _cell(cell)
    return named


def _split(text: str) -> list[list[str]]:
    """Divide a text at its commas into cells, and each cell into words and quoted parts; braces may be around it."""
    cells: list[list[str]] = [[]]
    braces, closed = text.startswith("{"), False
    for word, other in _TOKEN.findall(text, int(braces)):
        if closed and (word or other):
            raise ValueError("has something behind a closing brace")
        if word:
            cells[-1].append(word)
        elif other == ",":
            cells.append([])
        elif other == "}" and braces:
            closed = True
        elif other == "{" and not braces:
            raise ValueError("has the weight of an instance in braces, which is not read; make it a column")
        elif other:
            unclosed = "a quotation mark that is never closed"
            raise ValueError(f"has {unclosed if other in _QUOTES else f'{other!r} outside quotes'}")
    if braces and not closed:
        raise ValueError("has a brace that is never closed")
    return cells


def _cell(parts: list[str]) -> str | None:
    return None if parts in ([], ["?"]) else _text(parts)


def _text(parts: list[str]) -> str:
    if len(parts) > 1 and any(part[0] in _QUOTES for part in parts):
        raise ValueError(f"has {' '.join(parts)[:60]!r} without a comma between")
    return _unquoted(parts[0]) if parts[0][0] in _QUOTES else " ".join(parts)


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPED.get(match[1], match[1]), text[1:-1], flags=re.DOTALL)
