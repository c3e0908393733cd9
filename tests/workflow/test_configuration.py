"""A wrong key or value in any configuration file is one sentence, with which the run ends before its first job."""

import contextlib

import pytest
from snakemake.common.configfile import load_configfile

from nontrivial_study.config import OWN, load_study

CASES = {
    "unknown key": (
        "config/config.yaml",
        "folds: 5",
        "fold: 10",
        "there is no key fold; the known keys are",
    ),
    "wrong type": (
        "config/config.yaml",
        "model_seconds: 1800",
        "model_seconds: many",
        "model_seconds is 'many'",
    ),
    "out of range": (
        "config/config.yaml",
        "noises: [0.2,",
        "noises: [1.2,",
        "imbalance.noises.0 is 1.2; it must be",
    ),
    "file of another place": (
        "config/config.yaml",
        "claims: config/claims",
        "claims: ../claims",
        "files.claims is '../claims'; it must be the path of a folder of YAML files below",
    ),
    "missing key": ("config/datasets.yaml", "  licence: CC BY 4.0\n", "", "the key wdbc.licence is missing"),
    "wrong loader": (
        "config/datasets.yaml",
        "loader: load_iris",
        "loader: load_irs",
        "iris.loader is 'load_irs'",
    ),
    "wrong counts": ("config/datasets.yaml", "setosa: 50", "setosa: 51", "iris.classes adds up to 151"),
    "unknown estimator": (
        "config/models.yaml",
        "estimator: GaussianNB",
        "estimator: GaussNB",
        "unknown estimator 'GaussNB'; the known ones are AdaBoostClassifier",
    ),
    "unknown parameter": (
        "config/models.yaml",
        "{C: 1.0}",
        "{c: 1.0}",
        "has no parameter 'c'; it has C,",
    ),
    "wrong parameter": (
        "config/models.yaml",
        "{max_depth: 1}",
        "{max_depth: -1}",
        "'max_depth' parameter of",
    ),
    "unknown scale": ("config/models.yaml", "scale: unit", "scale: log", "it must be standard or unit"),
    "number without quotes": (
        "config/published.yaml",
        'error: "0.27"',
        "error: 0.27",
        "haberman.errors.0.error is 0.27",
    ),
    "unknown claim key": ("config/claims/p4.yaml", "  statement:", "  stated:", "stated"),
    "not YAML": ("config/claims/p4.yaml", "claims:", "claims: [", "config/claims/p4.yaml, line"),
}


def refusal(project):
    """Return the sentence with which the workflow refuses a project's configuration."""
    config = load_configfile(project.folder / "tiny.yaml")
    with contextlib.chdir(project.folder), pytest.raises(ValueError, match=r".") as refused:
        load_study(config, "", thorough=True)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_names_the_file(case, unstarted):
    path, old, new, expected = CASES[case]
    unstarted.edit(path, old, new)
    sentence = refusal(unstarted)
    assert path in sentence or path == OWN  # a setting may be of any of several files
    assert expected in sentence


def test_the_sentence_is_the_last_before_the_first_job(unstarted):
    unstarted.edit("config/config.yaml", "folds: 5", "fold: 10")
    result = unstarted.run("--cores", "1")
    assert result.returncode != 0
    assert "Traceback" not in result.stdout
    assert result.stdout.strip().splitlines()[-1] == f"The study cannot start. {refusal(unstarted)}"
    assert not (unstarted.folder / "results" / "data").exists()


SETTINGS = {
    "data set": (
        "tasks: [wdbc",
        "tasks: [wdbx",
        "tasks names the unknown data set 'wdbx'; the known ones are wdbc, iris",
    ),
    "regression": ("tasks: [wdbc", "tasks: [diabetes", "which is for regression"),
    "model": (
        "model: random_forest",
        "model: random_wood",
        "imbalance.model names the unknown model 'random_wood'",
    ),
    "folds": ("folds: 5", "folds: 60", "folds is 60; it must be at most 50"),
    "shares": ("last: 0.5", "last: 0.01", "imbalance.shares.first is 0.01; it must be a fraction below"),
    "task of several classes": (
        "further_datasets: []",
        "further_datasets: [iris]",
        "imbalance.further_datasets names the unknown two-class task 'iris'; the known ones are wdbc, haberman,",
    ),
    "noise that the minority cannot bear": (
        "minority_share: 0.15, noise: 0.2",
        "minority_share: 0.05, noise: 0.2",
        "venn.noise is 0.2; it must be at most twice venn.minority_share, 0.1",
    ),
    "regression among classes": (
        "classification: [wdbc,",
        "classification: [diabetes,",
        "losses.classification names the unknown data set with classes 'diabetes'",
    ),
    "regressor": (
        "estimator: LinearRegression",
        "estimator: LinearRegress",
        "losses.regressors: Model 'linear_regression': unknown estimator 'LinearRegress'",
    ),
    "repeats of several classes": (
        "dataset: haberman",
        "dataset: wine",
        "repeats.dataset names the unknown two-class data set 'wine'; the known ones are wdbc, haberman,",
    ),
    "task of the tutorial": (
        "tutorial: {task: wdbc",
        "tutorial: {task: digits",
        "tutorial.task names the unknown task 'digits'; the known ones are wdbc, iris-setosa",
    ),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_settings_that_cannot_serve(case, unstarted):
    old, new, expected = SETTINGS[case]
    (unstarted.folder / "tiny.yaml").write_text("chunk_cells: 20000\n", encoding="utf-8")
    unstarted.edit("config/config.yaml", old, new)
    assert expected in refusal(unstarted)


def test_a_number_where_a_text_belongs_is_refused(unstarted):
    (unstarted.folder / "tiny.yaml").write_text("training_noise: {dataset: 1_0}\n", encoding="utf-8")
    assert refusal(unstarted).startswith("training_noise.dataset is 10; it must be ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--config", "folds=ten"], "folds is 'ten'; it must be a whole number from 2 to 100."),
        (["--config", "results=README.md"], "README.md is not a folder"),
        (["--configfile", "list.yaml"], "keys at top level"),  # as Snakemake says it
    ],
)
def test_the_command_line_is_checked(arguments, expected, unstarted):
    (unstarted.folder / "list.yaml").write_text("- folds\n")
    result = unstarted.engines.run(["--cores", "1", *arguments], unstarted.folder, unstarted.environment)
    assert result.returncode == 1
    assert expected in result.stdout.strip().splitlines()[-1]
