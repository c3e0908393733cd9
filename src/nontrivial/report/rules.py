"""The rules of the workflow, which of them reads what another makes, and a drawing of that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any

from nontrivial.provenance.jobs import Job

WIDTH, HEIGHT = 136, 22  # of a rule's box, in pixels
_ACROSS, _DOWN = 164, 28  # from box to box
_SHOWN = ("tables", "figures", "claims")  # folders of the results whose tables a page links to


@dataclass(frozen=True)
class Box:
    """A rule, and where its box begins."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class Drawing:
    """Boxes, lines between them as paths of SVG, and how much room they take."""

    boxes: Sequence[Box]
    lines: Sequence[str]
    width: int
    height: int


def rule_graph(jobs: Iterable[Job]) -> dict[str, dict[str, list[str]]]:
    """Return by rule which rules it ``reads`` from, and which tables of the results it ``makes``.

    Examples
    --------
    >>> train, judge = Job("a", "train", "s", (), ("r/tables/x.csv",)), Job("b", "judge", "s", ("r/tables/x.csv",), ())
    >>> rule_graph([train, judge])
    {'train': {'reads': [], 'makes': ['tables/x.csv']}, 'judge': {'reads': ['train'], 'makes': []}}
    """
    all_jobs = list(jobs)
    maker = {path: job.rule for job in all_jobs for path in job.makes}
    graph: dict[str, dict[str, set[str]]] = {}
    for job in all_jobs:
        step = graph.setdefault(job.rule, {"reads": set(), "makes": set()})
        step["reads"] |= {maker[path] for path in job.reads if path in maker} - {job.rule}
        places = [PurePath(path).parts[-2:] for path in job.makes if path.endswith(".csv")]
        step["makes"] |= {"/".join(parts) for parts in places if parts[0] in _SHOWN}
    return {rule: {key: sorted(names) for key, names in step.items()} for rule, step in graph.items()}


def draw_rules(rules: Mapping[str, Mapping[str, Any]]) -> Drawing:
    """Draw rules from left to right, each to the right of all that it reads from.

    A line is left out where a longer way leads from the one rule to the other.
    """
    reads = {rule: [other for other in step["reads"] if other in rules] for rule, step in rules.items()}

    @cache
    def before(rule: str) -> frozenset[str]:
        return frozenset(reads[rule]).union(*(before(other) for other in reads[rule]))

    @cache
    def column(rule: str) -> int:
        return max((column(other) + 1 for other in reads[rule]), default=0)

    direct = {
        rule: [other for other in others if not any(other in before(between) for between in others)]
        for rule, others in reads.items()
    }
    columns: dict[int, list[str]] = {}
    for rule in rules:
        columns.setdefault(column(rule), []).append(rule)
    height = max(map(len, columns.values()), default=0) * _DOWN
    boxes: dict[str, Box] = {}
    for place in sorted(columns):
        names = sorted(columns[place], key=lambda name: (_middle(direct[name], boxes), name))
        top = (height - len(names) * _DOWN) // 2
        boxes |= {name: Box(name, place * _ACROSS, top + row * _DOWN) for row, name in enumerate(names)}
    lines = [_line(boxes[other], boxes[rule]) for rule in rules for other in direct[rule]]
    return Drawing(list(boxes.values()), lines, len(columns) * _ACROSS - _ACROSS + WIDTH, height)


def _middle(names: Sequence[str], boxes: Mapping[str, Box]) -> float:
    return sum(boxes[name].y for name in names) / len(names) if names else 0


def _line(one: Box, other: Box) -> str:
    x, y, u, v = one.x + WIDTH, one.y + HEIGHT // 2, other.x, other.y + HEIGHT // 2
    return f"M{x} {y}C{x + 20} {y} {u - 20} {v} {u} {v}"
