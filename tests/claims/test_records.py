"""From claims to records and files: what was found, the verdict, and the data behind it."""

import csv
import json

import pytest

from nontrivial.claims.judge import RECORD_COLUMNS
from nontrivial.files import sha256_of
from nontrivial_study.documents.evidence import verdict_row, write_evidence

INTERFACE = (
    *("id", "source", "locator", "statement", "kind", "verdict", "replication", "stated", "found"),
    *("counterexample", "domain", "data", "evidence", "command"),
)


def test_verdicts_and_their_reasons(judged):
    records = judged()
    assert {name: (record["verdict"], record["trail"]["reason"]["code"]) for name, record in records.items()} == {
        "order": ("contradicted", "counterexample"),
        "guess": ("reproduced", "rounds"),
        "order-holds": ("reproduced", "proved"),
        "sometimes": ("reproduced", "example"),
        "measured": ("caveat", "range"),
        "out-of-scope": ("not_evaluated", "other study agrees"),
        "absent": ("not_evaluated", "no data"),
        "view": ("not_evaluated", "unsettled"),
    }
    assert next(iter(records)) == "order"  # the main claim


def test_every_column_of_the_interface_is_there_in_its_order(judged):
    assert [name for name in RECORD_COLUMNS if name in INTERFACE] == list(INTERFACE)
    for record in judged().values():
        assert list(verdict_row(record)) == list(RECORD_COLUMNS)


def test_what_is_absent_names_the_command_that_makes_it(judged):
    records = judged()
    absent = records["absent"]["trail"]["found"]
    assert absent == {"type": "absent", "reason": "no data", "about": {"files": ["tables/large.csv"]}}
    assert records["out-of-scope"]["trail"]["found"]["elsewhere"] == {"tasks": ["17", "886"]}
    assert records["out-of-scope"]["found"] == "0.25, between 0.2 and 0.3"
    replications = {name: record["replication"] for name, record in records.items() if record["replication"]}
    assert replications == {"out-of-scope": "agrees"}
    assert {name: record["command"] for name, record in records.items() if record["verdict"] == "not_evaluated"} == {
        "absent": "make large",
        "out-of-scope": "make large",
        "view": "",
    }
    assert records["guess"]["command"] == "nontrivial verify --deep --claim guess"


def test_a_witness_stands_in_words_and_with_its_parts(judged):
    records = judged()
    order, sometimes = records["order"], records["sometimes"]
    assert order["counterexample"] == order["witness"] == "FP 2, TP 2, FN 1, TN 1"
    assert order["trail"]["witness"] == {"FP": 2, "TP": 2, "FN": 1, "TN": 1}
    where = order["trail"]["found"]["exactly_when"]
    assert (where["condition"], where["status"], where["wrong"]) == ("tp <= tn", "sufficient", 0)
    # An example is a witness, but no counterexample.
    assert (sometimes["counterexample"], sometimes["witness"]) == ("", "FP 2, TP 1, FN 1, TN 3")
    assert {name for name, record in records.items() if record["witness"]} == {"order", "sometimes"}
    assert {name for name, record in records.items() if record["holds_where"]} == {"order"}


def test_the_data_of_a_claim_is_named_with_its_hash(judged, results):
    record = judged()["measured"]
    assert record["data"] == ["tables/ranks.csv"]
    assert record["trail"]["data_sha256"] == {"tables/ranks.csv": sha256_of(results / "tables" / "ranks.csv")}
    finding = record["trail"]["found"]
    assert [finding[name] for name in ("type", "value", "low", "high")] == ["number", "1/4", "1/5", "3/10"]


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


# The files of evidence.


def test_files_are_equal_to_the_byte_from_run_to_run(judged, tmp_path):
    for run in ("one", "two"):
        write_evidence(list(judged().values()), tmp_path / run)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    settled = [name for name, record in judged().items() if record["evidence"]]
    assert names == sorted([*(f"{name}.json" for name in settled), "verdicts.csv", "verdicts.json"])
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_table_and_the_list_say_the_same_in_the_order_of_the_claims(judged, tmp_path):
    records = judged()
    write_evidence(list(records.values()), tmp_path)
    with (tmp_path / "verdicts.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())
    assert tuple(rows[0]) == RECORD_COLUMNS
    assert [row["id"] for row in rows] == [record["id"] for record in verdicts] == list(records)
    for row, verdict in zip(rows, verdicts, strict=True):
        for column in ("section", "anchor", "verdict", "witness", "group", "domain"):
            assert row[column] == verdict[column]
    by_id = {row["id"]: row for row in rows}
    assert by_id["order"]["counterexample"] == "FP 2, TP 2, FN 1, TN 1"
    assert (by_id["guess"]["counterexample"], by_id["sometimes"]["counterexample"]) == ("", "")
    assert [row["group"] for row in rows if row["beyond"] == "True"] == ["beyond"]


def test_evidence_of_a_claim_that_is_gone_is_removed(judged, tmp_path):
    records, folder = judged(), tmp_path / "evidence"
    write_evidence(list(records.values()), folder)
    write_evidence([record for name, record in records.items() if name != "view"], folder)
    assert not (folder / "view.json").exists()
    assert (folder / "guess.json").exists()
