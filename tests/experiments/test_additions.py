"""What the how-to page adds to the study joins its plan, and is trained on and read."""

import sys
from copy import deepcopy

import pandas as pd
import pytest
from configuration import DATASETS, DEFAULT
from configuration import MODELS as GIVEN
from own_study import settings, write_files

from nontrivial_study.data.canonical import canonical_sha256, dataset_record
from nontrivial_study.data.own import own_dataset
from nontrivial_study.experiments.additions import add_own, check_external, external_settings
from nontrivial_study.experiments.own.own import judge_trained
from nontrivial_study.experiments.plan import make_plan
from nontrivial_study.experiments.problems import SettingError
from nontrivial_study.experiments.tasks.batches import TaskPredictions
from nontrivial_study.experiments.tasks.training import train_task

MODELS = ["xgboost", "mean_difference"]


@pytest.fixture
def plan(tmp_path, monkeypatch):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("xgboost", "my_models"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    def make(**own):
        config = deepcopy(DEFAULT) | settings()
        config["own"] |= own
        made = make_plan(*add_own(config, DATASETS, GIVEN))
        check_external(made.external, external_settings(config))
        return made

    return make


def test_all_that_the_page_adds_joins_the_plan(plan):
    made = plan()
    assert list(made.from_source("own file")) == ["heart"]
    (task,) = (task for chunk in made.chunks.values() for task in chunk if task.dataset == "heart")
    assert (task.name, task.positive, task.cells) == ("heart", "ill", 120)
    assert list(made.external["sepsis"]) == ["coin", "ward_score"]
    assert {len(made.models[name]["version"]) for name in MODELS} == {64}  # digests, without a version

    entry = made.datasets["heart"]
    table, _ = own_dataset("a", entry)
    record = dataset_record("heart", table, entry | {"sha256": canonical_sha256(table)})
    assert (record["positive"], record["source"], record["rows"]) == ("ill", "own file", 60)
    models = {name: made.models[name] for name in (*MODELS, "gaussian_naive_bayes")}
    predictions, runs = train_task(task, table, models, folds=2)
    assert runs["status"].tolist() == ["ok"] * 3
    assert len(predictions) == 180
    verdicts = judge_trained(TaskPredictions(task, predictions, runs), "ill").verdicts
    assert verdicts["gaussian_naive_bayes"].keys() == {"probabilities", "ranking", "labels"}
    assert verdicts["mean_difference"].keys() == {"ranking", "labels"}  # its scores are margins


def test_targets_of_any_kind_join_the_plan(plan, tmp_path):
    rows = pd.DataFrame({"x": range(60), "grade": ["a", "b", "c"] * 20, "days": [n + 0.5 for n in range(60)]})
    rows.to_csv(tmp_path / "stay.csv", index=False)
    sets = {target: {"file": "stay.csv", "target": target} for target in ("grade", "days")}
    mine = {"family": "linear", "estimator": "Ridge", "kind": "regressor"}
    made = plan(datasets=sets, models={"mine": mine})
    assert {name: tasks[0].target for name, tasks in made.own.items()} == {"own-00": "classes", "own-01": "numbers"}
    tasks = [task.name for chunk in made.chunks.values() for task in chunk]
    assert [name for name in tasks if name.startswith(("grade", "days"))] == ["grade-a", "grade-b", "grade-c"]
    assert "mine" in made.models_for("own-01")
    assert "mine" not in made.models_for("own-00")


def test_models_that_are_listed_are_joined_by_the_users(plan):
    assert plan(models={"mine": {"family": "x", "estimator": "GaussianNB"}}).models["mine"]


@pytest.mark.parametrize(
    ("own", "setting", "refusal"),
    [
        ({"datasets": {"iris": {"file": "heart.csv", "target": "outcome"}}}, "own.datasets.iris", "another"),
        ({"models": {"ridge": {"family": "x", "estimator": "GaussianNB"}}}, "own.models.ridge", "another"),
        ({"datasets": {"a": {"file": "absent.csv", "target": "y"}}}, "own.datasets.a", "absent.csv is not"),
        ({"datasets": {"a": {"file": "heart.csv", "target": "y"}}}, "own.datasets.a", "has no column 'y'"),
        ({"predictions": "heart.csv"}, "own.predictions", "heart.csv is not a folder"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_setting(own, setting, refusal, plan):
    with pytest.raises(SettingError, match=refusal) as caught:
        plan(**own)
    assert caught.value.setting == setting


def test_a_task_of_predictions_has_a_name_of_its_own(plan, tmp_path):
    (tmp_path / "predictions" / "sepsis").rename(tmp_path / "predictions" / "heart")
    with pytest.raises(SettingError, match="which the study trains on"):
        plan()


def test_every_file_of_predictions_is_read_before_the_study_starts(plan, tmp_path):
    (tmp_path / "predictions" / "sepsis" / "coin.csv").write_text("truth,score\nill,x\nwell,1\n")
    with pytest.raises(SettingError, match=r"'score' of .*coin\.csv holds 'x' in data row 1"):
        plan()
