"""Claims that read the tables and data of a study: their kinds, and the files of the audit."""

from __future__ import annotations

from collections.abc import Callable

from nontrivial.claims.domains import Point
from nontrivial.claims.verdict import Absent
from nontrivial_study.documents import kinds

# By name: the function, and whether it gives many points.
KINDS: dict[str, tuple[Callable[..., list[Point] | Absent], bool]] = {
    "row": (kinds.row, False),
    "imbalance": (kinds.imbalance, True),
    "walks": (kinds.walks, True),
    "classes": (kinds.classes, False),
    "error rate": (kinds.error_rate, False),
    "break-even segment": (kinds.break_even_segment, False),
    "archived runs": (kinds.runs, False),
    "archived data sets": (kinds.data_sets, False),
    "archived tasks": (kinds.tasks, False),
}
