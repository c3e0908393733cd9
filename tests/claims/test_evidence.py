"""What was found, as plain data; records; and the files of evidence."""

import csv
import json

import pytest

from nontrivial.claims.evidence import verdict_of, write_evidence
from nontrivial.claims.judge import COLUMNS, judge_claims, settles
from nontrivial.claims.registry import load_claims
from nontrivial.files import sha256_of

INTERFACE = (
    *("id", "source", "locator", "statement", "kind", "verdict", "stated", "found", "counterexample"),
    *("domain", "data", "evidence", "command"),
)
REGISTRY = """\
sources: {paper: {title: A paper}}
studies: {small: make small, large: make large}
source: paper
sections:
  - section: Section 1
    claims:
    - {id: guess, anchor: a guess, statement: A guess among three., kind: number, over: {numbers: {options: 3}},
       claim: 1/options == 0.3333}
    - {id: order, anchor: in this order, statement: "F1, then balanced accuracy.", kind: inequality, main: true,
       over: tables, given: [1 <= positives <= negatives], claim: f1 <= balanced_accuracy}
    - {id: order-holds, statement: "Beyond the paper: kappa, then F1.", kind: inequality, beyond: true,
       over: tables, given: [1 <= positives <= negatives], claim: cohen_kappa <= f1}
    - {id: sometimes, statement: Kappa can miss it., kind: inequality, anchor: can miss it, over: tables,
       given: [1 <= positives <= negatives], claim: sometimes(prediction_advantage < 0 < cohen_kappa)}
  - section: Section 2
    claims:
    - {id: measured, anchor: disagree in, statement: They disagree in 24 %., kind: experiment,
       study: small, claim: top1 == 0.24, locator: Table 1,
       over: {row: {table: tables/ranks.csv, where: {pair: a/b}, ends: {top1: [top1_low, top1_high]}}}}
    - {id: out-of-scope, anchor: of 886, statement: Of 886 tasks., kind: experiment, study: large,
       claim: top1 == 0.24,
       over: {row: {table: tables/ranks.csv, where: {pair: a/b}, about: {tasks: "886"},
       ends: {top1: [top1_low, top1_high]}}}}
    - {id: absent, anchor: something large, statement: Something large., kind: experiment, study: large,
       claim: top1 == 0.24, over: {row: {table: tables/large.csv, where: {pair: a/b}}}}
    - {id: view, anchor: the best, statement: It is the best., kind: opinion, because: it is taste.}
"""
RANKS = "pair,tasks,top1,top1_low,top1_high\na/b,17,0.25,0.2,0.3\na/c,17,0.5,0.4,0.6\n"


@pytest.fixture
def results(tmp_path):
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "paper.yaml").write_text(REGISTRY)
    (tmp_path / "results" / "tables").mkdir(parents=True)
    (tmp_path / "results" / "tables" / "ranks.csv").write_text(RANKS)
    return tmp_path / "results"


@pytest.fixture
def judged(results):
    def judge_all():
        records = judge_claims(load_claims(results.parent / "claims"), results)
        return {record["id"]: record for record in records}

    return judge_all


def test_verdicts_and_their_reasons(judged):
    records = judged()
    assert {name: (one["verdict"], one["trail"]["reason"]["code"]) for name, one in records.items()} == {
        "order": ("contradicted", "counterexample"),
        "guess": ("reproduced", "rounds"),
        "order-holds": ("reproduced", "proved"),
        "sometimes": ("reproduced", "example"),
        "measured": ("caveat", "range"),
        "out-of-scope": ("not_evaluated", "absent"),
        "absent": ("not_evaluated", "absent"),
        "view": ("not_evaluated", "absent"),
    }
    assert next(iter(records)) == "order"  # the main claim


def test_every_column_of_the_interface_is_there_in_its_order(judged):
    assert [name for name in COLUMNS if name in INTERFACE] == list(INTERFACE)
    for record in judged().values():
        assert list(verdict_of(record)) == list(COLUMNS)


def test_what_is_absent_names_the_command_that_makes_it(judged):
    records = judged()
    assert records["absent"]["trail"]["found"] == {
        "type": "absent",
        "reason": "no data",
        "about": {"files": ["tables/large.csv"]},
    }
    assert records["out-of-scope"]["trail"]["found"]["about"] == {
        "table": "tables/ranks.csv",
        "column": "tasks",
        "wanted": "886",
        "there": "17",
        "numbers": {"top1": "0.25", "top1_low": "0.2", "top1_high": "0.3"},
    }
    assert {name: one["command"] for name, one in records.items() if one["verdict"] == "not_evaluated"} == {
        "absent": "make large",
        "out-of-scope": "make large",
        "view": "",
    }
    assert records["guess"]["command"] == "nontrivial verify --deep --claim guess"


def test_a_witness_stands_in_words_and_with_its_parts(judged):
    records = judged()
    order, sometimes = records["order"], records["sometimes"]
    assert order["counterexample"] == [1, 1, 0, 0]
    assert order["witness"] == "FP 1, TP 1, FN 0, TN 0"
    assert order["trail"]["witness"] == {"FP": 1, "TP": 1, "FN": 0, "TN": 0}
    where = order["trail"]["found"]["exactly_when"]
    assert (where["condition"], where["status"], where["wrong"]) == ("tp <= tn", "sufficient", 0)
    # An example is a witness, but no counterexample.
    assert (sometimes["counterexample"], sometimes["witness"]) == (None, "FP 2, TP 1, FN 0, TN 1")
    assert {name for name, one in records.items() if one["witness"]} == {"order", "sometimes"}
    assert {name for name, one in records.items() if one["holds_where"]} == {"order"}


def test_a_stored_case_settles_a_claim_again(results):
    claims = {claim.id: claim for claim in load_claims(results.parent / "claims")}
    assert settles(claims["order"], (1, 1, 0, 0))
    assert not settles(claims["order"], (0, 1, 0, 1))
    assert not settles(claims["order"], (0, 0, 0, 1))  # not as given
    assert not settles(claims["guess"], (3,))


def test_the_data_of_a_claim_is_named_with_its_hash(judged, results):
    record = judged()["measured"]
    assert record["data"] == ["tables/ranks.csv"]
    assert record["trail"]["data_sha256"] == {"tables/ranks.csv": sha256_of(results / "tables" / "ranks.csv")}
    assert record["trail"]["found"] == {"type": "number", "value": "1/4", "low": "1/5", "high": "3/10"}


@pytest.mark.parametrize(
    ("table", "verdict", "command"),
    [
        ("pair,top1\na/b,0.2399999999999999\n", "reproduced", "nontrivial verify --deep --claim absent"),
        ("pair,top1\na/b,\n", "not_evaluated", "make large"),
        ("pair,top1\na/c,1\n", "not_evaluated", "make large"),
    ],
)
def test_once_the_data_is_there_the_claim_has_its_verdict(judged, results, table, verdict, command):
    (results / "tables" / "large.csv").write_text(table)
    record = judged()["absent"]
    assert (record["verdict"], record["command"]) == (verdict, command)


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ("pair,top\na/b,1\n", "'top1'"),
        ("part,top1\na/b,1\n", "no column 'pair'"),
        ("pair,top1\na/b,1\na/b,1\n", "2 rows"),
    ],
)
def test_a_table_of_another_form_is_named(judged, results, table, what):
    (results / "tables" / "large.csv").write_text(table)
    with pytest.raises(ValueError, match="claim 'absent': ") as error:
        judged()
    assert what in str(error.value)


def test_files_are_equal_to_the_byte_from_run_to_run(judged, tmp_path):
    for run in ("one", "two"):
        write_evidence(list(judged().values()), tmp_path / run)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == sorted(
        [*(f"{name}.json" for name in judged()), "verdicts.csv", "verdicts.csv.sha256", "verdicts.json"]
    )
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_table_and_the_list_say_the_same_in_the_order_of_the_claims(judged, tmp_path):
    records = judged()
    write_evidence(list(records.values()), tmp_path)
    with (tmp_path / "verdicts.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())
    assert tuple(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == [one["id"] for one in verdicts] == list(records)
    for row, verdict in zip(rows, verdicts, strict=True):
        for column in ("section", "anchor", "verdict", "witness", "group", "domain"):
            assert row[column] == verdict[column]
    by_id = {row["id"]: row for row in rows}
    assert json.loads(by_id["order"]["counterexample"]) == [1, 1, 0, 0]
    assert (by_id["guess"]["counterexample"], by_id["sometimes"]["counterexample"]) == ("", "")
    assert [row["group"] for row in rows if row["beyond"] == "True"] == ["beyond"]


def test_evidence_of_a_claim_that_is_gone_is_removed(judged, tmp_path):
    records, folder = judged(), tmp_path / "evidence"
    write_evidence(list(records.values()), folder)
    (folder / "mine.json").write_text("{}")
    write_evidence([record for name, record in records.items() if name != "view"], folder)
    assert not (folder / "view.json").exists()
    assert (folder / "guess.json").exists()
    assert (folder / "mine.json").exists()
