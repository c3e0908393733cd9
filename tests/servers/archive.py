"""An archive of runs, made up as it is asked for: the same run is the same file every time, and none is stored."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import rankdata

from .sets import CLOVER_TASK, FOLDS, fold_of

FLOWS = 2  # that tests draw: each is a file to fetch and read
SPARE_FLOWS = 6
FIRST_RUN, FIRST_FLOW, FIRST_FILE = 1001, 1, 1_000_000
CLOVER_RUNS = (145651, 267741)

# What predictions files in the wild are like. The first block can be read, the second cannot serve.
READABLE = ("renamed", "whitespace", "double_quoted", "nul", "question_fold", "spaces", "hard", "undeclared")
UNUSABLE = (
    "no_confidence",
    "zero_confidence",
    "unknown_label",
    "duplicate_rows",
    "extra_repeat",
    "extra_fold",
    "swapped",
    "not_finite",
)
QUIRKS = READABLE + UNUSABLE


@dataclass(frozen=True)
class Run:
    run_id: int
    task: int
    flow: int
    quirk: str | None


class Archive:
    """Runs of ``flows`` and a few spare flows on each of the given data sets.

    Parameters
    ----------
    sets : sequence
        Binary data sets of `sets`.
    flows : int
        How many flows a study draws for each task.
    quirky : float
        The share of runs whose file has one of `QUIRKS`.
    """

    def __init__(self, sets: Sequence, flows: int = 30, quirky: float = 0.0) -> None:
        self.sets = list(sets)
        self.flows = flows + SPARE_FLOWS
        self.quirky = quirky
        self.tasks = {member.task_id: member for member in self.sets}
        self._numbers = {member.task_id: number for number, member in enumerate(self.sets)}

    def run(self, run_id: int) -> Run | None:
        """Return a run, None where the archive has none of that id."""
        if run_id in CLOVER_RUNS and CLOVER_TASK in self.tasks:
            return Run(run_id, CLOVER_TASK, FIRST_FLOW + CLOVER_RUNS.index(run_id), None)
        task, flow = divmod(run_id - FIRST_RUN, self.flows)
        if not 0 <= task < len(self.sets):
            return None
        generator = np.random.default_rng([13, run_id])
        quirk = str(generator.choice(QUIRKS)) if generator.random() < self.quirky else None
        return Run(run_id, self.sets[task].task_id, FIRST_FLOW + flow, quirk)

    @lru_cache(maxsize=8)  # noqa: B019 - one archive lives as long as its server
    def _case(self, task_id: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
        member = self.tasks[task_id]
        truth = member.truth
        occurring = [name for name in member.classes if (truth == name).any()]
        return truth == occurring[1], fold_of(truth, task_id), occurring

    def confidences(self, run: Run) -> np.ndarray:
        """Return the confidence in the second class for every row."""
        positive, _, _ = self._case(run.task)
        generator = np.random.default_rng([17, run.run_id])
        skill = 0.2 + 2.5 * generator.random()
        score = skill * positive + generator.normal(size=len(positive))
        confidence = np.round(1 / (1 + np.exp(-(score - skill / 2))), 6)
        return (confidence > 0.5).astype(float) if run.quirk == "hard" else confidence

    def area(self, run: Run) -> float:
        """Return the area under the run's pooled ROC curve."""
        positive, _, _ = self._case(run.task)
        n_positive = int(positive.sum())
        ranks = rankdata(self.confidences(run))[positive].sum()
        return (ranks - n_positive * (n_positive + 1) / 2) / (n_positive * (len(positive) - n_positive))

    def predictions(self, run: Run) -> bytes:
        """Return the run's predictions file, with its quirk."""
        positive, fold, names = self._case(run.task)
        confidence = self.confidences(run)
        rows = np.argsort(fold, kind="stable")
        quirk = run.quirk
        columns = ["repeat", "fold", "row_id", f"confidence.{names[0]}", f"confidence.{names[1]}"]
        labels = np.array(names, dtype=object)
        predicted, correct = labels[(confidence > 0.5).astype(int)], labels[positive.astype(int)]
        if quirk == "swapped":
            predicted, correct = correct, predicted
        repeats = np.zeros(len(rows), dtype=int)
        folds = fold[rows].astype(object)
        row_ids = rows.copy()
        negative, yes = 1 - confidence[rows], confidence[rows]
        declared = list(names)
        if quirk == "extra_repeat":
            repeats[-1] = 1
        elif quirk == "extra_fold":
            folds[-1] = FOLDS
        elif quirk == "duplicate_rows":
            row_ids[-1] = row_ids[0]
        elif quirk == "zero_confidence":
            negative, yes = np.zeros(len(rows)), np.zeros(len(rows))
        elif quirk == "not_finite":
            yes[0] = np.nan
        elif quirk == "question_fold":
            folds[:] = "?"
        elif quirk == "undeclared":
            declared = names[:1]
        predicted, correct = predicted[rows].copy(), correct[rows]
        if quirk == "unknown_label":
            predicted[0] = "neither"
        if quirk == "renamed":
            columns[:3] = ["repeat_nr", "fold_nr", "row_id"]
        quote = '"' if quirk == "double_quoted" else "'" if any(set(n) & set(" ,<>=") for n in names) else ""
        texts = {name: f"{quote}{name}{quote}" for name in [*names, "neither"]}
        cells = [repeats, folds, row_ids, np.char.mod("%.6g", negative), np.char.mod("%.6g", yes)]
        if quirk == "no_confidence":
            columns, cells = columns[:3], cells[:3]
        cells += [[texts[name] for name in predicted], [texts[name] for name in correct]]
        separator = " " if quirk == "whitespace" else ","
        stream = io.StringIO()
        stream.write(f"@relation openml_task_{run.task}_predictions\n\n")
        for column in columns:
            stream.write(f"@attribute {column if quirk == 'spaces' else repr(column)} numeric\n")
        kinds = ",".join(f"'{name}'" for name in declared)
        stream.write(f"@attribute prediction {{{kinds}}}\n@attribute correct {{{kinds}}}\n\n@data\n")
        stream.writelines(separator.join(map(str, row)) + "\n" for row in zip(*cells, strict=True))
        body = stream.getvalue().encode()
        return body + b"\0" if quirk == "nul" else body
