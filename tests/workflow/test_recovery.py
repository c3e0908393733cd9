"""Whatever happens to a study, the same command ends in the same bytes. `python tests/kills.py` kills far more."""

import os
import re

import pytest
from kills import differences, kill_at_random, kill_at_temporary_files

from nontrivial_study.provenance.verify import verify

DAMAGED = {  # and what is then to be made of it
    "predictions/chunk-00.parquet": "scores/measures/chunk-00.parquet",
    "scores/measures/chunk-01.parquet": "tables/measures.csv",
}
LEFT = [
    "tables/.exam-abcdefgh.csv",
    "figures/.prg_figure_4-abcdefgh.svg",
    "figures/.prg_figure_4-abcdefgh.part.png",
    "data/.wdbc-abcdefgh.json",
    "claims/.p4-definition-abcdefgh.json",
    "benchmarks/.calc_exam-abcdefgh.tsv",
    ".code-abcdefgh.part.zip",
    ".run-abcdefgh.json",
]

RECORD = {"describe_results"}
PAGE = RECORD | {"render_report"}
MISSING = {
    "report/index.html": PAGE,
    "figures/pa_figure_1.pdf": PAGE | {"draw_imbalance"},
    "figures/prg_figure_4.png": PAGE | {"draw_ranks"},
    "figures/prg_figure_1.csv": PAGE | {"calc_prg_example", "draw_prg_example", "judge_claims"},
    "claims/p4-definition.json": PAGE | {"judge_claims"},
    "claims/verdicts.csv": PAGE | {"judge_claims"},
    "tables/exam.csv": PAGE | {"calc_exam", "judge_claims"},
    "code.zip": RECORD | {"archive_code"},
    "run.json": RECORD,
    "manifest-sha256.txt": RECORD,
}
FAR = {
    "data/wdbc.json": "prepare_bundled_data",
    "predictions/chunk-00.parquet": "train_models",
    "scores/measures/chunk-01.parquet": "calc_scores",
}


def damage(path):
    """Cut a file off and keep its time, so that the engine sees no change."""
    times, content = path.stat(), path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_damaged_files_are_named_and_deleting_them_is_enough(finished, finished_copy):
    files = DAMAGED
    results, goals = finished_copy.folder / "results", [f"results/{goal}" for goal in files.values()]
    for damaged, goal in files.items():
        damage(results / damaged)
        (results / goal).unlink()
    failed = finished_copy.run("--cores", "2", "--keep-going", *goals)
    assert failed.returncode == 1
    said = re.findall(
        r"^\w+ failed: results/(\S+) is damaged[^;]*; delete it and run the same command again\. \(whole log",
        failed.stdout,
        re.MULTILINE,
    )
    assert set(said) == files.keys()

    for name in files:
        (results / name).unlink()
    assert finished_copy.run("--cores", "2", *goals, *(f"results/{name}" for name in files)).returncode == 0
    for name in {*files, *files.values()} - {"manifest-sha256.txt"}:  # which tells of the run, too
        assert (results / name).read_bytes() == (finished.folder / "results" / name).read_bytes()


# After the loss of the one only records are made again, after that of the other the page, too.
@pytest.mark.parametrize(
    "lost", ["run.json", pytest.param("claims/verdicts.json", marks=pytest.mark.rehearsal)]
)
def test_what_a_kill_left_long_ago_is_in_no_record_and_harms_no_job(lost, finished, finished_copy):
    results = finished_copy.folder / "results"
    for name in LEFT:
        (results / name).touch()
    (results / "benchmarks" / "calc_exam.tsv").write_text("")  # the engine died before it wrote
    (results / lost).unlink()
    again = finished_copy.run("--cores", "2")
    assert again.returncode == 0, again.stdout
    for name in ("manifest-sha256.txt", "ro-crate-metadata.json", "run.json", "report/index.html"):
        assert "-abcdefgh" not in (results / name).read_text(encoding="utf-8"), name
    for name in LEFT:
        (results / name).unlink(missing_ok=True)
    assert differences(finished_copy, finished) == []


@pytest.mark.parametrize(
    ("scripts", "goal"),
    [
        (["calc_exam"], "results/tables/exam.csv"),
        pytest.param(
            ["train_models", "calc_scores"],
            "results/scores/measures/chunk-01.parquet",
            marks=pytest.mark.rehearsal,
        ),
    ],
)
def test_a_killed_study_leaves_nothing_that_is_taken_for_a_result(scripts, goal, finished, project):
    killed = kill_at_temporary_files(project, scripts, "begin", goals=[goal])
    assert len(killed) == len(scripts)
    assert (project.folder / goal).read_bytes() == (finished.folder / goal).read_bytes()
    assert not list((project.folder / "results").rglob(".*"))


@pytest.mark.rehearsal
def test_killed_at_temporary_files_and_at_random_moments_gives_the_same_bytes(finished, project):
    assert len(kill_at_random(project, 1, 15, seed=0)) == 1
    scripts = ["train_models", "calc_exam", "draw_figures"]
    assert len(kill_at_temporary_files(project, scripts, "begin")) >= 2
    assert differences(project, finished) == []


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in ("figures/pa_figure_1.pdf", "run.json")
        else pytest.param(name, marks=pytest.mark.rehearsal)
        for name in MISSING
    ],
)
def test_only_what_follows_from_it_is_made_again(name, finished_copy):
    (finished_copy.folder / "results" / name).unlink()
    assert finished_copy.would_rerun() == MISSING[name]


def test_what_the_rest_was_made_from_is_made_again(finished_copy):
    for name in FAR:
        (finished_copy.folder / "results" / name).unlink()
    assert finished_copy.would_rerun() >= {*FAR.values(), *PAGE}


@pytest.mark.rehearsal
def test_one_file_of_each_kind_is_made_again(finished, finished_copy):
    results = finished_copy.folder / "results"
    for name in MISSING:
        (results / name).unlink()
    result = finished_copy.run("--cores", "2")
    assert result.returncode == 0, result.stdout
    assert all((results / name).is_file() for name in MISSING)
    assert verify(results).problems == []
    assert "Nothing to be done" in finished_copy.run("--cores", "2").stdout
    assert differences(finished_copy, finished) == []
