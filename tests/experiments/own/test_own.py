"""One's own models: the verdicts of `nontrivial score`, and the curves of the best."""

import numpy as np
import pandas as pd
import pytest

import nontrivial
from nontrivial_study.experiments.own.own import MOST_MODELS, curve_table, verdict_table
from nontrivial_study.experiments.own.own_figures import plot_own
from nontrivial_study.experiments.tasks.batches import TaskPredictions
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.report.findings import find_own
from nontrivial_study.tables import check_table, read_texts, write_result


@pytest.fixture
def member():
    """A task of 300 cases with eight models, of which the last failed."""
    draw = np.random.default_rng(3)
    truth = np.arange(300) % 4 == 0
    parts = []
    for skill in range(7):
        score = np.clip(draw.normal(0.3 + 0.06 * skill * truth, 0.15), 0.01, 0.99)
        part = {"task": "heart", "model": f"model {skill}", "row": np.arange(300), "fold": 0, "truth": truth}
        parts.append(pd.DataFrame(part | {"prediction": score >= 0.5, "score": score}))
    names = [f"model {skill}" for skill in range(8)]
    runs = {"task": "heart", "model": names, "status": ["ok"] * 7 + ["failed in fold 1: no"], "warnings": ""}
    return TaskPredictions(Task("heart", "heart", "ill", 600), pd.concat(parts), pd.DataFrame(runs))


def test_verdicts_are_those_of_score_and_a_failure_is_a_row(member):
    table = verdict_table([member])
    check_table("own_verdicts", table)
    assert table["model"].nunique() == 8
    failed = table[table["model"] == "model 7"].iloc[0]
    assert (failed["status"], pd.isna(failed["verdict"])) == ("failed in fold 1: no", True)
    best = member.predictions[member.predictions["model"] == "model 6"]
    expected = nontrivial.score(best["truth"], best["score"], best["prediction"]).verdicts
    found = table[table["model"] == "model 6"].set_index("question")
    for question, each in expected.items():
        assert (found.loc[question, "verdict"], found.loc[question, "value"]) == (each.verdict, each.value)


def test_the_curves_are_those_of_the_best_models(member):
    table = curve_table([member])
    check_table("own_curves", table)
    assert table["model"].nunique() == MOST_MODELS
    figure = plot_own(table)
    assert [len(axes.lines) for axes in figure.axes] == [MOST_MODELS] * 3


def test_the_page_shows_each_model_with_its_answers_or_why_it_has_none(member, tmp_path):
    write_result(tmp_path / "own_verdicts.csv", verdict_table([member]))
    found = find_own({"own_verdicts": read_texts(tmp_path / "own_verdicts.csv")})
    (task,) = found["tasks"]
    assert (task["cases"], task["positives"], len(task["models"])) == (300, 75, 8)
    assert task["models"][-1] == {"name": "model 7", "status": "failed in fold 1: no", "found": {}}
    assert set(task["models"][0]["found"]) == {"probabilities", "ranking", "labels"}
