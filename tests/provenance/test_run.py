"""The record of a run: what is in it, and nobody's name."""

import getpass
import json
import os
import platform
import socket
from importlib.metadata import version

import pytest
from provenance.small_study import RUN, TRACES, jobs_of

from nontrivial.files import sha256_of, write_json
from nontrivial.provenance.run import check_run, run_record

CONFIG = {
    "folds": 10,
    "downloads": {"rate": 2, "folder": "/home/someone/down", "contact": "someone@example.org"},
}


@pytest.fixture
def record(study):
    jobs = jobs_of(study)
    for place, job in enumerate(jobs):
        for path in job.makes:
            os.utime(path, (0, 1_000_000_000 + 60 * place))
    os.utime(jobs[0].makes[0], (0, 999_999_999.9))
    write_json(study / "run.json", run_record(CONFIG, jobs, study))
    return json.loads((study / "run.json").read_text())


def test_a_job_has_finished_when_its_last_file_was_written(record):
    assert {name: job["finished"] for name, job in record["jobs"].items()} == {
        "prepare_data": "2001-09-09T01:46:40+00:00",
        "train/a": "2001-09-09T01:47:40+00:00",
        "train/b": "2001-09-09T01:48:40+00:00",
        "calc_ranks": "2001-09-09T01:49:40+00:00",
        "judge_claims": "2001-09-09T01:50:40+00:00",
        "render_report": "2001-09-09T01:51:40+00:00",
    }
    assert record["finished"] == "2001-09-09T01:51:40+00:00"


def test_a_benchmark_without_content_is_a_job_that_was_not_measured(study):
    (study / "benchmarks" / "calc_ranks.tsv").write_text("")
    jobs = run_record(CONFIG, jobs_of(study), study)["jobs"]
    assert jobs["calc_ranks"].keys() == {"finished"}
    assert "seconds" in jobs["train/a"]


def test_a_job_has_started_as_long_before_as_it_took_and_the_run_with_the_first(record, study):
    assert {name: job["started"] for name, job in record["jobs"].items() if "started" in job} == {
        "train/a": "2001-09-09T01:47:36+00:00",
        "calc_ranks": "2001-09-09T01:49:38+00:00",
    }
    assert record["started"] == "2001-09-09T01:46:40+00:00"  # of a job that was not measured: its end
    (study / "benchmarks" / "prepare_data.tsv").write_text("s\th:m:s\tmax_rss\n60\t0:01:00\t64.5\n")
    again = run_record(CONFIG, jobs_of(study), study)
    assert again["started"] == again["jobs"]["prepare_data"]["started"] == "2001-09-09T01:45:40+00:00"


def test_what_was_measured_is_told_of_the_last_time_the_job_ran(record):
    measured = {
        name: {key: job[key] for key in ("seconds", "peak_mib")}
        for name, job in record["jobs"].items()
        if "seconds" in job
    }
    assert measured == {
        "calc_ranks": {"seconds": 2.0, "peak_mib": 64.5},
        "train/a": {"seconds": 3.5, "peak_mib": None},
    }
    assert record["jobs"]["train/b"].keys() == {"finished"}


def test_logs_and_benchmarks_are_recorded_but_those_of_the_jobs_that_come_after(record, study):
    expected = {name: sha256_of(study / name) for name in TRACES}
    del expected["logs/record_run.log"], expected["logs/write_manifest.log"]
    assert record["traces"] == expected


def test_versions_are_those_of_the_environment(record):
    assert record["python"] == platform.python_version()
    for name in ("nontrivial", "numpy", "scikit-learn", "snakemake"):
        assert record["packages"][name] == version(name)
    assert "pytest" not in record["packages"]


def test_packages_have_the_page_that_they_state(record):
    assert record["pages"].keys() <= record["packages"].keys()
    assert record["pages"]["numpy"].startswith("https://numpy.org")  # among the addresses it states
    assert record["pages"]["click"].startswith("https://click.palletsprojects.com")
    assert "nontrivial" not in record["pages"]


def test_it_names_no_user_host_or_contact(record):
    text = json.dumps(record)
    assert socket.gethostname() not in text.split('"')
    assert getpass.getuser() not in text.split('"')
    assert "someone" not in text
    assert record["config"] == {"folds": 10, "downloads": {"rate": 2}}


def test_it_is_a_record_of_a_run(record):
    check_run(record)
    check_run(RUN)


def test_what_may_be_executed_is_recorded(record):
    assert record["executable"] == RUN["executable"]
