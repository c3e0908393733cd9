"""The layouts of predictions that tools write: `layouts.csv` says which role a column has by its name.

A name may hold `{class}` for a class, `{number}` for a class of digits, and `{truth}` for the column of true labels.
Names of the tool `any` may be written with blanks, points or hyphens for underscores. A tool's rows with a mark belong
together: if a file lacks one of these columns, no row of the tool counts.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

ANY_TOOL = "any"
_PARTS = {"{class}": "(?P<label>.+)", "{number}": "(?P<label>[0-9]+)"}
_OTHERS = "any other column"


class LayoutRow(NamedTuple):
    """A row of `layouts.csv`."""

    tool: str
    role: str
    name: str
    mark: str

    def match(self, column: str, truth: str | None = None) -> re.Match[str] | None:
        """Match the name of a column; `{truth}` stands for the column of the truth, and without one for no name."""
        return _pattern(self.tool, self.name, truth).fullmatch(column)


_TABLE = resources.files(__package__).joinpath("layouts.csv").read_text(encoding="utf-8")
LAYOUTS = tuple(LayoutRow(**row) for row in csv.DictReader(_TABLE.splitlines()))


@cache
def _pattern(tool: str, name: str, truth: str | None) -> re.Pattern[str]:
    pattern = ""
    for piece in re.split(r"(\{\w+\})", name):
        if piece == "{truth}":
            pattern += "(?!)" if truth is None else re.escape(truth)
        elif tool == ANY_TOOL and piece not in _PARTS:
            pattern += r"[\s_.-]+".join(re.escape(word) for word in re.split("[_.]", piece))
        else:
            pattern += _PARTS.get(piece) or re.escape(piece)
    return re.compile(rf"[\s_.-]*{pattern}" if tool == ANY_TOOL else pattern, re.IGNORECASE)


def names_of(role: str) -> list[str]:
    """Return the usual names for a role, whatever the tool."""
    return [row.name for row in LAYOUTS if (row.tool, row.role) == (ANY_TOOL, role)]


def _layouts_in(columns: Iterable[str]) -> list[LayoutRow]:
    """Return the rows that count for a file with some columns."""
    columns = list(columns)
    lacking = {row.tool for row in LAYOUTS if row.mark and not any(map(row.match, columns))}
    return [row for row in LAYOUTS if row.tool not in lacking]


def layouts_by_column(columns: Sequence[str], truth: str | None = None) -> dict[str, LayoutRow]:
    """Return the row for each column whose name settles its role: of a tool, else one of the usual names."""
    rows = [row for row in _layouts_in(columns) if row.role != "probability"]
    layouts: dict[str, LayoutRow] = {}
    for row in sorted(rows, key=lambda row: row.tool == ANY_TOOL):
        for column in columns:
            if row.match(column, truth):
                layouts.setdefault(column, row)
    return layouts


def truths_in_names(columns: Sequence[str]) -> list[str]:
    """Return the columns whose names the columns of predictions repeat, as in 'prediction(ill)' of RapidMiner."""
    rows = [row for row in _layouts_in(columns) if row.role == "prediction" and "{truth}" in row.name]
    return [name for name in columns if any(row.match(other, name) for other in columns for row in rows)]


def find_families(columns: Sequence[str], truth: str) -> list[dict[str, str]]:
    """Return the columns of probabilities that one layout names alike, by the labels in their names."""
    families = []
    for row in _layouts_in([*columns, truth]):
        if row.role == "probability" and row.name != "{class}":
            matches = {column: row.match(column, truth) for column in columns}
            families.append({match["label"].strip(): column for column, match in matches.items() if match})
    return families


def has_rest(columns: Sequence[str], role: str) -> bool:
    """Tell whether a layout gives a role to all columns that have no other."""
    return any(row.role == role and row.name == _OTHERS for row in _layouts_in(columns))


def is_model_name(column: str) -> bool:
    """Tell whether a column has a usual name of models or of their settings."""
    return any(
        row.tool == ANY_TOOL and row.role in ("model", "tuning") and row.match(column) for row in LAYOUTS
    )
