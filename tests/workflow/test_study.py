"""The tiny study from end to end: what it makes, that it is reproducible, and what is redone after a change."""

import json
import os
import re
import signal
import subprocess
import time

import pandas as pd
import pytest
import yaml
from tiny_study import FAILING, TINY

from nontrivial.files import find_files
from nontrivial_study.provenance.verify import verify
from nontrivial_study.tables import check_table, layouts, read_table

PROMISED = [
    "data/wdbc.parquet",
    "data/wdbc.json",
    "tables/measures.csv",
    "tables/imbalance_noise.csv",
    "tables/haberman_published.csv",
    "tables/curve_areas.csv",
    "tables/rank_disagreement.csv",
    "tables/rank_disagreement_by_imbalance.csv",
    "tables/model_choice.csv",
    "tables/model_choice_by_share.csv",
    "tables/area_finding.csv",
    "tables/running_example.csv",
    "tables/p4_examples.csv",
    "tables/exam.csv",
    "tables/crossings.csv",
    "tables/crossings_by_data_set.csv",
    "tables/crossings_summary.csv",
    "tables/fold_averages.csv",
    "tables/haberman_trained.csv",
    "tables/haberman_trained_summary.csv",
    "tables/loss_reversals.csv",
    "tables/losses.csv",
    "tables/p4_dependencies.csv",
    "tables/p4_examples_integer.csv",
    "tables/selective_prediction.csv",
    "tables/training_noise.csv",
    *(
        f"figures/{name}.{kind}"
        for name in (
            "pa_figure_1",
            "pa_figure_1_many_data",
            "pa_figure_2",
            "pa_crossings",
            "pa_losses",
            "pa_selective",
            "pa_training_noise",
            "p4_plane",
            "tutorial_averages",
            "tutorial_cost_curve",
            "tutorial_precision_recall",
            "tutorial_roc",
            "prg_figure_1",
            "prg_figure_2",
            "prg_figure_3",
            "prg_figure_4",
            "prg_figure_5",
            "prg_figure_5_own_data",
            "prg_model_choice",
            "prg_disagreement_by_share",
        )
        for kind in ("svg", "pdf", "png", "csv")
    ),
    "claims/verdicts.csv",
    "claims/verdicts.json",
    "report/index.html",
    "code.zip",
    "README.md",
    "manifest-sha256.txt",
    "ro-crate-metadata.json",
    "run.json",
]


RECORD = {"archive_code", "describe_results"}


@pytest.mark.parametrize("path", PROMISED)
def test_makes_what_it_promises(path, finished):
    assert (finished.folder / "results" / path).stat().st_size > 0


def test_every_table_is_what_is_said_of_it(finished):
    results = finished.folder / "results"
    paths = [path for folder in ("tables", "figures") for path in find_files(results / folder, "*.csv")]
    for path in paths:
        check_table(path.stem, read_table(path))
    traced_once = {"pa_figure_1_other_data"}  # the tiny study traces one data set
    assert {path.stem for path in paths} == layouts().keys() - traced_once


def test_of_a_whole_study_nothing_is_left_to_do(finished):
    assert "Nothing to be done" in finished.run("-n").stdout


@pytest.mark.rehearsal
def test_one_core_and_two_give_the_same_bytes(finished, project):
    result = project.run("--cores", "1")
    assert result.returncode == 0, result.stdout
    one, two = (study.contents(".") for study in (project, finished))
    for contents in (one, two):
        for name in [name for name in contents if name.startswith(("logs/", "benchmarks/"))]:
            del contents[name]
        del contents["run.json"]
    assert one.keys() == two.keys()
    differ = {name for name in one if one[name] != two[name]}
    assert differ == {"ro-crate-metadata.json", "manifest-sha256.txt"}
    # The crate quotes the times of the run and its record's digest and size; the manifest lists both.
    own = rb'"(2\d{3}-\d\d-\d\dT[\d:]+\+00:00|\d+|[0-9a-f]{64})"'
    assert len({re.sub(own, b"", study["ro-crate-metadata.json"]) for study in (one, two)}) == 1
    lines = [set(study["manifest-sha256.txt"].splitlines()) for study in (one, two)]
    assert {line[66:] for line in lines[0] ^ lines[1]} == {b"ro-crate-metadata.json", b"run.json"}


def run_one_job(study):
    results = study.folder / "results"
    part = study.run("--cores", "1", "--forcerun", "calc_exam", "--", "results/tables/exam.csv")
    assert part.returncode == 0, part.stdout
    assert verify(results).outcome == "good"  # it made the same, and its new times are in no record


def test_a_job_that_ran_by_itself_changes_nothing(finished_copy):
    run_one_job(finished_copy)


@pytest.mark.rehearsal
@pytest.mark.parametrize("other_batches", [False, True])
def test_what_another_configuration_makes_no_more_is_told(other_batches, finished_copy):
    results = finished_copy.folder / "results"
    run_one_job(finished_copy)
    batches = {path.stem for path in (results / "logs" / "train_models").iterdir()}
    if other_batches:
        finished_copy.edit("tiny.yaml", "chunk_cells: 18000", "chunk_cells: 100000")
    else:
        finished_copy.edit("config/models.yaml", "# The thirty models.", "# All the thirty models.")
    again = finished_copy.run("--cores", "2")
    assert again.returncode == 0, again.stdout
    assert {"chunk-00", "chunk-01"} <= batches
    if other_batches:  # the second is made no more, and stays with its log
        assert "chunk-01" not in (results / "ro-crate-metadata.json").read_text(encoding="utf-8")
    left = [problem.place for problem in verify(results).unchecked if problem.kind == "left"]
    assert any(place.endswith("predictions/chunk-01.parquet") for place in left) == other_batches
    assert (f"{len(left)} files are left from an earlier configuration" in again.stdout) == bool(left)
    assert verify(results).problems == []
    assert not list(finished_copy.folder.rglob("results*/**/.snakemake*"))


def test_an_edit_of_a_module_or_a_comment_reruns_just_the_rules_of_its_folder(finished_copy):
    finished_copy.edit("src/nontrivial/curves/gain.py", '"""', '"""Edited. ')
    finished_copy.edit("config/models.yaml", "# The thirty models.", "# All the thirty models.")
    again = finished_copy.would_rerun()
    assert {"calc_scores", "collect_scores", "calc_ranks", *RECORD} <= again
    assert not again & {"prepare_bundled_data", "train_models", "calc_exam"}


def test_a_comment_in_the_configuration_reruns_nothing_but_the_record_of_it(finished_copy):
    finished_copy.edit("config/models.yaml", "# The thirty models.", "# All the thirty models.")
    assert finished_copy.would_rerun() == RECORD


def test_other_confusion_measures_and_another_model_rerun_what_depends_on_them(finished_copy):
    finished_copy.edit("src/nontrivial/measures/confusion.py", '"""', '"""Edited. ')
    again = finished_copy.would_rerun()
    assert {"calc_scores", "calc_imbalance", "draw_imbalance"} <= again
    assert not again & {"prepare_bundled_data", "train_models", "calc_exam", "calc_prg_example"}
    finished_copy.edit("config/models.yaml", "{C: 1.0}", "{C: 2.0}")
    again = finished_copy.would_rerun()
    assert "train_models" in again
    assert "calc_exam" not in again


NETWORKS = """
rule all:
    input: "networks.txt"
rule name_networks:
    output: "networks.txt"
    script: "name_networks.py"
"""


def test_needs_no_network(finished, isolation, tmp_path):
    if not isolation:
        pytest.skip("this machine does not allow a network namespace")
    assert (finished.folder / "results" / "report" / "index.html").is_file()
    (tmp_path / "Snakefile").write_text(NETWORKS)
    (tmp_path / "name_networks.py").write_text(
        "import socket\nopen(snakemake.output[0], 'w').write(str([name for _, name in socket.if_nameindex()]))"
    )
    run = finished.engines.run(["--cores", "1"], tmp_path, finished.environment | isolation)
    assert run.returncode == 0, run.stdout
    assert (tmp_path / "networks.txt").read_text() == "['lo']", "which is down"


def test_what_needs_a_download_is_said_on_the_page(finished):
    page = (finished.folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "needs openml/selection.json, which this study has not made." in page
    assert "snakemake --cores 8 --configfile config/paper.yaml" in page


def test_what_needs_a_download_is_said_in_the_numbers_of_its_figure(finished):
    curves = pd.read_csv(finished.folder / "results" / "figures" / "prg_figure_5.csv")
    assert curves["status"].str.startswith("not evaluated: task 3872 of OpenML").all()
    assert curves["model"].tolist() == ["adaboost", "logistic_regression"]
    assert curves["area"].isna().all()


def test_repeats_run_on_a_data_set_that_is_there(finished):
    tables = finished.folder / "results" / "tables"
    trained = pd.read_csv(tables / "haberman_trained.csv").set_index("model")
    assert set(trained["dataset"]) == {"wdbc"}
    failed = trained["status"] != "ok"
    assert trained.index[failed].tolist() == [FAILING]
    assert set(trained["repeats"][~failed]) == {3}
    assert trained.loc["logistic_regression", "better_than_trivial"]
    assert not trained.loc["chance_stratified", "better_than_trivial"]
    assert pd.read_csv(tables / "haberman_trained_summary.csv")["models"].item() == 4


def test_a_model_that_fails_is_a_row_with_its_reason_wherever_it_is_asked_for(finished):
    assert_failure_is_said(finished)


@pytest.mark.rehearsal
def test_a_model_that_fails_may_be_the_main_one_and_repeats_may_lack_their_data(project):
    tiny = yaml.safe_load((project.folder / "tiny.yaml").read_text(encoding="utf-8"))
    tiny["imbalance"] |= {"model": FAILING, "further_models": ["logistic_regression"]}
    tiny["repeats"]["dataset"] = "heart"
    for experiment, key in [("training_noise", "models"), ("losses", "classifiers"), ("tutorial", "models")]:
        tiny[experiment][key] = [FAILING]
    (project.folder / "tiny.yaml").write_text(yaml.safe_dump(tiny), encoding="utf-8")
    result = project.run("--cores", "2")
    assert result.returncode == 0, result.stdout
    assert_failure_is_said(project)
    page = (project.folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "not evaluated: data set heart is not among those of this study" in page


def assert_failure_is_said(project):
    tables = project.folder / "results" / "tables"
    areas = pd.read_csv(tables / "curve_areas.csv")
    failed = areas[areas["status"] != "ok"]
    assert set(failed["model"]) == {FAILING}
    assert set(failed["task"]) == {"wdbc", "iris-setosa", "iris-versicolor", "iris-virginica"}
    assert failed["status"].str.contains("Expected n_neighbors <= n_samples_fit").all()
    assert set(pd.read_csv(tables / "rank_disagreement.csv")["failed"]) == {4}
    reasons = [("imbalance_noise", "reason"), ("crossings", "outcome"), ("fold_averages", "status")]
    for table, column in reasons:
        rows = pd.read_csv(tables / f"{table}.csv").set_index("model").loc[[FAILING], column]
        assert rows.str.startswith("no predictions").all(), table
    for table in ("losses", "training_noise"):
        rows = pd.read_csv(tables / f"{table}.csv").set_index("model").loc[FAILING, "status"]
        assert rows[rows != "ok"].str.contains("Expected n_neighbors|impossible").all(), table
        assert rows.str.contains("Expected n_neighbors").any(), table
    page = (project.folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "Expected n_neighbors" in page


def test_models_past_their_time_are_rows_with_the_limit(project):
    project.edit("tiny.yaml", "folds: 3\n", "folds: 3\nmodel_seconds: 1.0e-09\n")
    goals = [f"results/scores/{kind}/chunk-01.parquet" for kind in ("curve_areas", "measures")]
    result = project.run("--cores", "2", *goals)
    assert result.returncode == 0, result.stdout
    areas, measures = (pd.read_parquet(project.folder / goal) for goal in goals)
    assert len(areas) == 2 * len(TINY["models"])
    assert set(areas["status"]) == {"exceeded its limit of 1e-09 s"}
    assert measures.empty


QUIET = [["--quiet", "all"]]
QUIET += [
    pytest.param(quiet, marks=pytest.mark.rehearsal) for quiet in ([], ["--quiet"], ["--quiet", "rules"])
]


@pytest.mark.parametrize("quiet", QUIET)
def test_a_failed_jobs_reason_is_among_the_last_lines(quiet, project):
    project.edit("config/datasets.yaml", "sha256: c7071454", "sha256: 00000000")
    result = project.run("--cores", "2", *quiet, "--", "results/data/wdbc.parquet")
    assert result.returncode != 0
    last = "\n".join(result.stdout.splitlines()[-6:])
    assert "prepare_bundled_data failed: Data set 'wdbc' from scikit-learn has sha256 c7071454" in last
    assert result.stdout.count("prepare_bundled_data failed") == 1


def test_the_page_is_named_in_the_last_lines(finished, finished_copy):
    printed = finished.folder.with_suffix(".printed").read_text(encoding="utf-8")
    assert "The study's page: results/report/index.html" in printed.splitlines()[-4:]
    (finished_copy.folder / "results" / "manifest-sha256.txt").unlink()
    assert "page" not in finished_copy.run("--cores", "1", "--quiet", "all").stdout


def test_an_interrupted_study_says_how_to_go_on(project):
    with subprocess.Popen(
        project.command("--cores", "2", "results/tables/measures.csv"),
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # A process that a shell started in the background ignores interrupts, and hands that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as study:
        said = []
        for line in study.stdout:
            said.append(line)
            if line.startswith("Execute "):  # the first jobs are on their way
                time.sleep(1)
                os.killpg(study.pid, signal.SIGINT)  # as Ctrl-C does
                break
        said += study.stdout.read().splitlines(keepends=True)
    assert study.returncode != 0
    told = [
        line
        for line in said[-5:]
        if line.startswith("interrupted; go on with: snakemake --unlock, then the same")
    ]
    assert len(told) == sum("interrupted;" in line for line in said) == 1
    assert [line for line in said if " failed: " in line] == []


def test_records_say_where_the_data_come_from(finished):
    record = json.loads((finished.folder / "results" / "data" / "wdbc.json").read_text(encoding="utf-8"))
    assert (record["source"], record["uci_id"], record["licence"]) == ("scikit-learn", 17, "CC BY 4.0")
    assert record["address"] == "https://archive.ics.uci.edu/dataset/17"
    assert record["classes"] == {"benign": 357, "malignant": 212}
    assert (record["rows"], record["positive"]) == (569, "malignant")
