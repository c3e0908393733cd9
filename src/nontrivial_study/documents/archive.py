"""OpenML's archive: its selected tasks, and single runs that a document names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from urllib.parse import urlsplit

from nontrivial.claims.domains import Point
from nontrivial.claims.verdict import Absent
from nontrivial.files import read_json
from nontrivial_study.documents.rows import read_rows


def data_sets(results: Path, *, selection: str, tasks: int) -> list[Point] | Absent:
    """Count the different data sets of the selected tasks, as ``data_sets``.

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection in the results folder.
    tasks : int
        How many tasks the claim is about; of another selection nothing is found.
    """
    chosen = read_json(results / selection)["tasks"]
    found = len({task["data"] for task in chosen})
    if len(chosen) != tasks:
        about = {"selection": selection, "what": "tasks", "wanted": tasks, "there": len(chosen)}
        return Absent("another selection", about | {"numbers": {"data sets": found}})
    return [Point.exact(data_sets=found)]


def tasks(
    results: Path, *, selection: str, archive: str, flows: int, until: str, last_run: int
) -> list[Point] | Absent:
    """Count the tasks that can be selected, as ``tasks``, with those that the study leaves out, which could be too.

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection, which has every task with enough flows, however few of them are studied.
    archive : str
        Host of the archive that the claim is about.
    flows : int
        How many flows a task must have.
    until : str
        The last day of the evaluations that count.
    last_run : int
        The number of the last run that was evaluated by then.
    """
    chosen = read_json(results / selection)
    settings = chosen["settings"]
    for what, wanted, there in (
        ("archive", archive, urlsplit(chosen["source"]).hostname),
        ("flows", flows, settings["flows"]),
        ("last day", until, settings["cutoff_date"]),
        ("last run", last_run, min(settings["run_id_bound"], last_run)),  # a later bound leaves none out
    ):
        if wanted != there:
            about = {"selection": selection, "what": what, "wanted": wanted, "there": there}
            return Absent("another selection", about)
    left_out = set(settings["leave_out"]["tasks"])  # each was found able to be selected
    return [Point.exact(tasks=len(chosen["tasks"]) + len(left_out))]


def runs(
    results: Path, *, selection: str, table: str, task: int, runs: Mapping[str, int], area: str
) -> list[Point] | Absent:
    """Read the areas of archived runs from the table of areas, in which a run stands under its flow.

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection, which tells which flow a run is of.
    table : str
        Path of the table of areas.
    task : int
        OpenML's number.
    runs : mapping of str to int
        OpenML's numbers of the runs by the names that the claim uses.
    area : str
        Column of the table.
    """
    chosen = read_json(results / selection)
    tasks = [one for one in chosen["tasks"] if one["task"] == task]
    flows = {one["run"]: one["flow_name"] for one in tasks[0]["runs"]} if tasks else {}
    found = {}
    for name, run in runs.items():
        if run not in flows:
            return Absent("no run", {"selection": selection, "run": run, "task": task})
        rows = read_rows(results, table, {"task": f"openml_{task}", "model": flows[run]}, (area, "status"))
        if isinstance(rows, Absent):
            return rows
        if not rows[0][area]:
            return Absent(
                "failed run", {"table": table, "area": area, "run": run, "status": rows[0]["status"]}
            )
        found[name] = Fraction(rows[0][area])
    return [Point.exact(**found)]


def areas(results: Path, *, selection: str, table: str, tasks: list[int]) -> list[Point] | Absent:
    """Read the areas of every archived run of some tasks, a point for each.

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection, which is there where runs of the archive are studied.
    table : str
        Path of the table of areas.
    tasks : list of int
        OpenML's numbers.
    """
    flows = {
        (f"openml_{task['task']}", run["flow_name"])
        for task in read_json(results / selection)["tasks"]
        if task["task"] in tasks
        for run in task["runs"]
    }
    names = ("pr_auc", "prg_auc", "roc_auc")
    found = read_rows(results, table, {}, ("task", "model", *names))
    if isinstance(found, Absent):
        return found
    rows = [line for line in found if (line["task"], line["model"]) in flows]
    if not rows:
        return Absent("no task", {"table": table, "tasks": tasks})
    return [
        Point(
            {name: Fraction(line[name]) if line[name] else None for name in names},
            place={"task": line["task"], "model": line["model"]},
        )
        for line in rows
    ]
