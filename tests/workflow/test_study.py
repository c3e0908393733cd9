"""The tiny study from end to end: what it makes, that it is reproducible, and what is redone after a change."""

import os
import signal
import subprocess
import time

import pandas as pd
import pytest
from tiny_study import FAILING, TINY, UNSTABLE

from nontrivial.files import find_files
from nontrivial_study.declarations import load_experiments
from nontrivial_study.tables import check_table, declared_tables, read_table

# The tiny study traces one data set, and has none of a user's own.
NOT_MADE = {"pa_figure_1_other_data", "own_curves", "own_verdicts", "own_comparisons", "own_measures"}
RECORD = {"archive_code", "describe_results"}


def test_makes_its_page_and_records_and_each_figure_in_four_forms(finished):
    results = finished.folder / "results"
    records = "data/wdbc.parquet data/wdbc.json claims/verdicts.csv report/index.html code.zip"
    for name in [*records.split(), "README.md", "manifest-sha256.txt", "ro-crate-metadata.json", "run.json"]:
        assert (results / name).stat().st_size > 0, name
    figures = list((results / "figures").glob("*.csv"))
    declared_figures = {name for experiment in load_experiments().values() for name in experiment.figures}
    assert {path.stem for path in figures} == declared_figures - NOT_MADE
    for path in figures:
        assert all(path.with_suffix(f".{kind}").stat().st_size > 0 for kind in ("svg", "pdf", "png")), path


def test_every_table_is_what_is_said_of_it(finished):
    results = finished.folder / "results"
    paths = [path for folder in ("tables", "figures") for path in find_files(results / folder, "*.csv")]
    for path in paths:
        check_table(path.stem, read_table(path))
    assert {path.stem for path in paths} == declared_tables().keys() - NOT_MADE


def test_of_a_whole_study_nothing_is_left_to_do(finished):
    assert "Nothing to be done" in finished.run("-n").stdout


@pytest.mark.rehearsal
def test_one_core_and_two_give_the_same_bytes(finished, project):
    result = project.run("--cores", "1")
    assert result.returncode == 0, result.stdout
    one, two = (study.contents(".", but=UNSTABLE) for study in (project, finished))
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


def test_an_edit_of_a_module_reruns_just_the_rules_of_its_folder_and_a_comment_the_record(finished_copy):
    finished_copy.edit("config/models.yaml", "# The models.", "# All the models.")
    assert finished_copy.would_rerun() == RECORD
    finished_copy.edit("src/nontrivial/curves/gain.py", '"""', '"""Edited. ')
    again = finished_copy.would_rerun()
    assert {"calc_scores", "collect_scores", "calc_ranks", *RECORD} <= again
    assert not again & {"prepare_bundled_data", "train_models", "calc_exam"}


def test_what_needs_a_download_is_said_on_the_page_and_in_the_numbers_of_its_figure(finished):
    page = (finished.folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "needs openml/selection.json, which this study has not made." in page
    assert "snakemake --cores 8 --configfile config/paper.yaml" in page
    curves = pd.read_csv(finished.folder / "results" / "figures" / "prg_figure_5.csv")
    assert curves["status"].str.startswith("not evaluated: task 3872 of OpenML").all()


def test_a_model_that_fails_is_a_row_with_its_reason_wherever_it_is_asked_for(finished):
    tables = finished.folder / "results" / "tables"
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
    page = (finished.folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
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


def test_a_failed_jobs_reason_is_among_the_last_lines(project):
    project.edit("config/datasets.yaml", "sha256: c7071454", "sha256: 00000000")
    result = project.run("--cores", "2", "--quiet", "all", "--", "results/data/wdbc.parquet")
    assert result.returncode != 0
    last = "\n".join(result.stdout.splitlines()[-6:])
    assert "prepare_bundled_data failed: Data set 'wdbc' from scikit-learn has sha256 c7071454" in last
    assert result.stdout.count("prepare_bundled_data failed") == 1


def test_the_page_is_named_in_the_last_lines(finished):
    printed = finished.folder.with_suffix(".printed").read_text(encoding="utf-8")
    assert "The study's page: results/report/index.html" in printed.splitlines()[-4:]


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
    [told] = [line for line in said[-5:] if line.startswith("interrupted; go on with: ")]
    assert "snakemake --unlock, then the same" in told
    assert [line for line in said if " failed: " in line] == []
