"""The registry that ships, as a whole; its documents have tests of their own in `documents`."""

import re

import pytest

from nontrivial.audit.evidence import write_evidence
from nontrivial.audit.verdict import VERDICTS
from nontrivial.audit.verify import verify

pytestmark = pytest.mark.xdist_group("claims")  # all claims are judged once


def test_every_claim_has_a_verdict_and_a_reason(shipped_records):
    for name, record in shipped_records.items():
        assert record["verdict"] in VERDICTS
        assert record["reason"].endswith("."), name


def test_what_fails_in_a_search_has_an_exact_condition(shipped_records):
    for name, record in shipped_records.items():
        if record["verdict"] == "contradicted":
            assert record["holds_where"].startswith(("exactly where ", "not applicable: ")), name
        assert record["verdict"] == "contradicted" or not record["trail"]["claim"]["holds_where"], name
        assert "not_exactly_where" not in record["trail"]["found"].get("details", {}), name


_LOOKS_BACK = re.compile(
    r"(It|They|This|These|Those|Then|So|Both|Such|Its|Their|That one|Neither|The same|Of these|Here)\b(?! is\b| that\b)"
    r"|.*\b(does so|do so|it has|it holds|they are|such a|the same holds|the same for)\b"
)


def test_every_statement_stands_alone(shipped_records):
    """The page sorts by id, so that what a statement looks back at need not stand before it."""
    for name, record in shipped_records.items():
        assert not _LOOKS_BACK.match(record["statement"]), name


def test_only_opinions_absent_data_and_examples_not_found_go_unevaluated(shipped_records):
    for name, record in shipped_records.items():
        if record["verdict"] == "not_evaluated":
            is_vain = record["stated"].startswith("sometimes ") and "no example" in record["found"]
            is_absent = record["data"] and record["command"]
            is_unpublished = record["trail"]["claim"]["test"] == "unpublished"
            assert record["kind"] == "opinion" or is_vain or is_absent or is_unpublished, name


def test_a_repaired_reading_holds_and_is_of_a_claim_that_does_not(shipped_records):
    repaired = [record for record in shipped_records.values() if record["repairs"]]
    assert repaired
    for record in repaired:
        if not record["data"]:
            assert shipped_records[record["repairs"]]["verdict"] != "reproduced", record["id"]
            assert record["verdict"] == "reproduced", record["id"]


def test_stored_evidence_gives_every_verdict_again(shipped_records, tmp_path):
    write_evidence(list(shipped_records.values()), tmp_path / "claims")
    outcome = verify(tmp_path)
    assert [problem.place for problem in outcome.problems] == [
        f"{tmp_path}/manifest-sha256.txt"
    ]  # none was written
    assert sum(outcome.verdicts.values()) == len(shipped_records)


def test_tests_done_again_give_their_verdicts_again(shipped_records, tmp_path):
    """One claim of every test and verdict; all of them take as long again as the audit."""
    chosen = {
        (record["trail"]["claim"]["test"], record["verdict"]): record for record in shipped_records.values()
    }
    write_evidence(list(chosen.values()), tmp_path / "claims")
    outcome = verify(tmp_path, deep=True)
    assert sum(outcome.verdicts.values()) == len(chosen) > 20
    assert [problem.place for problem in outcome.problems] == [f"{tmp_path}/manifest-sha256.txt"]
