"""The kinds of claims that read a study, on tables and selections made for the purpose."""

from fractions import Fraction

import pytest

from nontrivial.claims.domains import survey_points
from nontrivial.claims.language import Formula
from nontrivial.claims.sentences import reason_text
from nontrivial.claims.verdict import Verdict, judge
from nontrivial.files import write_json
from nontrivial_study.documents import kinds
from nontrivial_study.documents.kinds import LEVEL, binomial_interval, possible_rates


@pytest.fixture
def write(tmp_path):
    """A function that writes tables from their lines, and returns their folder."""

    def write_tables(**tables):
        for name, lines in tables.items():
            (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write_tables


def absent(found):
    """Why nothing was found, which can be said in a sentence."""
    assert reason_text(Verdict("absent"), found)
    return found.reason


def row(results, where, **options):
    return kinds.row(results, table="t.csv", where=where, **options)


def test_a_row_gives_its_numbers_with_their_ends(write):
    results = write(t=["model,x,low,high", "m,0.1,-0.1,0.3", "other,1,1,1", "none,0.1,,"])
    (point,) = row(results, {"model": "m"}, ends={"x": ["low", "high"]})
    assert point.values["x"] == Fraction("0.1")
    assert point.ranges == {"x": (Fraction("-0.1"), Fraction("0.3"))}
    (point,) = row(results, {"model": "none"}, ends={"x": ["low", "high"]})
    assert (point.values["x"], point.ranges) == (None, {})  # a number without its ends is none


def test_an_absent_row_is_told(write):
    results = write(t=["model,x", "m,1", "m,2"])
    assert absent(row(results, {"model": "other"})) == "no row"


@pytest.mark.parametrize(
    ("lines", "d"),
    [
        # Of four positives: FP less FN over TP is -3, -1/3 and 2 after the segments that hold a positive.
        (("1,0,0,0,", "2,1,1,0,0.9", "3,2,3,0,0.6", "4,1,4,8,0.2"), Fraction("0.6")),
        # With thirteen false positives from the third on, which makes 4 and 13/4, the first is the closest.
        (("1,0,0,0,", "2,1,1,0,0.9", "3,2,3,13,0.6", "4,1,4,13,0.2"), Fraction("0.9")),
        (("1,3,3,0,", "2,0,3,9,0"), None),
    ],
)
def test_the_segment_that_ends_closest_to_equal_gains(write, lines, d):
    found = kinds.break_even_segment(write(t=["segment,positives,tp,fp,d", *lines]), table="t.csv")
    if d is None:
        assert absent(found) == "empty columns"
    else:
        assert found[0].values == {"d": d}


def test_the_share_of_the_smallest_class(tmp_path):
    write_json(tmp_path / "d.json", {"classes": {"yes": 81, "no": 225}})
    (point,) = kinds.classes(tmp_path, record="d.json")
    assert point.values == {"smallest_share": Fraction(9, 34)}


# The archive.


AREAS = """task,model,status,roc_auc
openml_7,weka.A,ok,0.9
openml_7,weka.B,ok,0.8
openml_7,weka.C,RuntimeError: no predictions,
openml_7,dummy,ok,0.5
openml_8,weka.A,ok,0.1"""


@pytest.fixture
def archive(write):
    """A function that writes an archive with tasks left out, and returns its folder."""

    def write_archive(leave_out=()):
        models = [{"run": 10 + place, "flow_name": f"weka.{letter}"} for place, letter in enumerate("ABC")]
        chosen = [
            {"task": 7, "data": 3, "runs": models},
            {"task": 8, "data": 3, "runs": models[:1]},
            {"task": 9, "data": 4, "runs": []},
        ]
        settings = {"flows": 3, "cutoff_date": "2015-07-31", "run_id_bound": 20}
        settings["leave_out"] = {"tasks": list(leave_out), "runs": [12]}
        folder = write(areas=AREAS.splitlines())
        content = {"source": "https://openml.example", "settings": settings, "tasks": chosen}
        write_json(folder / "selection.json", content)
        return folder

    return write_archive


def test_data_sets_are_counted_once(archive):
    (point,) = kinds.data_sets(archive(), selection="selection.json", tasks=3)
    assert point.values == {"data_sets": 2}
    other = kinds.data_sets(archive(), selection="selection.json", tasks=886)
    assert (absent(other), other.about["numbers"]) == ("another selection", {"data sets": 2})


def test_tasks_are_counted_in_the_archive_that_is_meant(archive):
    claimed = {"archive": "openml.example", "flows": 3, "until": "2015-07-31", "last_run": 20}

    def counted(leave_out=(), **others):
        return kinds.tasks(archive(leave_out), selection="selection.json", **claimed | others)

    assert counted()[0].values == counted(last_run=19)[0].values == {"tasks": 3}
    # A task that could be selected, and that the study leaves out.
    assert counted(leave_out=[5])[0].values == {"tasks": 4}
    others = {"flows": 30, "archive": "www.openml.org", "until": "2015-06-30", "last_run": 21}
    for name, other in others.items():
        assert absent(counted(**{name: other})) == "another selection"


def test_runs_are_found_by_task_and_flow_or_one_that_is_missing_is_told(archive):
    places = {"selection": "selection.json", "table": "areas.csv", "area": "roc_auc"}

    def found(task, **runs):
        return kinds.runs(archive(), **places, task=task, runs=runs)

    assert found(7, a=10, b=11)[0].values == {"a": Fraction(9, 10), "b": Fraction(4, 5)}
    assert absent(found(6, a=10)) == absent(found(7, a=10, b=13)) == "no run"
    failed = found(7, a=10, b=12)
    assert (absent(failed), failed.about["run"]) == ("failed run", 12)


# Experiments with the error of the data.


COUNTS = "dataset,model,positive,tp,fp,fn,tn"
CURVES = "dataset,model,positive,noise,minority_share,measure,mean"
WHERE = {"dataset": "d", "model": "m", "positive": "yes"}


def curves(noise, share, **means):
    return [f"d,m,yes,{noise},{share},{name},{mean}" for name, mean in means.items()]


def imbalance(write, counts, lines, **where):
    results = write(counts=[COUNTS, f"d,m,yes,{counts}"], t=[CURVES, *lines])
    return kinds.imbalance(results, table="t.csv", where=WHERE | where, counts="counts.csv")


def surveyed(points, claim, given=()):
    return survey_points(Formula.condition(claim), [Formula.condition(text) for text in given], {}, points)


def test_possible_measures_are_those_of_the_expected_table(write):
    """Of recall r and false alarms a, at minority share s and flips e of each class.

    A quarter of the cases, of which a tenth of all are flipped either way, has (0.25 - 0.1) r + 0.1 a called positive.
    """
    (point,) = imbalance(write, "9,2,1,18", curves(0.2, 0.25, accuracy=0.5, recall=0.5))
    rates = possible_rates({"tp": 9, "fn": 1, "fp": 2, "tn": 18})
    # Each interval has the root of the level, so that both hold together with the level itself.
    for counts, column in zip(((9, 10), (2, 20)), zip(*rates, strict=True), strict=True):
        assert (min(column), max(column)) == binomial_interval(*counts, LEVEL**0.5)
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


def test_with_the_other_class_as_minority_the_table_is_turned(write):
    lines = [line.replace("yes", "no") for line in curves(0, 0.5, recall=0.5)]
    (point,) = imbalance(write, "9,2,1,18", lines, positive="no")
    rates = possible_rates({"tp": 18, "fn": 2, "fp": 1, "tn": 9})
    assert [possible["recall"] for possible in point.possible] == [recall for recall, _ in rates]


@pytest.mark.parametrize(("counts", "clearly"), [("29,2,1,28", 0), ("29000,2000,1000,28000", 1)])
def test_the_error_of_few_cases_leaves_an_order_open(write, counts, clearly):
    """Recalls of 29 in 30 and 28 in 30 order what 10,000 redraws of them order clearly; 30 cases do not."""
    found = surveyed(
        imbalance(write, counts, curves(0, 0.3, recall=0.967, specificity=0.933)), "recall > specificity"
    )
    assert (found.points, found.kept, found.clearly_kept) == (1, 1, clearly)
    verdict = judge(Formula.condition("recall > specificity"), found).verdict
    assert verdict == ("reproduced" if clearly else "caveat")


def test_measures_that_are_exactly_equal_stay_equal(write):
    """On a balanced problem without noise kappa is the Prediction Advantage, whatever the rates."""
    lines = curves(0, 0.5, prediction_advantage=0.85, cohen_kappa=0.85)
    points = imbalance(write, "29,2,1,28", lines)
    equal = surveyed(points, "prediction_advantage == cohen_kappa")
    strict = surveyed(points, "prediction_advantage < cohen_kappa")
    assert (equal.kept, equal.clearly_kept, strict.kept, strict.clearly_broken) == (1, 1, 0, 1)


def test_a_study_without_such_rows_has_nothing_to_say(write):
    found = imbalance(write, "5,1,1,13", curves(0, 0.5, recall=0.5), model="other")
    assert absent(found) == "no row"


WALKS = (
    "reading,held,at,moves,measure,crossing,low,high,outcome",
    # Down from one half to 0.1, where all of the minority is flipped: a warns at 0.3, b at 0.2, c never.
    "zero,noise,0.2,minority_share,a,0.3,0.28,0.33,crosses",
    "zero,noise,0.2,minority_share,b,0.2,0.2,0.2,crosses",
    "zero,noise,0.2,minority_share,c,,,,never",
    # Up from nothing to 0.2: a warns at 0.1, b perhaps before.
    "zero,minority_share,0.1,noise,a,0.1,0.05,0.15,crosses",
    "zero,minority_share,0.1,noise,b,0.12,0.08,0.2,crosses",
    "zero,minority_share,0.1,noise,c,,,,never",
)


@pytest.mark.parametrize(
    ("claim", "counts", "verdict"),
    [
        ("a < b", (2, 2, 1), "caveat"),
        ("b <= a", (2, 0, 0), "contradicted"),  # on the first walk clearly
        ("b < c", (2, 2, 1), "caveat"),  # c never warns, and b perhaps not before the second walk's end
        ("c < end", (2, 0, 0), "contradicted"),
        ("sometimes(b < a)", (2, 0, 0), "not_evaluated"),
    ],
)
def test_who_warns_first(write, claim, counts, verdict):
    found = surveyed(kinds.walks(write(t=WALKS), table="t.csv", where={"reading": "zero"}), claim)
    assert (found.points, found.kept, found.clearly_kept) == counts
    assert judge(Formula.condition(claim), found).verdict == verdict


def test_distances_are_walked_from_the_easy_end(write):
    first, second = kinds.walks(write(t=WALKS), table="t.csv", where={"reading": "zero"})
    fifth = Fraction(1, 5)
    assert first.values == {"a": fifth, "b": Fraction(3, 10), "c": 2 * fifth, "end": 2 * fifth}
    assert first.ranges["a"] == (Fraction("0.17"), Fraction("0.22"))
    assert (second.values["a"], second.values["end"]) == (fifth / 2, fifth)
    assert (first.place, second.place) == ({"noise": "0.2"}, {"minority_share": "0.1"})


def test_without_predictions_no_walk_was_taken(write):
    results = write(t=[WALKS[0], "zero,noise,0.2,minority_share,a,,,,no predictions"])
    found = kinds.walks(results, table="t.csv", where={"reading": "zero"})
    assert absent(found) == "empty columns"


def test_an_error_rate_is_exact_and_lies_in_its_binomial_interval(write):
    results = write(counts=[COUNTS, "a,m,1,3,0,0,7", "a,n,1,2,1,1,6", "a,failed,1,,,,"])
    none, some, failed = (
        kinds.error_rate(results, table="counts.csv", where={"dataset": "a", "model": model})
        for model in ("m", "n", "failed")
    )
    assert none[0].values["error"] == none[0].ranges["error"][0] == 0
    assert float(none[0].ranges["error"][1]) == pytest.approx(1 - 0.025 ** (1 / 10), abs=1e-9)
    assert some[0].values["error"] == Fraction(2, 10)
    assert absent(failed) == "empty columns"
