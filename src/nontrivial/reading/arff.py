"""Read ARFF, the form of Weka's tables: a header declares the columns, and the cells of the rows become texts.

Quotation marks around a name, label or cell are removed. Commas separate the cells, with or without blanks, or blanks
alone do. A cell is missing if it is ``?`` or empty. ``%`` begins a comment, but not within a word. A sparse
row, in braces, leaves out the cells that are 0 or the first label of their column.
"""

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from nontrivial.terminal import count_of

NumberedLines = Iterable[tuple[int, str]]

_MAX_CELLS_OF_BATCH = 500_000
_QUOTED = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_TOKEN = re.compile(rf"""({_QUOTED}|[^\s,{{}}'"%][^\s,{{}}]*)|%.*|\s+|(.)""", re.DOTALL)
_NOT_PLAIN = re.compile(r"""[\s'"{}%]""")  # a row without such characters is split at its commas
_DECLARATION = re.compile(
    rf"(?P<name>{_QUOTED}|.+?)\s*(?:(?P<labels>{{.*)|(?<=\s)(?P<type>numeric|real|integer|string|date)"
    rf"(?:(?<!date)\s*\[[^\[\]]*\]|(?<=date)\s+(?:{_QUOTED}|[^\s%'\"{{}}]+(?:\s[^\s%'\"{{}}]+)?))?\s*(?:%.*)?)",
    re.IGNORECASE,
)
_QUOTES = "'\""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}  # any other character behind a backslash stands for itself


class Attribute(NamedTuple):
    """A declared column: its name, its type in lower case, and the labels if the type is nominal."""

    name: str
    type: str
    labels: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.type in ("numeric", "real", "integer")


def read_header(lines: NumberedLines) -> list[Attribute]:
    """Read the declared columns down to the line ``@data``; ValueError names the line that cannot be read.

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
                attribute = _parse_attribute(text)
                if attribute.name in attributes:
                    raise ValueError(f"declares {attribute.name[:60]!r} again")
                attributes[attribute.name] = attribute
    except ValueError as error:
        raise ValueError(f"line {number:,} {error}") from None
    raise ValueError("it has no line @data")


def read_rows(
    lines: NumberedLines,
    attributes: Sequence[Attribute],
    indices: Sequence[int],
    *,
    declared_only: bool = True,
    max_cells: float = math.inf,
) -> pa.Table:
    """Read the cells of some columns as texts, from the lines after the header; ValueError names a wrong line.

    With `declared_only`, a label that is not declared is an error. More than `max_cells` cells in all are an error; the
    cells that sparse rows leave out count, too.

    >>> attributes = [Attribute("a", "numeric"), Attribute("b", "nominal", ("no", "yes"))]
    >>> read_rows([(4, "1.5, yes"), (5, "{0 2}")], attributes, [0, 1]).to_pydict()
    {'a': ['1.5', '2'], 'b': ['yes', 'no']}
    """
    chosen = {index: attributes[index] for index in indices}
    declared = {index: frozenset(column.labels) for index, column in chosen.items() if column.labels}
    # The cells that a sparse row may leave out.
    defaults = {index: "0" if column.is_number else next(iter(column.labels), "") for index, column in chosen.items()}

    def parse_rows() -> Iterator[list[str | None]]:
        n_cells, number = 0, 0
        try:
            for number, line in lines:  # noqa: B007
                text = line.strip().strip("\0")  # OpenML ends files with zero bytes
                if not text or text[0] == "%":
                    continue
                n_cells += len(indices)
                if n_cells > max_cells:
                    raise ValueError(f"has cell {max_cells + 1:,}, too many to read")
                row: Any
                if text[0] == "{":
                    row = defaults | _parse_sparse_row(text, len(attributes))
                else:
                    row = _parse_dense_row(text, len(attributes))
                for index, labels in declared.items() if declared_only else ():
                    if row[index] not in labels and row[index] is not None:
                        cell, name = row[index][:60], attributes[index].name[:60]
                        raise ValueError(f"has {cell!r} in column {name!r}, which does not declare it")
                yield [row[index] for index in indices]
        except ValueError as error:
            raise ValueError(f"line {number:,} {error}") from None

    rows = parse_rows()
    schema = pa.schema([(attributes[index].name, pa.string()) for index in indices])
    batches = []
    while piece := list(itertools.islice(rows, max(1, _MAX_CELLS_OF_BATCH // len(indices)))):
        columns = [pa.array(column, pa.string()) for column in zip(*piece, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _parse_attribute(line: str) -> Attribute:
    declaration = _DECLARATION.fullmatch(line[10:].strip())
    if declaration is None:
        raise ValueError(f"declares {line[:60]!r}, which has no known type")
    name = declaration["name"].strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = _strip_quotes(name)
    if declaration["type"]:
        return Attribute(name, declaration["type"].lower())
    cells = _split_cells(declaration["labels"])
    labels = cells if len(cells) > 1 else [[word] for word in cells[0]]  # only blanks separate the labels
    return Attribute(name, "nominal", tuple(_text_of_cell(cell) for cell in labels if cell))


def _parse_dense_row(text: str, n_columns: int) -> list[str | None]:
    """Return all cells of a row without braces; a missing cell is None."""
    if not _NOT_PLAIN.search(text):
        plain = text.split(",")
        if len(plain) == n_columns:
            return [None if cell in ("?", "") else cell for cell in plain]
    cells = _split_cells(text)
    if len(cells) == 1 < n_columns:  # only blanks separate the cells
        cells = [[word] for word in cells[0]]
    if len(cells) != n_columns:
        raise ValueError(f"has {count_of(len(cells), 'cell')}, but {n_columns:,} columns are declared")
    return [_parse_cell(cell) for cell in cells]


def _parse_sparse_row(text: str, n_columns: int) -> dict[int, str | None]:
    """Return the cells of a row in braces by the indices of their columns."""
    row: dict[int, str | None] = {}
    for index, *cell in filter(None, _split_cells(text)):
        if not re.fullmatch("[0-9]{1,9}", index) or not cell:
            raise ValueError(f"has {index[:20]!r} where the number of a column and a value are needed")
        if int(index) >= n_columns or int(index) in row:
            raise ValueError(f"names column {index}, which is not declared or named twice")
        row[int(index)] = _parse_cell(cell)
    return row


def _split_cells(text: str) -> list[list[str]]:
    """Split a text, with or without braces around it, into cells, and each cell into words and quoted parts."""
    cells: list[list[str]] = [[]]
    has_braces, is_closed = text.startswith("{"), False
    for word, character in _TOKEN.findall(text, int(has_braces)):
        if is_closed and (word or character):
            raise ValueError("has something behind a closing brace")
        if word:
            cells[-1].append(word)
        elif character == ",":
            cells.append([])
        elif character == "}" and has_braces:
            is_closed = True
        elif character == "{" and not has_braces:
            raise ValueError("has the weight of an instance in braces, which is not read; make it a column")
        elif character:
            is_quote = character in _QUOTES
            problem = "a quotation mark that is never closed" if is_quote else f"{character!r} outside quotes"
            raise ValueError(f"has {problem}")
    if has_braces and not is_closed:
        raise ValueError("has a brace that is never closed")
    return cells


def _parse_cell(parts: list[str]) -> str | None:
    return None if parts in ([], ["?"]) else _text_of_cell(parts)


def _text_of_cell(parts: list[str]) -> str:
    """Join the words of a cell with blanks, or remove the quotation marks of a quoted cell."""
    if len(parts) > 1 and any(part[0] in _QUOTES for part in parts):
        raise ValueError(f"has {' '.join(parts)[:60]!r} without a comma between")
    return _strip_quotes(parts[0]) if parts[0][0] in _QUOTES else " ".join(parts)


def _strip_quotes(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1], flags=re.DOTALL)
