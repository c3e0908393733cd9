"""Areas of many models: each run a row, whatever became of it."""

import numpy as np
import pandas as pd
import pytest
from experiments.tasks.two_models import FOLD, PREDICTIONS, TRUTH
from sklearn.metrics import average_precision_score, roc_auc_score

from nontrivial_study.experiments.tasks.scores import area_table, held_out_f1

RUNS = pd.DataFrame(
    {
        "task": "t",
        "model": ["two", "lost", "one"],
        "status": ["ok", "failed in fold 3: E: x", "ok"],
        "warnings": ["", "W x1", ""],
    }
)


def test_areas_keep_every_run_in_its_order():
    table = area_table(PREDICTIONS, RUNS, 5)
    assert table["model"].tolist() == ["two", "lost", "one"]
    assert table["status"].tolist() == RUNS["status"].tolist()
    assert table.loc[1, ["roc_auc", "prg_auc", "positives"]].isna().all()
    assert table["warnings"].tolist() == ["", "W x1", ""]
    one = PREDICTIONS[PREDICTIONS["model"] == "one"]
    assert table.loc[2, "roc_auc"] == pytest.approx(roc_auc_score(one["truth"], one["score"]), rel=1e-12)
    assert table.loc[2, "average_precision"] == pytest.approx(
        average_precision_score(one["truth"], one["score"]), rel=1e-12
    )
    assert table.loc[2, ["positives", "negatives"]].tolist() == [20, 40]
    errors = (one["truth"] != one["prediction"]).sum()
    assert table.loc[2, "prediction_advantage"] == pytest.approx(1 - errors / 20, rel=1e-12)
    assert table.loc[2, "held_out_f1"] == held_out_f1(TRUTH, one["score"].to_numpy(), FOLD)
    assert table.loc[1, ["extrapolated", "held_out_f1", "prediction_advantage"]].isna().all()


@pytest.mark.parametrize(("first", "extrapolated"), [(4, False), (5, True)])
def test_an_area_is_extrapolated_if_the_first_point_lies_past_recall_gain_zero(first, extrapolated):
    """With 20 positives of 100 cases recall gain is 0 at 4 true positives."""
    truth = np.repeat([True, False], [20, 80])
    score = np.where(np.arange(100) < first, 200.0, np.arange(100)[::-1])
    rows = {"task": "t", "model": "m", "fold": np.arange(100) % 2, "truth": truth, "prediction": truth}
    run = {"task": ["t"], "model": ["m"], "status": ["ok"], "warnings": [""]}
    table = area_table(pd.DataFrame(rows | {"score": score}), pd.DataFrame(run), 5)
    assert table["extrapolated"].tolist() == [extrapolated]
