"""Printed numbers beside those found: their places on the axis, and what leaves it."""

import io
from fractions import Fraction

import pandas as pd

from nontrivial.claims.language import Printed
from nontrivial.claims.verdict import Number
from nontrivial_study.report.claims import ShownClaim, pair_numbers


def shown(digits, value, low, high, verdict="reproduced", group="claim"):
    record = {"id": f"is-{digits}", "statement": "It is.", "verdict": verdict, "group": group}
    return ShownClaim(
        record, "", "", "", printed=Printed.parse(digits), number=Number(*map(Fraction, (value, low, high)))
    )


def test_numbers_lie_on_the_axis_and_what_leaves_it_says_where():
    pairs = pair_numbers(
        [
            shown("0.35", "0.35", "0.35", "0.35"),
            shown("-0.13", "-2/15", "-2", "1/18", "caveat"),
            shown("25980", "26580", "26580", "26580", "contradicted"),
        ],
        {},
    )
    assert [pair.verdict for pair in pairs] == ["caveat", "contradicted", "reproduced"]
    assert [(pair.leaves, pair.relative) for pair in pairs] == [("left", False), ("", True), ("", False)]
    assert pairs[0].marks["low"] == 0
    assert pairs[1].marks["stated"] == round(100 * 1.4 / 1.5, 2)
    assert set(pairs[2].marks.values()) == {50}
    assert [(pair.stated, pair.found) for pair in pairs] == [
        ("-0.13", "-0.1333"),
        ("25980", "26580"),
        ("0.35", "0.35"),
    ]


def test_the_papers_ranks_stand_beside_ours_without_a_verdict():
    text = "pair,rank_correlation,rank_correlation_low,rank_correlation_high,paper_rank_correlation"
    text += ",top1_disagreement,paper_top1_disagreement,top3_disagreement,paper_top3_disagreement\n"
    ranks = pd.read_csv(
        io.StringIO(text + "pr_auc/prg_auc,0.97152,0.95,0.99,0.95,,0.24,,0.58\n"),
        dtype=str,
        keep_default_na=False,
    )
    (pair,) = pair_numbers([], {"rank_disagreement": ranks})
    assert (pair.label, pair.verdict, pair.stated, pair.found) == (
        "AUPR and AUPRG: correlation of the ranks",
        "",
        "0.95",
        "0.9715",
    )
