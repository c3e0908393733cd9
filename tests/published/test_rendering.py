"""What published scores are worth, as the command says it."""

import csv
import json

import pytest
from commands import run
from published.haberman import HABERMAN, NOT_SHOWN, RULE, published

from nontrivial.published.numbers import read_published
from nontrivial.published.render import describe


@pytest.mark.parametrize(
    ("arguments", "advantage", "tables", "verdict"),
    [
        # 1 - 0.273 * 306 / 81, between 1 - 0.2735 * 306 / 81 and 1 - 0.2725 * 306 / 81; 83.4 to 83.7 errors
        (("--error", "0.273"), "-0.0313 (-0.0332 to -0.0294 by its digits)", "none", "none: no table fits"),
        # 77 to 107 errors print as 0.3; the advantage is between -0.3222 and 0.0556
        (("--error", "0.3"), "-0.1333 (-0.3222 to 0.0556 by its digits)", "77 to 107 errors", NOT_SHOWN),
        (("--error", "0.30"), "-0.1333 (-0.1522 to -0.1144 by its digits)", "91 to 93 errors", NOT_SHOWN),
        (
            ("--accuracy", "73.4%"),
            "-0.0049 (-0.0068 to -0.0030 by its digits)",
            "none",
            "none: no table fits",
        ),
        (
            ("--accuracy", "0.734"),
            "-0.0049 (-0.0068 to -0.0030 by its digits)",
            "none",
            "none: no table fits",
        ),
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
    assert (record["verdict"], record["level"], record["tables"]) == ("inconclusive", 0.025, 10)
    assert found["verdict"] == NOT_SHOWN
    assert found["p-values"].startswith("better 0.5000,")
    assert found["would be shown by"].startswith(f"about {record['cases_needed']:,} cases")


def test_a_single_positive_and_p_values_from_nearly_none_are_said_so():
    assert published("--error", "0.02", "--positives", 1, "--n", 50)["published error"].endswith(
        " 1 positive"
    )
    found = published("--error", "0.1", "--precision", "0.8", "--positives", 30, "--n", 100)
    assert found["p-values"].startswith("better up to 0.00")


def test_a_number_without_decimals_is_said_to_stand_for_a_range():
    """One in ten is positive, and always predicting the majority makes ten errors, as every table does."""
    found = published("--accuracy", "0.90", "--specificity", "1", "--positives", 10, "--n", 100)
    assert found["published specificity"].startswith("1 (0.5 to 1 ")
    assert found["tables that fit"].startswith("11, with 10 errors")
    assert "every table" in found["would be shown by"]


@pytest.mark.parametrize(
    ("score", "printed", "ends"),
    [
        ("error", "0", "0 to 0.5"),
        ("kappa", "0", "-0.5 to 0.5"),
        ("mcc", "-1", "-1 to -0.5"),
        ("diagnostic-odds-ratio", "12", "11.5 to 12.5"),
        ("lift", "0", "0 to 0.5"),
        ("precision-gain", "-3", "-3.5 to -2.5"),
    ],
)
def test_the_range_of_a_number_without_decimals_is_within_that_of_its_score(score, printed, ends):
    values = {score.replace("-", "_"): printed, "positives": 30, "n": 100}
    first = describe(read_published(values))[0]
    assert f" {printed} ({ends} by its digits)" in first


@pytest.mark.parametrize(
    ("kappa", "said", "names"),
    [
        # recall 30/40, precision 30/50, specificity 77/97, kappa 0.5066
        ("0.51", None, None),
        ("0.61", "kappa", ["kappa"]),
        ("0.99", "kappa", ["kappa"]),
    ],
)
def test_a_number_that_does_not_fit_the_others_is_named(tmp_path, kappa, said, names):
    numbers = {"recall": "0.75", "precision": "0.60", "specificity": "0.79", "kappa": kappa}
    options = [f"--{name}={text}" for name, text in numbers.items()] + ["--positives", 40, "--n", 137]
    assert published(*options).get("would fit without") == said
    assert json.loads(run("published", *options, "--format", "json").stdout)["fits_without"] == names
    path = tmp_path / "paper.csv"
    path.write_text(",".join(numbers) + ",positives,n\n" + ",".join(numbers.values()) + ",40,137\n")
    [row] = csv.DictReader(run("published", path, "--format", "csv").stdout.splitlines())
    assert row["fits_without"] == (said or "")


def test_numbers_of_which_no_single_one_is_wrong_are_said_so():
    both = published("--accuracy", "0.89", "--kappa", "0.24", "--positives", 4, "--n", 47)
    assert both["would fit without"] == "accuracy or kappa"
    three = published(
        "--accuracy", "0.89", "--recall", "0.75", "--precision", "0.60", "--positives", 40, "--n", 47
    )
    assert three["would fit without"] == "no single number"
    assert "would fit without" not in published("--error", "0.273", *HABERMAN)


def test_too_many_tables_without_a_number_leave_the_verdict_on_all_of_them():
    counts = ("--positives", 2 * 10**8, "--n", 2 * 10**9)
    found = published("--recall", "0.50000", "--specificity", "0.5", "--npv", "0.99", *counts)
    assert found["verdict"] == "none: no table fits the numbers as printed"
    assert "would fit without" not in found
