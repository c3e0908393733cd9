"""What is said before a study runs again, and when it cannot; `workflow/test_provenance.py` runs one."""

from pathlib import Path

import pytest
from commands import assert_one_sentence, run
from provenance.small_study import CONFIG, RUN, describe

import nontrivial_study
from nontrivial.files import sha256_of, write_json
from nontrivial_study.provenance.rerun import find_checkout
from nontrivial_study.provenance.run import commit_of, describe_machine, package_versions
from nontrivial_study.provenance.verify import verify_results

# A workflow that makes what the small study has, and what follows from predictions and from the configuration.
SNAKEFILE = """
configfile: "config/config.yaml"
rule all:
    input: "results/predictions/a.csv"
    output: "results/tables/ranks.csv", "results/folds.txt"
    params: own=list(config.get("own", {}).get("models", []))
    shell: "cp {workflow.basedir}/ranks.csv {output[0]}; (echo {config[folds]} {params.own}; cat {input}) > {output[1]}"
rule predict:
    output: "results/predictions/a.csv"
    shell: "cp {workflow.basedir}/predictions.csv {output}"
"""
PREDICTIONS = "model,score\nb,0.5\na,0.25\n"


@pytest.fixture
def checkout(study, tmp_path, monkeypatch):
    """A checkout whose workflow makes one table as the small study has it, and a file that it has not."""
    folder = study.parent
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "config" / "config.yaml").write_text("folds: 7\n")
    (folder / "src" / "nontrivial_study").mkdir()
    (folder / "ranks.csv").write_bytes((study / "tables" / "ranks.csv").read_bytes())
    (folder / "predictions.csv").write_text(PREDICTIONS)
    (study / "predictions").mkdir()
    (study / "predictions" / "a.csv").write_text(PREDICTIONS)
    describe(study)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(folder / "workflow")  # below it is near enough
    return folder


def settle(study, folds="3", own=(), **changes):
    """Record another configuration, of data that were not downloaded, and what the workflow makes with it."""
    here = {**describe_machine(), "packages": package_versions()}
    config = CONFIG | {
        "datasets": [],
        "folds": folds,
        "own": {"models": {name: {"estimator": "GaussianNB", "rounding": "ties"} for name in own}},
    }
    record = {**RUN, **here, "config": config, "commit": commit_of(study.parent), **changes}
    write_json(study / "run.json", record, sort_keys=False)
    (study / "folds.txt").write_text(f"{' '.join([folds, *own])}\n{(study / 'predictions' / 'a.csv').read_text()}")
    describe(study)


def test_the_recorded_configuration_is_run_and_the_bytes_are_compared(study, checkout):
    settle(study, "4", ["b", "a"])  # an order that sorting changes
    outcome = verify_results(study, rerun=True)
    assert [outcome.rerun[key] for key in ("compared", "same_bytes", "other_code")] == [3, 3, []]
    (study / "folds.txt").write_text("5\n")
    (study / "tables" / "ranks.csv").unlink()
    (checkout / "src" / "package" / "module.py").write_text("two = 2\n")
    (checkout / "src" / "new.py").write_text("")
    outcome = verify_results(study, rerun=True)
    kinds = {problem.place.replace(f"{study}/", ""): problem.kind for problem in outcome.problems}
    assert (kinds["folds.txt"], kinds["tables/ranks.csv"]) == ("mismatch", "incomplete")
    assert not {"run.json", "code.zip", "ro-crate-metadata.json"} & kinds.keys()
    assert outcome.rerun["other_code"] == ["src/new.py", "src/package/module.py"]


def test_no_code_of_the_results_is_run(study, checkout):
    settle(study)
    (checkout / "Snakefile").write_text("raise ValueError('that of the results')\n")
    describe(study)
    (checkout / "Snakefile").write_text(SNAKEFILE)
    outcome = verify_results(study, rerun=True)
    assert outcome.rerun["other_code"] == ["Snakefile"]


@pytest.mark.parametrize(
    ("score", "changes", "is_explained"),
    [
        ("0.2500000000001", {"processor": "another"}, True),
        ("0.3", {"processor": "another"}, False),
        ("0.2500000000001", {}, False),
    ],
)
def test_rounding_may_explain_predictions_of_another_processor_and_the_rest_is_made_from_them(
    study, checkout, score, changes, is_explained
):
    (study / "predictions" / "a.csv").write_text(f"model,score\nb,0.75\na,{score}\n")
    settle(study, own=["b"], **changes)  # b depends on rounding
    outcome = verify_results(study, rerun=True)
    assert (outcome.rerun["rounding"], outcome.rerun["differ"]) == ((1, 0) if is_explained else (0, 2))
    assert any(problem.kind == "rounding" for problem in outcome.unchecked) == is_explained


def test_files_of_ones_own_are_looked_for_here_and_named_with_their_digest_if_they_differ(
    study, checkout, tmp_path, monkeypatch
):
    (tmp_path / "heart.csv").write_text("age\n50\n")
    digest = sha256_of(tmp_path / "heart.csv")
    settle(study, own_files={"heart.csv": digest})
    (problem,) = verify_results(study, rerun=True).problems
    assert (problem.kind, f"heart.csv (sha256 {digest})" in problem.text) == ("incomplete", True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nontrivial_study.provenance.verify.find_checkout", lambda: checkout)
    assert verify_results(study, rerun=True).rerun["differ"] == 0
    (tmp_path / "heart.csv").write_text("age\n51\n")
    (problem,) = verify_results(study, rerun=True).problems
    assert f"{digest}); {tmp_path}" in problem.text


def test_downloads_that_are_not_here_are_named_and_nothing_is_run(study, checkout):
    text = "cannot be made again without the study's folder downloads: toy."
    outcome = verify_results(study, rerun=True)
    assert [(problem.kind, problem.text) for problem in outcome.problems] == [("incomplete", text)]
    assert outcome.rerun is None


def test_a_workflow_that_fails_says_why(study, checkout):
    settle(study)
    (checkout / "Snakefile").write_text("import sys; sys.exit('The study cannot start. There is no heart.csv.')\n")
    (problem,) = [problem for problem in verify_results(study, rerun=True).problems if problem.place == str(study)]
    assert (problem.kind, problem.text) == (
        "incomplete",
        "cannot be made again: The study cannot start. There is no heart.csv.",
    )


def test_without_a_checkout_here_or_of_the_package_it_is_one_sentence(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_checkout() == Path(__file__).parents[2]
    monkeypatch.setattr(nontrivial_study, "__path__", [str(tmp_path / "site-packages" / "nontrivial_study")])
    assert_one_sentence(run("verify", study, "--rerun"), str(tmp_path))
