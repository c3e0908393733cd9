"""Damaged intermediates: what is read is what was written, or refused by name; a batch makes damaged tasks again.

By hand, `PYTHONPATH=src:tests python tests/fuzz/test_intermediates.py` flips every byte of each kind of file, cuts it
at every length, and counts what came of it.
"""

import re
import resource
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nontrivial.files import DamagedFile, read_json, write_json
from nontrivial_study.data.canonical import canonical_sha256, read_dataset, write_dataset
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions, write_batch
from nontrivial_study.experiments.tasks.binary_tasks import Task
from nontrivial_study.tables import read_parquet, read_table, write_parquet, write_table

GOOD = ("refused", "unchanged")
RECORD = {"name": "toy", "positive": "yes", "rows": 60, "classes": {"no": 45, "yes": 15}, "share": 0.25}
NAMES = ("first", "second", "third")


def member(name, seed=0):
    generator, rows = np.random.default_rng([seed, len(name)]), 60
    truth, score = np.arange(rows) % 4 == 0, generator.random(rows)
    columns = {"row": np.arange(rows), "fold": (np.arange(rows) % 5).astype(np.int8), "truth": truth}
    table = pd.DataFrame({"task": name, "model": "m", **columns, "prediction": score > 0.5, "score": score})
    runs = pd.DataFrame([(name, "m", "ok", "")], columns=["task", "model", "status", "warnings"])
    return TaskPredictions(Task(name, name, "yes", rows), table, runs, RECORD)


def make_batch(path, names=NAMES, seed=0):
    """Write a batch and return the names of the tasks that were made for it."""
    made = []

    def make(wanted):
        made.extend(wanted)
        return (member(name, seed) for name in wanted)

    write_batch(path, {name: f"source of {name}, {seed}" for name in names}, make)
    return made


def make_dataset(path, seed=0):
    numbers = np.random.default_rng(seed).random((60, 3))
    texts = [None if row % 7 == 0 else "é" * (row % 3) for row in range(60)]
    table = pd.DataFrame(numbers, columns=list("abc")).assign(text=pd.Series(texts, dtype="str"))
    table["target"] = pd.Series(["yes", "no", "no", "no"] * 15, dtype="str")
    write_dataset(path, table, RECORD | {"sha256": canonical_sha256(table)})


def read_batch(path):
    return [(one.task, one.record, one.predictions.to_csv(), one.runs.to_csv()) for one in Batch(path)]


# How each kind of file is written and read, so that what is read can be compared.
KINDS = {
    "predictions.parquet": (make_batch, read_batch),
    "whole.parquet": (make_batch, lambda path: read_parquet(path).to_csv()),
    "table.parquet": (make_dataset, lambda path: read_dataset(path).to_csv()),
    "openml-00.folds.parquet": (
        lambda path, seed=0: write_parquet(
            path, pd.DataFrame({"task": "a", "fold": np.arange(60) % (5 + seed)})
        ),
        lambda path: read_parquet(path).to_csv(),
    ),
    "record.json": (
        lambda path, seed=0: write_json(path, RECORD | {"rows": 60 + seed}),
        read_json,
    ),
    "areas.csv": (
        lambda path, seed=0: write_table(path, pd.DataFrame({"model": ["a", "="], "area": [0.5, seed]})),
        lambda path: read_table(path).to_csv(),
    ),
}
NAMED = [name for name in KINDS if name != "areas.csv"]  # these hold their own name


def outcome(path, content, read, expected):
    """Tell what reading a damaged file comes to: the values as they were, a refusal, or others that are believed."""
    path.write_bytes(content)
    try:
        found = read(path)
    except DamagedFile as error:
        one_sentence = str(error).startswith(f"{path} is damaged") and "\n" not in str(error)
        return "refused" if one_sentence else "refused without a sentence"
    return "unchanged" if found == expected else "believed"


def flipped(content, place, mask):
    return content[:place] + bytes([content[place] ^ mask]) + content[place + 1 :]


@pytest.fixture(scope="module", params=KINDS)
def kept(request, tmp_path_factory):
    """A file of a kind: its path, its content, and how it is read."""
    path = tmp_path_factory.mktemp("kept") / request.param
    write, read = KINDS[request.param]
    write(path)
    return path, path.read_bytes(), read, read(path)


@given(st.data())
def test_a_flipped_byte_is_never_believed(kept, data):
    path, content, read, expected = kept
    place = data.draw(st.integers(0, len(content) - 1))
    mask = data.draw(st.integers(1, 255))
    assert outcome(path, flipped(content, place, mask), read, expected) in GOOD


@given(st.data())
def test_a_file_that_was_cut_or_grew_is_never_believed(kept, data):
    path, content, read, expected = kept
    length = data.draw(st.integers(0, len(content) - 1))
    tail = data.draw(st.sampled_from([b"\0", b"PAR1", content[-8:], content]))
    for damaged in (content[:length], content[length:], content[:length] + bytes(len(content) - length)):
        assert outcome(path, damaged, read, expected) in GOOD
    assert outcome(path, content + tail, read, expected) in GOOD


@pytest.mark.parametrize("name", NAMED)
def test_a_file_in_the_place_of_another_is_refused(name, tmp_path):
    write, read = KINDS[name]
    other = tmp_path / f"other-{name}"
    write(tmp_path / name)
    write(other)
    (tmp_path / name).write_bytes(other.read_bytes())
    with pytest.raises(DamagedFile, match=re.escape(name)):
        read(tmp_path / name)


def test_scores_of_another_kind_under_the_same_name_are_refused(tmp_path):
    """The scores of a batch are named as its predictions are."""
    kinds = {"measures": 0.5, "curve_areas": 0.25}
    for folder, value in kinds.items():
        write_parquet(tmp_path / folder / "chunk-00.parquet", pd.DataFrame({"value": [value]}))
    path = tmp_path / "measures" / "chunk-00.parquet"
    path.write_bytes((tmp_path / "curve_areas" / "chunk-00.parquet").read_bytes())
    with pytest.raises(DamagedFile, match=r"measures/chunk-00\.parquet is damaged: .*curve_areas"):
        read_parquet(path)


@pytest.mark.parametrize("name", [name for name in KINDS if name.endswith(".parquet")])
def test_a_file_that_holds_itself_twice_is_refused(name, tmp_path):
    """The end of Parquet says where the rest lies, counted from the beginning: there stands the first copy."""
    write, read = KINDS[name]
    path = tmp_path / name
    write(path)
    path.write_bytes(2 * path.read_bytes())
    with pytest.raises(DamagedFile, match=re.escape(name)):
        read(path)


def test_the_table_of_another_study_is_refused(tmp_path):
    for seed in (0, 1):
        make_dataset(tmp_path / str(seed) / "data" / "table.parquet", seed)
    path = tmp_path / "0" / "data" / "table.parquet"
    path.write_bytes((tmp_path / "1" / "data" / "table.parquet").read_bytes())
    with pytest.raises(DamagedFile, match=r"table\.parquet is damaged: .*table\.json"):
        read_dataset(path)


def test_a_record_that_was_changed_by_hand_is_refused(tmp_path):
    make_dataset(tmp_path / "table.parquet")
    record = tmp_path / "table.json"
    record.write_text(record.read_text().replace('"positive": "yes"', '"positive": "no"'))
    with pytest.raises(DamagedFile, match=r"table\.json is damaged"):
        read_dataset(tmp_path / "table.parquet")


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"nul", b"{" * 5000, b"[" * 200_000, b'{"a": 1' + b"0" * 5000 + b"}", b"\xff"],
)
def test_what_is_no_record_is_refused(content, tmp_path):
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(DamagedFile, match=r"r\.json is damaged"):
        read_json(tmp_path / "r.json")


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    path = tmp_path_factory.mktemp("batch") / "b.parquet"
    make_batch(path)
    return path, path.read_bytes()


@given(st.data())
def test_a_damaged_task_is_made_again_and_the_others_are_carried_over(batch, data):
    path, content = batch
    damaged = flipped(content, data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(1, 255)))
    path.write_bytes(damaged)
    assert len(make_batch(path)) in (1, len(NAMES))
    assert path.read_bytes() == content


@given(st.data())
def test_a_batch_that_was_cut_is_made_again(batch, data):
    path, content = batch
    path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    assert make_batch(path) == list(NAMES)
    assert path.read_bytes() == content


def test_only_the_damaged_task_is_made_again(batch):
    path, content = batch
    path.write_bytes(flipped(content, 10, 1))
    assert make_batch(path) == ["first"]
    assert path.read_bytes() == content


def test_a_footer_that_claims_much_claims_no_memory(batch):
    path, content = batch
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for length in (2**31 - 1, 2**32 - 1, len(content), len(content) - 8, 0):
        path.write_bytes(content[:-8] + length.to_bytes(4, "little") + content[-4:])
        with pytest.raises(DamagedFile):
            Batch(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def main() -> None:
    for name, (write, read) in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            write(path)
            content, expected = path.read_bytes(), read(path)
            masks = np.random.default_rng(0).integers(1, 256, len(content))
            flips = (flipped(content, place, int(mask)) for place, mask in enumerate(masks))
            cuts = (content[:length] for length in range(len(content)))
            for kind, attacks in (("flips", flips), ("cuts", cuts)):
                counts = Counter(outcome(path, damaged, read, expected) for damaged in attacks)
                print(f"{name}: {len(content)} {kind}: {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()
