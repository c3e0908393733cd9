"""Fixtures: the shipped registry, judged once for all of pytest's workers, as it takes many seconds."""

import json
from pathlib import Path

import pytest
from filelock import FileLock

from nontrivial.claims.judge import judge_claims
from nontrivial.claims.registry import load_claims

REGISTRY = Path(__file__).parents[2] / "config" / "claims"


@pytest.fixture(scope="session")
def shipped() -> list:
    """The claims that ship."""
    return load_claims(REGISTRY)


@pytest.fixture(scope="session")
def shipped_claims(shipped) -> dict:
    """By id."""
    return {claim.id: claim for claim in shipped}


@pytest.fixture(scope="session")
def shipped_records(shipped_claims, tmp_path_factory, worker_id) -> dict[str, dict]:
    """What they come to in an empty results folder, by id."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent  # each worker has a folder in it
    stored = shared / "shipped_records.json"
    with FileLock(f"{stored}.lock"):
        if not stored.exists():
            records = judge_claims(list(shipped_claims.values()), tmp_path_factory.mktemp("empty"))
            stored.write_text(json.dumps(records), encoding="utf-8")
    return {record["id"]: record for record in json.loads(stored.read_text(encoding="utf-8"))}
