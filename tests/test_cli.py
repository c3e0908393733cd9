"""The command, run as its users run it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
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


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        # 1 - 0.273 * 306 / 81, between 1 - 0.2735 * 306 / 81 and 1 - 0.2725 * 306 / 81; 83.4 to 83.7 errors
        (
            ("--error", "0.273"),
            ("-0.0313 (-0.0332 to -0.0294", "worse than", "no number of errors"),
        ),
        # 77 to 107 errors print as 0.3; the advantage is between -0.3222 and 0.0556
        (
            ("--error", "0.3"),
            ("-0.1333 (-0.3222 to 0.0556", "cannot be told from the printed digits", "77 to 107 errors"),
        ),
        (("--error", "0.30"), ("-0.1333 (-0.1522 to -0.1144", "worse than", "91 to 93 errors")),
        (("--accuracy", "73.4%"), ("-0.0049 (-0.0068 to -0.0030", "worse", "no number of errors")),
        (("--accuracy", "0.734"), ("-0.0049 (-0.0068 to -0.0030", "worse", "no number of errors")),
        (("--error", "20 %"), ("0.2444 (0.2256 to 0.2633", "better than", "60 to 62 errors")),
    ],
)
def test_published(arguments, parts):
    result = run("published", *arguments, "--positives", 81, "--n", 306)
    assert result.exit_code == 0
    assert result.stderr == ""
    for part in ("0.2647", *parts):
        assert part in result.stdout


RULE = "always predicting the majority"
MEAN = "a mean over folds may differ: whether it is better, worse or the same cannot be told from the printed digits"


@pytest.mark.parametrize(
    ("printed", "meaning", "table"),
    [
        # 81 of 306 is 0.264705..., which prints as 0.2647, and no other number of errors does
        (
            ("--error", "0.2647"),
            f"as one table, the same as {RULE}; {MEAN}",
            f"possible, only with as many errors as {RULE} makes, 81",
        ),
        (
            ("--accuracy", "73.53%"),
            f"as one table, the same as {RULE}; {MEAN}",
            f"possible, only with as many errors as {RULE} makes, 81",
        ),
        # 0.255 to 0.265 of 306 are 78.03 to 81.09
        (
            ("--error", "0.26"),
            f"as one table, better or the same as {RULE}; {MEAN}",
            f"possible, with 79 to 81 errors; {RULE} makes 81",
        ),
        # 80.8635 to 80.8665 of 300
        (
            ("--error", "0.26955", "--n", "300"),
            f"better than {RULE}",
            "impossible: no number of errors among 300 cases prints as 0.26955; a mean over folds may",
        ),
        # 76.5 to 107.1
        (
            ("--error", "0.3"),
            f"cannot be told from the printed digits: better, worse or the same as {RULE}",
            f"possible, with 77 to 107 errors; {RULE} makes 81",
        ),
        # 0 to 0.05 of 4
        (
            ("--error", "0.0", "--n", "4", "--positives", "2"),
            f"better than {RULE}",
            f"possible, with 0 errors; {RULE} makes 2",
        ),
        # 0.15 to 0.25 of 5 are 0.75 to 1.25
        (
            ("--error", "0.2", "--n", "5", "--positives", "1"),
            f"as one table, the same as {RULE}; {MEAN}",
            f"possible, only with as many errors as {RULE} makes, 1",
        ),
        # 0.25 to 0.35 of 12 are 3 to 4.2, and 3/12 is the least rate that prints so
        (
            ("--error", "0.3", "--n", "12", "--positives", "3"),
            f"cannot be told from the printed digits: worse or the same as {RULE}",
            f"possible, with 3 to 4 errors; {RULE} makes 3",
        ),
        # 0.45 to 0.55 of 19 are 8.55 to 10.45: 9 are the trivial ones, and 9/19 = 0.4737
        (
            ("--error", "0.5", "--n", "19", "--positives", "9"),
            f"as one table, worse or the same as {RULE}; {MEAN}",
            f"possible, with 9 to 10 errors; {RULE} makes 9",
        ),
        # 0.2545 to 0.2555 of 98 are 24.94 to 25.04, and 25/98 = 0.2551
        (
            ("--error", "0.255", "--n", "98", "--positives", "25"),
            f"as one table, the same as {RULE}; {MEAN}",
            f"possible, only with as many errors as {RULE} makes, 25",
        ),
    ],
)
def test_the_meaning_holds_for_a_mean_and_for_one_table(printed, meaning, table):
    counts = [] if "--n" in printed else ["--n", 306]
    counts += [] if "--positives" in printed else ["--positives", 81]
    lines = run("published", *printed, *counts).stdout.splitlines()
    found = dict(line.split(":", 1) for line in lines)
    assert found["meaning"].strip() == meaning
    assert found["as one table"].strip() == table


@pytest.mark.parametrize("printed", [("--error", "0.2647"), ("--accuracy", "0.7")])
def test_what_is_published_stands_in_one_column(printed):
    lines = run("published", *printed, "--positives", 81, "--n", 306).stdout.splitlines()
    assert len({len(re.match(r"[a-z ]+: +", line)[0]) for line in lines}) == 1
    assert "-0.0000" not in "".join(lines)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--error", "bad", "--positives", 81, "--n", 306), "--error is 'bad'; it must be a number."),
        (
            ("--error", "27.3", "--positives", 81, "--n", 306),
            "--error is '27.3'; it must be a share from 0 to 1, or a percentage with its sign, from 0% to 100%.",
        ),
        (("--accuracy", "120%", "--positives", 81, "--n", 306), "--accuracy is '120%'; it must be a share"),
        (("--positives", 81, "--n", 306), "Give exactly one of --error and --accuracy."),
        (
            ("--error", "0.3", "--accuracy", "0.7", "--positives", 81, "--n", 306),
            "Give exactly one of --error and --accuracy.",
        ),
        (("--error", "0.3", "--positives", 0, "--n", 306), "both classes must have at least one"),
        (("--error", "0.3", "--n", 306), "Missing option '--positives'"),
        (("--error", "0.3", "--positives", "many", "--n", 306), "'many' is not a valid integer"),
        (("--eror", "0.3", "--positives", 81, "--n", 306), "No such option"),
    ],
)
def test_published_says_what_is_wrong(arguments, part):
    assert_one_sentence(run("published", *arguments), part)


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
        counts = "1 contradicted, 3 not_evaluated, 5 reproduced"
        assert result.output == f"good: 54 files, 9 claims ({counts}); counted apart: beyond 1, repair 1.\n"


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
    assert json.loads(result.stdout) == {
        "outcome": "mismatch",
        "files": 54,
        "verdicts": {"contradicted": 1, "not_evaluated": 3, "reproduced": 5},
        "apart": {"beyond": 1, "repair": 1},
        "problems": [
            {
                "kind": "mismatch",
                "place": f"{study}/new.txt",
                "text": "is extra: the manifest does not list it.",
            }
        ],
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
    assert result.stdout.startswith("forty.csv: 40 cases, 10 of them positive (yes).\n")
    assert "Verdict: better than trivial (Prediction Advantage 0.8000, 95% interval " in result.stdout


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


def test_help_says_that_weights_are_not_used():
    assert "a column of weights is not used" in " ".join(run("score", "--help").stdout.split())


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
        run("score", predictions, "--truth", "label"), "--truth is 'label'", "it has truth, prediction"
    )
    assert_one_sentence(run("score", predictions, "--positive", "maybe"), "--positive is 'maybe'", "no, yes")
    assert_one_sentence(run("score"), "Missing argument 'FILE'")
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
