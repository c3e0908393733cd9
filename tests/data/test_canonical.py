"""Canonical tables: equal data have equal digests, and a damaged copy is refused in one sentence."""

import hashlib
import struct

import numpy as np
import pandas as pd
import pytest

from nontrivial.files import read_json
from nontrivial_study.data.canonical import (
    canonical_sha256,
    canonical_table,
    dataset_record,
    rows_sha256,
    write_dataset,
)
from nontrivial_study.tables import read_parquet

ENTRY = {
    "title": "Toy",
    "source": "a test",
    "uci_id": None,
    "address": "https://example.org",
    "licence": "CC0",
    "rows": 3,
    "features": 1,
    "classes": {"no": 2, "yes": 1},
}


@pytest.fixture
def toy():
    return canonical_table(pd.DataFrame({"x": [1, 2, 3]}), ["n", "y", "n"], {"n": "no", "y": "yes"})


def test_digest_by_hand(toy):
    text = b"2:no" + b";" + b"3:yes;" + b"2:no;"
    by_hand = hashlib.sha256(b"3x2" + b"\nnumber\n" + struct.pack("<3d", 1, 2, 3) + b"\ntext\n" + text)
    assert canonical_sha256(toy) == by_hand.hexdigest()


def test_digest_ignores_names_types_index_and_the_sign_of_zero_and_sees_every_cell(toy):
    same_data = canonical_table(
        pd.DataFrame({"renamed": np.array([1, 2, 3], dtype=np.float32)}, index=[7, 5, 6]),
        pd.Series(["N", "Y", "N"], index=[1, 1, 1]),
        {"N": "no", "Y": "yes"},
    )
    assert canonical_sha256(same_data) == canonical_sha256(toy)
    zeros = [canonical_table(pd.DataFrame({"x": [zero]}), [1.0]) for zero in (0.0, -0.0)]
    assert canonical_sha256(zeros[0]) == canonical_sha256(zeros[1])
    for row in range(3):
        changed = toy.copy()
        changed.loc[row, "x"] = np.nextafter(changed.loc[row, "x"], 10)
        assert canonical_sha256(changed) != canonical_sha256(toy)
    first, second = (toy.assign(target=cells) for cells in (["ab", "c", "d"], ["a", "bc", "d"]))
    assert canonical_sha256(first) != canonical_sha256(second), "cells cannot run into each other"


def test_rows_are_the_same_whatever_their_classes_are_called(toy):
    same_data = toy.assign(target=toy["target"].map({"no": "2", "yes": "1"}))
    assert canonical_sha256(same_data) != canonical_sha256(toy)
    assert rows_sha256(same_data) == rows_sha256(toy)
    assert rows_sha256(toy.assign(x=["1", "2.0", "3"])) == rows_sha256(toy)
    one_moved = toy.assign(target=["yes", "no", "no"])
    one_changed = toy.assign(x=toy["x"].where(toy.index > 0, -1.0))
    assert len({rows_sha256(table) for table in (toy, one_moved, one_changed, toy.iloc[:2])}) == 4


def test_rows_are_the_same_in_any_order_of_rows_and_columns():
    rng = np.random.default_rng(18)
    features = pd.DataFrame({"x": rng.normal(size=50), "y": rng.integers(4, size=50), "z": list("abcde") * 10})
    features.loc[[3, 7], ["x", "z"]] = None
    target = rng.integers(3, size=50)
    names = {0: "none", 1: "some", 2: "many"}
    table = canonical_table(features, target, names)
    order = rng.permutation(50)
    moved = canonical_table(features.loc[order, ["z", "x", "y"]], target[order], names)
    assert canonical_sha256(moved) != canonical_sha256(table)
    assert rows_sha256(moved) == rows_sha256(table)
    for column in features:  # the same values in each column, in other rows
        shifted = table.assign(**{column: np.roll(table[column], 1)})
        assert rows_sha256(shifted) != rows_sha256(table), column
    numbers = table.assign(target=target.astype(float))
    assert rows_sha256(numbers.loc[order]) == rows_sha256(numbers) != rows_sha256(table)


def test_a_record_says_what_the_table_holds_and_refuses_what_was_not_expected(toy, tmp_path):
    right = ENTRY | {"sha256": canonical_sha256(toy)}
    record = dataset_record("toy", toy, right)
    assert (record["classes"], record["positive"]) == ({"no": 2, "yes": 1}, "yes")
    assert (record["rows"], record["features"]) == (3, 1)
    for change, message in [
        ({"rows": 4}, "Data set 'toy' from a test has rows 3; 4 was expected"),
        ({"classes": {"no": 1}}, "has classes {'no': 2, 'yes': 1}; {'no': 1} was expected"),
        ({"sha256": "0" * 64}, "the copy is damaged or another version"),
    ]:
        with pytest.raises(ValueError, match=message):
            dataset_record("toy", toy, right | change)
    write_dataset(tmp_path / "toy.parquet", toy, record)
    assert read_parquet(tmp_path / "toy.parquet").equals(toy)
    assert read_json(tmp_path / "toy.json") == record


def test_table_refuses_unknown_labels():
    with pytest.raises(ValueError, match="label 'z'; known are"):
        canonical_table(pd.DataFrame({"x": [1]}), ["z"], {"y": "yes"})
