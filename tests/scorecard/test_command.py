"""`nontrivial score`: its formats, its files and its mistakes."""

import json
import re

import numpy as np
import pytest
from commands import assert_one_sentence, run

from nontrivial.scorecard.roles import PREDICTION, SCORE, TRUTH, options_of


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


@pytest.mark.parametrize(
    ("name", "said"), [("card.pdf", ".html"), ("in.csv", ".html"), ("absent/card.html", "there is no folder")]
)
def test_an_output_of_no_format_or_in_no_folder_is_refused(predictions, tmp_path, name, said):
    assert_one_sentence(run("score", predictions, "--output", tmp_path / name), said)
    assert [path.name for path in tmp_path.iterdir()] == ["forty.csv"]


def test_help_names_the_columns_that_are_known():
    text = run("score", "--help").stdout
    assert {*TRUTH, *SCORE, *PREDICTION} <= set(re.findall(r"\w[\w.-]*\w|\w", text))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Missing argument 'FILE...'"),
        (["FILE", "--truth", "label"], "--truth is 'label', which forty.csv does not have; it has 'truth'"),
        (["FILE", "--prediction", "prediction", "--threshold", "0.5"], "give only one"),
    ],
)
def test_score_says_what_is_wrong(predictions, options, said):
    assert_one_sentence(run("score", *(predictions if each == "FILE" else each for each in options)), said)


def test_one_name_stands_for_several_and_text_for_a_label():
    found = options_of(score="a", prediction=["b", "c"], by=3, positive=np.int64(1), truth=None)
    assert (found.score, found.prediction, found.by) == (("a",), ("b", "c"), ("3",))
    assert (found.positive, found.truth) == ("1", None)


WRONG = {
    "positive": [["a"], [[1], [2, 3]]],
    "weight": [["w"]],
    "task": [["regression"], "ranking"],
    "threshold": ["0.5", True, 10**400],
    "quantile": ["half"],
    "cost": [0],
    "decimal": [";"],
    "separator": ["", "||", '"', "\n"],
    "missing": ["keep"],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, each) for name, values in WRONG.items() for each in values]
)
def test_what_is_not_of_its_kind_is_refused(name, value):
    with pytest.raises(ValueError, match=f"--{name} is "):
        options_of(**{name: value})


def test_a_tab_may_be_written_as_shells_leave_it(tmp_path):
    table = tmp_path / "a.tsv"
    table.write_text("truth\tp,q\n1\t0.9\n0\t0.1\n", encoding="utf-16")
    options = ["score", str(table), "--score", "p,q", "--separator", r"\t", "--encoding", "utf-16"]
    assert run(*options).exit_code == 0
    assert_one_sentence(run(*options[:-1], "utf-0"), "--encoding is 'utf-0'")


NEW = "id,y,p\n1,ill,.9\n2,ill,.7\n3,ill,.6\n4,ill,.2\n" + "".join(f"{i},well,.1\n" for i in range(5, 13))
OLD = "y,p,id\n" + "".join(f"well,.{6 if i < 7 else 3},{i}\n" for i in range(12, 4, -1))
OLD += "ill,.8,4\nill,.7,2\nill,.4,3\nill,.55,1\n"


def test_two_files_are_matched_by_case_and_a_pipe_gives_what_its_file_does(tmp_path):
    """Of 12 cases, 4 are ill. New: 1 error, so PA is 1 - 1/4. Old: 3 errors; 28 of 32 pairs in order."""
    new, old = tmp_path / "new.csv", tmp_path / "old.csv"
    new.write_text(NEW)
    old.write_text(OLD)
    plain = json.loads(run("score", new, old, "--positive", "ill", "--format", "json").stdout)
    assert (plain["paired_by"], plain["best"]) == ("case_numbers", "new.csv")
    values = {each["model"]: each["verdicts"] for each in plain["models"]}
    assert [values[name]["labels"]["value"] for name in ("new.csv", "old.csv")] == [0.75, 0.25]
    pairs = [values[name]["ranking"]["value"] for name in ("new.csv", "old.csv")]
    assert pairs == pytest.approx([32 / 32, (8 + 8 + 6 + 6) / 32])
    assert plain["differences"][0]["value"] == pytest.approx(-0.5)
    piped = run("score", "-", "--positive", "ill", "--format", "json", stdin=NEW)
    assert json.loads(piped.stdout)["table"] == {"tp": 3, "fn": 1, "fp": 0, "tn": 8}
