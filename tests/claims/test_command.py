"""A registry of one's own is judged without a study, and all errors in it are reported at once."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from nontrivial.claims.judge import judge_registry
from nontrivial.cli import main

PAPER = Path(__file__).parents[2] / "docs" / "how-to" / "chicco_jurman.yaml"
MINE = """\
sources: {mine: {title: "<b>Mine</b>\\u202e"}}
source: mine
sections:
  - section: One
    claims:
    - {id: table, statement: F1 is at most the balanced accuracy., kind: lemma, over: tables,
       given: [1 <= positives <= negatives], claim: f1 <= balanced_accuracy}
    - {id: exchanged, statement: Precision and recall are the same., kind: lemma, over: tables,
       claim: transpose(precision) == precision}
    - {id: pair, statement: Two tables with the same cells have the same accuracy., kind: lemma, over: pairs of tables,
       given: [tp_1 == tp_2 > 0, fp_1 == fp_2, fn_1 == fn_2, tn_1 == tn_2], claim: accuracy_1 == accuracy_2}
    - {id: labels, statement: No forecast is more likely than the shares of the labels., kind: lemma,
       over: {forecasts: {classes: 2, count: 2, guess: 1}}, given: [cases > 0, guesses > 0],
       claim: guess_likelihood <= shares_likelihood}
    - {id: ranking, statement: The area under a ROC curve is at least a half., kind: lemma,
       over: {rankings: {cases: 2}}, claim: roc_auc >= 1/2}
    - {id: number, statement: A third is printed as 0.33., kind: number, over: {numbers: {options: 3}},
       claim: 1/options == 0.33}
"""


@pytest.fixture
def write(tmp_path):
    def write_file(content):
        path = tmp_path / "mine.yaml"
        path.write_text(content)
        return path

    return write_file


def run(*arguments):
    return CliRunner().invoke(main, ["claims", *map(str, arguments)])


def test_each_kind_of_claim_gets_its_verdict_with_a_proof_or_a_counterexample(write):
    output = json.loads(run(write(MINE), "--format", "json").stdout)
    assert (output["format"], output["file"], len(output["sha256"])) == (1, "mine.yaml", 64)
    assert output["verdicts"] == {"contradicted": 3, "caveat": 0, "not_refuted": 1, "reproduced": 2, "not_evaluated": 0}
    claims = {claim["id"]: claim for claim in output["claims"]}
    assert list(claims) == ["table", "exchanged", "pair", "labels", "ranking", "number"]
    findings = {name: claim["evidence"]["found"] for name, claim in claims.items()}
    assert claims["table"]["counterexample"] == "FP 2, TP 2, FN 1, TN 1"
    assert (findings["table"]["smallest"], findings["table"]["values"]["f1"]) == (True, "4/7")
    assert findings["table"]["exactly_when"]["condition"]
    assert findings["exchanged"]["values"] == {"transpose(precision)": "1/3", "precision": "1/2"}
    assert (findings["pair"]["status"], findings["pair"]["proved_of"]) == ("proved", "any size")
    assert claims["ranking"]["evidence"]["witness"] == {"ranking": [[0, 1], [1, 0]]}
    assert (claims["number"]["reason_code"], findings["number"]["value"]) == ("rounds", "1/3")


def test_text_and_page_say_the_same_and_the_page_escapes_the_file(write, tmp_path):
    path = write(MINE)
    text = run(path).stdout
    assert text.startswith(
        "mine.yaml: 6 claims (2 proved or computed, 1 searched, 3 contradicted).\n\ntable: contradicted\n"
    )
    case, values = "FP 2, TP 2, FN 1, TN 1", "f1 = 4/7, balanced_accuracy = 1/2"
    assert f"smallest counterexample without empty cell: {case} ({values})" in text
    assert run(path, "--output", tmp_path / "mine.html").exit_code == 0
    page = (tmp_path / "mine.html").read_text(encoding="utf-8")
    for sentence in (values, "F1 is at most the balanced accuracy.", "A third is printed as 0.33."):
        assert sentence in page
        assert sentence in text
    assert case not in page  # a table shows it
    parts = ["Contradicted</h2>", 'id="claim-table"', "Not refuted</h2>"]
    parts += ["Other verdicts</h2>", 'id="claim-number"']
    assert [part for _, part in sorted((page.index(part), part) for part in parts)] == parts
    assert "<b>Mine</b>" not in page
    assert "&lt;b&gt;Mine&lt;/b&gt;" in page
    assert run(path, "--output", path).exit_code == 2
    assert run(path, "--output", tmp_path / "mine.pdf").exit_code == 2


def test_all_wrong_entries_are_told_with_their_lines(write):
    wrong = MINE.replace("f1 <=", "f2 <=").replace("roc_auc >= 1/2", "roc_auc + matthews_corrcoef > 1")
    wrong = wrong.replace("id: pair", "id: A pair")
    output = run(write(wrong))
    assert (output.exit_code, output.stdout) == (2, "")
    lines = [line.split(": ")[:2] for line in output.stderr.splitlines()]
    path = write(wrong)
    places = {6: "table", 10: "A pair", 15: "ranking"}
    assert lines == [[f"{path}, line {line}", f"claim {name!r}"] for line, name in places.items()]


def test_a_folder_is_one_registry_and_claims_about_a_study_need_its_results(tmp_path):
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "documents.yaml").write_text("sources: {a: {title: A}, b: {title: B}}\nstudies: {all: make all}\n")
    section = "sections: [{section: One, claims: [{statement: S., "
    lemma = "kind: lemma, over: tables, claim: tp <= positives}]}]\n"
    row = "kind: number, over: {row: {table: tables/t.csv, where: {a: b}}}, claim: x == 1, study: all}]}]\n"
    (folder / "one.yaml").write_text(f"source: a\n{section}id: one, {lemma}")
    (folder / "two.yaml").write_text(f"source: b\n{section}id: two, {row}")
    assert run(folder).stdout.startswith("registry: 2 claims (1 proved or computed, 1 not evaluated).")
    assert "no results given" in run(folder / "two.yaml").stdout
    (tmp_path / "results" / "tables").mkdir(parents=True)
    table = tmp_path / "results" / "tables" / "t.csv"
    table.write_text("a,x\nb,1\n")
    assert "two: reproduced" in run(folder, "--results", tmp_path / "results").stdout
    table.write_text("a,x\nb,1\nb,1\n")
    output = run(folder, "--results", tmp_path / "results")
    assert (output.exit_code, "claim 'two': tables" in output.stderr) == (2, True)
    assert run(folder, "--results", tmp_path / "absent").exit_code == 2
    assert run(tmp_path).exit_code == 2  # a folder without claims


def test_the_claims_of_the_how_to_have_the_verdicts_that_it_tells():
    records = {record["id"]: record for record in judge_registry(PAPER).records}
    where = records["mcc-grows-with-tn"]["trail"]["found"]["exactly_when"]
    assert (where["status"], where["met"]) == ("proved", where["holds"])
    assert records["mcc-high-only-if-all-good"]["counterexample"] == "FP 1, TP 4, FN 5, TN 23"
    assert records["mcc-agree-where-both-classes-are-good"]["counterexample"] == "FP 1, TP 18, FN 2, TN 9"


def test_a_number_stands_as_it_is_printed(write):
    """0.90 is anything from 0.895 to 0.905, quoted or not."""
    claim = "    - {id: a, statement: s, kind: number, over: {numbers: {p: %s}}, claim: p == 0.9}\n"
    head, findings = MINE[: MINE.index("    - {id: table")], []
    for printed in ("0.90", "'0.90'", "0.9"):
        [record] = judge_registry(write(head + claim % printed)).records
        findings.append(record["found"])
    assert findings[0] == findings[1] != findings[2]
    assert "between 0.895 and 0.905" in findings[0]
