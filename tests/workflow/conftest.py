"""Copies of the project with the tiny study: fresh, finished, and finished but free to change; data for a server."""

import os
import shutil
import subprocess

import pytest
from engines import WITHOUT_NETWORK, Engines
from filelock import FileLock
from sklearn.datasets import load_breast_cancer
from tiny_study import PARTS, Project, copy_project


@pytest.hookimpl(tryfirst=True)  # before pytest selects tests by their markers
def pytest_collection_modifyitems(items):
    for item in items:
        if {"project", "finished"} & set(item.fixturenames) and not item.get_closest_marker("rehearsal"):
            item.add_marker("long")


@pytest.fixture(scope="session")
def engines():
    with Engines() as engines:
        yield engines


@pytest.fixture(scope="session")
def fresh(tmp_path_factory, engines) -> Project:
    """A copy that nothing has run in. Tests must not change it, and run nothing but dry runs in it."""
    return copy_project(tmp_path_factory.mktemp("fresh") / "project", engines=engines)


@pytest.fixture
def project(fresh, tmp_path) -> Project:
    """A fresh copy that nothing has run in."""
    return copy_project(tmp_path / "project", fresh.folder, [*PARTS, "tiny.yaml"], fresh.engines)


@pytest.fixture(scope="session")
def finished(tmp_path_factory, fresh) -> Project:
    """A copy in which the tiny study ran on two cores, without a network where the machine can do that.

    `finished.printed` is what it printed. Tests must not change it: the first that needs it makes it for all processes.
    """
    unshare = ["unshare", "-rn", "true"]
    isolated = shutil.which("unshare") and subprocess.run(unshare, capture_output=True).returncode == 0
    base = tmp_path_factory.getbasetemp()
    place = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, printed = place / "finished", place / "finished.printed"
    with FileLock(place / "finished.lock"):
        if not printed.exists():
            project = copy_project(folder, fresh.folder, [*PARTS, "tiny.yaml"])
            result = fresh.engines.run(
                project.command("--cores", "2")[3:],
                folder,
                project.environment | ({WITHOUT_NETWORK: "1"} if isolated else {}),
            )
            assert result.returncode == 0, result.stdout
            printed.write_text(result.stdout, encoding="utf-8")
    return Project(folder, fresh.engines)


@pytest.fixture
def finished_copy(finished, tmp_path) -> Project:
    """A copy of the finished study that a test may change."""
    parts = [*PARTS, "tiny.yaml", "results", ".snakemake"]
    return copy_project(tmp_path / "project", finished.folder, parts, finished.engines)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with WDBC as UCI has it, from scikit-learn's copy, and no other set."""
    folder = tmp_path_factory.mktemp("mirror")
    (folder / "uci").mkdir()
    values, labels = load_breast_cancer(return_X_y=True)
    lines = (
        ",".join([str(number), "MB"[label], *map(repr, map(float, row))])
        for number, (row, label) in enumerate(zip(values, labels, strict=True))
    )
    (folder / "uci" / "wdbc.data").write_text("\n".join(lines), encoding="ascii")
    (folder / "index.csv").write_text("name,file,format\n", encoding="ascii")
    return folder
