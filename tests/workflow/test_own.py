"""A study with one's own data, model and predictions, as the how-to page tells; wrong entries end it at its start."""

import json
import subprocess
import sys

import pandas as pd
import pytest
import yaml
from own_study import settings, write_files

WANTED = ["results/tables/measures.csv", "results/tables/curve_areas.csv", "results/data/heart.json"]


@pytest.fixture
def own(project):
    """A copy of the project with the files of the page, and what runs the study in it with a configuration."""
    write_files(project.folder)
    paths = f"{project.folder / 'src'}:{project.folder}"
    environment = project.environment | {"PYTHONPATH": paths}

    def run(*arguments, **changes):
        config = settings()
        config["own"] |= changes
        (project.folder / "mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        command = ["--configfile", "tiny.yaml", "mine.yaml", *arguments]
        return project.engines.run(command, project.folder, environment)

    def verify(*arguments):
        program = "import sys; from nontrivial.cli import main; sys.argv[0] = 'nontrivial'; main()"
        command = [sys.executable, "-c", program, "verify", "results", *arguments, "--format", "json"]
        verified = subprocess.run(
            command, cwd=project.folder, env=environment, stdout=subprocess.PIPE, check=False
        )
        return json.loads(verified.stdout)

    return project, run, verify


def test_jobs_are_planned_for_all_that_the_page_adds(own):
    _, run, _ = own
    planned = run("-n", "--quiet", "rules", "--", *WANTED)
    assert planned.returncode == 0, planned.stdout
    assert {"prepare_own_data", "read_predictions"} <= set(planned.stdout.split())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"datasets": {"heart": {"file": "heart.csv"}}}, "the key own.datasets.heart.target is missing"),
        ({"datasets": {"heart": {"file": "hart.csv", "target": "y"}}}, "own.datasets.heart: hart.csv is not"),
        (
            {"datasets": {"heart": {"file": "heart.csv", "target": "outcome", "decimal": ","}}},
            "own.datasets.heart: heart.csv has ",
        ),
        ({"models": {"m": {"family": "x", "estimator": "xgbost:X"}}}, "own.models: Model 'm': "),
        ({"predictions": "prediction"}, "own.predictions: prediction is not a folder"),
    ],
)
def test_a_wrong_entry_ends_the_study_before_its_first_job(changes, said, own):
    project, run, _ = own
    result = run("--cores", "1", **changes)
    assert result.returncode == 1
    last = result.stdout.strip().splitlines()[-1]
    assert last.startswith("The study cannot start. ")
    assert said in last
    assert "Traceback" not in result.stdout
    assert not (project.folder / "results" / "data").exists()


@pytest.mark.rehearsal
def test_the_study_has_the_users_data_model_and_predictions(own):
    project, run, verify = own
    result = run("--cores", "2", *WANTED)
    assert result.returncode == 0, result.stdout
    areas = pd.read_csv(project.folder / "results" / "tables" / "curve_areas.csv")
    trained = areas[areas["model"] == "xgboost"].set_index("task")["status"]
    assert set(trained.index) >= {"wdbc", "heart"}
    assert set(trained) == {"ok"}
    assert areas[areas["task"] == "sepsis"]["model"].tolist() == ["coin", "ward_score"]
    measures = pd.read_csv(project.folder / "results" / "tables" / "measures.csv")
    assert {"heart", "sepsis"} <= set(measures["dataset"])
    assert run("--cores", "2").returncode == 0
    assert verify("--rerun")["outcome"] == "good"
    (project.folder / "heart.csv").unlink()
    gone = verify("--rerun")
    assert (gone["outcome"], ["heart.csv" in one["text"] for one in gone["problems"]]) == (
        "incomplete",
        [True],
    )
