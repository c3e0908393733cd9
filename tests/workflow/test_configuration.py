"""A wrong key or value in any configuration file is one sentence, with which the run ends before its first job."""

import contextlib

import pytest
from snakemake.utils import update_config

from nontrivial_workflow.configuration import load_study
from nontrivial_workflow.engine import Given

CASES = {
    "unknown key": (
        "config/config.yaml",
        "folds: 5",
        "fold: 10",
        "there is no key fold; the known keys are",
    ),
    "wrong type": (
        "config/config.yaml",
        "replicates: 10000",
        "replicates: many",
        "imbalance.replicates is 'many'",
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
    "key given twice": ("config/models.yaml", "ridge:", "perceptron:", "the key 'perceptron' is given twice"),
    "not YAML": ("config/claims/p4.yaml", "claims:", "claims: [", "config/claims/p4.yaml, line"),
}


def refusal(project):
    """Return the sentence with which the workflow refuses a project's configuration."""
    with contextlib.chdir(project.folder), pytest.raises(ValueError, match=r".") as refused:
        load_study({}, Given(["tiny.yaml"], False, [], {}), update_config, project="", thorough=True)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_names_the_file(case, unstarted):
    path, old, new, expected = CASES[case]
    unstarted.edit(path, old, new)
    sentence = refusal(unstarted)
    assert path in sentence
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


@pytest.mark.parametrize("setting", ["models: [decision_wood]\n", "imbalance: {model: decision_wood}\n"])
def test_the_file_that_set_the_value_is_named(setting, unstarted):
    (unstarted.folder / "tiny.yaml").write_text(setting, encoding="utf-8")
    sentence = refusal(unstarted)
    assert sentence.startswith("tiny.yaml: ")
    assert "names the unknown model 'decision_wood'" in sentence


def test_what_the_users_own_file_leaves_out_is_said(unstarted):
    (unstarted.folder / "tiny.yaml").write_text("tasks: [iris]\n", encoding="utf-8")
    assert refusal(unstarted) == (
        "config/config.yaml: imbalance.dataset names the unknown two-class task 'wdbc'; the "
        "known ones are none; tiny.yaml leaves it out: add 'wdbc' to its tasks, or set imbalance.dataset there."
    )


def test_other_workflows_are_left_alone(unstarted, tmp_path):
    (tmp_path / "Snakefile").write_text('configfile: "config.yml"\nrule all:\n    shell: "true"\n')
    (tmp_path / "config.yml").write_text("day: !!str 1\n")
    schemas = tmp_path / "workflow" / "schemas"
    schemas.mkdir(parents=True)
    (schemas / "config.schema.yaml").write_text("type: object\n")
    run = unstarted.engines.run(["-n", "--configfile", "config.yml"], tmp_path, unstarted.environment)
    assert run.returncode == 0, run.stdout


ENGINE = {
    "a file that is not there": (["--configfile", "none.yaml"], "none.yaml cannot be read"),
    "a folder": (["--configfile", "tiny.yaml", "config"], "config is not a file"),
    "no YAML": (["--configfile", "broken.yaml"], "broken.yaml, line 2: "),
    "no UTF-8": (["--configfile=latin.yaml"], "latin.yaml is not UTF-8"),
    "an alias bomb": (["--configfile", "bomb.yaml"], "bomb.yaml, line 6: "),
    "no day": (["--configfile", "day.yaml"], "day.yaml has a value"),
    "5,000 digits": (["--configfile", "digits.yaml"], "digits.yaml has a value"),
    "no setting": (["--config", "folds"], "--config is 'folds'"),
    "a setting of one letter": (["--config", "a=1"], "such as folds=5"),
    "a profile's file": (["--profile", "mine"], "broken.yaml, line 2: "),
    "a workflow profile's file": (["--workflow-profile", "mine/profile.yaml"], "broken.yaml, line 2: "),
    "a setting that is no YAML": (["--config", "folds=[1"], "--config folds, line "),
    "a number of another kind": (["--config", "folds=1_0"], "--config: folds is '1_0'"),
    "an escape code": (["--configfile", "escape.yaml"], r"escape.yaml: there is no key \x1b[31m;"),
    "a file in place of the results": (["--config", "results=README.md"], "README.md is not a folder"),
}


@pytest.mark.parametrize("case", ENGINE)
def test_what_the_engine_would_end_in_a_traceback_for(case, unstarted):
    arguments, expected = ENGINE[case]
    bomb = ["a0: &a0 {k: v}"]
    for i in range(1, 20):
        bomb.append(f"a{i}: &a{i} {{{', '.join(f'k{j}: *a{i - 1}' for j in range(9))}}}")
    contents = {
        "broken": b"folds: [\n",
        "latin": b"folds: \xe9\n",
        "bomb": "\n".join(bomb).encode(),
        "escape": b'"\\e[31m": 1\n',
        "day": b"folds: 2015-99-99\n",
        "digits": b"folds: " + b"9" * 5000 + b"\n",
    }
    for name, content in contents.items():
        (unstarted.folder / f"{name}.yaml").write_bytes(content)
    (unstarted.folder / "mine").mkdir(exist_ok=True)
    (unstarted.folder / "mine" / "profile.yaml").write_text("configfile: broken.yaml\n")
    result = unstarted.engines.run(["--cores", "1", *arguments], unstarted.folder, unstarted.environment)
    assert result.returncode == 1
    assert "Traceback" not in result.stdout
    last = result.stdout.strip().splitlines()[-1]
    assert last.startswith("The study cannot start. ")
    assert expected in last
