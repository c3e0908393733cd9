"""The files of evidence."""

import csv
import json

from nontrivial.claims.judge import COLUMNS
from nontrivial_study.documents.evidence import write_evidence


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
    assert tuple(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == [one["id"] for one in verdicts] == list(records)
    for row, verdict in zip(rows, verdicts, strict=True):
        for column in ("section", "anchor", "verdict", "witness", "group", "domain"):
            assert row[column] == verdict[column]
    by_id = {row["id"]: row for row in rows}
    assert json.loads(by_id["order"]["counterexample"]) == [2, 2, 1, 1]
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
