"""The scripts that bring areas together, on names that other readers take for something else, and on files cut off."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from nontrivial.csv_tables import read_table, read_texts
from nontrivial.files import DamagedFile
from nontrivial.parquet_tables import write_parquet
from nontrivial.records import write_record

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
MODELS = ["nan", "NA", "null", "None", "1", "01", "1e5", "true", "True", "=1+1", "-5", "", "'"]
TASKS = {"chunk-00": ["nan", "1"], "chunk-01": ["NA", "@x"]}
AREAS = [
    "roc_auc",
    "average_precision",
    "pr_auc",
    "prg_auc",
    "expected_f1_gain",
    "held_out_f1",
    "held_out_cost_advantage",
    "prediction_advantage",
]
PAIRS = ("pr_auc/prg_auc", "pr_auc/roc_auc", "prg_auc/roc_auc")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a script in the folder of a study whose two batches of areas are there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stderr", sys.stderr)  # scripts replace it
    generator = np.random.default_rng(0)
    for batch, tasks in TASKS.items():
        rows = pd.DataFrame([(task, model) for task in tasks for model in MODELS], columns=["task", "model"])
        rows[AREAS] = generator.random((len(rows), len(AREAS)))
        rows["positives"], rows["negatives"], rows["extrapolated"] = 30, 70, False
        write_parquet(f"{batch}.parquet", rows.assign(status="ok", warnings="", rows_of=rows["task"]))
    records = [f"{task}.json" for tasks in TASKS.values() for task in tasks]
    for path in records:
        write_record(path, {"name": Path(path).stem, "rows_sha256": path})
    files = {
        "parts": [f"{batch}.parquet" for batch in TASKS],
        "predictions": ["chunk-00.parquet"],
        "runs": ["chunk-00.parquet", "chunk-01.parquet"],
        "areas": "areas.csv",
        "archived": [],
        "records": records,
    }
    output = {
        name: f"{name}.csv"
        for name in (
            "areas",
            "measures",
            "disagreement",
            "groups",
            "choice",
            "finding",
            "by_share",
            "prg_figure_4",
            "prg_model_choice",
            "prg_disagreement_by_share",
        )
    }
    params = {
        "published": {pair: {} for pair in PAIRS},
        "ranking": {"resamples": 10, "groups": {"positives": [10], "positive_share": [0.2]}},
        "left_out": [],
        "dataset": "nan",
        "models": len(MODELS),
        "resamples": 10,
    }
    parts = {"input": files, "output": output, "params": params}
    snakemake = SimpleNamespace(log=["log"], **{key: SimpleNamespace(**part) for key, part in parts.items()})
    return lambda script: runpy.run_path(str(SCRIPTS / f"{script}.py"), {"snakemake": snakemake})


def test_no_row_is_lost_whatever_models_and_tasks_are_called(run):
    run("collect_curve_areas")
    names = [(task, model) for tasks in TASKS.values() for task in tasks for model in MODELS]
    assert list(read_table("areas.csv")[["task", "model"]].itertuples(index=False, name=None)) == names
    run("calc_rank_disagreement")
    assert (
        read_table("disagreement.csv")[["tasks", "models", "failed"]].to_numpy().tolist() == [[4, 13, 0]] * 3
    )
    assert set(read_texts("prg_figure_4.csv")["model"]) == set(MODELS)
    run("calc_model_choice")
    assert set(read_table("choice.csv")["tasks"]) <= {4}
    run("calc_area_finding")
    assert set(read_table("finding.csv")["answer"]) == {"too few data sets"}


@pytest.mark.parametrize("script", ["collect_curve_areas", "collect_measures", "calc_repeats"])
def test_a_part_that_is_damaged_is_named_where_parts_are_brought_together(run, script):
    content = bytearray(Path("chunk-01.parquet").read_bytes())
    content[100] ^= 1
    Path("chunk-01.parquet").write_bytes(content)
    with pytest.raises(
        DamagedFile, match=r"^chunk-01\.parquet is damaged; delete it and run the same command again"
    ):
        run(script)
    assert not list(Path().glob("*.csv"))


@pytest.mark.parametrize("script", ["calc_rank_disagreement", "calc_model_choice", "calc_area_finding"])
@pytest.mark.parametrize("left", [1, 14, 27, 52])
def test_areas_that_are_cut_off_between_two_rows_are_named(run, script, left):
    run("collect_curve_areas")
    lines = Path("areas.csv").read_bytes().splitlines(keepends=True)
    Path("areas.csv").write_bytes(b"".join(lines[:left]))
    with pytest.raises(
        DamagedFile, match=r"^areas\.csv is damaged; delete it and run the same command again"
    ):
        run(script)
