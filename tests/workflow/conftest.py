"""Copies of the project with the tiny study: fresh, finished, and finished but free to change; data for a server."""

import os
import shutil
import subprocess

import pytest
from engines import WITHOUT_NETWORK, Engines
from filelock import FileLock
from sklearn.datasets import load_breast_cancer
from tiny_study import PARTS, Project, copy_project


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
def unstarted_copy(fresh, tmp_path_factory) -> Project:
    """The copy behind `unstarted`."""
    folder = tmp_path_factory.mktemp("unstarted") / "project"
    return copy_project(folder, fresh.folder, [*PARTS, "tiny.yaml"], fresh.engines)


@pytest.fixture
def unstarted(fresh, unstarted_copy):
    """A copy with a configuration of which no job follows, which is put back: one copy serves many tests."""
    yield unstarted_copy
    copy_project(unstarted_copy.folder, fresh.folder, ["config", "tiny.yaml"])


@pytest.fixture(scope="session")
def isolation() -> dict[str, str]:
    """What the environment of a run without a network has in addition; nothing where this machine allows none."""
    unshare = shutil.which("unshare")
    isolated = unshare and subprocess.run([unshare, "-rn", "true"], capture_output=True).returncode == 0
    return {WITHOUT_NETWORK: "1"} if isolated else {}


@pytest.fixture(scope="session")
def finished(tmp_path_factory, fresh, isolation) -> Project:
    """A copy in which the tiny study ran on two cores, without a network; `finished.printed` is what it printed.

    Tests must not change it: the first that needs it makes it for all processes.
    """
    base = tmp_path_factory.getbasetemp()
    place = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, printed = place / "finished", place / "finished.printed"
    with FileLock(place / "finished.lock"):
        if not printed.exists():
            project = copy_project(folder, fresh.folder, [*PARTS, "tiny.yaml"])
            result = fresh.engines.run(
                project.command("--cores", "2")[3:], folder, project.environment | isolation
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
