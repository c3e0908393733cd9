"""The selection of archived tasks and runs from OpenML's lists, by a seeded draw."""

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from nontrivial.seeds import seed_for
from nontrivial_study.data.canonical import Entry, Record
from nontrivial_study.data.download_errors import DownloadError
from nontrivial_study.data.openml import OpenML, entries_of

T = TypeVar("T")

_LIST_PAGE = 10_000
_RUNS_PER_LIST = 1_000
_STRATIFIED_CV = "1"  # OpenML's number for 10-fold stratified cross-validation without repeats
_MAX_RESERVE = 60
_LISTS = "OpenML's lists"


class Evaluation(NamedTuple):
    """The area under the ROC curve of a run for each class, as the archive lists it."""

    run: int
    task: int
    flow: int
    flow_name: str
    areas: tuple[float, ...]


def list_tasks(service: OpenML) -> tuple[dict[int, Record], int]:
    """Return every two-class task with stratified 10-fold cross-validation, and the number of unreadable rows."""

    def parse_task(row: Entry) -> tuple[int, Record] | None:
        inputs = {entry["@name"]: entry.get("#text") for entry in entries_of(row["oml:input"])}
        task = int(row["oml:task_id"]), {"data": int(row["oml:did"]), "name": str(row["oml:name"])}
        return task if inputs["estimation_procedure"] == _STRATIFIED_CV else None

    rows: Record = {}
    for offset in itertools.count(step=_LIST_PAGE):
        path = f"task/list/type/1/number_classes/2/status/all/limit/{_LIST_PAGE}/offset/{offset}"
        page = {repr(row): row for row in service.fetch_list(path, _LISTS, "tasks", "task")}
        # OpenML sends short pages in the middle of a list. Only a page without new rows marks the end.
        if page.keys() <= rows.keys():
            break
        rows |= page
    tasks, n_unreadable = _parse_rows(rows.values(), parse_task)
    return dict(tasks), n_unreadable


def _parse_rows(rows: Iterable[Any], parse: Callable[[Any], T | None]) -> tuple[list[T], int]:
    """Parse rows. Return the results other than None, and the number of rows that cannot be parsed."""
    contents, n_unreadable = list[T | None](), 0
    for row in rows:
        try:
            contents.append(parse(row))
        except Exception:  # a damaged row can make a parser raise anything
            n_unreadable += 1
    return [content for content in contents if content is not None], n_unreadable


def run_blocks(run_id_bound: int) -> list[range]:
    """Return blocks of run numbers. OpenML sends whole lists for such blocks, but cuts off longer lists silently."""
    starts = range(1, run_id_bound + 1, _RUNS_PER_LIST)
    return [range(start, min(start + _RUNS_PER_LIST, run_id_bound + 1)) for start in starts]


def list_evaluations(service: OpenML, runs: Sequence[int], cutoff: str) -> tuple[dict[int, Evaluation], int]:
    """Return the evaluations of the runs up to a date, by run, and the number of unreadable rows."""
    path = f"evaluation/list/function/area_under_roc_curve/run/{','.join(map(str, runs))}/limit/{_LIST_PAGE}"
    try:
        rows = service.fetch_list(path, _LISTS, "evaluations", "evaluation")
    except DownloadError as error:
        if not error.lasting or len(runs) < 2:
            raise
        middle = len(runs) // 2  # the server may refuse a long address or a long list
        first, n_first = list_evaluations(service, runs[:middle], cutoff)
        second, n_second = list_evaluations(service, runs[middle:], cutoff)
        return first | second, n_first + n_second

    def parse_evaluation(row: Entry) -> Evaluation | None:
        run, flow = int(row["oml:run_id"]), int(row["oml:flow_id"])
        areas = tuple(map(float, json.loads(row.get("oml:array_data") or "[]")))
        if run not in runs or not all(0 <= area <= 1 for area in areas):
            raise ValueError
        name = str(row.get("oml:flow_name") or f"flow {flow}")
        evaluation = Evaluation(run, int(row["oml:task_id"]), flow, name, areas)
        return evaluation if str(row["oml:upload_time"])[:10] <= cutoff else None

    evaluations, n_unreadable = _parse_rows(rows, parse_evaluation)
    # A list may name a run twice. Sorting makes the choice between the two independent of the list's order.
    evaluations.sort(key=lambda evaluation: (evaluation.run, evaluation.areas), reverse=True)
    return {evaluation.run: evaluation for evaluation in evaluations}, n_unreadable


def select_runs(tasks: Mapping[int, Entry], evaluations: Iterable[Evaluation], settings: Record) -> list[Record]:
    """Draw tasks, flows of each task, and a run of each flow.

    A task can be drawn if it has at least ``flows`` flows. The tasks under ``always`` come first. Each task, flow and
    run is ordered by a seed that depends on its own number alone, so that new tasks do not change the order of the
    others. The next task in the order replaces a task that is left out, and the next run of the reserve replaces a run.
    """
    n_flows, left_out = settings["flows"], settings["leave_out"]
    archived: dict[int, list[Evaluation]] = {task: [] for task in tasks}
    for evaluation in evaluations:
        if len(evaluation.areas) == 2 and evaluation.task in tasks:
            archived[evaluation.task].append(evaluation)
    flow_counts = Counter({task: len({run.flow for run in runs}) for task, runs in archived.items()})
    eligible = [task for task in tasks if flow_counts[task] >= n_flows]
    fixed_runs = {entry["task"]: entry["runs"] for entry in settings["always"]}
    for setting, numbers in {"always": fixed_runs, "leave_out.tasks": left_out["tasks"]}.items():
        for task in numbers:
            if task not in eligible:
                raise ValueError(
                    f"openml.archive.{setting} names task {task}, which has {flow_counts[task]} flows in the archive; "
                    f"name tasks with at least {n_flows}."
                )
    drawn = sorted(set(eligible) - set(fixed_runs), key=lambda task: (seed_for("archive task", task), task))
    unknown_runs, selection = set(left_out["runs"]), []
    for task in [*fixed_runs, *drawn]:
        runs = _draw_runs(task, archived[task], n_flows, fixed_runs.get(task, []))
        numbers = {run["run"] for run in runs}
        unknown_runs -= numbers
        selection.append(
            {
                "task": task,
                **tasks[task],
                "always": task in fixed_runs,
                "runs": runs[:n_flows],
                "reserve": runs[n_flows:],
                "left_out": sorted(numbers & set(left_out["runs"])),
            }
        )
    if unknown_runs:
        raise ValueError(
            f"openml.archive.leave_out.runs names run {min(unknown_runs)}, which no task has among its runs or in its "
            "reserve; name runs that one has."
        )
    return [entry for entry in selection if entry["task"] not in left_out["tasks"]]


def _draw_runs(task: int, archived: Sequence[Evaluation], n_flows: int, fixed: Sequence[int]) -> list[Record]:
    """Return a run of each flow in the order of the draw: the fixed runs, further runs, and the reserve."""
    by_number = {evaluation.run: evaluation for evaluation in archived}
    if len(fixed) > n_flows:
        raise ValueError(
            f"openml.archive.always names {len(fixed)} runs of task {task}; it may name at most "
            f"openml.archive.flows, {n_flows}."
        )
    for run in fixed:
        if run not in by_number:
            raise ValueError(
                f"openml.archive.always names run {run} of task {task}, which the archive does not have; "
                "name runs of it up to run_id_bound and cutoff_date."
            )
    run_of_flow: dict[int, Evaluation] = {}
    for run in sorted(by_number, key=lambda run: (seed_for("archive run", task, run), run)):
        run_of_flow.setdefault(by_number[run].flow, by_number[run])
    for run in fixed:
        run_of_flow.pop(by_number[run].flow, None)
    flows = sorted(run_of_flow, key=lambda flow: (seed_for("archive flow", task, flow), flow))
    drawn = [by_number[run] for run in fixed] + [run_of_flow[flow] for flow in flows]
    name_counts = Counter(evaluation.flow_name for evaluation in drawn)
    entries = []
    for run, _, flow, name, areas in drawn[: n_flows + _MAX_RESERVE]:
        flow_name = name if name_counts[name] == 1 else f"{name} (run {run})"  # models have different names
        entries.append({"run": run, "flow": flow, "flow_name": flow_name, "areas": list(areas)})
    return entries


def tasks_at(selection: Sequence[Record], positions: Sequence[int]) -> list[Record]:
    """Return the selected tasks at some positions. The first task has the position 0."""
    if max(positions) >= len(selection):
        raise ValueError(
            f"openml.archive.task_count asks for more tasks than there are; it must be at most {len(selection)}, the "
            "number of tasks with openml.archive.flows flows in the archive that are not left out."
        )
    return [selection[position] for position in positions]
