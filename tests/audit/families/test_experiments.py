"""Statements about the study's experiments, on tables made for the purpose."""

from fractions import Fraction

import pandas as pd
import pytest
from nontrivial.audit.families.experiments import (
    class_share,
    column_ends,
    error_rate,
    measures_under_imbalance,
    rows_counted,
    rows_surveyed,
    warnings_on_walks,
)
from nontrivial.audit.families.study_tables import table_number
from nontrivial.audit.found import Unavailable
from nontrivial.audit.stated import Order, Printed, Statement, parse_stated
from nontrivial.audit.verdict import decide

from nontrivial.parquet_tables import write_parquet
from nontrivial.records import write_record


@pytest.fixture
def write(tmp_path):
    def write_lines(*lines):
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write_lines


HEADER = "model,noise,minority_share,measure,mean,low,high,replicates"


def point(share, a, b, reach=0.1, replicates=100):
    """Two measures' means at one share; their own error is a tenth of the spread of a hundred replicates."""
    return [
        f"m,0.2,{share},{name},{mean},{mean - reach:.6f},{mean + reach:.6f},{replicates}"
        for name, mean in (("a", a), ("b", b))
    ]


@pytest.mark.parametrize(
    ("stated", "means", "verdict", "counts"),
    [
        ("a < b", [(0.1, 0.3), (0.2, 0.3)], "reproduced", (2, 2, 2, 0)),
        ("a < b", [(0.1, 0.3), (0.295, 0.3)], "reproduced", (2, 2, 1, 0)),
        ("a < b", [(0.1, 0.3), (0.305, 0.3)], "caveat", (2, 1, 1, 0)),  # differs, by less than sampling error
        ("a < b", [(0.1, 0.3), (0.33, 0.3)], "contradicted", (2, 1, 1, 1)),  # by more
        ("a < b if b > 0.4", [(0.1, 0.5), (0.33, 0.3)], "reproduced", (1, 1, 1, 0)),
        ("a < b if b > 0.9", [(0.1, 0.5)], "not_evaluated", (0, 0, 0, 0)),
        (
            "a < b if minority_share < 0.15 and noise > 0",
            [(0.1, 0.3), (0.4, 0.3)],
            "reproduced",
            (1, 1, 1, 0),
        ),
        ("sometimes a > b", [(0.1, 0.3), (0.4, 0.3)], "reproduced", (2, 1, 1, 1)),
        ("sometimes a > b", [(0.1, 0.3), (0.305, 0.3)], "caveat", (2, 1, 0, 1)),
        ("sometimes a > b", [(0.1, 0.3)], "not_evaluated", (1, 0, 0, 1)),
    ],
)
def test_curves_are_compared_with_their_sampling_error(write, stated, means, verdict, counts):
    lines = [line for place, (a, b) in enumerate(means) for line in point(0.1 + 0.1 * place, a, b)]
    results = write(HEADER, *lines)
    statement = Statement.parse(stated)
    found = measures_under_imbalance(results, stated=statement, table="t.csv", row={"model": "m"})
    assert (found.points, found.kept, found.clearly_kept, found.clearly_broken) == counts
    assert decide(statement, found)[0] == verdict


def test_what_a_survey_says(write):
    results = write(
        HEADER, *point(0.1, 0.4, 0.3), *point(0.2, 0.1, 0.3), "m,0.2,0.3,a,,,,0", "m,0.2,0.3,b,,,,0"
    )
    found = measures_under_imbalance(
        results, stated=Statement.parse("a < b"), table="t.csv", row={"model": "m"}
    )
    assert found.text() == (
        "kept at 1 of 2 points, at 1 by more than sampling error; broken at 1, the first with noise 0.2 and minority"
        " share 0.1, at 1 by more than sampling error; 1 points have no numbers"
    )
    assert found.domain == "every noise level and minority share of t.csv with model = m"
    with pytest.raises(ValueError, match="'c' is not among the measures found: noise, minority_share, a, b"):
        measures_under_imbalance(results, stated=Statement.parse("a < c"), table="t.csv", row={"model": "m"})


def test_the_error_of_a_mean_shrinks_with_the_replicates(write):
    results = write(HEADER, *point(0.1, 0.31, 0.3, replicates=10_000))
    found = measures_under_imbalance(
        results, stated=Statement.parse("a < b"), table="t.csv", row={"model": "m"}
    )
    assert found.clearly_broken == 1  # 0.01 apart, each within 0.001


WALKS = (
    "reading,held,at,moves,measure,crossing,low,high",
    # Down from one half: a warns at 0.3, b at 0.2, c never.
    "zero,noise,0.2,minority_share,a,0.3,0.28,0.33",
    "zero,noise,0.2,minority_share,b,0.2,0.2,0.2",
    "zero,noise,0.2,minority_share,c,,,",
    # Up from nothing: a warns at 0.1, b perhaps before.
    "zero,minority_share,0.1,noise,a,0.1,0.05,0.15",
    "zero,minority_share,0.1,noise,b,0.12,0.08,",
    "zero,minority_share,0.1,noise,c,,0.19,",
)


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("a < min(b, c)", "reproduced"),
        ("b < c", "reproduced"),
        ("b <= a", "contradicted"),  # on the first walk clearly
        ("c <= b", "contradicted"),
        ("sometimes b < a", "not_evaluated"),
    ],
)
def test_who_warns_first(write, stated, verdict):
    statement = Statement.parse(stated)
    found = warnings_on_walks(write(*WALKS), stated=statement, table="t.csv", row={"reading": "zero"})
    assert found.points == 2
    assert decide(statement, found)[0] == verdict


def test_distances_are_walked_from_the_easy_end(write):
    results = write(*WALKS)
    exact = Statement.parse("a = 0.2 if b = 0.3")  # 0.5 - 0.3 and 0.5 - 0.2
    found = warnings_on_walks(results, stated=exact, table="t.csv", row={"reading": "zero"})
    assert (found.points, found.kept) == (1, 1)


def test_an_error_rate_has_the_exact_interval(write):
    results = write("model,tp,fp,fn,tn", "m,5,1,1,13", "good,5,0,0,5")
    found = error_rate(results, table="t.csv", row={"model": "m"})
    assert found.value == Fraction(1, 10)
    # 2 of 20: Clopper and Pearson's limits, from tables
    assert (float(found.low), float(found.high)) == pytest.approx((0.0123, 0.3170), abs=5e-5)
    found = error_rate(results, table="t.csv", row={"model": "good"})
    assert found.low == 0
    assert float(found.high) == pytest.approx(1 - 0.025**0.1, abs=1e-9)


def test_rows_are_counted_with_those_that_are_unsure(write):
    results = write(
        "advantage,low,high", "-0.2,-0.3,-0.1", "-0.1,-0.3,0.1", "0.1,-0.1,0.2", "0.3,0.2,0.4", ",,"
    )
    found = rows_counted(
        results,
        table="t.csv",
        where=Order.parse("advantage < 0"),
        surely=Order.parse("high < 0"),
        possibly=Order.parse("low < 0"),
    )
    assert (found.value, found.low, found.high, found.details) == (2, 1, 3, {"rows": 4})
    assert rows_counted(results, table="t.csv", where=Order.parse("advantage < 0")).low == 2


@pytest.mark.parametrize(
    ("rows", "counts", "verdict"),
    [
        (["x,0.9,0.8,0.95", "y,0.1,0,0.2"], (1, 1, 1, 0, 0), "reproduced"),
        (["x,0.9,0.8,1"], (1, 1, 0, 0, 0), "caveat"),
        (["x,1,1,1", "x,1,,"], (2, 0, 0, 2, 0), "not_evaluated"),  # at no row, which does not rule one out
        (["x,,,", "x,0.9,,"], (1, 1, 1, 0, 1), "reproduced"),
    ],
)
def test_rows_are_looked_at_with_their_ranges(write, rows, counts, verdict):
    results, statement = (
        write("area,share,share_low,share_high", *rows),
        Statement.parse("sometimes share < 1"),
    )
    found = rows_surveyed(results, stated=statement, table="t.csv", row={"area": "x"})
    assert (found.points, found.kept, found.clearly_kept, found.clearly_broken, found.absent) == counts
    assert found.domain == "every row of t.csv with area = x"
    assert decide(statement, found)[0] == verdict
    absent = rows_surveyed(results, stated=statement, table="t.csv", row={"area": "z"})
    assert absent == Unavailable("t.csv has no row with area = z.")


def test_rows_with_one_of_several_values_are_looked_at(write):
    results = write("task,area", "a,0.5", "b,-0.5", "c,-1", "a,")
    statement = Statement.parse("area > 0")
    found = rows_surveyed(results, stated=statement, table="t.csv", row={}, among={"task": ("a", "b")})
    assert (found.points, found.kept, found.absent) == (2, 1, 1)
    assert found.domain == "every row of t.csv with task = a or b"
    none = rows_surveyed(results, stated=statement, table="t.csv", row={}, among={"task": ("d", "e")})
    assert none == Unavailable("t.csv has no row with task = d or e.")


def test_numbers_of_a_data_set(tmp_path):
    write_record(tmp_path / "d.json", {"classes": {"yes": 81, "no": 225}})
    assert class_share(tmp_path, table="d.json").value == Fraction(9, 34)
    write_parquet(tmp_path / "d.parquet", pd.DataFrame({"year": [64, 58, 69]}))
    found = column_ends(tmp_path, table="d.parquet", column="year")
    statement = Statement.parse("58 <= first <= last <= 70")
    assert decide(statement, found)[0] == "reproduced"
    assert decide(Statement.parse("first >= 60"), found)[0] == "contradicted"
    with pytest.raises(ValueError, match=r"d\.parquet has no column 'age'; it has year"):
        column_ends(tmp_path, table="d.parquet", column="age")


def test_a_study_without_such_rows_has_nothing_to_say(write):
    results = write("model,tp,fp,fn,tn", "m,5,1,1,13")
    found = error_rate(results, table="t.csv", row={"model": "other"})
    assert found == Unavailable("t.csv has no row with model = other.")


def test_an_interval_in_columns_of_other_names(write):
    results = write("model,advantage,low,high", "m,0.1,-0.1,0.3")
    found = table_number(results, table="t.csv", row={"model": "m"}, column="advantage", ends=("low", "high"))
    assert (found.value, found.low, found.high) == (Fraction("0.1"), Fraction("-0.1"), Fraction("0.3"))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("-0.2,-0.3,-0.1", "-0.2, between -0.3 and -0.1, which breaks the stated bound."),
        ("-0.2,-0.3,0.1", "-0.2, between -0.3 and 0.1, which leaves the stated bound open."),
        ("0.2,0.1,0.3", "0.2, between 0.1 and 0.3, which keeps the stated bound."),
    ],
)
def test_a_smaller_study_says_whether_it_keeps_the_stated_bound(write, row, told):
    arguments = {"table": "t.csv", "row": {}, "column": "x", "interval": True, "scope": {"tasks": "886"}}
    results = write("tasks,x,x_low,x_high", f"17,{row}")
    found = table_number(results, **arguments, stated=parse_stated("> 0"))
    assert found.reason.endswith(f"t.csv covers 17, for which it has {told}")
    printed = table_number(results, **arguments, stated=Printed.parse("0.2"))
    assert "bound" not in printed.reason
