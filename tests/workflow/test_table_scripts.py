"""The scripts that bring areas together, on names that other readers take for something else, and on a damaged file."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from nontrivial.files import DamagedFile, write_json
from nontrivial_study.tables import column_names, layouts, read_table, read_texts, write_parquet

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
MODELS = ["nan", "NA", "null", "None", "1", "01", "1e5", "true", "True", "=1+1", "-5", "", "'"]
TASKS = {"chunk-00": ["nan", "1"], "chunk-01": ["NA", "@x"]}
AREAS = [one.name for one in layouts()["curve_areas"].columns if one.kind == "number"]
PAIRS = ("pr_auc/prg_auc", "pr_auc/roc_auc", "prg_auc/roc_auc")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a script in the folder of a study whose two batches of areas are there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stderr", sys.stderr)  # scripts replace it
    generator = np.random.default_rng(0)
    for batch, tasks in TASKS.items():
        rows = pd.DataFrame([(task, model) for task in tasks for model in MODELS], columns=["task", "model"])
        rows[AREAS] = generator.random((len(rows), len(AREAS))) / 4
        rows["positives"], rows["negatives"], rows["extrapolated"] = 30, 70, False
        rows = rows.assign(status="ok", warnings="", rows_of=rows["task"])
        write_parquet(f"{batch}.parquet", rows[column_names("curve_areas")])
    records = [f"{task}.json" for tasks in TASKS.values() for task in tasks]
    for path in records:
        write_json(path, {"name": Path(path).stem, "rows_sha256": path})
    files = {
        "measures": [],
        "predictions": ["chunk-00.parquet"],
        "runs": ["chunk-00.parquet", "chunk-01.parquet"],
        "archived": [],
        "records": records,
    }
    output = {
        "areas": "curve_areas.csv",
        "measures": "measures.csv",
        "disagreement": "rank_disagreement.csv",
        "groups": "rank_disagreement_by_imbalance.csv",
        "choice": "model_choice.csv",
        "finding": "area_finding.csv",
        "by_share": "model_choice_by_share.csv",
        "prg_figure_4": "prg_figure_4.csv",
        "prg_model_choice": "prg_model_choice.csv",
        "prg_disagreement_by_share": "prg_disagreement_by_share.csv",
    }
    params = {
        "published": {pair: {} for pair in PAIRS},
        "ranking": {"resamples": 10, "groups": {"positives": [10], "positive_share": [0.2]}},
        "left_out": [],
        "dataset": "nan",
        "models": len(MODELS),
        "resamples": 10,
    }

    def run(script):
        parts = [f"{batch}.parquet" for batch in TASKS]
        source = files | {"areas": parts if script == "collect_scores" else "curve_areas.csv"}
        given = {"input": source, "output": output, "params": params}
        snakemake = {key: SimpleNamespace(**part) for key, part in given.items()}
        runpy.run_path(
            str(SCRIPTS / f"{script}.py"), {"snakemake": SimpleNamespace(log=["log"], **snakemake)}
        )

    return run


def test_no_row_is_lost_whatever_models_and_tasks_are_called(run):
    run("collect_scores")
    names = [(task, model) for tasks in TASKS.values() for task in tasks for model in MODELS]
    assert list(read_table("curve_areas.csv")[["task", "model"]].itertuples(index=False, name=None)) == names
    run("calc_ranks")
    assert (
        read_table("rank_disagreement.csv")[["tasks", "models", "failed"]].to_numpy().tolist()
        == [[4, 13, 0]] * 3
    )
    assert set(read_texts("prg_figure_4.csv")["model"]) == set(MODELS)
    assert set(read_table("model_choice.csv")["tasks"]) <= {4}
    assert set(read_table("area_finding.csv")["answer"]) == {"too few data sets"}


@pytest.mark.parametrize(
    ("script", "batch"),
    [("collect_scores", "chunk-01"), ("calc_repeats", "chunk-01")],
)
def test_a_part_that_is_damaged_is_named_where_parts_are_brought_together(run, script, batch):
    part = Path(f"{batch}.parquet")
    content = bytearray(part.read_bytes())
    content[100] ^= 1
    part.write_bytes(content)
    with pytest.raises(
        DamagedFile, match=rf"^{batch}\.parquet is damaged: .*; delete it and run the same command again"
    ):
        run(script)
    assert not list(Path().glob("*.csv"))
