"""Which of OpenML's archived runs to study: a plan that is the same whenever and wherever it is made.

The archive's lists have no fixed order and end early without saying so, so nothing here depends on paging through
evaluations: they are asked for by blocks of run numbers, up to a bound, and what is drawn from them is seeded by
numbers of tasks, flows and runs.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.seeds import seed_for
from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.http.reading import read_rows, whole_number
from nontrivial_study.data.openml.service import OpenML

_PAGE = 10_000
_MOST_PAGES = 30
_BLOCK = 1_000
_MOST_AREAS = 1_000  # that are kept of a run; only runs that have two are used
_STRATIFIED_CV = "1"  # the estimation procedure of stratified 10-fold cross-validation, once
_MOST_RESERVES = 60
_LISTS = "OpenML's lists"


@dataclass(frozen=True)
class Evaluation:
    """The archived area under the ROC curve of one run.

    Attributes
    ----------
    run, task, flow : int
    flow_name : str
    areas : tuple of float
        One for each class.
    """

    run: int
    task: int
    flow: int
    flow_name: str
    areas: tuple[float, ...]


def list_tasks(service: OpenML) -> tuple[dict[int, dict[str, Any]], int]:
    """Return every two-class task with stratified 10-fold cross-validation, and how many rows could not be read.

    Returns
    -------
    tasks : dict
        By number: ``data`` and ``name``.
    unreadable : int
    """
    tasks: dict[int, dict[str, Any]] = {}
    seen: set[bytes] = set()
    unreadable = 0
    for number in range(_MOST_PAGES):
        path = f"task/list/type/1/number_classes/2/status/all/limit/{_PAGE}/offset/{number * _PAGE}"
        page = service.listed(path, _LISTS, "tasks", "task")[: 2 * _PAGE]
        before = len(seen)
        seen.update(hashlib.sha256(repr(entry).encode("utf-8", "replace")).digest() for entry in page)
        # The end is an empty page, or one that was there before; a short page is no sign of it.
        if len(seen) == before:
            return tasks, unreadable
        found, skipped = read_rows(page, _read_task)
        tasks |= dict(one for one in found if one)
        unreadable += skipped
    problem = f"{_LISTS}: {service.address(path)} is page {_MOST_PAGES} of a list that does not end"
    raise DownloadError(service.client.clean(problem))


def _read_task(entry: Mapping[str, Any]) -> tuple[int, dict[str, Any]] | None:
    """Return number and content of a listed task, None if it has another estimation procedure."""
    inputs = entry["oml:input"]
    inputs = inputs if isinstance(inputs, list) else [inputs]
    values = {item["@name"]: item.get("#text") for item in inputs}
    if values["estimation_procedure"] != _STRATIFIED_CV:
        return None
    return whole_number(entry["oml:task_id"]), {
        "data": whole_number(entry["oml:did"]),
        "name": str(entry["oml:name"]),
    }


def run_blocks(bound: int) -> list[range]:
    """Return the blocks of run numbers that are asked for.

    Examples
    --------
    >>> run_blocks(2500)
    [range(1, 1001), range(1001, 2001), range(2001, 2501)]
    """
    return [range(start, min(start + _BLOCK, bound + 1)) for start in range(1, bound + 1, _BLOCK)]


def list_evaluations(service: OpenML, runs: Sequence[int], cutoff: str) -> tuple[dict[int, Evaluation], int]:
    """Return the evaluations of the runs up to a date, by run, and how many rows could not be read.

    Parameters
    ----------
    service : OpenML
    runs : sequence of int
    cutoff : str
        The last day, such as ``"2015-07-31"``.
    """
    path = f"evaluation/list/function/area_under_roc_curve/run/{','.join(map(str, runs))}/limit/{_PAGE}"
    try:
        rows = service.listed(path, _LISTS, "evaluations", "evaluation")
    except DownloadError as error:
        if not error.too_much or len(runs) < 2:
            raise
        middle = len(runs) // 2
        halves = [list_evaluations(service, half, cutoff) for half in (runs[:middle], runs[middle:])]
        return halves[0][0] | halves[1][0], halves[0][1] + halves[1][1]
    asked = set(runs)

    def read(row: Mapping[str, Any]) -> Evaluation | None:
        run = whole_number(row["oml:run_id"])
        if run not in asked:
            raise ValueError("This run was not asked for.")
        flow = whole_number(row["oml:flow_id"])
        name = str(row.get("oml:flow_name") or f"flow {flow}")
        areas = _read_areas(row.get("oml:array_data"))
        evaluation = Evaluation(run, whole_number(row["oml:task_id"]), flow, name, areas)
        return evaluation if str(row["oml:upload_time"])[:10] <= cutoff else None

    read_ones, unreadable = read_rows(rows, read)
    found: dict[int, Evaluation] = {}
    for evaluation in filter(None, read_ones):
        # A run may stand there more than once; which of them is taken must not depend on the order.
        known = found.setdefault(evaluation.run, evaluation)
        found[evaluation.run] = min(known, evaluation, key=lambda one: one.areas)
    return found, unreadable


def _read_areas(text: str | None) -> tuple[float, ...]:
    """Return the areas that a list has for the classes; no list, as for regression, has none."""
    areas = json.loads(text or "[]")
    if not all(type(area) in (int, float) and 0 <= area <= 1 for area in areas):
        raise ValueError("An area is a number from 0 to 1.")
    return tuple(map(float, areas[:_MOST_AREAS]))


def select_runs(
    tasks: Mapping[int, Mapping[str, Any]], evaluations: Iterable[Evaluation], settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Draw tasks, and for each the flows and one run of each flow.

    A task can be drawn if it has as many flows as wanted. The tasks under ``always`` come first. Each task, flow and
    run has a place in the draw that is seeded by its number alone, so that more tasks leave the order of the others as
    it was. Of a task that is left out, the next of this order takes the place; of a run, the next of its reserve.

    Parameters
    ----------
    tasks : mapping
        From `list_tasks`.
    evaluations : iterable of Evaluation
    settings : mapping
        The configuration's ``openml.archive``: ``flows``, ``always`` and ``leave_out``.

    Returns
    -------
    list of dict
        All tasks that can be drawn, in the order of the draw; for each ``task, data, name, always, runs, reserve,
        left_out``, where a run is ``run, flow, flow_name, areas``. ``reserve`` takes the place of runs that cannot
        serve, in its order; ``left_out`` are the numbers of those that are not to be asked for.

    Raises
    ------
    ValueError
        One sentence, if a task or run under ``always`` or ``leave_out`` is not there.
    """
    wanted, leave_out = settings["flows"], settings["leave_out"]
    by_task: dict[int, dict[int, list[Evaluation]]] = {}
    for evaluation in evaluations:
        if len(evaluation.areas) == 2 and evaluation.task in tasks:
            flows = by_task.setdefault(evaluation.task, {})
            flows.setdefault(evaluation.flow, []).append(evaluation)
    able = sorted(task for task, flows in by_task.items() if len(flows) >= wanted)
    fixed = {entry["task"]: entry["runs"] for entry in settings["always"]}
    for setting, numbers in {"always": fixed, "leave_out.tasks": leave_out["tasks"]}.items():
        for task in numbers:
            if task not in able:
                raise ValueError(
                    f"openml.archive.{setting} names task {task}, which has {len(by_task.get(task, {}))} flows in "
                    f"the archive; name tasks with at least {wanted}."
                )
    others = sorted(set(able) - set(fixed), key=lambda task: (seed_for("archive task", task), task))
    unknown, chosen = set(leave_out["runs"]), []
    for task in [*fixed, *others]:
        drawn = _draw(task, by_task[task], wanted, fixed.get(task, []))
        numbers = {run["run"] for run in [*drawn["runs"], *drawn["reserve"]]}
        unknown -= numbers
        if task not in leave_out["tasks"]:
            left_out = sorted(numbers & set(leave_out["runs"]))
            chosen.append(
                {"task": task, **tasks[task], "always": task in fixed, **drawn, "left_out": left_out}
            )
    if unknown:
        raise ValueError(
            f"openml.archive.leave_out.runs names run {min(unknown)}, which no task has among its runs or in its "
            "reserve; name runs that one has."
        )
    return chosen


def take_tasks(drawn: Sequence[dict[str, Any]], places: Sequence[int]) -> list[dict[str, Any]]:
    """Return the tasks at some places of the draw, the first at 0.

    Raises
    ------
    ValueError
        One sentence, if the draw ends before one of them.
    """
    if max(places) >= len(drawn):
        raise ValueError(
            f"openml.archive.task_count asks for more tasks than there are; it must be at most {len(drawn)}, the "
            "number of tasks with openml.archive.flows flows in the archive that are not left out."
        )
    return [drawn[place] for place in places]


def _draw(
    task: int, flows: Mapping[int, list[Evaluation]], wanted: int, fixed: Sequence[int]
) -> dict[str, list[dict[str, Any]]]:
    """Return the runs and the reserve of one task."""
    known = {evaluation.run: evaluation for runs in flows.values() for evaluation in runs}
    if len(fixed) > wanted:
        raise ValueError(
            f"openml.archive.always names {len(fixed)} runs of task {task}; it may name at most "
            f"openml.archive.flows, {wanted}."
        )
    for run in fixed:
        if run not in known:
            raise ValueError(
                f"openml.archive.always names run {run} of task {task}, which the archive does not have; "
                "name runs of it up to run_id_bound and cutoff_date."
            )
    drawn = [known[run] for run in fixed]
    taken = {one.flow for one in drawn}
    for flow in sorted(flows.keys() - taken, key=lambda flow: (seed_for("archive flow", task, flow), flow)):
        drawn.append(min(flows[flow], key=lambda one: (seed_for("archive run", task, one.run), one.run)))
    names = Counter(one.flow_name for one in drawn)
    entries = [
        {
            "run": one.run,
            "flow": one.flow,
            # Models are told apart by their names.
            "flow_name": one.flow_name if names[one.flow_name] == 1 else f"{one.flow_name} (run {one.run})",
            "areas": list(one.areas),
        }
        for one in drawn
    ]
    return {"runs": entries[:wanted], "reserve": entries[wanted : wanted + _MOST_RESERVES]}
