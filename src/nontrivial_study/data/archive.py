"""OpenML's archive: which runs to study, and their predictions, each file checked, what cannot serve replaced."""

import contextlib
import io
import itertools
import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
from sklearn.metrics import roc_auc_score

from nontrivial.reading import arff
from nontrivial.seeds import seed_for
from nontrivial.terminal import shortened
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.data.http import DownloadError, WrongAnswer
from nontrivial_study.data.openml import OpenML, as_list, fetch_task, read_document

T = TypeVar("T")
log = logging.getLogger(__name__)

_PAGE = 10_000
_BLOCK = 1_000
_STRATIFIED_CV = "1"  # the estimation procedure of stratified 10-fold cross-validation, once
_MOST_RESERVES = 60
_LISTS = "OpenML's lists"
_LEAVE_OUT = "under openml.archive.leave_out"
_DIGITS = 12
_NOTEWORTHY = 1e-4  # the archive rounds to six decimals
_MOST_CELLS = 10_000_000  # of a file that is read row by row: sparse rows name few of theirs
_COLUMNS = ["task", "model", "row", "fold", "truth", "prediction", "score"]


class Evaluation(NamedTuple):
    """The archived areas under the ROC curve of one run, one for each class."""

    run: int
    task: int
    flow: int
    flow_name: str
    areas: tuple[float, ...]


def list_tasks(service: OpenML) -> tuple[dict[int, dict[str, Any]], int]:
    """Return every two-class task with stratified 10-fold cross-validation, and how many rows could not be read."""

    def read(entry: Mapping[str, Any]) -> tuple[int, dict[str, Any]] | None:
        inputs = {one["@name"]: one.get("#text") for one in as_list(entry["oml:input"])}
        task = int(entry["oml:task_id"]), {"data": int(entry["oml:did"]), "name": str(entry["oml:name"])}
        return task if inputs["estimation_procedure"] == _STRATIFIED_CV else None

    rows: dict[str, Any] = {}
    for offset in itertools.count(step=_PAGE):
        path = f"task/list/type/1/number_classes/2/status/all/limit/{_PAGE}/offset/{offset}"
        page = {repr(row): row for row in service.listed(path, _LISTS, "tasks", "task")}
        # The end is an empty page, or one that was there before; a short page is no sign of it.
        if page.keys() <= rows.keys():
            break
        rows |= page
    tasks, unreadable = _read_rows(rows.values(), read)
    return dict(tasks), unreadable


def _read_rows(rows: Iterable[Any], read: Callable[[Any], T | None]) -> tuple[list[T], int]:
    """Return what can be read of some rows and is wanted, and how many rows cannot be read."""
    contents, unreadable = list[T | None](), 0
    for row in rows:
        try:
            contents.append(read(row))
        except Exception:  # a damaged row can make a reader raise anything
            unreadable += 1
    return [content for content in contents if content is not None], unreadable


def run_blocks(bound: int) -> list[range]:
    """Return the blocks of run numbers to ask for: a longer list ends early without saying so."""
    return [range(start, min(start + _BLOCK, bound + 1)) for start in range(1, bound + 1, _BLOCK)]


def list_evaluations(service: OpenML, runs: Sequence[int], cutoff: str) -> tuple[dict[int, Evaluation], int]:
    """Return the evaluations of the runs up to a date, by run, and how many rows could not be read."""
    path = f"evaluation/list/function/area_under_roc_curve/run/{','.join(map(str, runs))}/limit/{_PAGE}"
    try:
        rows = service.listed(path, _LISTS, "evaluations", "evaluation")
    except DownloadError as error:
        if not error.lasting or len(runs) < 2:
            raise
        middle = len(runs) // 2  # the address may be too long, or the list
        first, unreadable = list_evaluations(service, runs[:middle], cutoff)
        second, more_unreadable = list_evaluations(service, runs[middle:], cutoff)
        return first | second, unreadable + more_unreadable

    def read(row: Mapping[str, Any]) -> Evaluation | None:
        run, flow = int(row["oml:run_id"]), int(row["oml:flow_id"])
        areas = tuple(map(float, json.loads(row.get("oml:array_data") or "[]")))
        if run not in runs or not all(0 <= area <= 1 for area in areas):
            raise ValueError
        name = str(row.get("oml:flow_name") or f"flow {flow}")
        evaluation = Evaluation(run, int(row["oml:task_id"]), flow, name, areas)
        return evaluation if str(row["oml:upload_time"])[:10] <= cutoff else None

    evaluations, unreadable = _read_rows(rows, read)
    # A run may stand there more than once; which of them is taken must not depend on the order.
    evaluations.sort(key=lambda evaluation: (evaluation.run, evaluation.areas), reverse=True)
    return {evaluation.run: evaluation for evaluation in evaluations}, unreadable


def select_runs(
    tasks: Mapping[int, Mapping[str, Any]], evaluations: Iterable[Evaluation], settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Draw tasks, and for each the flows and one run of each flow.

    A task can be drawn if it has as many flows as wanted. The tasks under ``always`` come first. Each task, flow and
    run has a place in the draw that is seeded by its number alone, so that more tasks leave the order of the others as
    it was. Of a task that is left out, the next of this order takes the place; of a run, the next of its reserve.
    """
    wanted, leave_out = settings["flows"], settings["leave_out"]
    by_task: dict[int, list[Evaluation]] = {task: [] for task in tasks}
    for evaluation in evaluations:
        if len(evaluation.areas) == 2 and evaluation.task in tasks:
            by_task[evaluation.task].append(evaluation)
    n_flows = Counter({task: len({one.flow for one in runs}) for task, runs in by_task.items()})
    able = [task for task in tasks if n_flows[task] >= wanted]
    fixed = {entry["task"]: entry["runs"] for entry in settings["always"]}
    for setting, numbers in {"always": fixed, "leave_out.tasks": leave_out["tasks"]}.items():
        for task in numbers:
            if task not in able:
                raise ValueError(
                    f"openml.archive.{setting} names task {task}, which has {n_flows[task]} flows in the archive; name "
                    f"tasks with at least {wanted}."
                )
    others = sorted(set(able) - set(fixed), key=lambda task: (seed_for("archive task", task), task))
    unknown, chosen = set(leave_out["runs"]), []
    for task in [*fixed, *others]:
        drawn = _draw(task, by_task[task], wanted, fixed.get(task, []))
        numbers = {run["run"] for run in [*drawn["runs"], *drawn["reserve"]]}
        unknown -= numbers
        left_out = sorted(numbers & set(leave_out["runs"]))
        chosen.append({"task": task, **tasks[task], "always": task in fixed, **drawn, "left_out": left_out})
    if unknown:
        raise ValueError(
            f"openml.archive.leave_out.runs names run {min(unknown)}, which no task has among its runs or in its "
            "reserve; name runs that one has."
        )
    return [one for one in chosen if one["task"] not in leave_out["tasks"]]


def take_tasks(drawn: Sequence[dict[str, Any]], places: Sequence[int]) -> list[dict[str, Any]]:
    """Return the tasks at some places of the draw, the first at 0."""
    if max(places) >= len(drawn):
        raise ValueError(
            f"openml.archive.task_count asks for more tasks than there are; it must be at most {len(drawn)}, the "
            "number of tasks with openml.archive.flows flows in the archive that are not left out."
        )
    return [drawn[place] for place in places]


def _draw(
    task: int, archived: Sequence[Evaluation], wanted: int, fixed: Sequence[int]
) -> dict[str, list[dict[str, Any]]]:
    """Return the runs and the reserve of one task."""
    known = {one.run: one for one in archived}
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
    first: dict[int, Evaluation] = {}
    for one in sorted(archived, key=lambda one: (seed_for("archive run", task, one.run), one.run)):
        first.setdefault(one.flow, one)
    for run in fixed:
        first.pop(known[run].flow, None)
    drawn += sorted(first.values(), key=lambda one: (seed_for("archive flow", task, one.flow), one.flow))
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


def fetch_archived_tasks(
    selected: Mapping[str, Mapping[str, Any]], service: OpenML
) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame, dict[str, Any]]]:
    """Download archived tasks and the runs that were drawn for them, one task at a time."""
    failures, taken = 0, 0
    unusable: list[tuple[str, DownloadError]] = []
    for name, one in selected.items():
        try:
            task = fetch_task(name, one["task"], service, _without([one]))
        except DownloadError as error:
            failures += 1
            if not error.lasting or failures == len(selected):
                raise
            log.warning("%s", error)
            statuses = [(name, run["flow_name"], str(error), "") for run in one["runs"]]
            record = {"name": name, "task": one["task"], "reason": str(error)}
            yield name, pd.DataFrame(columns=_COLUMNS), _table_of_runs(statuses), record
        else:
            predictions, runs, record = _fetch_runs(name, one, task, service, unusable)
            taken += len(record["taken"])
            yield name, predictions, runs, record
    if unusable and not taken:
        for address, _ in unusable:
            service.client.forget(address)
        _, first = unusable[0]
        problem = f"None of {len(unusable)} archived runs can be used; the first: {first.problem}"
        raise DownloadError(problem, first.advice).or_else(_without(selected.values()))


def _fetch_runs(
    name: str,
    selected: Mapping[str, Any],
    task: tuple[pd.DataFrame, np.ndarray, dict[str, Any]],
    service: OpenML,
    unusable: list[tuple[str, DownloadError]],
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Download the runs that were drawn for a task, and as many of its reserve as are needed."""
    table, fold, record = task
    reserve = iter(selected["reserve"])
    tables, statuses, taken, replaced = list[pd.DataFrame](), [], [], []

    def try_run(run: Mapping[str, Any]) -> str:
        """Take a run, or return why it cannot serve."""
        if run["run"] in selected["left_out"]:
            return "is left out by the configuration"
        what = f"Data set {name!r}, run {run['run']}"
        address = service.address(f"run/{run['run']}")
        try:
            file = service.fetch(address, what, partial(_find_predictions, run["run"]))
            # The document's address may name a host that is gone, and a file may stand under any name.
            address = f"{service.data}/data/download/{file}/predictions.arff"
            judged = partial(_judged, run, table[TARGET], fold, record)
            predictions, about = service.fetch(address, what, judged, "predictions")
        except DownloadError as error:
            if not error.lasting:
                way_out = f"name run {run['run']} {_LEAVE_OUT}.runs in the configuration"
                raise error.or_else(way_out) from None
            unusable.append((address, error))
            return str(error.answer)
        about["notes"] = list(map(service.client.clean, about["notes"]))
        for note in about["notes"]:
            log.warning("%s: run %s is used in spite of this: %s", name, run["run"], note)
        tables.append(predictions.assign(task=name, model=run["flow_name"]))
        statuses.append((name, run["flow_name"], "ok", "; ".join(about["notes"])))
        taken.append(about)
        return ""

    for drawn in selected["runs"]:
        run: Mapping[str, Any] | None = drawn
        while run and (reason := try_run(run)):
            successor = next(reserve, None)
            by = successor["run"] if successor else None
            replaced.append({"run": run["run"], "flow_name": run["flow_name"], "reason": reason, "by": by})
            log.warning("%s: run %s %s; replaced by run %s", name, run["run"], reason, by)
            if successor is None:
                statuses.append((name, run["flow_name"], f"run {run['run']} {reason}", ""))
            run = successor
    predictions = pd.concat(tables, ignore_index=True)[_COLUMNS] if tables else pd.DataFrame(columns=_COLUMNS)
    return predictions, _table_of_runs(statuses), record | {"taken": taken, "replaced": replaced}


def _find_predictions(number: int, body: bytes) -> int:
    """Return the number of the predictions file of a described run."""
    document = read_document(body, "run")
    if int(document["oml:run_id"]) != number:
        raise WrongAnswer(f"describes another run than {number}")
    if error := document.get("oml:error"):
        raise WrongAnswer(f"failed at OpenML ({shortened(' '.join(str(error).split()), 500)})", stays=True)
    for file in as_list((document.get("oml:output_data") or {}).get("oml:file")):
        if file.get("oml:name") == "predictions" and file.get("oml:file_id"):
            return int(file["oml:file_id"])
    raise WrongAnswer("has no predictions file", stays=True)


def _judged(
    run: Mapping[str, Any], truth: pd.Series, fold: np.ndarray, record: Mapping[str, Any], content: bytes
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the predictions of a file and what was found in it, if it can serve."""
    # No digest would show damage. So a file that cannot serve, or has other areas, is asked for again.
    try:
        read, notes = read_predictions(content)
        table, by_class, more = check_predictions(read, truth, fold, record["positive"])
    except ValueError as error:
        raise WrongAnswer(str(error), stays=True) from None
    notes += more
    archived = run["areas"]
    found = [by_class[label.strip()] for label in record["labels"]]
    differences = [round(a - b, _DIGITS) for a, b in zip(found, archived, strict=True)]
    about = {
        "run": run["run"],
        "flow_name": run["flow_name"],
        "areas_archived": archived,
        "areas_found": found,
        "difference": differences,
        "distinct_scores": int(table["score"].nunique()),
        "notes": notes,
    }
    if max(map(abs, differences)) > _NOTEWORTHY:
        notes.append(f"areas under the ROC curve {found} where the archive has {archived}")
        raise WrongAnswer(f"gives {notes[-1]}", stays=True, result=(table, about))
    return table, about


def _without(tasks: Collection[Mapping[str, Any]]) -> str:
    """Say how the study does without some tasks."""
    named = ", ".join(f"task {one['task']}" for one in tasks)
    no_longer = ", and no longer under openml.archive.always" if any(one["always"] for one in tasks) else ""
    return f"name {named} {_LEAVE_OUT}.tasks in the configuration{no_longer}"


def _table_of_runs(statuses: list[tuple[str, str, str, str]]) -> pd.DataFrame:
    return pd.DataFrame(statuses, columns=["task", "model", "status", "warnings"])


CONFIDENCE = "confidence."
_NAMES = {"repeat_nr": "repeat", "fold_nr": "fold", "rowid": "row_id", "row id": "row_id", "correct": "truth"}


def read_predictions(content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """Read a predictions file: ARFF, whose body mostly is CSV."""
    notes = ["NUL bytes"] if b"\0" in content else []
    content = content.replace(b"\0", b"")
    text = io.StringIO(content.decode("utf-8", errors="replace"), newline=None)
    with _as_arff():
        attributes = arff.read_header(enumerate(text, start=1))
    names = []
    for attribute in attributes:
        name = attribute.name.lower()
        if name.startswith(CONFIDENCE):
            name = CONFIDENCE + attribute.name[len(CONFIDENCE) :]
        name = _NAMES.get(name, name)
        if name not in (attribute.name, "truth") and _kind(name):
            notes.append(f"the column {attribute.name!r} for {name}")
        names.append(name)
    kinds = {name: kind for name in names if (kind := _kind(name))}
    for name in ("row_id", "prediction"):
        if name not in kinds:
            raise ValueError(f"has no column {name}")
    if any(names.count(name) > 1 for name in kinds):
        raise ValueError("has two columns of the same meaning")
    body = text.read()
    try:
        table = _read_csv(body.encode(), names, kinds)
    except ValueError:
        notes.append("read row by row")
        start = 1 + content.count(b"\n") - body.count("\n")
        lines, places = enumerate(io.StringIO(body), start), [names.index(name) for name in kinds]
        with _as_arff():
            rows = arff.read_table(lines, attributes, places, declared_only=False, most_cells=_MOST_CELLS)
            table = rows.rename_columns(list(kinds)).cast(pa.schema(kinds))
    if not table.num_rows:
        raise ValueError("has no rows")
    read: pd.DataFrame = table.to_pandas()
    declared = attributes[names.index("prediction")].labels
    undeclared = sorted(set(read["prediction"].dropna()) - set(declared))
    if declared and undeclared:
        notes.append(f"the label {undeclared[0]!r}, which is not declared")
    for name in {"prediction", "truth"} & set(kinds):
        read[name] = read[name].str.strip()
    return read, notes


def _kind(name: str) -> pa.DataType | None:
    """Return as what a column is read: labels that look like numbers stay labels, whatever runs declare."""
    is_number = name in ("repeat", "fold", "row_id") or name.startswith(CONFIDENCE)
    return pa.float64() if is_number else pa.string() if name in ("prediction", "truth") else None


@contextlib.contextmanager
def _as_arff() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"is not readable ARFF ({shortened(str(error), 200)})") from None


def _read_csv(body: bytes, names: list[str], kinds: Mapping[str, pa.DataType]) -> pa.Table:
    """Read rows that are CSV; raise ValueError where they are not."""
    quote = "'" if b"'" in body else '"'
    if (quote == "'" and b'"' in body) or any(odd in body for odd in (b"\\", b"%", b"{", b"\t", b", ")):
        raise ValueError("quotes of two kinds, escapes, comments, sparse rows or blanks: not CSV")
    return pyarrow.csv.read_csv(
        pa.BufferReader(body),
        pyarrow.csv.ReadOptions(column_names=names, use_threads=False),
        pyarrow.csv.ParseOptions(quote_char=quote),
        pyarrow.csv.ConvertOptions(
            column_types=dict(kinds),
            include_columns=list(kinds),
            null_values=["?", ""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def check_predictions(
    read: pd.DataFrame, truth: pd.Series, fold: np.ndarray, positive: str
) -> tuple[pd.DataFrame, dict[str, float], list[str]]:
    """Turn the content of a predictions file into the study's form, if it can be trusted."""
    # Predictions files do not keep the blanks around a label.
    labels, positive = truth.str.strip().to_numpy(dtype=object), positive.strip()
    classes = sorted(set(labels))
    columns = [str(name) for name in read if str(name).startswith(CONFIDENCE)]
    confidences = {name[len(CONFIDENCE) :].strip(): name for name in columns}
    if missing := [label for label in classes if label not in confidences]:
        raise ValueError(f"has no confidences for the class {missing[0]!r}")
    read = read.sort_values("row_id", ignore_index=True)
    if not np.array_equal(read["row_id"], np.arange(len(labels))):
        rows = f"the {len(labels)} of the data set"
        raise ValueError(f"predicts {len(read)} rows, which are not {rows} once each")
    scores = read[[confidences[label] for label in classes]].to_numpy()
    nothing = pd.Series(np.nan, index=read.index)
    folds, repeats = read.get("fold", nothing), read.get("repeat", nothing)
    predicted, said = read["prediction"].to_numpy(dtype=object), read.get("truth", nothing)
    misstated = (said != labels)[said.notna()].any()
    clear = scores.max(axis=1) > scores.min(axis=1)
    against = np.array(classes, dtype=object)[scores.argmax(axis=1)][clear] != predicted[clear]
    strange = set(read["prediction"].dropna()) - set(classes)
    problems = {
        "has repeats that the task does not have": (repeats > 0).any(),
        "has folds that are not the task's": (folds != fold)[folds.notna()].any(),
        "has confidences that are not finite": not np.isfinite(scores).all(),
        "has rows whose confidences are all zero": (scores == 0).all(axis=1).any(),
        "has rows without a prediction": read["prediction"].isna().any(),
        f"predicts the label {min(strange, default='')!r}, which the data set does not have": strange,
        "has prediction and truth swapped": (predicted == labels).all() and (misstated or against.any()),
        "has a truth that is not the data set's": misstated,
        "has predictions that contradict its own confidences": len(against) and against.mean() > 0.5,
    }
    for problem, is_so in problems.items():
        if is_so:
            raise ValueError(problem)
    oddities = {
        "folds missing, taken from the task": folds.isna().any(),
        # Margins, which order rows as well.
        "confidences that are not from 0 to 1": (scores < 0).any() or (scores > 1).any(),
        "confidences of 0 and 1 alone": np.isin(scores, (0, 1)).all(),
    }
    table = pd.DataFrame(
        {
            "row": np.arange(len(labels)),
            "fold": fold.astype(np.int8),
            "truth": labels == positive,
            "prediction": predicted == positive,
            "score": scores[:, classes.index(positive)],
        }
    )
    areas = {}
    for label, confidence in zip(classes, scores.T, strict=True):
        areas[label] = round(float(roc_auc_score(labels == label, confidence)), _DIGITS)
    return table, areas, [note for note, is_so in oddities.items() if is_so]
