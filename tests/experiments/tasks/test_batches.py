"""Files of predictions: whole again when read, one task at a time, and carried over only where nothing changed."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from nontrivial.files import sha256_of
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions, digest_of_inputs, write_batch
from nontrivial_study.experiments.tasks.scores import area_table, measure_table
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.experiments.tasks.training import train_task


def member(name, rows=20, models=("a", "b"), failed=()):
    generator = np.random.default_rng(len(name))
    truth = np.arange(rows) % 4 == 0
    columns = {"row": np.arange(rows), "fold": (np.arange(rows) % 5).astype(np.int8), "truth": truth}
    parts = [
        pd.DataFrame({"task": name, "model": model, **columns, "prediction": score > 0.5, "score": score})
        for model, score in ((model, generator.random(rows)) for model in models)
    ]
    statuses = [(name, model, "ok", "") for model in models] + [(name, model, "lost", "") for model in failed]
    runs = pd.DataFrame(statuses, columns=["task", "model", "status", "warnings"])
    task = Task(name, f"data of {name}", "yes", rows)
    return TaskPredictions(task, pd.concat(parts, ignore_index=True), runs, {"rows": rows})


def write(path, members, sources=None):
    """Write a batch and return the names of the tasks that were made for it."""
    by_name, made = {written.task.name: written for written in members}, []

    def make(names):
        for name in names:
            yield by_name[name]
            made.append(name)

    write_batch(path, sources or {name: f"source of {name}" for name in by_name}, make)
    return made


def assert_same(read, written):
    assert (read.task, read.record) == (written.task, written.record)
    pd.testing.assert_frame_equal(read.predictions, written.predictions)
    pd.testing.assert_frame_equal(read.runs, written.runs)


def test_what_was_written_is_read(tmp_path):
    members = [member("x", failed=["c"]), member("yy", rows=7), member("zzz", models=["only"])]
    assert write(tmp_path / "b.parquet", members) == ["x", "yy", "zzz"]
    for read, written in zip(Batch(tmp_path / "b.parquet"), members, strict=True):
        assert_same(read, written)
    whole = pd.read_parquet(tmp_path / "b.parquet")
    joined = pd.concat([written.predictions for written in members], ignore_index=True)
    pd.testing.assert_frame_equal(whole, joined)


def test_a_task_on_which_every_model_failed_keeps_its_rows_of_runs(tmp_path):
    model = {"bad": {"estimator": "KNeighborsClassifier", "parameters": {"n_neighbors": 900}}}
    table = pd.DataFrame({"x": np.arange(40.0), "target": ["no", "yes"] * 20})
    task = Task("t", "t", "yes", 40)
    write(tmp_path / "b.parquet", [TaskPredictions(task, *train_task(task, table, model, 2)), member("u")])
    first, second = Batch(tmp_path / "b.parquet")
    assert first.predictions.empty
    areas = pd.concat([area_table(predicted.predictions, predicted.runs, 5) for predicted in (first, second)])
    assert areas["status"].str.startswith("failed in fold 0: ValueError").tolist() == [True, False, False]
    measures = [measure_table(predicted.predictions, predicted.task) for predicted in (first, second)]
    assert list(map(len, measures)) == [0, 2]
    assert measures[0].columns.equals(measures[1].columns)


@pytest.mark.parametrize("earlier", [["x", "yy"], ["zzz"], ["zzz", "x"], ["other"]])
def test_a_grown_batch_equals_one_made_at_once(earlier, tmp_path):
    members = [member(name) for name in ("x", "yy", "zzz")]
    once, grown = (tmp_path / study / "predictions" / "b.parquet" for study in ("once", "grown"))
    write(once, members)
    write(grown, [member(name) for name in earlier])
    made = write(grown, members)
    assert made == [name for name in ("x", "yy", "zzz") if name not in earlier]
    assert sha256_of(grown) == sha256_of(once)


def test_what_was_made_from_other_things_is_made_again(tmp_path):
    write(tmp_path / "b.parquet", [member("x"), member("yy")])
    assert write(tmp_path / "b.parquet", [member("x")], {"x": "another source"}) == ["x"]


@pytest.mark.parametrize("content", [None, "half", "another kind"])
def test_nothing_is_carried_over_from_what_is_not_whole(content, tmp_path):
    path = tmp_path / "b.parquet"
    write(path, [member("x")])
    match content:
        case None:
            path.unlink()
        case "half":
            path.write_bytes(path.read_bytes()[:500])
        case "another kind":
            pd.DataFrame({"x": [1]}).to_parquet(path)
    assert write(path, [member("x")]) == ["x"]


def test_a_batch_that_cannot_be_made_leaves_the_one_that_was_there(tmp_path):
    def fail(names):
        yield member("yy")
        raise RuntimeError

    write(tmp_path / "b.parquet", [member("x")])
    before = sha256_of(tmp_path / "b.parquet")
    with pytest.raises(RuntimeError):
        write_batch(tmp_path / "b.parquet", {"yy": "1", "zzz": "2"}, fail)
    assert [path.name for path in tmp_path.iterdir()] == ["b.parquet"]
    assert sha256_of(tmp_path / "b.parquet") == before


def test_the_digest_covers_files_and_values_and_not_their_place(tmp_path):
    for name, text in [("a", "1"), ("b", "1"), ("c", "2")]:
        (tmp_path / name).write_text(text)
    first = digest_of_inputs([tmp_path / "a"], folds=10, models={"x": 1, "y": 2})
    assert first == digest_of_inputs([tmp_path / "b"], models={"y": 2, "x": 1}, folds=10)
    of_other_inputs = {
        digest_of_inputs([tmp_path / "c"], folds=10, models={"x": 1, "y": 2}),
        digest_of_inputs([tmp_path / "a"], folds=11, models={"x": 1, "y": 2}),
        digest_of_inputs([tmp_path / "a"] * 2, folds=10, models={"x": 1, "y": 2}),
    }
    assert first not in of_other_inputs
    assert len(of_other_inputs) == 3


def test_the_digest_covers_the_numerical_software(tmp_path, monkeypatch):
    first = digest_of_inputs([])
    monkeypatch.setattr("nontrivial_study.experiments.tasks.batches.version", lambda name: "0")
    assert digest_of_inputs([]) != first


STREAM = """
import resource, sys
import numpy as np, pandas as pd
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions, write_batch
from nontrivial_study.experiments.tasks.tasks import Task

rows, columns = 30_000, ["task", "model", "status", "warnings"]
truth = np.arange(rows) % 4 == 0

def member(number):
    score = np.random.default_rng(number).random(rows * 10)
    table = pd.DataFrame({"task": f"t{number}", "model": np.repeat([f"m{i}" for i in range(10)], rows)})
    table = table.assign(row=np.tile(np.arange(rows), 10), fold=np.int8(0), truth=np.tile(truth, 10))
    table = table.assign(prediction=score > 0.5, score=score)
    runs = pd.DataFrame([(f"t{number}", f"m{i}", "ok", "") for i in range(10)], columns=columns)
    return TaskPredictions(Task(f"t{number}", "d", "yes", 1), table, runs)

sources = {str(number): f"source {number}" for number in range(int(sys.argv[2]))}
write_batch(sys.argv[1], sources, lambda names: map(member, map(int, names)))
for task in Batch(sys.argv[1]):
    assert len(task.predictions) == 10 * rows
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_tasks(tmp_path):
    peaks = [
        int(subprocess.check_output([sys.executable, "-c", STREAM, str(tmp_path / f"{count}.parquet"), str(count)]))
        for count in (2, 12)
    ]
    # Ten more tasks are 3,000,000 more rows of some 40 bytes each, 120,000 KiB; allocators keep what they like.
    assert peaks[1] - peaks[0] < 60_000
