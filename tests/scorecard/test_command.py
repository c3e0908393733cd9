"""`nontrivial score`: its formats, its files, its gate and its mistakes."""

import gzip
import json
import re
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from commands import assert_one_sentence, run

from nontrivial.reading.layouts import usual_names
from nontrivial.reading.options import options_of


@pytest.fixture
def forty(tmp_path):
    """Forty cases, ten positive; scores, scores whose labels show nothing, and scores that are worse than trivial."""
    scores = [0.9] * 9 + [0.3] + [0.1] * 29 + [0.6]
    frame = pd.DataFrame({"truth": ["yes"] * 10 + ["no"] * 30, "score": scores})
    frame["low"], frame["bad"] = frame["score"] / 2, 1 - frame["score"]
    frame["half"], frame["ward"] = frame.index % 2, frame.index % 4
    frame["site"] = np.where(frame.index < 2, "York", "Hull")  # where all are positive
    frame.to_csv(tmp_path / "forty.csv", index=False)
    return tmp_path / "forty.csv"


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("card.html", (), "<!doctype html>"),
        ("card.JSON", (), '{\n  "file"'),
        ("card.csv", (), "model,kind,name,value,low,high,method,verdict,loss,cases,positives\n,verdict,prob"),
        ("card", (), "score, forty.csv: 40 cases"),
        ("card.html", ("--format", "text"), "score, forty.csv: 40 cases"),
    ],
)
def test_the_ending_of_the_output_says_its_format_unless_an_option_does(forty, name, options, start):
    result = run("score", forty, "--output", forty.parent / name, *options)
    assert (result.exit_code, result.output) == (0, "")
    assert (forty.parent / name).read_text().startswith(start)


def test_help_names_the_columns_that_are_known():
    text = run("score", "--help").stdout
    assert {name for role in ("truth", "score", "prediction") for name in usual_names(role)} <= set(
        re.findall(r"\w[\w.-]*\w|\w", text)
    )


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        ("--require better --score score", 0, ""),
        ("--require better --score low", 0, ""),  # by the first question, on probabilities
        ("--require better --score low --question labels", 1, "csv: inconclusive by labels"),
        ("--require not-worse --score low --question labels", 0, ""),
        ("--require not-worse --score bad --question ranking", 1, "csv: worse by ranking"),
        ("--require better --score score --score low --question labels", 1, "low: inconclusive by labels"),
        ("--require better --score score --question ranking --by half", 0, ""),
        ("--require not-worse --score score --by site", 1, "York: not scored"),
        ("--require not-worse --score score --group ward", 1, "csv: no interval for probabilities"),
        ("--require better --score score --question numbers", 2, "--question is 'numbers', which"),
    ],
)
def test_a_requirement_sets_the_exit_status(forty, options, code, reason):
    result = run("score", forty, "--positive", "yes", *options.split())
    assert (result.exit_code, bool(result.stdout)) == (code, code < 2)
    pattern = {0: "", 1: rf"--require \S+ does not hold: .*{reason}.*\n", 2: rf"nontrivial: .*{reason}.*\n"}
    assert re.fullmatch(pattern[code], result.stderr)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("positive", [["a"], [[1], [2, 3]]]),
        ("weight", [["w"]]),
        ("task", [["regression"], "ranking"]),
        ("threshold", ["0.5", True, 10**400]),
        ("quantile", ["half"]),
        ("cost", [0]),
        ("decimal", [";"]),
        ("separator", ["", "||", '"', "\n"]),
        ("missing", ["keep"]),
    ],
)
def test_what_is_not_of_its_kind_is_refused(name, values):
    for value in values:
        with pytest.raises(ValueError, match=f"--{name} is "):
            options_of(**{name: value})


def test_a_command_without_a_file_is_refused():
    assert_one_sentence(run("score"), "Missing argument 'FILE...'")


NEW = "id,y,p\n1,ill,.9\n2,ill,.7\n3,ill,.6\n4,ill,.2\n" + "".join(f"{i},well,.1\n" for i in range(5, 13))
OLD = "y,p,id\n" + "".join(f"well,.{6 if i < 7 else 3},{i}\n" for i in range(12, 4, -1))
OLD += "ill,.8,4\nill,.7,2\nill,.4,3\nill,.55,1\n"
AS_JSON = ("--positive", "ill", "--format", "json")


def test_two_files_are_matched_by_case(tmp_path):
    """Of 12 cases, 4 are ill. New: 1 error, so PA is 1 - 1/4. Old: 3 errors; 28 of 32 pairs in order."""
    files = [tmp_path / "new.csv", tmp_path / "old.csv"]
    for file, text in zip(files, (NEW, OLD), strict=True):
        file.write_text(text)
    plain = json.loads(run("score", *files, *AS_JSON).stdout)
    assert (plain["paired_by"], plain["best"]) == ("case_numbers", "new.csv")
    values = {card["model"]: card["verdicts"] for card in plain["models"]}
    assert [values[file.name]["labels"]["value"] for file in files] == [0.75, 0.25]
    assert [values[file.name]["ranking"]["value"] for file in files] == [32 / 32, (8 + 8 + 6 + 6) / 32]
    assert plain["differences"][0]["value"] == pytest.approx(-0.5)


def test_a_pipe_gives_what_its_file_does():
    """Three cases are won and none is lost against always "well": a chance of 1 in 2^3."""
    stream = BytesIO()
    pd.read_csv(BytesIO(NEW.encode())).to_parquet(stream)
    for piped in (NEW.encode(), gzip.compress(NEW.encode()), stream.getvalue()):
        plain = json.loads(run("score", "-", *AS_JSON, stdin=piped).stdout)
        assert (plain["file"], plain["table"]) == ("standard input", {"tp": 3, "fn": 1, "fp": 0, "tn": 8})
        assert (plain["p_value"], plain["verdict"].split(":")[0]) == (1 / 2**3, "inconclusive")
