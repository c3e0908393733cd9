"""The small study, once for all tests and a copy for each that changes it."""

import shutil
from pathlib import Path

import pytest
from claims.shipped import shipped, shipped_claims, shipped_records  # noqa: F401
from provenance.small_study import build_study


@pytest.fixture(scope="session")
def pristine_study(tmp_path_factory) -> Path:
    return build_study(tmp_path_factory.mktemp("pristine") / "project")


@pytest.fixture
def study(pristine_study, tmp_path) -> Path:
    """The results folder of a study of one's own."""
    shutil.copytree(pristine_study.parent, tmp_path / "project")
    return tmp_path / "project" / "results"
