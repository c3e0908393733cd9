"""Measures from predictions, against scikit-learn."""

import pytest
from experiments.tasks.two_models import PREDICTIONS
from sklearn.metrics import cohen_kappa_score

from nontrivial_study.experiments.tasks.scores import measure_table
from nontrivial_study.experiments.tasks.tasks import Task


def test_measures():
    table = measure_table(PREDICTIONS, Task("t", "data", "yes", 1)).set_index("model")
    two = PREDICTIONS[PREDICTIONS["model"] == "two"]
    assert table.loc["two", ["dataset", "positive"]].tolist() == ["data", "yes"]
    assert table.loc["two", ["tp", "fp", "fn", "tn"]].sum() == 60
    assert table.loc["two", "cohen_kappa"] == pytest.approx(
        cohen_kappa_score(two["truth"], two["prediction"]), rel=1e-12
    )
    errors = (two["truth"] != two["prediction"]).sum()
    assert table.loc["two", "prediction_advantage"] == pytest.approx(1 - errors / 20, rel=1e-12)
