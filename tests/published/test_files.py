"""Published numbers from a file, one classifier per row."""

import csv
import json
from pathlib import Path

import pytest
from chromium import launched
from commands import assert_one_sentence, run

REVIEW = Path(__file__).parents[2] / "docs" / "how-to" / "review.csv"
HABERMAN = ("--positives", 81, "--n", 306)


@pytest.fixture
def papers(tmp_path, monkeypatch):
    """Write papers.csv, into the folder that commands run in, and return its rows as they are judged."""
    monkeypatch.chdir(tmp_path)

    def judge(content, *options):
        Path("papers.csv").write_text(content, encoding="utf-8")
        text = run("published", "papers.csv", "--format", "csv", *options).stdout
        return list(csv.DictReader(text.splitlines()))

    return judge


def assert_judged_like(row, *options):
    """A row of a file has the numbers of the same scores as options."""
    record = json.loads(run("published", *options, "--format", "json").stdout)
    assert row["verdict"] == record["verdict"]
    for column, number in (
        ("tables", record["tables"]),
        *zip(("fewest_errors", "most_errors"), record["errors"], strict=True),
        *((f"{name}_low", record[name][0]) for name in ("advantage", "p_better", "p_worse")),
        *((f"{name}_high", record[name][1]) for name in ("advantage", "p_better", "p_worse")),
    ):
        assert float(row[column]) == pytest.approx(number), column


def test_a_file_in_and_every_format_out(papers):
    content = '\ufeffpaper;Error;Balanced accuracy;positives;n;classes\n"A; B";0.15;;81;306;\n=C;;0.5;8;30;\n'
    rows = papers(content + 'D;0.18;;;;"50, 30, 20"\n')
    assert [row["paper"] for row in rows] == ["A; B", "'=C", "D"]  # no formula
    assert [row["verdict"] for row in rows] == ["better", "inconclusive", "better"]
    assert_judged_like(rows[0], "--error", "0.15", *HABERMAN)
    for name in ("worth.csv", "worth.json", "worth.html"):
        assert run("published", "papers.csv", "--output", name).stdout == ""
    assert Path("worth.csv").read_text() == run("published", "papers.csv", "--format", "csv").stdout
    listed = [(each["verdict"], each["row"]["paper"]) for each in json.loads(Path("worth.json").read_text())]
    assert listed == [("better", "A; B"), ("inconclusive", "=C"), ("better", "D")]
    assert Path("worth.html").read_text(encoding="utf-8").count('<tr data-verdict="') == 3


@pytest.mark.browser
def test_a_wide_table_scrolls_in_itself_on_a_telephone(tmp_path):
    run("published", REVIEW, "--output", tmp_path / "worth.html")
    with launched() as chromium:
        tab = chromium.new_page(viewport={"width": 390, "height": 844})
        tab.goto((tmp_path / "worth.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == 390
        assert tab.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == "auto"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"error,n\n", "needs the names of its columns"),
        (b"error,error\n1,2\n", "has error twice"),
        (b"error,n\n1\n", "Row 1 of papers.csv has 1 cells"),
        (b"error,recall\n-,\nNA,n/a\n", "Row 1 of papers.csv: Give at least one"),
        (b"Sens.,TPR\n0.2,0.3\n", "Row 1 of papers.csv: 'Sens.' and 'TPR' are one score"),
        (b"Err. (%)\nmany\n", "Row 1 of papers.csv: Err. (%) is 'many'"),
        (b"error\n\xff\n", "papers.csv cannot be read as CSV"),
        (b'error\n"0.2\n', "papers.csv cannot be read as CSV"),
        (b"Accuracy (%)\n0.91\n", "may be a share"),
        (b"accuracy,verdict\n0.91,good\n", "rename it"),
        (None, "papers.csv is not a file"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_sentence(content, said, tmp_path):
    path = tmp_path / "papers.csv"
    if content is not None:
        path.write_bytes(content)
        assert_one_sentence(run("published", path, *HABERMAN, "--output", path), "is the file that is read")
    assert_one_sentence(run("published", path, *HABERMAN, "--format", "csv"), said)


def test_a_row_that_cannot_be_judged_has_its_reason_and_the_others_are_judged(papers):
    """Without an accuracy, the second row has the tables of its other scores."""
    rows = papers(
        "accuracy,recall,specificity,kappa,positives,n\n0.9,,,,10,100\nNA,.80,.93,,20,220\n"
        "0.8,,,,200,100\n\u2013,n/a,-,,20,220\n0.734,,,,,\n,,,0.5,,\n"
    )
    assert_judged_like(rows[1], "--recall", ".80", "--specificity", ".93", "--positives", 20, "--n", 220)
    parts = ["", "", "positives is 200", "at least one", "only if the majority's share is below 73.4 %"]
    parts.append("positives and n, classes or dataset; given: none of them")
    for row, part in zip(rows, parts, strict=True):
        assert part in row["not_judged"]
        assert (row["verdict"] == "not judged") == bool(row["not_judged"]) == bool(part)
    listed = json.loads(run("published", "papers.csv", "--format", "json").stdout)
    assert [each.get("not_judged", "") for each in listed] == [row["not_judged"] for row in rows]


def test_headings_and_cells_of_a_review(papers):
    first, second = papers(
        'Study,Accuracy (%),Sens.,"Spec., %",AUC (95 % CI),F1 (macro),No. of patients,Positives\n'
        'A,91.7 \u00b1 2.1,0.80 (0.71\u20130.87),93 [90; 95],"0.91 (0.87-0.94)",0.1,"1,220",120\n'
        "B,NA,.80,93,\u2013,0.1,1220,9.8%\n"
    )
    scores = ("--sensitivity", "0.80", "--specificity", "93%", "--n", 1220, "--positives")
    assert_judged_like(first, "--accuracy", "91.7%", "--auc", "0.91", *scores, 120)
    assert "±" in first["judged_as"]
    assert_judged_like(second, *scores, "9.8%")
    result = run("published", "papers.csv")
    assert result.stdout.startswith("papers.csv, 2 rows: ")
    assert max(map(len, result.stdout.splitlines())) <= 100
    assert "'F1 (macro)'" in result.stderr


def test_decimal_commas_and_shares_beside_counts_are_read_and_options_stand_for_what_a_file_lacks(papers):
    first, lacking, share = papers(
        "Study;Acc. (%);No. of positives;n\nA;91,2*;120 (35.3%);340\nB;n.r.;10;50\nC;0.91;20;220\n"
    )
    assert_judged_like(first, "--accuracy", "91.2%", "--positives", 120, "--n", 340)
    assert first["Acc. (%)"] == "91,2*"  # copied as it was
    assert "at least one published score" in lacking["not_judged"]
    assert "may be a share" in share["not_judged"]
    rows = papers("error,n\n0.273,\n0.2,100\n", *HABERMAN)
    assert [row["trivial_error"] for row in rows] == ["0.264705882353", "0.19"]
    (row,) = papers("error,positives,n,data\n0.2,81,306,of our own\n")  # numbers come before a name
    assert row["trivial_error"] == "0.264705882353"
