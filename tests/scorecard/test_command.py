"""`nontrivial score`: its formats, its files and its mistakes."""

import json
import re

import pytest
from commands import assert_one_sentence, run

from nontrivial.scorecard.roles import PREDICTION, SCORE, TRUTH


@pytest.fixture
def predictions(tmp_path):
    """Forty cases, ten positive: nine of them found, one other taken for one; p is (10 + 1) / 2**10."""
    right = [("yes", "yes", 0.9)] * 9 + [("no", "no", 0.1)] * 29
    rows = [*right, ("yes", "no", 0.3), ("no", "yes", 0.6)]
    path = tmp_path / "forty.csv"
    path.write_text("truth,prediction,score\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    return path


def test_score_as_json(predictions):
    result = run("score", predictions, "--format", "json", "--positive", "no", "--score", "score")
    card = json.loads(result.stdout)
    assert card["table"] == {"fp": 1, "tp": 29, "fn": 1, "tn": 9}
    assert card["prediction_advantage"]["value"] == pytest.approx(0.8)
    assert card["measures"]["recall"]["value"] == pytest.approx(29 / 30)
    assert card["verdict"] == "better than trivial"
    assert card["p_value"] == pytest.approx(11 / 1024)


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("card.html", (), "<!doctype html>"),
        ("card.JSON", (), '{\n  "file"'),
        ("card.txt", (), "score, forty.csv: 40 cases"),
        ("card", (), "score, forty.csv: 40 cases"),
        ("card.html", ("--format", "text"), "score, forty.csv: 40 cases"),
    ],
)
def test_the_ending_of_the_output_says_its_format_unless_an_option_does(
    predictions, tmp_path, name, options, start
):
    result = run("score", predictions, "--output", tmp_path / name, *options)
    assert (result.exit_code, result.output) == (0, "")
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
    for threshold, table in [(0.95, (0, 10, 0, 30)), (0.7, (9, 1, 0, 30)), (0.2, (10, 0, 1, 29))]:
        result = run("score", predictions, "--threshold", threshold, "--format", "json")
        card = json.loads(result.stdout)
        assert tuple(card["table"][name] for name in ("tp", "fn", "fp", "tn")) == table
        assert card["rule"] == f"positive where score >= {threshold}, as --threshold says"


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
    assert_one_sentence(
        run("score", predictions, "--positive", "maybe"), "--positive is 'maybe'", "'no', 'yes'"
    )
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
        "give only one",
    )
    assert_one_sentence(run("score", predictions, "--threshold", "nan"), "must be a finite number")
    assert_one_sentence(run("score", predictions, "--threshold", "half"), "'half' is not a valid float")
