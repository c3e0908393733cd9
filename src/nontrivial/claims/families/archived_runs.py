"""Claims about OpenML's archive: its selected tasks, and single runs that a document names."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nontrivial.audit.families.study_tables import read_rows
from nontrivial.audit.found import Quantities, Quantity, Unavailable
from nontrivial.audit.stated import Statement
from nontrivial.audit.test import Test
from nontrivial.records import read_record


def archived_data_sets(results: Path, *, selection: str, tasks: int) -> Quantity | Unavailable:
    """Count the different data sets of the selected tasks.

    Parameters
    ----------
    results : Path
        The results folder.
    selection : str
        Path of the selection in it.
    tasks : int
        How many tasks the claim is about; of another selection nothing is found.
    """
    chosen = read_record(results / selection)["tasks"]
    data_sets = len({task["data"] for task in chosen})
    if len(chosen) != tasks:
        return Unavailable(
            f"the claim is about {tasks} tasks, and {selection} has {len(chosen)} tasks of {data_sets} data sets."
        )
    return Quantity.exactly(data_sets)


def archived_tasks(
    results: Path, *, selection: str, archive: str, flows: int, until: str, last_run: int
) -> Quantity | Unavailable:
    """Count the tasks that can be selected, with those that the study leaves out, which could be too.

    Parameters
    ----------
    results : Path
        The results folder.
    selection : str
        Path of the selection in it, which has every task with enough flows, however few of them are studied.
    archive : str
        Host of the archive that the claim is about; of a selection from another one nothing is found.
    flows : int
        How many flows a task must have; of a selection that asks for another number nothing is found.
    until : str
        The last day of the evaluations that count; of a selection with another one nothing is found.
    last_run : int
        The number of the last run that was evaluated by then; of a selection that stops before it nothing is found.
    """
    chosen = read_record(results / selection)
    settings = chosen["settings"]
    host, asked = urlsplit(chosen["source"]).hostname, settings["flows"]
    day, bound = settings["cutoff_date"], settings["run_id_bound"]
    if host != archive:
        return Unavailable(f"the claim is about the archive at {archive}, and {selection} is of {host}.")
    if asked != flows:
        return Unavailable(f"the claim is about tasks with {flows} flows, and {selection} asks for {asked}.")
    if day != until:
        return Unavailable(
            f"the claim is about evaluations until {until}, and {selection} has those until {day}."
        )
    if bound < last_run:
        return Unavailable(
            f"the claim is about runs up to {last_run}, and {selection} has those up to {bound}."
        )
    left_out = set(settings["leave_out"]["tasks"])  # each was found able to be selected
    return Quantity.exactly(len(chosen["tasks"]) + len(left_out), origin=chosen["source"])


def archived_area(
    results: Path, *, selection: str, table: str, task: int, run: int, area: str
) -> Quantity | Unavailable:
    """Read the area of one archived run from the table of areas, in which a run stands under its flow.

    Parameters
    ----------
    results : Path
        The results folder.
    selection : str
        Path in it of the selection, which tells which flow the run is of.
    table : str
        Path in it of the table of areas.
    task, run : int
        OpenML's numbers.
    area : str
        Column of the table.
    """
    chosen = read_record(results / selection)
    of_task = next((one for one in chosen["tasks"] if one["task"] == task), {"runs": []})
    flow = next((one["flow_name"] for one in of_task["runs"] if one["run"] == run), None)
    if flow is None:
        return Unavailable(f"{selection} has no run {run} of task {task}.")
    row = {"task": f"openml_{task}", "model": flow}
    rows = read_rows(results / table, row, (area, "status"), name=table, exactly=1)
    if isinstance(rows, Unavailable):
        return rows
    if not rows[0][area]:
        return Unavailable(f"{table} has no {area} of run {run}: {rows[0]['status']}.")
    return Quantity.exactly(Fraction(rows[0][area]), origin=f"run {run} of {flow} at {chosen['source']}")


def archived_areas(
    results: Path,
    *,
    stated: Statement,
    selection: str,
    table: str,
    task: int,
    runs: dict[str, int],
    area: str,
) -> Quantities | Unavailable:
    """Read the areas of several archived runs, for an order between them."""
    found = {
        name: archived_area(results, selection=selection, table=table, task=task, run=run, area=area)
        for name, run in runs.items()
    }
    missing = next((one for one in found.values() if isinstance(one, Unavailable)), None)
    if missing is not None:
        return missing
    return Quantities(found, {"origin": " and ".join(one.details["origin"] for one in found.values())})


def check_runs(*, stated: Statement, runs: dict[str, int], **_: Any) -> None:
    """Raise ValueError where the statement is about a run that is not given."""
    for name in stated.names:
        if name not in runs:
            raise ValueError(f"{name!r} is not among the runs; known: {', '.join(runs)}.")


def unpublished(*, needed: str) -> Quantity | Unavailable:
    """Say that a claim rests on what was never published, so that nothing can be found."""
    return Unavailable(f"rests on {needed}, which the authors have not published.")


TESTS = {
    "archived_area": Test(archived_area),
    "archived_areas": Test(archived_areas, check=check_runs),
    "archived_data_sets": Test(archived_data_sets),
    "archived_tasks": Test(archived_tasks),
    "unpublished": Test(unpublished),
}
