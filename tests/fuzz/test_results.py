"""Whatever is done to a study's results, `verify` names it: no traceback, no change unnoticed, in bounded time."""

import random

import pytest
from provenance.small_study import build_study

from nontrivial_study.provenance.manifest import NAME
from nontrivial_study.provenance.verify import verify

PIECES = [
    b"",
    b"\0",
    b"\xff",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 5000,
    b"[" * 3000,
    b"{}",
    b"null",
    b'"',
    b"true",
]
FILES = [
    *(
        "claims/verdicts.json",
        "claims/verdicts.csv",
        "claims/exam.json",
        "claims/order.json",
        "claims/guess.json",
    ),
    *(
        "claims/measured.json",
        "claims/absent.json",
        "claims/view.json",
        "run.json",
        "ro-crate-metadata.json",
        NAME,
    ),
    *("code.zip", "tables/ranks.csv"),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return build_study(tmp_path_factory.mktemp("study"))


@pytest.mark.parametrize(
    "seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.rehearsal) for seed in range(3, 6))]
)
@pytest.mark.parametrize("name", FILES)
def test_mutated_files_are_named(name, seed, results):
    draw = random.Random(f"{name} {seed}")
    path = results / name
    whole = path.read_bytes()
    content = bytearray(whole)
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(content))
        content[place : place + draw.choice([0, 1, 1, 4, 30])] = draw.choice(PIECES)
    path.write_bytes(content)
    try:
        outcome = verify(results)
    finally:
        path.write_bytes(whole)
    if content != whole:
        assert outcome.outcome != "good"
    assert all("\n" not in problem.text for problem in outcome.problems)
    assert all(len(problem.text) < 1000 for problem in outcome.problems)
