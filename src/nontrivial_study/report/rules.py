"""The rules of the workflow, which of them reads what another makes, and a drawing of that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from types import SimpleNamespace
from typing import Any

WIDTH, HEIGHT = 136, 22  # of a rule's box, in pixels
_ACROSS, _DOWN = 164, 28  # from box to box


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


def rule_graph(
    steps: Mapping[str, Any], page: str, batches: Iterable[str], chunks: Iterable[str], results: str
) -> dict[str, dict[str, list[str]]]:
    """Return by rule which rules it ``reads`` from, and which tables of the results it ``makes``.

    Parameters
    ----------
    steps : mapping of str to rule
        The rules by name, as Snakemake gives them under ``rules``.
    page : str
        The name of the last of them. Only rules that it depends on are in the graph.
    batches, chunks : iterable of str
        What the wildcards of these names stand for.
    results : str
        The results folder.
    """

    def place(path: Any) -> str:  # in the results, which may lie in a storage
        return str(path).replace("<results>", results).rpartition(f"{results}/")[2]

    makers = {
        re.sub(r"{.*?}", "*", place(path)): name for name, step in steps.items() for path in step.output
    }
    patterns = sorted((pattern for pattern in makers if "*" in pattern), key=len, reverse=True)

    def maker(path: str) -> str | None:
        return makers.get(path) or next((makers[one] for one in patterns if fnmatchcase(path, one)), None)

    def read_by(item: Any) -> Iterator[str]:
        if callable(item):
            for chunk in chunks:
                found = item(SimpleNamespace(chunk=chunk))
                yield from [found] if isinstance(found, str) else found
        elif "{batch}" in item:
            yield from (item.replace("{batch}", batch) for batch in batches)
        else:
            yield item

    graph: dict[str, dict[str, list[str]]] = {}
    waiting = [page]
    while waiting:
        step = steps[name := waiting.pop()]
        reads = {maker(place(path)) for item in step.input for path in read_by(item)}
        makes = [place(path) for path in step.output if path.endswith(".csv")]
        graph[name] = {"reads": sorted(filter(None, reads)), "makes": sorted(makes)}
        waiting += set(graph[name]["reads"]) - graph.keys()
    return {name: graph[name] for name in steps if name in graph}


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
