"""The kinds of claims that read a study, on tables and selections made for the purpose."""

from fractions import Fraction

import pytest

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.points import judge_points
from nontrivial.claims.sentences import reason_text
from nontrivial.claims.verdict import Verdict, verdict_on
from nontrivial.files import write_json
from nontrivial_study.documents import kinds
from nontrivial_study.documents.kinds import binomial_interval, possible_rates


@pytest.fixture
def write(tmp_path):
    """A function that writes tables from their lines, and returns their folder."""

    def write_tables(**tables):
        for name, lines in tables.items():
            (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write_tables


def absent(finding):
    """Why nothing was finding, which can be said in a sentence."""
    assert reason_text(Verdict(finding.reason), finding, "")
    return finding.reason


def row(results, where, **options):
    return kinds.row(results, table="t.csv", where=where, **options)


def test_a_row_gives_its_numbers_with_their_ends(write):
    results = write(t=["model,x,x_low,x_high", "m,0.1,-0.1,0.3", "other,1,1,1", "none,0.1,,"])
    (point,) = row(results, {"model": "m"}, ends=["x"])
    assert point.values["x"] == Fraction("0.1")
    assert point.ranges == {"x": (Fraction("-0.1"), Fraction("0.3"))}
    (point,) = row(results, {"model": "none"}, ends=["x"])
    assert (point.values["x"], point.ranges) == (None, {})  # a number without its ends is none


def test_an_absent_row_is_told(write):
    results = write(t=["model,x", "m,1", "m,2"])
    assert absent(row(results, {"model": "other"})) == "no row"


def test_of_another_study_than_the_documents_the_numbers_are_there_and_what_differs(write):
    results = write(t=["model,tasks,x,x_low,x_high", "m,17,0.1,0,0.3"])
    (elsewhere,) = row(results, {"model": "m"}, about={"tasks": "886"}, ends=["x"])
    assert (elsewhere.elsewhere, elsewhere.ranges["x"]) == ({"tasks": ["17", "886"]}, (0, Fraction("0.3")))
    (same,) = row(results, {"model": "m"}, about={"tasks": "17"}, ends=["x"])
    assert same.elsewhere == {}


def test_one_row_and_known_columns_are_wanted(write):
    results = write(t=["model,x", "m,1", "m,2"])
    with pytest.raises(ValueError, match="2 rows"):
        row(results, {"model": "m"})
    with pytest.raises(ValueError, match="no column 'y'"):
        row(results, {"y": "m"})


def test_a_json_file_is_one_row(tmp_path):
    content = {"name": "d", "rows": 306, "classes": {"yes": 81, "no": 225}, "tasks": [1]}
    write_json(tmp_path / "d.json", content)
    (point,) = kinds.row(tmp_path, table="d.json", about={"name": "d"})
    assert point.values == {"rows": 306, "classes_yes": 81, "classes_no": 225}


def test_each_of_many_rows_is_a_point(write):
    lines = ["a,0,0.1,0.1,0.2", "b,1,-0.1,-0.2,0.1", "b,2,-0.1,-0.2,-0.1", "c,1,-1,-1,-1"]
    results = write(t=["model,at,x,x_low,x_high", *lines])
    points = row(results, {"model": ["a", "b"]}, by=["model", "at"], ends=["x"])
    finding = surveyed(points, "x > 0")
    assert tuple(finding.points.values()) == (3, 1, 1, 1, 0)
    assert finding.place == {"model": "b", "at": "1"}


def test_archived_runs_are_found_by_task_and_flow_or_one_that_is_missing_is_told(write):
    results = write(areas=["task,model,roc_auc", "openml_7,A,0.9", "openml_7,B,", "openml_8,A,0.1"])
    runs = [{"run": 10, "flow_name": "A"}, {"run": 11, "flow_name": "B"}]
    tasks = [{"task": 7, "runs": runs}, {"task": 8, "runs": runs[:1]}, {"task": 9, "runs": runs[:1]}]
    write_json(results / "selection.json", {"tasks": tasks})

    def finding(task, run):
        return kinds.archived_run(results, selection="selection.json", table="areas.csv", task=task, run=run)

    assert finding(7, 10)[0].values["roc_auc"] == Fraction(9, 10)
    assert finding(8, 10)[0].values["roc_auc"] == Fraction(1, 10)
    assert finding(7, 11)[0].values["roc_auc"] is None  # it failed
    assert absent(finding(6, 10)) == absent(finding(8, 11)) == "no run"
    assert absent(finding(9, 10)) == "no row"


# Figure 1 of the PA paper, with the error of the data.


COUNTS = "dataset,model,positive,tp,fp,fn,tn"
CURVES = "dataset,model,positive,noise,minority_share,measure,mean"
WHERE = {"dataset": "d", "model": "m", "positive": "yes"}


def curves(noise, share, **means):
    return [f"d,m,yes,{noise},{share},{name},{mean}" for name, mean in means.items()]


def imbalance(write, counts, lines, **where):
    results = write(counts=[COUNTS, f"d,m,yes,{counts}"], t=[CURVES, *lines])
    return kinds.imbalance(results, table="t.csv", where=WHERE | where, counts="counts.csv")


def surveyed(points, claim, texts=()):
    return judge_points(Formula.condition(claim), [Formula.condition(text) for text in texts], {}, points)


def test_possible_measures_are_those_of_the_expected_table(write):
    """Of recall r and false alarms a, at minority share s and flips e of each class.

    A quarter of the cases, of which a tenth of all are flipped either way, has (0.25 - 0.1) r + 0.1 a called positive.
    """
    (point,) = imbalance(write, "9,2,1,18", curves(0.2, 0.25, accuracy=0.5, recall=0.5))
    rates = possible_rates(fp=2, tp=9, fn=1, tn=18)
    # Each interval has the root of the level, so that both hold together with the level itself.
    for counts, column in zip(((9, 10), (2, 20)), zip(*rates, strict=True), strict=True):
        assert (min(column), max(column)) == binomial_interval(*counts, CONFIDENCE_LEVEL**0.5)
    assert len(set(rates)) == 25  # with inner points
    for (recall, alarms), possible in zip(rates, point.possible, strict=True):
        tp = Fraction(3, 20) * recall + Fraction(1, 10) * alarms
        fp = Fraction(13, 20) * alarms + Fraction(1, 10) * recall
        assert possible["recall"] == tp / Fraction(1, 4)
        assert possible["accuracy"] == tp + Fraction(3, 4) - fp
        assert (possible["noise"], possible["minority_share"]) == (Fraction(1, 5), Fraction(1, 4))


def test_flips_beyond_the_minority_leave_nothing_possible(write):
    (point,) = imbalance(write, "9,2,1,18", curves(0.6, 0.25, accuracy=0.5))
    assert list(point.possible) == []


@pytest.mark.parametrize(("counts", "clearly"), [("29,2,1,28", 0), ("29000,2000,1000,28000", 1)])
def test_the_error_of_few_cases_leaves_an_order_open(write, counts, clearly):
    """Recalls of 29 in 30 and 28 in 30 order what 10,000 redraws of them order clearly; 30 cases do not."""
    points = imbalance(write, counts, curves(0, 0.3, recall=0.967, specificity=0.933))
    finding = surveyed(points, "recall > specificity")
    assert tuple(finding.points.values()) == (1, 1, clearly, 0, 0)
    verdict = verdict_on(Formula.condition("recall > specificity"), finding).verdict
    assert verdict == ("reproduced" if clearly else "caveat")


def test_measures_that_are_exactly_equal_stay_equal(write):
    """On a balanced problem without noise kappa is the Prediction Advantage, whatever the rates."""
    lines = curves(0, 0.5, prediction_advantage=0.85, cohen_kappa=0.85)
    points = imbalance(write, "29,2,1,28", lines)
    equal = surveyed(points, "prediction_advantage == cohen_kappa")
    strict = surveyed(points, "prediction_advantage < cohen_kappa")
    assert (tuple(equal.points.values()), tuple(strict.points.values())) == ((1, 1, 1, 0, 0), (1, 0, 0, 1, 0))


def test_a_study_without_such_rows_has_nothing_to_say(write):
    finding = imbalance(write, "5,1,1,13", curves(0, 0.5, recall=0.5), model="other")
    assert absent(finding) == "no row"


def test_a_model_that_failed_has_no_rates(write):
    assert absent(imbalance(write, ",,,", curves(0, 0.5, recall=""))) == "empty columns"


def test_an_error_rate_is_exact_and_lies_in_its_binomial_interval(write):
    results = write(counts=[COUNTS, "a,m,1,3,0,0,7", "a,n,1,2,1,1,6"])
    where = {"dataset": "a", "model": "m"}, {"dataset": "a", "model": "n"}
    none, some = (kinds.error_rate(results, table="counts.csv", where=row)[0] for row in where)
    low, high = none.ranges["error"]
    assert (none.values["error"], low) == (0, 0)
    assert float(high) == pytest.approx(1 - 0.025 ** (1 / 10), abs=1e-9)
    assert some.values["error"] == Fraction(2, 10)
