"""Published numbers from a file, one classifier per row."""

import csv
import json
import math
from pathlib import Path

import pandas as pd
import pytest
from chromium import launched
from commands import assert_one_sentence, run

REVIEW = Path(__file__).parents[2] / "docs" / "how-to" / "review.csv"
HABERMAN = "positives=81 n=306"


def options_in(line):
    return [f"--{option}" for option in line.split()]


def write(content):
    Path("papers.csv").write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Error;positives;n\n0.10;8;30\n", "error=0.10 positives=8 n=30"),
        ('error,classes,n\n0.18,"50, 30, 20",100\n', "error=0.18 classes=50,30,20"),
        # An option stands for what a file lacks, and numbers come before the name of a data set.
        ("error,n\n0.27,\n", f"error=0.27 {HABERMAN}"),
        ("error,positives,n,data\n0.2,8,30,of our own\n", "error=0.2 positives=8 n=30"),
        ("accuracy,error,mcc,npv,p4\n-,0.2,\u2013,n.r.,NA\n", f"error=0.2 {HABERMAN}"),
        # Headings and cells as reviews have them.
        ('Accuracy (%),No. of patients\n91.7,"1,220"\n', "accuracy=91.7% positives=81 n=1220"),
        ("Accuracy (%)\n91.5 \u00b1 2.1\n", f"accuracy=91.5% {HABERMAN}"),
        ('Sens.,"Spec., %"\n0.80 (0.71\u20130.87),93 [90; 95]\n', f"sens=0.80 spec=93% {HABERMAN}"),
        ("AUC (95 % CI),Err.\n0.91 (0.87-0.94),0.2\n", f"auc=0.91 error=0.2 {HABERMAN}"),
        ("err,F1 (macro),n,Positives\n0.05,0.1,1220,9.8%\n", "error=0.05 positives=9.8% n=1220"),
        ("Acc. (%);No. of positives;n\n91,2*;120 (35.3%);340\n", "accuracy=91.2% positives=120 n=340"),
    ],
)
def test_a_row_has_the_numbers_of_the_same_scores_as_options(content, line):
    write(content)
    judged = run("published", "papers.csv", "--format", "csv", *options_in(HABERMAN)).stdout
    (row,) = csv.DictReader(judged.splitlines())
    record = json.loads(run("published", *options_in(line), "--format", "json").stdout)
    spans = [record[name] for name in ("errors", "advantage", "p_better", "p_worse")]
    numbers = [record["tables"] or math.nan, *(end for span in spans for end in span)]
    cells = list(row.values())[list(row).index("tables") : list(row).index("verdict")]
    assert [float(cell or math.nan) for cell in cells] == pytest.approx(numbers, nan_ok=True)
    assert row["verdict"] == record["verdict"]


def test_a_file_in_and_every_format_out():
    write('\ufeffpaper;error;F1 (macro);Sens.\n"A; B";0,15;.9;\n=C;0.6 \u00b1 .1;.8;NR\nD;0.05;;.1\n;;;\n')
    for name in ("worth.csv", "worth.json", "worth.html", "worth.txt"):
        result = run("published", "papers.csv", *options_in(HABERMAN), "--output", name)
        assert result.stdout == ""
        assert "'F1 (macro)'" in result.stderr  # which is not read
    with Path("worth.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["verdict"] for row in rows] == ["better", "worse", "impossible"]
    assert [row["paper"] for row in rows] == ["A; B", "'=C", "D"]  # no formula
    assert [row["error"] for row in rows] == ["0,15", "0.6 \u00b1 .1", "0.05"]  # as they were
    assert "\u00b1" in rows[1]["judged_as"]
    listed = [(fields["verdict"], fields["row"]["paper"]) for fields in json.loads(Path("worth.json").read_text())]
    assert listed == [("better", "A; B"), ("worse", "=C"), ("impossible", "D")]
    assert Path("worth.html").read_text(encoding="utf-8").count('<tr data-verdict="') == 3
    text = Path("worth.txt").read_text(encoding="utf-8")
    assert text.startswith("papers.csv, 3 rows: 1 better, 1 worse, 1 impossible.")
    assert "without error or recall, a table fits the others" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.browser
def test_a_wide_table_scrolls_in_itself_on_a_telephone(tmp_path):
    run("published", REVIEW, "--output", tmp_path / "worth.html")
    with launched() as chromium:
        tab = chromium.new_page(viewport={"width": 390, "height": 844})
        tab.goto((tmp_path / "worth.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == 390
        assert tab.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == "auto"


def test_a_row_that_cannot_be_judged_has_its_reason_and_the_others_are_judged():
    write("accuracy,positives,n\n0.9,10,100\n0.8,100,100\n0.734,,\n")
    rows = list(csv.DictReader(run("published", "papers.csv", "--format", "csv").stdout.splitlines()))
    assert [row["verdict"] for row in rows] == ["inconclusive", "not judged", "inconclusive"]
    assert "Row 2 of papers.csv: positives is 100" in rows[1]["not_judged"]


SENS, SPEC = "0.912,0.714", "62/68 (91.2%),71.4% [45/63]"
TABLES = [  # of 68 positive and 63 negative cases with 24 errors
    "Author,True positives,False positives,True negatives,False negatives\nA,62,18,45,6\n",
    "tn (n);FN;fp (n);TP*\n45;6\u2020;18;62\n",
    "True +ve,False +ve,True -ve,False -ve\n62,18,45,6\n",
    f"Cases,Controls,Sensitivity,Specificity\n68,63,{SPEC}\n",
    f"Patients' number,Malignant lesions,Sens. (95% CI),Spec. (n/N)\n131,68 (52%),{SPEC}\n",
    f"Total patients,Healthy controls,Sens,Spec\n131,63,{SENS}\n",
    "Diseased,Healthy,Sens,95% CI,Spec,95% CI\n68,63,0.912,0.8-1,0.714,0.6-0.8\n",
    "Positive,Negative,Sens,Spec\n68,63,~912\u2030,714\u2030\n",
    "PPV,NPV\n62/80,45 of 51\n",
    "recall,specificity,n\n62/68 (91.2%),0.714,131\n",
    "Malignant,Benign,TP,TN\n68,63,62,45\n",
    "Positive;Negative;Sens. (%);Spec. (%)\n68;63;91,2;71,4\n",
    "n,Malignant,Accuracy,Sensitivity\n131,68,81.7,91.2\n",
]


@pytest.mark.parametrize("content", TABLES)
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_tables_as_reviews_print_them(content, form):
    separator = ";" if content.count(";") > 2 else ","
    write(content)
    if form == "xlsx":
        rows = pd.DataFrame(list(csv.reader(content.splitlines(), delimiter=separator)))
        rows.to_excel("papers.xlsx", index=False, header=False)
    (record,) = json.loads(run("published", f"papers.{form}", "--format", "json").stdout)
    assert (record["verdict"], record["errors"]) == ("better", [24, 24])


ROW = pd.DataFrame({"Data set": ["haberman"], "Accuracy": [0.7 + 0.2]})


def test_a_computed_number_of_a_workbook_has_the_digits_that_are_sure():
    ROW.to_excel("papers.xlsx", index=False)
    (record,) = json.loads(run("published", "papers.xlsx", "--format", "json").stdout)
    assert record["published"] == {"accuracy": "0.9"}


def test_options_say_how_a_file_is_read():
    write("Jérôme|0.9|haberman\n".join(["paper|accuracy|dataset\n", ""]).encode("latin-1"))
    how = ["--encoding", "latin-1", "--separator", "|", "--format", "json"]
    assert json.loads(run("published", "papers.csv", *how).stdout)[0]["row"]["paper"] == "Jérôme"
    with pd.ExcelWriter("papers.xlsx") as writer:
        ROW.to_excel(writer, sheet_name="2019", index=False)
        ROW.assign(Accuracy=0.5).to_excel(writer, sheet_name="2020", index=False)
    judged = json.loads(run("published", "papers.xlsx", "--sheet", "2020", "--format", "json").stdout)
    assert judged[0]["row"]["Accuracy"] == "0.5"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("error,n\n", "names of columns and one row or more are needed"),
        ("error,error\n1,2\n", "has error twice"),
        ("Sens.,TPR\n0.2,0.3\n", "'Sens.' and 'TPR' of papers.csv may both be the recall"),
        ("Malignant,Positive,Acc\n6,7,0.8\n", "may both be the positives"),
        ("Cases,Accuracy\n68,0.8\n", "may be all cases or the positive ones; call it 'n' or 'positives'"),
        ("Err. (%)\nmany\n", "Row 1 of papers.csv: Err. (%) is 'many'"),
        (b"error\n\xff\n", "papers.csv cannot be read as text"),
        ("Accuracy (%)\n0.91\n", "may be a share"),
        ("accuracy,verdict\n0.91,good\n", "rename it"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_sentence(content, sentence):
    write(content)
    assert_one_sentence(run("published", "papers.csv", "--format", "csv"), sentence)
    assert_one_sentence(run("published", "papers.csv", "--output", "papers.csv"), "is the file that is read")
    assert_one_sentence(run("published", "absent.csv"), "absent.csv is not a file")


@pytest.mark.parametrize("heading", ["Malignant n (%)", "Malignant, No. (%)", "Malignant (n)"])
@pytest.mark.parametrize("cell", ["30", "30 (33.3)", "30 (33.3%)"])
def test_counts_with_their_share_are_counts(tmp_path, heading, cell):
    path = tmp_path / "review.csv"
    path.write_text(f'Patients (n),"{heading}",Sens. (%),Spec. (%),Acc. (%)\n90,{cell},96.7,95.0,95.6\n')
    (row,) = csv.DictReader(run("published", path, "--format", "csv").stdout.splitlines())
    assert (row["verdict"], row["most_errors"], row["trivial_error"]) == ("better", "4", "0.333333333333")
