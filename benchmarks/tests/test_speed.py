"""The one table of speed, of tiny sizes: every ratio is there, whole, and an absent peer is a row."""

import importlib
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TINY = {
    "curves": {"sizes": [100, 200], "rounds": 1, "resamples": 40},
    "confusion_tables": {"tables": 40, "peer_tables": 3, "rounds": 1},
    "files": {"size": 300},
}
PEERS = {
    "curves": {"scikit-learn", "numpy", "nontrivial"},
    "confusion_tables": {"pycm", "scikit-learn"},
    "files": {"scikit-learn"},
}


@pytest.fixture
def turns(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.turns")


def measured(turns, part):
    benchmark = importlib.import_module(f"benchmarks.{part}")
    return turns.as_table(benchmark.rows(**TINY[part]))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", TINY)
def test_each_ratio_is_a_whole_row(turns, part):
    table = measured(turns, part)
    assert set(table["peer"].str.partition(":")[0]) == PEERS[part]
    assert table[["measured", "case", "size", "peer", "numpy_simd"]].notna().all(axis=None)
    assert not table.duplicated(["measured", "case", "size", "peer", "numpy_simd"]).any()
    there = table["version"] != "absent"
    assert (table.loc[there, ["seconds", "peer_seconds", "ratio"]] > 0).all(axis=None)
    assert table.loc[~there, ["seconds", "peer_seconds", "ratio"]].isna().all(axis=None)
    np.testing.assert_allclose(table["ratio"], table["seconds"] / table["peer_seconds"], rtol=0.02)
    compared = table[["ratio", "goal"]].notna().all(axis=1)
    assert table.loc[~compared, "met"].eq("none").all()
    assert table.loc[compared, "met"].eq("yes").equals(table["ratio"].le(table["goal"])[compared])


@pytest.mark.filterwarnings("ignore")
def test_pycm_may_be_absent(turns, monkeypatch):
    benchmark = importlib.import_module("benchmarks.confusion_tables")
    for module in (turns, benchmark):
        monkeypatch.setattr(module, "version_of", lambda name: "absent" if name == "pycm" else "1")
    table = measured(turns, "confusion_tables")
    assert list(table["version"]) == ["absent", "1"]
    assert (table["ratio"].isna()[0], table["met"][0]) == (True, "none")


def test_the_documents_table_has_the_columns_of_the_measured_one(turns):
    header, *lines = (ROOT / "docs" / "speed.csv").read_text("utf-8").splitlines()
    assert header.split(",") == turns.COLUMNS
    assert len(lines) > 40
