"""What is said before a study runs again, and when it cannot; `workflow/test_provenance.py` runs one."""

import json
import subprocess
import sys

import pytest
from provenance.small_study import CONFIG, describe, edit

from nontrivial_study.provenance.rerun import other_code
from nontrivial_study.provenance.run import commit_of
from nontrivial_study.provenance.verify import verify

# A workflow that makes what the small study has, from its configuration, and a table of its own.
SNAKEFILE = """
configfile: "config/config.yaml"
rule all:
    output: "results/tables/ranks.csv", "results/folds.txt"
    shell: "cp {workflow.basedir}/ranks.csv {output[0]}; echo {config[folds]} > {output[1]}"
"""


@pytest.fixture
def checkout(study, tmp_path, monkeypatch):
    """A checkout whose workflow makes one table as the small study has it, and a file that it has not."""
    folder = study.parent
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "config" / "config.yaml").write_text("folds: 7\n")
    (folder / "src" / "nontrivial_study").mkdir()
    (folder / "ranks.csv").write_bytes((study / "tables" / "ranks.csv").read_bytes())
    describe(study)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(folder / "workflow")  # below it is near enough
    return folder


def settle(study, **changes):
    """Record another configuration, of data that were not downloaded."""
    config = CONFIG | {"datasets": []} | changes
    edit(study, "run.json", lambda run: run.update(config=config, commit=commit_of(study.parent)))


def test_the_recorded_configuration_is_run_and_the_bytes_are_compared(study, checkout):
    settle(study, folds=4)
    (study / "folds.txt").write_text("4\n")
    describe(study)
    outcome = verify(study, rerun=True)
    assert (outcome.rerun["compared"], outcome.rerun["same"], outcome.rerun["other_code"]) == (2, 2, [])
    (study / "folds.txt").write_text("5\n")
    (study / "tables" / "ranks.csv").unlink()
    (checkout / "src" / "package" / "module.py").write_text("two = 2\n")
    (checkout / "src" / "new.py").write_text("")
    kinds = {one.place.replace(f"{study}/", ""): one.kind for one in verify(study, rerun=True).problems}
    assert (kinds["folds.txt"], kinds["tables/ranks.csv"]) == ("mismatch", "incomplete")
    assert other_code(study, checkout) == ["src/new.py", "src/package/module.py"]


def test_no_code_of_the_results_is_run(study, checkout):
    settle(study)
    (checkout / "Snakefile").write_text("raise ValueError('that of the results')\n")
    describe(study)
    (checkout / "Snakefile").write_text(SNAKEFILE)
    outcome = verify(study, rerun=True)
    assert outcome.rerun["other_code"] == ["Snakefile"]


def test_downloads_that_are_not_here_are_named_and_nothing_is_run(study, checkout):
    text = "cannot be made again without the study's folder downloads: toy."
    outcome = verify(study, rerun=True)
    assert [(problem.kind, problem.text) for problem in outcome.problems] == [("incomplete", text)]
    assert outcome.rerun is None


def test_a_workflow_that_fails_says_why(study, checkout):
    settle(study)
    (checkout / "Snakefile").write_text(
        "import sys; sys.exit('The study cannot start. There is no heart.csv.')\n"
    )
    (problem,) = [problem for problem in verify(study, rerun=True).problems if problem.place == str(study)]
    assert (problem.kind, problem.text) == (
        "incomplete",
        "cannot be made again: The study cannot start. There is no heart.csv.",
    )


def test_outside_a_checkout_it_is_one_sentence(study, tmp_path):
    command = [sys.executable, "-m", "nontrivial", "verify", study, "--rerun"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert json.dumps(str(tmp_path))[1:-1] in done.stderr
