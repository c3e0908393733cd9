"""Copies of the project with the tiny study: fresh, finished, and finished but free to change; data for a server."""

import pytest
from sklearn.datasets import load_breast_cancer
from tiny_study import PARTS, Project, copy_project


@pytest.fixture
def project(tmp_path) -> Project:
    """A fresh copy that nothing has run in."""
    return copy_project(tmp_path / "project")


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Project:
    """A copy in which the tiny study ran on two cores. Tests must not change it."""
    project = copy_project(tmp_path_factory.mktemp("finished") / "project")
    result = project.run("--cores", "2")
    assert result.returncode == 0, result.stdout
    return project


@pytest.fixture
def finished_copy(finished, tmp_path) -> Project:
    """A copy of the finished study that a test may change."""
    return copy_project(tmp_path / "project", finished.folder, [*PARTS, "tiny.yaml", "results", ".snakemake"])


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
