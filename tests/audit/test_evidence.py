"""Evaluating claims and writing the evidence."""

import json

import pandas as pd
import pytest
from nontrivial.audit.evaluate import COLUMNS, evaluate_claims, make_record
from nontrivial.audit.evidence import write_evidence
from nontrivial.audit.found import Quantity, Search, Survey
from nontrivial.audit.registry import Claim, load_claims

from nontrivial.files import sha256_of

INTERFACE = (
    *("id", "source", "locator", "statement", "kind", "verdict", "stated", "found", "counterexample"),
    *("domain", "data", "evidence", "command"),
)


@pytest.fixture
def records(study):
    claims = load_claims(study.parent / "config" / "claims")
    return {record["id"]: record for record in evaluate_claims(claims, study)}


def test_verdicts(records):
    assert {name: record["verdict"] for name, record in records.items()} == {
        "absent": "not_evaluated",
        "exam": "reproduced",
        "guess": "reproduced",
        "measured": "reproduced",
        "order": "contradicted",
        "order-holds": "reproduced",
        "out-of-scope": "not_evaluated",
        "sometimes": "reproduced",
        "view": "not_evaluated",
    }


def test_every_column_of_the_interface_is_there_in_its_order(records):
    assert [name for name in COLUMNS if name in INTERFACE] == list(INTERFACE)
    for record in records.values():
        assert set(COLUMNS) <= set(record)


def test_absent_data_gives_the_reason_and_the_command_that_makes_it(records):
    absent = records["absent"]
    assert absent["reason"] == "needs tables/large.csv, which this study has not made."
    assert absent["command"] == "make large"
    assert absent["found"] == ""
    other = records["out-of-scope"]
    assert other["reason"] == (
        "the claim is about 886 tasks; tables/ranks.csv covers 17, for which it has 0.25."
    )
    assert other["command"] == "make large"
    assert records["view"]["command"] == ""


def test_a_counterexample_stands_in_its_column_and_an_example_does_not(records):
    assert records["order"]["counterexample"] == [1, 1, 0, 0]
    assert records["order"]["domain"].startswith(
        "every confusion table with cells FP, TP, FN, TN in 0..3 where"
    )
    assert records["sometimes"]["counterexample"] is None
    assert records["sometimes"]["trail"]["found"]["smallest"] == [2, 1, 0, 1]
    assert records["order-holds"]["counterexample"] is None


def test_what_is_contradicted_says_where_it_holds_or_why_there_is_no_such_place(records):
    assert records["order"]["holds_where"] == "at least where tp <= tn"
    assert {record["holds_where"] for name, record in records.items() if name != "order"} == {""}


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Search("d", 9, 0, 1, (1,)), "none found"),
        (
            Search(
                "d",
                9,
                0,
                1,
                (1,),
                details={"holds_where": {"condition": "x = 1", "exact": False, "met": 1, "holds": 8}},
            ),
            "at least where x = 1",
        ),
        (Quantity.exactly(2), "not applicable: judged by single numbers"),
        (Survey("d", 2, 1, 1, 1, 0), "not applicable: judged at the points that were measured"),
    ],
)
def test_the_condition_of_what_is_contradicted(found, text):
    stated = {Search: "x < y", Survey: "x < y", Quantity: "1"}[type(found)]
    claim = Claim("a", "paper", "Section 1", "A sentence.", "number", stated_text=stated)
    record = make_record(claim, found, {})
    assert (record["verdict"], record["holds_where"]) == ("contradicted", text)


def test_the_data_of_a_claim_is_named_with_its_hash(records, study):
    assert records["measured"]["data"] == ["tables/ranks.csv"]
    digest = sha256_of(study / "tables" / "ranks.csv")
    assert records["measured"]["trail"]["data_sha256"] == {"tables/ranks.csv": digest}
    assert records["measured"]["found"] == "0.25, between 0.2 and 0.3"


def test_once_the_data_is_there_the_claim_has_its_verdict(study):
    (study / "tables" / "large.csv").write_text("pair,top1\na/b,0.2399999999999999\n")
    claims = load_claims(study.parent / "config" / "claims")
    record = next(record for record in evaluate_claims(claims, study) if record["id"] == "absent")
    assert (record["verdict"], record["command"]) == ("reproduced", "nontrivial verify --deep --claim absent")


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("pair,top\na/b,1\n", "claim 'absent': tables/large.csv has no column 'top1'; it has pair, top."),
        ("pair,top1\na/b,1\na/b,1\n", "tables/large.csv has 2 rows with pair = a/b; exactly 1 is allowed."),
    ],
)
def test_a_table_of_another_form_is_named(study, table, sentence):
    (study / "tables" / "large.csv").write_text(table)
    claims = load_claims(study.parent / "config" / "claims")
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        evaluate_claims(claims, study)


@pytest.mark.parametrize("line", ["a/b,", "a/c,1"])
def test_an_empty_or_absent_figure_is_not_evaluated(study, line):
    (study / "tables" / "large.csv").write_text(f"pair,top1\n{line}\n")
    claims = load_claims(study.parent / "config" / "claims")
    record = next(record for record in evaluate_claims(claims, study) if record["id"] == "absent")
    assert (record["verdict"], record["command"]) == ("not_evaluated", "make large")


def test_files_are_equal_to_the_byte_whatever_the_order(study, tmp_path, records):
    write_evidence(list(records.values()), tmp_path / "one")
    write_evidence(list(reversed(records.values())), tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == sorted([*(f"{name}.json" for name in records), "verdicts.csv", "verdicts.json"])
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
        assert (tmp_path / "one" / name).read_bytes() == (study / "claims" / name).read_bytes()


def test_the_table_and_the_list_say_the_same(study):
    table = pd.read_csv(study / "claims" / "verdicts.csv", dtype=str, keep_default_na=False)
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    assert list(table.columns) == list(COLUMNS)
    assert list(table["verdict"]) == [verdict["verdict"] for verdict in verdicts]
    assert list(table["id"]) == sorted(verdict["id"] for verdict in verdicts)
    assert json.loads(table.set_index("id")["counterexample"]["order"]) == [1, 1, 0, 0]
    assert table.set_index("id")["counterexample"]["guess"] == ""


def test_evidence_of_a_claim_that_is_gone_is_removed(study, records):
    folder = study / "claims"
    (folder / "verdicts.json").unlink()  # as the engine does before the job
    (folder / "mine.json").write_text("{}")
    write_evidence([record for name, record in records.items() if name != "view"], folder)
    assert not (folder / "view.json").exists()
    assert (folder / "guess.json").exists()
    assert (folder / "mine.json").exists()
