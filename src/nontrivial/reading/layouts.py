"""Find the role of a column by its name; `layouts.csv` lists the names that tools give to columns of predictions.

A name may hold `{class}` for a class, `{number}` for a class of digits, and `{truth}` for the column of true labels.
Names of the tool `any` may have blanks, points or hyphens in place of underscores. The rows of a tool that have a mark
belong together: if a file lacks one of these columns, all rows of the tool are ignored.
"""

import csv
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

ANY_TOOL = "any"
_PLACEHOLDERS = {"{class}": "(?P<label>.+)", "{number}": "(?P<label>[0-9]+)"}
_ALL_OTHER_COLUMNS = "any other column"


class LayoutRow(NamedTuple):
    """A row of `layouts.csv`."""

    tool: str
    role: str
    name: str
    mark: str

    def match(self, column: str, truth: str | None = None) -> re.Match[str] | None:
        """Match the name of a column. `truth` replaces `{truth}`; if it is None, such a row matches no column."""
        return _compile_name(self.tool, self.name, truth).fullmatch(column)


_LAYOUTS_CSV = resources.files(__package__).joinpath("layouts.csv").read_text(encoding="utf-8")
LAYOUTS = tuple(LayoutRow(**row) for row in csv.DictReader(_LAYOUTS_CSV.splitlines()))


@cache
def _compile_name(tool: str, name: str, truth: str | None) -> re.Pattern[str]:
    """Compile a name of `layouts.csv` to a pattern for names of columns."""
    pattern = ""
    for piece in re.split(r"(\{\w+\})", name):
        if piece == "{truth}":
            pattern += "(?!)" if truth is None else re.escape(truth)
        elif tool == ANY_TOOL and piece not in _PLACEHOLDERS:
            pattern += r"[\s_.-]+".join(re.escape(word) for word in re.split("[_.]", piece))
        else:
            pattern += _PLACEHOLDERS.get(piece) or re.escape(piece)
    return re.compile(rf"[\s_.-]*{pattern}" if tool == ANY_TOOL else pattern, re.IGNORECASE)


def usual_names(role: str) -> list[str]:
    """Return the usual names for a role, whatever the tool."""
    return [row.name for row in LAYOUTS if (row.tool, row.role) == (ANY_TOOL, role)]


def _select_rows(columns: Sequence[str]) -> list[LayoutRow]:
    """Return the rows of all tools whose marked names are all among the columns of a file."""
    absent_tools = {row.tool for row in LAYOUTS if row.mark and not any(map(row.match, columns))}
    return [row for row in LAYOUTS if row.tool not in absent_tools]


def layouts_by_column(columns: Sequence[str], truth: str | None = None) -> dict[str, LayoutRow]:
    """Return the row that settles the role of each column, if any; rows of a tool win over rows with usual names."""
    rows = [row for row in _select_rows(columns) if row.role != "probability"]
    layouts: dict[str, LayoutRow] = {}
    for row in sorted(rows, key=lambda row: row.tool == ANY_TOOL):
        for column in columns:
            if row.match(column, truth):
                layouts.setdefault(column, row)
    return layouts


def truths_in_names(columns: Sequence[str]) -> list[str]:
    """Return the columns whose names recur in names of predictions, as ill does in RapidMiner's 'prediction(ill)'."""
    rows = [row for row in _select_rows(columns) if row.role == "prediction" and "{truth}" in row.name]
    return [name for name in columns if any(row.match(column, name) for column in columns for row in rows)]


def find_probability_columns(columns: Sequence[str], truth: str) -> list[dict[str, str]]:
    """Return, for each way to name probabilities, a dictionary of the columns by the labels in their names."""
    families = []
    for row in _select_rows([*columns, truth]):
        if row.role == "probability" and row.name != "{class}":
            matches = {column: row.match(column, truth) for column in columns}
            families.append({match["label"].strip(): column for column, match in matches.items() if match})
    return families


def is_role_of_all_others(role: str, columns: Sequence[str]) -> bool:
    """Tell whether a tool gives this role to all columns without another role."""
    return any(row.role == role and row.name == _ALL_OTHER_COLUMNS for row in _select_rows(columns))


def is_model_name(column: str) -> bool:
    """Tell whether a column has a usual name of models or of their settings."""
    return any(row.tool == ANY_TOOL and row.role in ("model", "tuning") and row.match(column) for row in LAYOUTS)
