"""Training a drawn share of the models again, and comparing their predictions with those of the results."""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.files import find_files
from nontrivial.terminal import listed as joined
from nontrivial_study.data.canonical import read_dataset
from nontrivial_study.experiments.status import OK
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions
from nontrivial_study.experiments.tasks.training import train_task
from nontrivial_study.provenance.manifest import RESULTS
from nontrivial_study.provenance.problems import DAMAGE, MISMATCH, UNCHECKED, Problem, damaged
from nontrivial_study.provenance.verify_data import read_entries, trained_files
from nontrivial_study.tables import read_parquet


@dataclass(frozen=True)
class Draw:
    """What was trained again: so many of all pairs of task and model, chosen by a seed."""

    seed: int
    drawn: int
    pairs: int

    def finds(self, forged: int) -> float:
        """Return the probability that at least one of so many forged pairs was among those drawn.

        Examples
        --------
        >>> round(Draw(seed=1, drawn=51, pairs=510).finds(1), 3)
        0.1
        >>> round(Draw(seed=1, drawn=51, pairs=510).finds(10), 3)
        0.655
        """
        if forged > self.pairs - self.drawn:
            return 1.0
        return 1 - math.comb(self.pairs - forged, self.drawn) / math.comb(self.pairs, self.drawn)


def retrain(
    results: Path,
    run: Mapping[str, Any],
    listed: Mapping[str, str],
    fraction: float,
    seed: int | None,
    problems: list[Problem],
) -> Draw:
    """Train a share of all (task, model) again, and name the files of predictions that differ.

    Parameters
    ----------
    results : Path
    run : mapping
        The record of the run.
    listed : mapping of str to str
        The manifest.
    fraction : float in (0, 1]
    seed : int or None
        By default one that nobody could know before, or a forger would spare what is drawn.
    problems : list of Problem
        Takes what differs.
    """
    from tqdm import tqdm

    seed = secrets.randbelow(2**32) if seed is None else seed
    config = run["config"]
    specifications = read_entries(results, config, listed, "models")
    paths = trained_files(results)
    pairs = [
        (path, member.task.name, model)
        for path in paths
        for member in Batch(path)
        for model in member.runs["model"]
        if model in specifications
    ]
    drawn = random.Random(seed).sample(pairs, math.ceil(fraction * len(pairs)))
    with tqdm(total=len(drawn), desc="training again", unit="model", disable=None) as bar:
        for path in paths:
            folds = _given_folds(results, path.stem)
            for member in Batch(path):
                task = member.task
                models = [model for one, name, model in drawn if (one, name) == (path, task.name)]
                place = f"{RESULTS}predictions/{path.name}"
                try:
                    if models:
                        table = read_dataset(results / "data" / f"{task.dataset}.parquet")
                        chosen = {model: specifications[model] for model in models}
                        made = train_task(
                            task,
                            table,
                            chosen,
                            folds.get(task.name, config["folds"]),
                            config["model_seconds"],
                        )
                        problems += _compare(place, member, TaskPredictions(task, *made), models)
                except DAMAGE as error:
                    problems.append(damaged(place, error))
                bar.update(len(models))
    present = {path.name for path in find_files(results / "predictions", "*.parquet")}
    if others := sorted(present - {path.name for path in paths}):
        text = (
            "of repeats (--recompute trains these), of an archive or of an earlier run were not among those drawn: "
            f"{joined(others)}."
        )
        problems.append(Problem(UNCHECKED, f"{RESULTS}predictions", text))
    return Draw(seed, len(drawn), len(pairs))


def _compare(
    place: str, stored: TaskPredictions, made: TaskPredictions, models: Sequence[str]
) -> Iterator[Problem]:
    """Name each model whose predictions, or whose failure, is another when it is trained again."""
    for model in models:
        before, now = (member.runs.set_index("model")["status"][model] == OK for member in (stored, made))
        rows = [one.predictions[one.predictions["model"] == model] for one in (stored, made)]
        if before != now or not _equal(*rows):
            text = f"is not what {model} predicts on {stored.task.name} when it is trained again."
            yield Problem(MISMATCH, place, text)


def _equal(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    columns = ["row", "fold", "truth", "prediction", "score"]
    return all(np.array_equal(one[name].to_numpy(), other[name].to_numpy()) for name in columns)


def _given_folds(results: Path, stem: str) -> dict[str, list[int]]:
    """The folds of tasks that come with theirs."""
    path = results / "data" / f"{stem}.folds.parquet"
    if not path.is_file():
        return {}
    return {str(task): fold.tolist() for task, fold in read_parquet(path).groupby("task")["fold"]}
