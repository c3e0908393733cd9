"""The command, run as its users run it."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from measures.exact_tables import all_tables, searched
from provenance.small_study import build_study

from nontrivial.cli import main
from nontrivial.scorecard.columns import PREDICTION, SCORE, TRUTH


def run(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def assert_one_sentence(result, *parts):
    """The command failed with one plain sentence on stderr and nothing else."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("nontrivial: ")
    assert result.stderr.count("\n") == 1
    for part in parts:
        assert part in result.stderr


def test_the_installed_command_answers():
    command = Path(sys.executable).with_name("nontrivial")
    process = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert process.stdout.startswith("nontrivial, version ")


def test_the_installed_command_fails_in_one_sentence():
    command = Path(sys.executable).with_name("nontrivial")
    process = subprocess.run([command, "verify", "absent"], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == "nontrivial: absent is not a folder; the results folder of a study is needed.\n"


@pytest.mark.parametrize("arguments", [(), ("--help",), ("published", "--help"), ("verify", "--help")])
def test_help_is_there(arguments):
    result = run(*arguments)
    assert "Usage:" in result.output
    assert result.exit_code == (0 if arguments else 2)


# published


def published(*arguments):
    """Return what the command says, by its titles."""
    result = run("published", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len({len(re.match(r"[a-z0-9 -]+: +", line)[0]) for line in lines}) == 1
    assert "-0.0000" not in result.stdout
    return {title: text.strip() for title, text in (line.split(":", 1) for line in lines)}


RULE = "always predicting the majority"
NOT_SHOWN = f"not shown to be better or worse than {RULE}"
HABERMAN = ("--positives", 81, "--n", 306)


@pytest.mark.parametrize(
    ("arguments", "advantage", "tables", "verdict"),
    [
        # 1 - 0.273 * 306 / 81, between 1 - 0.2735 * 306 / 81 and 1 - 0.2725 * 306 / 81; 83.4 to 83.7 errors
        (("--error", "0.273"), "-0.0313 (-0.0332 to -0.0294 by its digits)", "none", "none"),
        # 77 to 107 errors print as 0.3; the advantage is between -0.3222 and 0.0556
        (("--error", "0.3"), "-0.1333 (-0.3222 to 0.0556 by its digits)", "77 to 107 errors", NOT_SHOWN),
        (("--error", "0.30"), "-0.1333 (-0.1522 to -0.1144 by its digits)", "91 to 93 errors", NOT_SHOWN),
        (("--accuracy", "73.4%"), "-0.0049 (-0.0068 to -0.0030 by its digits)", "none", "none"),
        (("--accuracy", "0.734"), "-0.0049 (-0.0068 to -0.0030 by its digits)", "none", "none"),
        # 1 - 0.15 * 306 / 81; 45 to 47 errors
        (("--error", "15 %"), "0.4333 (0.4144 to 0.4522 by its digits)", "45 to 47 errors", "better"),
        (("--error", "0.50"), "-0.8889 (-0.9078 to -0.8700 by its digits)", "152 to 154 errors", "worse"),
        # 81 of 306 is 0.264705..., which prints as 0.2647, and no other number of errors does
        (("--error", "0.2647"), "0.0000 (-0.0002 to 0.0002 by its digits)", "81 errors", NOT_SHOWN),
        (("--accuracy", "73.53%"), "0.0000 (-0.0002 to 0.0002 by its digits)", "81 errors", NOT_SHOWN),
    ],
)
def test_published(arguments, advantage, tables, verdict):
    found = published(*arguments, *HABERMAN)
    assert found["trivial error"] == f"0.2647 ({RULE})"
    assert found["prediction advantage"] == advantage
    assert tables in found["tables that fit"]
    assert found["verdict"].startswith(verdict)


def test_published_and_score_speak_with_one_voice(tmp_path):
    """Nine errors among 100 cases, where the trivial guess makes ten."""
    truth, predicted = [1] * 10 + [0] * 90, [0] * 4 + [1] * 6 + [1] * 5 + [0] * 85
    path = tmp_path / "nine.csv"
    path.write_text("y,prediction\n" + "".join(f"{y},{p}\n" for y, p in zip(truth, predicted, strict=True)))
    card = json.loads(run("score", path, "--format", "json").stdout)
    numbers = ("--accuracy", "0.910", "--positives", 10, "--n", 100)
    found = published(*numbers)
    record = json.loads(run("published", *numbers, "--format", "json").stdout)
    assert card["p_value"] == pytest.approx(0.5)
    assert record["p_better"] == pytest.approx([0.5, 0.5])
    assert (record["verdict"], record["level"], record["tables"]) == ("not shown", 0.025, 10)
    assert found["verdict"] == NOT_SHOWN
    assert found["p-values"].startswith("better 0.5000,")
    assert found["would be shown by"].startswith(f"about {record['cases_needed']:,} cases")


def test_a_single_positive_and_p_values_from_nearly_none_are_said_so():
    assert published("--error", "0.02", "--positives", 1, "--n", 50)["published error"].endswith(
        " 1 positive"
    )
    found = published("--error", "0.1", "--precision", "0.8", "--positives", 30, "--n", 100)
    assert found["p-values"].startswith("better up to 0.00")


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        (("--sensitivity", "0.75", "--specificity", "0.9"), {"recall": "0.75", "specificity": "0.9"}),
        (("--recall", "75%", "--specificity", "91%"), {"recall": "0.75", "specificity": "0.91"}),
        (("--ppv", "0.8", "--npv", "0.9"), {"precision": "0.8", "negative_predictive_value": "0.9"}),
        (("--f1", "0.7", "--kappa", "0.6"), {"f1": "0.7", "cohen_kappa": "0.6"}),
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
    limits = ("\u226590%", ">90%", "\u226410%", "<10%")
    options = [("--accuracy" if place < 2 else "--error", text) for place, text in enumerate(limits)]
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
    assert found["verdict"] == NOT_SHOWN
    found = published("--accuracy", "0.82", "--classes", "50,30,20")
    assert found["trivial error"] == f"0.5000 ({RULE})"
    assert found["verdict"] == f"better than {RULE}"
    assert published("--error", "0.273", *HABERMAN)["tables that fit"].endswith("(--folds)")
    assert published("--accuracy", "0.825", "--classes", "5,3,2")["tables that fit"] == "none"
    assert published("--kappa", "0.71", "--classes", "50,30,20")["verdict"] == f"better than {RULE}"
    assert "32 to 89 errors" in published("--kappa", "0.61", *HABERMAN, "--folds", 10)["tables that fit"]


def test_published_takes_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("papers.csv").write_text(
        "\ufeffpaper;Error;Balanced accuracy;positives;n;classes\n"
        '"A; B";0.15;;81;306;\n=C;;0.5;;;\nD;0.18;;;;"50, 30, 20"\n',
        encoding="utf-8",
    )
    assert_one_sentence(
        run("published", "papers.csv"), "Row 2 of papers.csv: ", "positives and n, or classes"
    )
    Path("papers.csv").write_text(Path("papers.csv").read_text().replace("0.5;;;", "0.5;8;30;"))
    text = run("published", "papers.csv").stdout
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["paper"] for row in rows] == ["A; B", "'=C", "D"]  # no formula
    assert [row["verdict"] for row in rows] == ["better", "not shown", "better"]
    record = json.loads(run("published", "--error", "0.15", *HABERMAN, "--format", "json").stdout)
    assert float(rows[0]["p_better_high"]) == pytest.approx(record["p_better"][1])
    assert int(rows[0]["fewest_errors"]) == record["errors"][0]
    for name in ("worth.csv", "worth.json"):
        assert run("published", "papers.csv", "--output", name).stdout == ""
    assert Path("worth.csv").read_text() == text
    listed = json.loads(Path("worth.json").read_text())
    assert [each["verdict"] for each in listed] == [row["verdict"] for row in rows]
    assert [each["row"]["paper"] for each in listed] == ["A; B", "=C", "D"]
    # what it wrote can be read again
    assert run("published", "worth.csv").stdout == text


def test_options_stand_for_what_a_file_lacks(tmp_path):
    path = tmp_path / "errors.csv"
    path.write_text("error,n\n0.273,\n0.2,100\n")
    rows = list(csv.DictReader(run("published", path, *HABERMAN).stdout.splitlines()))
    assert [row["trivial_error"] for row in rows] == ["0.264705882353", "0.19"]


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
        (("--error", "0.3", "--n", 306), "--positives and --n, or --classes"),
        (("--error", "0.3", *HABERMAN, "--classes", "3,4"), "--positives and --n, or --classes"),
        (("--error", "0.3", "--classes", "3,many"), "--classes is 'many'; it must be a whole number."),
        (("--recall", "0.3", "--classes", "3,4,5"), "cohen_kappa do"),
        (("--error", "0.3", "--positives", "many", "--n", 306), "'many' is not a valid integer"),
        (("--kappa", "0.3", "--positives", 4000, "--n", 10_000, "--folds", 5), "mean of 'cohen_kappa'"),
        (("--eror", "0.3", *HABERMAN), "No such option"),
        (("absent.csv",), "absent.csv is not a file"),
        (("--error", "0.3", *HABERMAN, "--output", "worth.html"), "it must end in .txt or .json"),
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
        (b"error,recall\n0.2,\n,\n", "Row 2 of papers.csv: Give at least one"),
        (b"recall,sensitivity\n0.2,0.3\n", "Row 1 of papers.csv: sensitivity is given twice"),
        (b"error\n0.2\nmany\n", "Row 2 of papers.csv: error is 'many'"),
        (b"error\n\xff\n", "papers.csv cannot be read as CSV"),
        (b'error\n"0.2\n', "papers.csv cannot be read as CSV"),
    ],
)
def test_published_says_what_is_wrong_in_a_file(content, part, tmp_path):
    path = tmp_path / "papers.csv"
    path.write_bytes(content)
    assert_one_sentence(run("published", path, *HABERMAN), part)
    assert_one_sentence(run("published", path, *HABERMAN, "--output", path), "is the file that is read")


def test_an_unknown_command_is_named():
    assert_one_sentence(run("publish"), "No such command 'publish'")


# verify


@pytest.fixture
def study(tmp_path):
    return build_study(tmp_path / "project")


def test_verify_good(study):
    for arguments in ((study,), (study, "--deep")):
        result = run("verify", *arguments)
        assert result.exit_code == 0
        counts = "1 caveat, 1 contradicted, 3 not_evaluated, 4 reproduced"
        good, *unchecked = result.output.splitlines()
        assert good == f"good: 66 files, 9 claims ({counts}); counted apart: beyond 1, repair 1."
        assert all(line.startswith("unchecked: ") for line in unchecked)


@pytest.mark.parametrize("folder", [".", "results"])
def test_verify_looks_for_results_in_the_current_folder_or_takes_it_for_them(study, folder, monkeypatch):
    monkeypatch.chdir(study.parent / folder)
    assert run("verify").exit_code == 0
    record = json.loads((study / "claims" / "order.json").read_text())
    assert run(*record["command"].split()[1:]).output == "good: 4 files, 1 claim (1 contradicted).\n"


def test_verify_names_what_changed_and_exits_with_1(study):
    (study / "tables" / "ranks.csv").write_text("changed")
    result = run("verify", study)
    assert result.exit_code == 1
    assert f"mismatch: {study}/tables/ranks.csv is changed: its sha256" in result.output


def test_verify_names_what_is_missing_and_exits_with_2(study):
    (study / "figures" / "one.svg").unlink()
    result = run("verify", study)
    assert result.exit_code == 2
    assert f"incomplete: {study}/figures/one.svg is missing." in result.output


def test_verify_as_json(study):
    (study / "new.txt").write_text("")
    result = run("verify", study, "--format", "json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert {problem["kind"] for problem in report.pop("unchecked")} == {"unchecked"}
    assert report == {
        "outcome": "mismatch",
        "files": 66,
        "verdicts": {"caveat": 1, "contradicted": 1, "not_evaluated": 3, "reproduced": 4},
        "apart": {"beyond": 1, "repair": 1},
        "problems": [
            {
                "kind": "mismatch",
                "place": f"{study}/new.txt",
                "text": "is extra: the manifest does not list it.",
            }
        ],
        "signed_by": "",
        "retrained": None,
    }


def test_verify_one_claim(study):
    result = run("verify", study, "--deep", "--claim", "order")
    assert result.exit_code == 0
    assert result.output == "good: 4 files, 1 claim (1 contradicted).\n"
    assert_one_sentence(
        run("verify", study, "--claim", "ordr"), "there is no claim 'ordr'", "close to it: order"
    )


def test_verify_says_what_is_wrong(study):
    assert_one_sentence(run("verify", study, "--format", "xml"), "'xml' is not one of")
    assert_one_sentence(run("verify", study / "tables" / "ranks.csv"), "is not a folder")


# score


@pytest.fixture
def predictions(tmp_path):
    """Forty cases, ten positive: nine of them found, one other taken for one; p is (10 + 1) / 2**10."""
    right = [("yes", "yes", 0.9)] * 9 + [("no", "no", 0.1)] * 29
    rows = [*right, ("yes", "no", 0.3), ("no", "yes", 0.6)]
    path = tmp_path / "forty.csv"
    path.write_text("truth,prediction,score\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    return path


def test_score_as_text(predictions):
    result = run("score", predictions)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith("forty.csv: 40 cases, 10 of them positive (yes, assumed).\n")
    assert "Verdict: better than trivial (Prediction Advantage 0.8000, 95 % interval " in result.stdout


def test_score_as_json(predictions):
    result = run("score", predictions, "--format", "json", "--positive", "no", "--score", "score")
    card = json.loads(result.stdout)
    assert card["table"] == {"fp": 1, "tp": 29, "fn": 1, "tn": 9}
    assert card["prediction_advantage"]["value"] == pytest.approx(0.8)
    assert card["measures"]["recall"]["value"] == pytest.approx(29 / 30)
    assert card["verdict"] == "better than trivial"
    assert card["p_value"] == pytest.approx(11 / 1024)


def test_score_to_a_file(predictions, tmp_path):
    result = run("score", predictions, "--format", "html", "--output", tmp_path / "card.html")
    assert (result.exit_code, result.output) == (0, "")
    assert (tmp_path / "card.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("card.html", (), "<!doctype html>"),
        ("card.JSON", (), '{\n  "file"'),
        ("card.txt", (), "forty.csv: 40 cases"),
        ("card", (), "forty.csv: 40 cases"),
        ("card.html", ("--format", "text"), "forty.csv: 40 cases"),
    ],
)
def test_the_ending_of_the_output_says_its_format_unless_an_option_does(
    predictions, tmp_path, name, options, start
):
    assert run("score", predictions, "--output", tmp_path / name, *options).exit_code == 0
    assert (tmp_path / name).read_text().startswith(start)


@pytest.mark.parametrize("name", ["card.pdf", "in.csv"])
def test_an_ending_that_stands_for_no_format_is_refused(predictions, tmp_path, name):
    assert_one_sentence(run("score", predictions, "--output", tmp_path / name), ".html")
    assert not (tmp_path / name).exists()


def test_score_makes_no_folders(predictions, tmp_path):
    result = run("score", predictions, "--output", tmp_path / "absent" / "card.html")
    assert_one_sentence(result, f"there is no folder {tmp_path / 'absent'}")
    assert not (tmp_path / "absent").exists()


def test_score_with_a_threshold(predictions):
    """Of ten scores of positives nine are 0.9 and one is 0.3; one of the others is 0.6 and the rest 0.1."""
    for threshold, table in [(0.95, (0, 0, 10, 30)), (0.7, (0, 9, 1, 30)), (0.2, (1, 10, 0, 29))]:
        result = run("score", predictions, "--threshold", threshold, "--format", "json")
        card = json.loads(result.stdout)
        assert tuple(card["table"].values()) == table
        assert card["rule"] == f"positive where score >= {threshold}"


def test_help_names_the_columns_that_are_known():
    text = " ".join(run("score", "--help").stdout.split())
    for names in (TRUTH, SCORE, PREDICTION):
        for name in names:
            assert re.search(rf"\b{name}\b", text), name


def test_score_says_what_is_wrong(predictions, tmp_path):
    assert_one_sentence(run("score", tmp_path / "absent.csv"), "is not a file")
    assert_one_sentence(
        run("score", predictions, "--truth", "label"), "--truth is 'label'", "it has 'truth', 'prediction'"
    )
    assert_one_sentence(run("score", predictions, "--positive", "maybe"), "--positive is 'maybe'", "no, yes")
    assert_one_sentence(run("score"), "Missing argument 'FILE...'")
    assert_one_sentence(
        run("score", predictions, "--score", "truth"), "--score is 'truth', which holds the true labels"
    )
    assert_one_sentence(
        run("score", predictions, "--prediction", "score"),
        "numbers that are not labels, such as 0.9",
        "with --score",
    )
    assert_one_sentence(
        run("score", predictions, "--prediction", "prediction", "--threshold", "0.5"),
        "--threshold",
        "give one",
    )
    assert_one_sentence(run("score", predictions, "--threshold", "nan"), "must be a finite number")
    assert_one_sentence(run("score", predictions, "--threshold", "half"), "'half' is not a valid float")
