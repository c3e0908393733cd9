"""The record of a run: what is in it, and nobody's name."""

import getpass
import json
import os
import platform
import socket
from importlib.metadata import version

import pytest
from provenance.small_study import RUN, TRACES, made_in

from nontrivial.files import sha256_of, write_json
from nontrivial_study.provenance.run import check_run, run_record

CONFIG = {
    "folds": 10,
    "downloads": {"rate": 2, "folder": "/home/someone/down", "contact": "someone@example.org"},
}


@pytest.fixture
def record(study):
    for name in made_in(study):
        os.utime(study / name, (0, 1_000_000_000))
    os.utime(study / "report" / "index.html", (0, 1_000_000_300))
    os.utime(study / "benchmarks" / "train" / "a.tsv", (0, 1_000_000_060))
    os.utime(study / "benchmarks" / "calc_ranks.tsv", (0, 1_000_000_120))
    write_json(study / "run.json", run_record(CONFIG, made_in(study), study))
    return json.loads((study / "run.json").read_text())


def test_a_job_took_what_was_measured_the_last_time_it_ran(record):
    assert record["jobs"] == {
        "train/a": {
            "started": "2001-09-09T01:47:36+00:00",
            "finished": "2001-09-09T01:47:40+00:00",
            "seconds": 3.5,
            "peak_mib": None,
        },
        "calc_ranks": {
            "started": "2001-09-09T01:48:38+00:00",
            "finished": "2001-09-09T01:48:40+00:00",
            "seconds": 2.0,
            "peak_mib": 64.5,
        },
    }


def test_the_run_goes_from_its_first_job_to_its_last_file(record, study):
    assert (record["started"], record["finished"]) == (
        "2001-09-09T01:46:40+00:00",
        "2001-09-09T01:51:40+00:00",
    )
    benchmark = study / "benchmarks" / "prepare_data.tsv"
    benchmark.write_text("s\th:m:s\tmax_rss\n60\t0:01:00\t64.5\n")
    os.utime(benchmark, (0, 1_000_000_000))
    again = run_record(CONFIG, made_in(study), study)
    assert again["started"] == again["jobs"]["prepare_data"]["started"] == "2001-09-09T01:45:40+00:00"


def test_a_benchmark_without_content_is_of_no_job(study):
    (study / "benchmarks" / "calc_ranks.tsv").write_text("")
    assert run_record(CONFIG, made_in(study), study)["jobs"].keys() == {"train/a"}


def test_logs_and_benchmarks_are_recorded_but_those_of_the_jobs_that_come_after(record, study):
    expected = {name: sha256_of(study / name) for name in TRACES}
    del expected["logs/describe_results.log"]
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
