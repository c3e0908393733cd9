"""An archive of runs, made up as it is asked for: the same run is the same file every time, and none is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from .sets import CLOVER_TASK, FOLDS, DataSet

SPARE_FLOWS = 6
FIRST_RUN, FIRST_FILE = 1001, 1_000_000
CLOVER_RUNS = (145651, 267741)

# What some predictions files in the wild are like. The first can be read, the second cannot serve.
READABLE = ("whitespace", "nul", "question_fold", "hard")
UNUSABLE = ("no_confidence", "zero_confidence", "unknown_label", "duplicate_rows", "extra_fold", "swapped")


@dataclass(frozen=True)
class Run:
    run_id: int
    task: int
    flow: int
    quirk: str | None


class Archive:
    """Runs of ``flows`` and a few spare flows on each of some binary data sets; the share ``quirky`` is odd."""

    def __init__(self, sets: Sequence[DataSet], flows: int = 30, quirky: float = 0.0) -> None:
        self.flows, self.quirky = flows + SPARE_FLOWS, quirky
        self.tasks = {member.task_id: member for member in sets}

    def run(self, run_id: int) -> Run | None:
        """Return a run, None where the archive has none of that id."""
        if run_id in CLOVER_RUNS and CLOVER_TASK in self.tasks:
            return Run(run_id, CLOVER_TASK, 1 + CLOVER_RUNS.index(run_id), None)
        place, flow = divmod(run_id - FIRST_RUN, self.flows)
        if not 0 <= place < len(self.tasks):
            return None
        generator = np.random.default_rng([13, run_id])
        is_odd = generator.random() < self.quirky
        quirk = str(generator.choice(READABLE + UNUSABLE)) if is_odd else None
        return Run(run_id, list(self.tasks)[place], 1 + flow, quirk)

    def confidences(self, run: Run) -> np.ndarray:
        """Return the confidence in the second class for every row."""
        member = self.tasks[run.task]
        positive = member.truth == member.classes[1]
        generator = np.random.default_rng([17, run.run_id])
        skill = 0.2 + 2.5 * generator.random()
        score = skill * positive + generator.normal(size=len(positive))
        confidence = np.round(1 / (1 + np.exp(-(score - skill / 2))), 6)
        return (confidence > 0.5).astype(float) if run.quirk == "hard" else confidence

    def area(self, run: Run) -> float:
        """Return the area under the run's pooled ROC curve."""
        member = self.tasks[run.task]
        positive = member.truth == member.classes[1]
        n_positive = int(positive.sum())
        ranks = rankdata(self.confidences(run))[positive].sum()
        return (ranks - n_positive * (n_positive + 1) / 2) / (n_positive * (len(positive) - n_positive))

    def predictions(self, run: Run) -> bytes:
        """Return the run's predictions file, with its quirk."""
        member, quirk = self.tasks[run.task], run.quirk
        names, rows = member.classes, np.argsort(member.fold, kind="stable")
        confidence = self.confidences(run)[rows]
        predicted = np.array(names, dtype=object)[(confidence > 0.5).astype(int)]
        cells = {
            "repeat": np.zeros(len(rows), dtype=int),
            "fold": member.fold[rows].astype(object),
            "row_id": rows,
            f"confidence.{names[0]}": 1 - confidence,
            f"confidence.{names[1]}": confidence,
        }
        correct = member.truth[rows]
        match quirk:
            case "question_fold":
                cells["fold"][:] = "?"
            case "no_confidence":
                cells = dict(list(cells.items())[:3])
            case "zero_confidence":
                cells |= dict.fromkeys(list(cells)[3:], np.zeros(len(rows)))
            case "unknown_label":
                predicted[0] = "neither"
            case "duplicate_rows":
                cells["row_id"][-1] = rows[0]
            case "extra_fold":
                cells["fold"][-1] = FOLDS
            case "swapped":
                predicted, correct = correct, predicted
        quote = "'" if any(set(name) & set(" ,<>=") for name in names) else ""
        labels = ",".join(f"'{name}'" for name in names)
        lines = [f"@relation openml_task_{run.task}_predictions", ""]
        lines += [f"@attribute {name!r} numeric" for name in cells]
        lines += [f"@attribute {name} {{{labels}}}" for name in ("prediction", "correct")] + ["", "@data"]
        columns = [np.char.mod("%.6g", c) if c.dtype == float else c for c in cells.values()]
        columns += [[f"{quote}{name}{quote}" for name in column] for column in (predicted, correct)]
        separator = " " if quirk == "whitespace" else ","
        lines += [separator.join(map(str, row)) for row in zip(*columns, strict=True)]
        return "\n".join([*lines, "\0" if quirk == "nul" else ""]).encode()
