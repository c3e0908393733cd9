"""The layouts of predictions that tools write: `layouts.csv` says which role a column has by its name.

A name may hold `{class}` for a class, `{truth}` for the name of the column of true labels, `{model}` for any name and
`{number}` for digits. Names of the tool `any` may be written with blanks, points or hyphens for underscores. A tool's
rows with a mark belong together: if a file lacks one of these columns, no row of the tool counts.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

ANY = "any"
_PARTS = {
    "{class}": "(?P<label>.+)",
    "{number}": "(?P<label>[0-9]+)",
    "{truth}": "(?P<truth>.+)",
    "{model}": "(?P<model>.+)",
}
_OTHERS = "any other column"


class Layout(NamedTuple):
    """A row of `layouts.csv`."""

    tool: str
    role: str
    name: str
    mark: str

    def match(self, column: str, truth: str | None = None) -> re.Match[str] | None:
        """Match the name of a column; with the column of the truth, `{truth}` stands for no other name."""
        return _pattern(self.tool, self.name, truth).fullmatch(column)

    @property
    def is_pattern(self) -> bool:
        """Whether the name has a part that stands for other names."""
        return "{" in self.name


_TABLE = resources.files(__package__).joinpath("layouts.csv").read_text(encoding="utf-8")
LAYOUTS = tuple(Layout(**row) for row in csv.DictReader(_TABLE.splitlines()))


@cache
def _pattern(tool: str, name: str, truth: str | None) -> re.Pattern[str]:
    pieces = re.split(r"(\{\w+\})", name)
    if truth is not None:
        pieces = [truth if piece == "{truth}" else piece for piece in pieces]
    found = "".join(_PARTS.get(piece) or _written(piece, tool) for piece in pieces)
    return re.compile(rf"[\s_.-]*{found}" if tool == ANY else found, re.IGNORECASE)


def _written(piece: str, tool: str) -> str:
    """Return a pattern for a piece of a name."""
    if tool != ANY:
        return re.escape(piece)
    return r"[\s_.-]+".join(re.escape(word) for word in re.split("[_.]", piece))


def names_of(role: str) -> list[str]:
    """Return the usual names for a role, whatever the tool."""
    return [row.name for row in LAYOUTS if (row.tool, row.role) == (ANY, role) and not row.is_pattern]


def layouts_in(columns: Iterable[str]) -> list[Layout]:
    """Return the rows that count for a file with some columns."""
    columns = list(columns)
    lacking = {row.tool for row in LAYOUTS if row.mark and not any(map(row.match, columns))}
    return [row for row in LAYOUTS if row.tool not in lacking]


def roles_by_name(columns: Sequence[str]) -> dict[str, str]:
    """Return the role of each column whose name alone settles it: by a tool's layout, else by its usual name."""
    rows = layouts_in(columns)
    by_tool = [row for row in rows if row.tool != ANY and not row.is_pattern]
    found: dict[str, str] = {}
    for row in [*by_tool, *(row for row in rows if row.tool == ANY and not row.is_pattern)]:
        for column in columns:
            if row.match(column):
                found.setdefault(column, row.role)
    return found


def has_rest(columns: Sequence[str], role: str) -> bool:
    """Tell whether a layout gives a role to all columns that have no other."""
    return any(row.role == role and row.name == _OTHERS for row in layouts_in(columns))


def is_model_name(column: str) -> bool:
    """Tell whether a column has a usual name of models or of their settings."""
    return any(row.tool == ANY and row.role in ("model", "tuning") and row.match(column) for row in LAYOUTS)
