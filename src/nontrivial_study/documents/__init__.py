"""Claims that read the tables and data of a study: their kinds, and the files of the audit."""

from __future__ import annotations

from collections.abc import Callable

from nontrivial.claims.domains import Point
from nontrivial.claims.verdict import Absent
from nontrivial_study.documents import kinds

# By name: the function, and whether it gives many points.
KINDS: dict[str, tuple[Callable[..., list[Point] | Absent], bool]] = {
    "row": (kinds.row, False),
    "count": (kinds.count, False),
    "imbalance": (kinds.imbalance, True),
    "walks": (kinds.walks, True),
    "classes": (kinds.classes, False),
    "column": (kinds.column, False),
    "error rate": (kinds.error_rate, False),
    "hull segments": (kinds.hull_segments, False),
    "break-even segment": (kinds.break_even_segment, False),
    "rate grid": (kinds.rate_grid, False),
    "archived runs": (kinds.runs, False),
    "archived areas": (kinds.areas, True),
    "archived data sets": (kinds.data_sets, False),
    "archived tasks": (kinds.tasks, False),
    "chance": (kinds.chance, False),
}
