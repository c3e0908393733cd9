"""A study with one's own data, model and predictions, as the how-to page tells; wrong entries end it at its start."""

import json
import re
import shutil

import pandas as pd
import pytest
import yaml
from own_study import blocks, settings, write_files

from nontrivial_study.tables import read_texts

ALONE = {"experiments": ["ranks"], "models": ["gaussian_naive_bayes"]}
WANTED = ["results/tables/measures.csv", "results/tables/curve_areas.csv", "results/data/heart.json"]


@pytest.fixture
def own(project):
    """A copy of the project with the files of the page, and what runs the study in it with a configuration."""
    write_files(project.folder)

    def run(*arguments, alone=False, **changes):
        config = settings() | (ALONE if alone else {})
        config["own"] |= changes
        (project.folder / "mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        command = ["--configfile", *([] if alone else ["tiny.yaml"]), "mine.yaml", *arguments]
        return project.engines.run(command, project.folder, project.environment)

    return project, run


@pytest.mark.parametrize("example", blocks())
def test_each_example_of_the_page_is_planned_as_it_stands(own, example):
    project, _ = own
    (project.folder / "mine.yaml").write_text(example, encoding="utf-8")
    command = ["--configfile", "tiny.yaml", "mine.yaml", "-n", "--quiet", "rules"]
    if "experiments:" in example:  # which is for data of one's own
        command[2:2] = ["data.yaml"]
        (project.folder / "data.yaml").write_text(blocks()[1], encoding="utf-8")
    planned = project.engines.run(command, project.folder, project.environment)
    assert planned.returncode == 0, planned.stdout


def test_with_a_list_of_experiments_nothing_concerns_other_data(own):
    planned = own[1]("-n", "--quiet", "rules", alone=True)
    assert planned.returncode == 0, planned.stdout
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", planned.stdout, re.MULTILINE))
    assert {"prepare_own_data", "train_models", "read_predictions", "calc_ranks"} <= jobs.keys()
    assert int(jobs["total"]) <= 18
    assert not {"prepare_bundled_data", "calc_imbalance", "judge_claims"} & jobs.keys()


def test_a_wrong_entry_ends_the_study_before_its_first_job(own):
    project, run = own
    result = run("--cores", "1", models={"m": {"family": "x", "estimator": "xgbost:X"}})
    assert result.returncode == 1
    last = result.stdout.strip().splitlines()[-1]
    assert last.startswith("The study cannot start. ")
    assert "own.models: Model 'm': " in last
    assert "Traceback" not in result.stdout
    assert not (project.folder / "results" / "data").exists()


@pytest.mark.rehearsal
def test_three_models_on_own_data_have_verdicts_and_the_page_says_which_have_none(own):
    project, run = own
    result = run("--cores", "2", alone=True)
    assert result.returncode == 0, result.stdout
    verdicts = read_texts(project.folder / "results" / "tables" / "own_verdicts.csv")
    heart = verdicts[verdicts["task"] == "heart"]
    assert heart.groupby("model")["question"].agg(len).to_dict() == {
        "gaussian_naive_bayes": 3,
        "mean_difference": 2,
        "xgboost": 3,
    }
    page = (project.folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "mean_difference and ward_score have no verdict on probabilities" in page


@pytest.mark.rehearsal
def test_the_study_has_the_users_data_model_and_predictions(own):
    project, run = own
    sepsis = project.folder / "predictions" / "sepsis"
    for name in ("nan", "NA", "01"):  # which other readers take for something else
        shutil.copy(sepsis / "coin.csv", sepsis / f"{name}.csv")
    result = run("--cores", "2", *WANTED)
    assert result.returncode == 0, result.stdout
    areas = read_texts(project.folder / "results" / "tables" / "curve_areas.csv")
    trained = areas[areas["model"] == "xgboost"].set_index("task")["status"]
    assert set(trained.index) >= {"wdbc", "heart"}
    assert set(trained) == {"ok"}
    assert areas[areas["task"] == "sepsis"]["model"].tolist() == ["01", "NA", "coin", "nan", "ward_score"]
    measures = pd.read_csv(project.folder / "results" / "tables" / "measures.csv")
    assert {"heart", "sepsis"} <= set(measures["dataset"])
    assert run("--cores", "2").returncode == 0
    assert json.loads(project.verify("--rerun", "--format", "json").stdout)["outcome"] == "good"
    (project.folder / "heart.csv").unlink()
    gone = json.loads(project.verify("--rerun", "--format", "json").stdout)
    assert gone["outcome"] == "incomplete"
    assert ["heart.csv" in one["text"] for one in gone["problems"]] == [True]
