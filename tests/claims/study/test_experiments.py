"""The study's experiments with the error of the data, on tables made for the purpose."""

import itertools
from fractions import Fraction

import pytest
from scipy.stats import binom

from nontrivial.claims.domains import survey_points
from nontrivial.claims.language import Formula
from nontrivial.claims.verdict import Absent, judge
from nontrivial_study.documents.kinds import (
    LEVEL,
    _possible_rates,
    binomial_interval,
    error_rate,
    imbalance,
    walks,
)


def test_intervals_of_none_and_all_have_closed_forms():
    """No success of n: up to 1 - (tail)^(1/n); all of n: from (tail)^(1/n); one of one: half of 1 - level."""
    for n in (1, 5, 10, 569):
        low, high = binomial_interval(0, n, 0.95)
        assert (low, float(high)) == (0, pytest.approx(1 - 0.025 ** (1 / n), abs=1e-8))
        low, high = binomial_interval(n, n, 0.95)
        assert (float(low), high) == (pytest.approx(0.025 ** (1 / n), abs=1e-8), 1)


def test_one_of_two_has_the_roots_of_its_quadratics():
    """P(X >= 1) = 1 - (1-p)^2 and P(X <= 1) = 1 - p^2 at 1/40."""
    low, high = binomial_interval(1, 2, 0.95)
    assert float(low) == pytest.approx(1 - 0.975**0.5, abs=1e-8)
    assert float(high) == pytest.approx(0.975**0.5, abs=1e-8)


@pytest.mark.parametrize(("k", "n", "level"), [(2, 20, 0.95), (7, 212, 0.9), (354, 357, LEVEL**0.5)])
def test_at_the_ends_either_tail_has_half_of_what_is_left(k, n, level):
    low, high = map(float, binomial_interval(k, n, level))
    assert binom.sf(k - 1, n, low) == pytest.approx((1 - level) / 2, rel=1e-4)
    assert binom.cdf(k, n, high) == pytest.approx((1 - level) / 2, rel=1e-4)


def test_intervals_cover_as_often_as_they_say():
    """Exactly summed, for twelve cases and each rate in twentieths."""
    intervals = [binomial_interval(k, 12, 0.95) for k in range(13)]
    for twentieth in range(21):
        rate = twentieth / 20
        covered = sum(
            binom.pmf(k, 12, rate) for k, (low, high) in enumerate(intervals) if low <= rate <= high
        )
        assert covered >= 0.95 - 1e-9


@pytest.fixture
def write(tmp_path):
    def write_tables(**tables):
        for name, lines in tables.items():
            (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write_tables


COUNTS = "dataset,model,positive,tp,fp,fn,tn"
CURVES = "dataset,model,positive,noise,minority_share,measure,mean"
WHERE = {"dataset": "d", "model": "m", "positive": "yes"}


def curves(noise, share, **means):
    return [f"d,m,yes,{noise},{share},{name},{mean}" for name, mean in means.items()]


def surveyed(results, claim, given=()):
    points = imbalance(results, table="t.csv", where=WHERE, counts="counts.csv")
    return survey_points(Formula.condition(claim), [Formula.condition(text) for text in given], {}, points)


def test_the_joint_region_of_both_rates():
    """Each interval has the root of the level, so that both hold together with the level itself."""
    rates = _possible_rates({"tp": 9, "fn": 1, "fp": 2, "tn": 18})
    recalls, alarms = (sorted(set(column)) for column in zip(*rates, strict=True))
    assert (recalls[0], recalls[-1]) == binomial_interval(9, 10, LEVEL**0.5)
    assert (alarms[0], alarms[-1]) == binomial_interval(2, 20, LEVEL**0.5)
    assert set(rates) == set(itertools.product(recalls, alarms))  # the square, with its inner points
    assert len(rates) == 25
    wide, narrow = binomial_interval(9, 10, LEVEL**0.5), binomial_interval(9, 10, LEVEL)
    assert wide[0] < narrow[0]
    assert narrow[1] < wide[1]


def test_possible_measures_are_those_of_the_expected_table(write):
    """Of recall r and false alarms a, at minority share s and flips e of each class.

    A quarter of the cases, of which a tenth of all are flipped either way, has (0.25 - 0.1) r + 0.1 a called positive.
    """
    results = write(
        counts=[COUNTS, "d,m,yes,9,2,1,18"], t=[CURVES, *curves(0.2, 0.25, accuracy=0.5, recall=0.5)]
    )
    (point,) = imbalance(results, table="t.csv", where=WHERE, counts="counts.csv")
    rates = _possible_rates({"tp": 9, "fn": 1, "fp": 2, "tn": 18})
    assert len(point.possible) == len(rates)
    for (recall, alarms), row in zip(rates, point.possible, strict=True):
        tp = Fraction(3, 20) * recall + Fraction(1, 10) * alarms
        fp = Fraction(13, 20) * alarms + Fraction(1, 10) * recall
        assert row["recall"] == tp / Fraction(1, 4)
        assert row["accuracy"] == tp + Fraction(3, 4) - fp
        assert (row["noise"], row["minority_share"]) == (Fraction(1, 5), Fraction(1, 4))


def test_flips_beyond_the_minority_leave_nothing_possible(write):
    results = write(counts=[COUNTS, "d,m,yes,9,2,1,18"], t=[CURVES, *curves(0.6, 0.25, accuracy=0.5)])
    (point,) = imbalance(results, table="t.csv", where=WHERE, counts="counts.csv")
    assert list(point.possible) == []


def test_with_the_other_class_as_minority_the_table_is_turned(write):
    lines = [line.replace("yes", "no") for line in curves(0, 0.5, recall=0.5)]
    results = write(counts=[COUNTS, "d,m,yes,9,2,1,18"], t=[CURVES, *lines])
    (point,) = imbalance(results, table="t.csv", where=WHERE | {"positive": "no"}, counts="counts.csv")
    rates = _possible_rates({"tp": 18, "fn": 2, "fp": 1, "tn": 9})
    assert [row["recall"] for row in point.possible] == [recall for recall, _ in rates]


def test_the_error_of_few_cases_leaves_an_order_open(write):
    """Recalls of 29 in 30 and 28 in 30 order what 10,000 redraws of them order clearly; 30 cases do not."""
    lines = curves(0, 0.3, recall=0.967, specificity=0.933)
    few = write(counts=[COUNTS, "d,m,yes,29,2,1,28"], t=[CURVES, *lines])
    found = surveyed(few, "recall > specificity")
    assert (found.points, found.kept, found.clearly_kept) == (1, 1, 0)
    assert judge(Formula.condition("recall > specificity"), found).verdict == "caveat"
    many = write(counts=[COUNTS, "d,m,yes,29000,2000,1000,28000"])
    assert surveyed(many, "recall > specificity").clearly_kept == 1


def test_measures_that_are_exactly_equal_stay_equal(write):
    """On a balanced problem without noise kappa is the Prediction Advantage, whatever the rates."""
    lines = curves(0, 0.5, prediction_advantage=0.85, cohen_kappa=0.85, f_beta=0.92)
    results = write(counts=[COUNTS, "d,m,yes,29,2,1,28"], t=[CURVES, *lines])
    equal = surveyed(results, "prediction_advantage == cohen_kappa")
    assert (equal.kept, equal.clearly_kept) == (1, 1)
    strict = surveyed(results, "prediction_advantage < cohen_kappa")
    assert (strict.kept, strict.clearly_broken) == (0, 1)


REGION = Formula.condition("min(cohen_kappa, f_beta, balanced_accuracy, accuracy) > 0")


@pytest.mark.parametrize(
    ("kappas", "counts", "verdict"),
    [
        (("0.2", "0.1"), (2, 2, 0), "reproduced"),
        (("0.2", "-0.1"), (2, 1, 1), "contradicted"),
    ],
)
def test_all_others_praise_only_if_kappa_does(write, kappas, counts, verdict):
    """Where the advantage is negative; one point at which kappa is too breaks "all"."""
    lines = [
        line
        for share, kappa in zip(("0.05", "0.1"), kappas, strict=True)
        for line in curves(0.02 if kappa > "0" else 0.1, share, prediction_advantage=-0.5, cohen_kappa=kappa,
                           f_beta=0.4, balanced_accuracy=0.7, accuracy=0.9)
    ]  # fmt: skip
    # Rates of 0.6 and 0.1, of very many cases: kappa is positive without noise; all labels flipped, not.
    results = write(counts=[COUNTS, "d,m,yes,600000,100000,400000,900000"], t=[CURVES, *lines])
    found = surveyed(results, REGION.text, ["prediction_advantage < 0"])
    assert (found.points, found.kept, found.points - found.kept) == counts
    if verdict == "reproduced":
        assert judge(REGION, found).verdict == verdict
    else:
        assert judge(REGION, found).verdict != "reproduced"


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
        ("a < b and a < c", (2, 2, 1), "caveat"),
        ("c < end", (2, 0, 0), "contradicted"),
        ("sometimes(b < a)", (2, 0, 0), "not_evaluated"),
    ],
)
def test_who_warns_first(write, claim, counts, verdict):
    points = walks(write(t=WALKS), table="t.csv", where={"reading": "zero"})
    found = survey_points(Formula.condition(claim), [], {}, points)
    assert (found.points, found.kept, found.clearly_kept) == counts
    assert judge(Formula.condition(claim), found).verdict == verdict


def test_distances_are_walked_from_the_easy_end(write):
    first, second = walks(write(t=WALKS), table="t.csv", where={"reading": "zero"})
    assert (first.values["a"], first.values["b"], first.values["c"]) == (
        Fraction(1, 5),
        Fraction(3, 10),
        Fraction(2, 5),
    )
    assert first.ranges["a"] == (Fraction("0.17"), Fraction("0.22"))
    assert second.values["a"] == Fraction(1, 10)
    assert (first.values["end"], second.values["end"]) == (Fraction(2, 5), Fraction(1, 5))
    assert (first.place, second.place) == ({"noise": "0.2"}, {"minority_share": "0.1"})


def test_without_predictions_no_walk_was_taken(write):
    table = write(t=[WALKS[0], "zero,noise,0.2,minority_share,a,,,,no predictions"])
    found = walks(table, table="t.csv", where={"reading": "zero"})
    assert found == Absent("empty columns", {"table": "t.csv", "columns": ["crossing"]})


def test_a_study_without_such_rows_has_nothing_to_say(write):
    results = write(counts=[COUNTS, "d,m,yes,5,1,1,13"], t=[CURVES, *curves(0, 0.5, recall=0.5)])
    found = imbalance(results, table="t.csv", where=WHERE | {"model": "other"}, counts="counts.csv")
    assert isinstance(found, Absent)


def test_an_error_rate_is_exact_and_lies_in_its_binomial_interval(tmp_path):
    table = tmp_path / "measures.csv"
    table.write_text("dataset,positive,model,tp,fp,fn,tn\na,1,m,3,0,0,7\na,1,n,2,1,1,6\na,1,failed,,,,\n")
    where = {"dataset": "a"}
    (none,) = error_rate(tmp_path, table="measures.csv", where=where | {"model": "m"})
    assert none.values["error"] == none.ranges["error"][0] == 0
    assert float(none.ranges["error"][1]) == pytest.approx(1 - 0.025 ** (1 / 10), abs=1e-8)
    (some,) = error_rate(tmp_path, table="measures.csv", where=where | {"model": "n"})
    assert some.values["error"] == Fraction(2, 10)
    failed = error_rate(tmp_path, table="measures.csv", where=where | {"model": "failed"})
    assert isinstance(failed, Absent)
