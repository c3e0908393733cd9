"""The reconstructed running example: exact labels, and that no smaller table has them."""

import functools
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.curves import FBetaCalibrator, prg_convex_hull, roc_convex_hull
from nontrivial.schemas import read_yaml
from nontrivial_study.experiments.prg_example.prg_example import (
    calibrated_scores,
    example_cases,
    printed_range,
    smallest_tables,
)

LABELS = read_yaml("config/published.yaml")["running_example"]


def printed(share):
    """The two digits that a share may be printed as: two for a share half-way between."""
    if share == 0:
        return {"0"}
    value = Decimal(share.numerator) / Decimal(share.denominator)
    unit = Decimal((0, (1,), value.adjusted() - 1))
    rounded = {value.quantize(unit, way) for way in (ROUND_HALF_UP, ROUND_HALF_DOWN)}
    return {f"{number.normalize():f}" for number in rounded}


def f_beta(tp, fp, positives, beta_squared):
    return (1 + beta_squared) * tp / ((1 + beta_squared) * tp + fp + beta_squared * (positives - tp))


def test_every_label_is_the_exact_score_of_its_segment(example):
    """c is the segment's share of positives, d the weight at which both its ends have the same F-beta."""
    positives = int(example["positives"].sum())
    tp = fp = 0
    for row, c, d in zip(example.itertuples(), LABELS["c"], [None, *LABELS["d"]], strict=True):
        share = Fraction(row.positives, row.positives + row.negatives)
        assert c in printed(share)
        if d is not None:
            low, high = printed_range(d)
            ends = [(tp, fp), (tp + row.positives, fp + row.negatives)]
            exact = calibrated_scores(tuple(example[["positives", "negatives"]].itertuples(index=False)))[row.Index][1]
            assert low <= exact <= high
            if exact > 0:
                start, end = (f_beta(*end, positives, 1 / exact - 1) for end in ends)
                assert start == end
                assert share == exact * start
        tp, fp = tp + row.positives, fp + row.negatives
        assert (row.tp, row.fp) == (tp, fp)


def test_the_segment_that_ends_nearest_to_equal_gains(example):
    """FP and FN differ by 4 with 17 true positives; by 38 with 7, and by 115 with 39, at the neighbours."""
    assert example.loc[example["nearest_break_even"], "d_printed"].tolist() == ["0.76"]


def test_the_hulls_of_its_cases_are_its_segments(example):
    truth, score = example_cases(example)
    assert len(truth) == example[["positives", "negatives"]].to_numpy().sum()
    fpr, tpr, _ = roc_convex_hull(truth, score)
    assert np.allclose(fpr, [0, *example["fp"] / example["fp"].max()])
    assert np.allclose(tpr, [0, *example["tp"] / example["tp"].max()])
    beta_squared = prg_convex_hull(truth, score)[-1]
    assert np.allclose(1 / (1 + beta_squared), example["d"].iloc[1:-1], rtol=1e-12)
    assert np.allclose(FBetaCalibrator().fit(score, truth).calibrated_scores_[1:], example["d"].iloc[1:])


def within(numerator, denominator, ends):
    """Whether quotients of whole numbers lie in a range, without rounding."""
    (a, b), (x, y) = (end.as_integer_ratio() for end in ends)
    return (numerator * b >= denominator * a) & (numerator * y <= denominator * x)


@functools.cache
def segments_printed(label, cases):
    """The positives and negatives of all segments of fewer cases that have a label c."""
    tp, fp = (counts.ravel() for counts in np.indices((cases, cases)))
    some = (tp > 0) & (tp + fp < cases) & within(tp, tp + fp, printed_range(label))
    return tp[some], fp[some]


def ends_reached(positives, most_negatives):
    """The FP at which the segments with positives can end, step by step from the first, nothing left out."""

    def segments(label, least_tp=0, least_fp=0):
        tp, fp = segments_printed(label, positives + most_negatives + 1)
        some = (tp <= positives - least_tp) & (fp <= most_negatives - least_fp)
        return tp[some], fp[some]

    reached = segments(LABELS["c"][0])
    for c_label, d_label in zip(LABELS["c"][1:-1], LABELS["d"][:-1], strict=True):
        if not len(reached[0]):
            return []
        least = (counts.min() for counts in reached)
        gained, lost = (counts[:, np.newaxis] for counts in segments(c_label, *least))
        weight = positives * gained
        against = weight + lost * reached[0] - gained * reached[1]
        ends = gained + reached[0], lost + reached[1]
        is_printed = within(weight, against, printed_range(d_label))
        is_printed &= (ends[0] <= positives) & (ends[1] <= most_negatives)
        places = np.unique(ends[0][is_printed] * (most_negatives + 1) + ends[1][is_printed])
        reached = np.divmod(places, most_negatives + 1)
    return reached[1][reached[0] == positives].tolist()


def test_no_smaller_table_has_the_papers_labels(example):
    """Every end that a table of no more cases can reach, for every number of positives."""
    cases = int(example[["positives", "negatives"]].to_numpy().sum())
    reached = [
        (positives, fp) for positives in range(8, cases) for fp in ends_reached(positives, cases - 1 - positives)
    ]
    assert reached == [(example["tp"].max(), example["fp"].max() - 1)]
    assert (example["tables"] == 1).all()


def brute_force(c, d, most):
    """Every table of at most so many cases with these labels, by trying all."""
    tables = []
    for counts in product(range(most + 1), repeat=2 * len(c) - 2):
        if sum(counts) >= most:
            continue
        segments = [*zip(counts[::2], counts[1::2], strict=True), (0, 1)]
        total = sum(counts[::2])
        if not all(segment[0] for segment in segments[:-1]):
            continue
        tp = fp = 0
        for place, (positives, negatives) in enumerate(segments):
            if c[place] not in printed(Fraction(positives, positives + negatives)):
                break
            if place:
                against = negatives * tp - positives * fp
                if d[place - 1] not in printed(Fraction(total * positives, total * positives + against)):
                    break
            tp, fp = tp + positives, fp + negatives
        else:
            tables.append(tuple(segments))
    return tables


@pytest.mark.parametrize(
    "table",
    [
        ((1, 0), (2, 1), (0, 3)),
        ((2, 0), (1, 1), (1, 2), (0, 1)),
        ((1, 0), (1, 1), (1, 3), (0, 1)),
        ((3, 1), (1, 4), (0, 2)),
        ((8, 5), (3, 2), (0, 1)),  # one of two of its size
    ],
)
def test_finds_the_smallest_tables_that_trying_all_finds(table):
    scores = calibrated_scores(table)
    c = [min(printed(share)) for share, _ in scores]
    d = [min(printed(share)) for _, share in scores[1:]]
    size = sum(map(sum, table))
    every = brute_force(c, d, size)
    least = min(sum(map(sum, table)) for table in every)
    expected = sorted(
        (table for table in every if sum(map(sum, table)) == least), key=lambda table: (sum(p for p, _ in table), table)
    )
    assert smallest_tables(c, d, size) == expected
    assert len(expected) == (2 if table[0] == (8, 5) else 1)
    assert smallest_tables(c, d, least - 1) == []


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.integers(0, 3000), st.integers(1, 3000))
def test_a_share_is_in_the_range_of_what_it_is_printed_as(positives, negatives):
    share = Fraction(positives, positives + negatives)
    for label in printed(share):
        low, high = printed_range(label)
        assert low <= share <= high
        middle = (low + high) / 2
        assert label in printed(middle)
        assert label not in printed(low * Fraction(999_999, 1_000_000)) or label == "0"
        assert high == 1 or label not in printed(high * Fraction(1_000_001, 1_000_000)) or label == "0"
