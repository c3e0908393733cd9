"""The small study, once for all tests and a copy for each that changes it."""

import shutil
from pathlib import Path

import pytest
from nontrivial.audit.evaluate import evaluate_claims
from nontrivial.audit.registry import load_claims
from provenance.small_study import build_study

REGISTRY = Path(__file__).parents[2] / "config" / "claims"


@pytest.fixture(scope="session")
def pristine_study(tmp_path_factory) -> Path:
    return build_study(tmp_path_factory.mktemp("pristine") / "project")


@pytest.fixture
def study(pristine_study, tmp_path) -> Path:
    """The results folder of a study of one's own."""
    shutil.copytree(pristine_study.parent, tmp_path / "project")
    return tmp_path / "project" / "results"


@pytest.fixture(scope="session")
def shipped_records(tmp_path_factory) -> dict[str, dict]:
    """What the registry that ships comes to in an empty results folder, by id."""
    empty = tmp_path_factory.mktemp("empty")
    return {record["id"]: record for record in evaluate_claims(load_claims(REGISTRY), empty)}


@pytest.fixture(scope="session")
def records_of(shipped_records):
    """The records of one document, by id."""
    return lambda source: {
        name: record for name, record in shipped_records.items() if record["source"] == source
    }
