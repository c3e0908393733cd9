"""Claims that read the tables and data of a study: their kinds, and the files of the audit."""

from __future__ import annotations

from collections.abc import Callable

from nontrivial.claims.domains import Point
from nontrivial.claims.verdict import Absent
from nontrivial_study.documents import archive, chance, experiments, rows, running_example

# By name: the function, and whether it gives many points.
KINDS: dict[str, tuple[Callable[..., list[Point] | Absent], bool]] = {
    "row": (rows.row, False),
    "count": (rows.count, False),
    "imbalance": (experiments.imbalance, True),
    "walks": (experiments.walks, True),
    "classes": (experiments.classes, False),
    "column": (experiments.column, False),
    "error rate": (experiments.error_rate, False),
    "hull segments": (running_example.hull_segments, False),
    "break-even segment": (running_example.break_even_segment, False),
    "rate grid": (running_example.rate_grid, False),
    "archived runs": (archive.runs, False),
    "archived areas": (archive.areas, True),
    "archived data sets": (archive.data_sets, False),
    "archived tasks": (archive.tasks, False),
    "chance": (chance.chance, False),
}
