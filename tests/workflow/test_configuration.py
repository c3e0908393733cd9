"""Each wrong key or value in any configuration file is one sentence, with which the run ends before its first job."""

import contextlib
import runpy
from pathlib import Path

import pytest
from snakemake.common.configfile import load_configfile
from snakemake.utils import update_config

from nontrivial_study.config import USER_SETTINGS, load_study

ROOT = Path(__file__).parents[2]
CONFIG, DATASETS, MODELS = (f"config/{name}.yaml" for name in ("config", "datasets", "models"))
CASES = [
    (CONFIG, "folds: 5", "fold: 10", "there is no key fold; the known keys are"),
    (CONFIG, "folds: 5", "folds: 5\nimbalance: {noises: [1.2]}", "imbalance.noises.0 is 1.2; it must be"),
    (CONFIG, "claims: config/claims", "claims: ../claims", "files.claims is '../claims'; it must be"),
    (CONFIG, "tasks: [wdbc", "tasks: [wdbx", "tasks names the unknown data set 'wdbx'; the known"),
    (
        CONFIG,
        "folds: 5",
        "folds: 5\nranking: {pairs: [pr_auc/auc]}",
        "ranking.pairs names the unknown area 'auc'; the known ones are",
    ),
    (DATASETS, "  licence: CC BY 4.0\n", "", "the key wdbc.licence is missing"),
    (MODELS, "estimator: GaussianNB", "estimator: GaussNB", "unknown estimator 'GaussNB'; the known"),
    (MODELS, "{C: 1.0}", "{c: 1.0}", "has no parameter 'c'; it has C,"),
    ("config/published.yaml", 'error: "0.27"', "error: 0.27", "haberman.errors.0.error is 0.27"),
    ("config/claims/p4.yaml", "claims:", "claims: [", "config/claims/p4.yaml, line"),
]


def refusal(project):
    """Return the sentences with which the workflow refuses a project's configuration."""
    config = load_configfile(project.folder / "tiny.yaml")
    with contextlib.chdir(project.folder), pytest.raises(ValueError, match=r".") as refused:
        load_study(config, "", update_config, thorough=True)
    return str(refused.value)


@pytest.mark.parametrize(("path", "old", "new", "expected"), CASES)
def test_a_sentence_names_the_file(path, old, new, expected, project):
    (project.folder / "tiny.yaml").write_text("chunk_cells: 20000\n", encoding="utf-8")
    project.edit(path, old, new)
    sentence = refusal(project)
    assert path in sentence or path == USER_SETTINGS  # a setting may be of any of several files
    assert expected in sentence


def test_all_that_is_wrong_is_said_at_once(project):
    (project.folder / "tiny.yaml").write_text("chunk_cells: 20000\n", encoding="utf-8")
    project.edit(CONFIG, "folds: 5", "folds: ten")
    project.edit(CONFIG, "model_seconds: 1800", "model_seconds: many")
    assert [line.split(" is ")[0] for line in refusal(project).splitlines()] == ["folds", "model_seconds"]
    project.edit(CONFIG, "folds: ten", "folds: 60\nimbalance: {model: forest}")
    project.edit(CONFIG, "model_seconds: many", "model_seconds: 9")
    assert {line.split()[0] for line in refusal(project).splitlines()} >= {"folds", "imbalance.model"}


def test_the_sentence_is_the_last_before_the_first_job(project):
    project.edit(CONFIG, "folds: 5", "fold: 10")
    result = project.run("--cores", "1")
    assert result.returncode != 0
    assert "Traceback" not in result.stdout
    assert result.stdout.strip().endswith(f"The study cannot start. {refusal(project)}")
    assert not (project.folder / "results" / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--config", "folds=ten"], "folds is 'ten'; it must be a whole number from 2 to 100."),
        (["--configfile", "tiny.yaml", "more.yaml", "--config", "folds=4"], "the unknown data set 'tiny'"),
        (["--config", "openml={apikey: c0ffee}"], "there is no key openml.apikey"),
        (["--configfile", "config/paper.yaml", "july.yaml"], "cutoff_date is 'July'; it must be a date"),
    ],
)
def test_the_command_line_is_checked_with_all_its_files(arguments, expected, project):
    (project.folder / "more.yaml").write_text("tasks: [tiny]\n", encoding="utf-8")
    (project.folder / "july.yaml").write_text("openml: {archive: {cutoff_date: July}}\n", encoding="utf-8")
    result = project.engines.run(["--cores", "1", *arguments], project.folder, project.environment)
    assert result.returncode == 1
    assert expected in result.stdout.partition("The study cannot start. ")[2]
    assert "c0ffee" not in result.stdout


def test_the_page_of_all_settings_is_made_from_the_schemas():
    render_settings = runpy.run_path(str(ROOT / "docs" / "settings.py"))["render_settings"]
    page = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    assert page == render_settings(ROOT), "python docs/settings.py > config/README.md makes it again"
    assert "| `folds` | a whole number from 2 to 100 | `5` | `10` |" in page
