"""The running example of the PRG paper, reconstructed from the labels of its Figure 3, and its curves."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial.curves.hull import beta_squared_between, find_roc_hull, select_f_vertices
from nontrivial.curves.points import operating_points
from nontrivial_study.experiments.curve_numbers import curve_numbers, non_dominated
from nontrivial_study.tables import column_names

# The labels of Figure 3 are calibrated scores, printed with two digits: c, the share of positives, for each segment of
# the ROC hull, and d for each segment of the PRG hull. Infinitely many tables of whole numbers have these labels, since
# no label bounds the negatives below every positive. The figures are drawn from the smallest table.

MAX_CASES = 1000  # larger tables are not searched
SegmentTable = tuple[tuple[int, int], ...]  # positives and negatives of each segment, from the best score on


class ShareRange(NamedTuple):
    """The least and the greatest share, both included."""

    low: Fraction
    high: Fraction

    @property
    def odds(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest number of negatives for a positive."""
        return 1 / self.high - 1, 1 / self.low - 1


def printed_range(label: str) -> ShareRange:
    """Return the shares that are printed as a label of two significant digits.

    Trailing zeros are not printed, nor are shares rounded to 0: "0" is 0 itself. Both ends count as in the range.

    Examples
    --------
    >>> [[str(end) for end in printed_range(label)] for label in ("0.75", "0.053", "1", "0")]
    [['149/200', '151/200'], ['21/400', '107/2000'], ['199/200', '1'], ['0', '0']]
    """
    value = Fraction(label)
    if value == 0:
        return ShareRange(value, value)
    power = Fraction(1)
    while power > value:
        power /= 10
    # Below a power of ten the numbers of two digits lie ten times as close.
    below = power / (200 if value == power else 20)
    return ShareRange(value - below, min(value + power / 20, Fraction(1)))


def calibrated_scores(table: SegmentTable) -> list[tuple[Fraction, Fraction | None]]:
    """Return c and d of every segment of a hull, exactly (PRG paper, Theorem 4 and Figure 3)."""
    total = sum(positives for positives, _ in table)
    scores: list[tuple[Fraction, Fraction | None]] = []
    tp = fp = 0
    for positives, negatives in table:
        weight = total * positives
        d = Fraction(weight, weight + negatives * tp - positives * fp) if tp else None
        scores.append((Fraction(positives, positives + negatives), d))
        tp, fp = tp + positives, fp + negatives
    return scores


def smallest_tables(c: Sequence[str], d: Sequence[str], max_cases: int = MAX_CASES) -> list[SegmentTable]:
    """Find every table of the smallest size whose calibrated scores are printed as given.

    The search goes through the number of all positives, and from segment to segment. Both labels bound the negatives of
    a segment from both sides, given the segments before. A branch ends if its cases, and the fewest cases that the
    labels c allow the later segments, exceed the size of the best table so far. The last segment's d is 0 in every
    table, and one negative is the fewest that it can have.
    """
    c_odds = [printed_range(label).odds for label in c[:-1]]
    # Quotients of whole numbers are quick. The first segment has no d.
    d_odds = [[end.as_integer_ratio() for end in printed_range(label).odds] for label in d[:-1]]
    choices = [_segment_choices(odds, max_cases) for odds in c_odds]
    if not all(choices):
        return []
    min_positives: list[int] = _sums_from([of_segment[0].positives for of_segment in choices])
    min_shares: list[Fraction] = _sums_from(
        [of_segment[0].positives * odds[0] for of_segment, odds in zip(choices, c_odds, strict=True)]
    )

    def fewest_negatives(segment: int, positives: int) -> int:
        """Return a lower bound of the negatives in a segment and the later ones, which share these positives.

        The first of them needs the fewest negatives for a positive, so at best the others have their fewest positives.
        """
        left = positives - min_positives[segment + 1]
        return ceil(c_odds[segment][0] * left + min_shares[segment + 1])

    def extend_table(
        table: SegmentTable, positives: int, max_negatives: int, tp: int = 0, fp: int = 0
    ) -> Iterator[SegmentTable]:
        """Yield all tables that begin with the segments of `table`, up to the last segment but one."""
        segment = len(table)
        if segment == len(choices):
            yield table
            return
        is_last = segment == len(choices) - 1
        room = positives - tp - min_positives[segment + 1]
        for gained, low, high in choices[segment]:
            if gained > room or fp + low > max_negatives:
                return
            if is_last and gained < room:
                continue
            if tp:  # the odds of d are (negatives x TP / gained - FP) / P
                (a, b), (x, y) = d_odds[segment - 1]
                low = max(low, -(-gained * (positives * a + fp * b) // (b * tp)))
                high = min(high, gained * (positives * x + fp * y) // (y * tp))
            for lost in range(low, high + 1):
                later = 0 if is_last else fewest_negatives(segment + 1, positives - tp - gained)
                if fp + lost + later > max_negatives:
                    break
                yield from extend_table((*table, (gained, lost)), positives, max_negatives, tp + gained, fp + lost)

    smallest: list[SegmentTable] = []
    size, positives = max_cases, len(c) - 1
    while positives + fewest_negatives(0, positives) + 1 <= size:
        for table in extend_table((), positives, size - positives - 1):
            cases = positives + sum(negatives for _, negatives in table) + 1
            if cases < size:
                smallest, size = [], cases
            if cases == size:
                smallest.append((*table, (0, 1)))
        positives += 1
    return smallest


class _SegmentChoice(NamedTuple):
    positives: int
    min_negatives: int
    max_negatives: int


def _segment_choices(odds: tuple[Fraction, Fraction], max_positives: int) -> list[_SegmentChoice]:
    """List the numbers of positives for which whole numbers of negatives have odds in a range."""
    choices = [
        _SegmentChoice(positives, ceil(positives * odds[0]), floor(positives * odds[1]))
        for positives in range(1, max_positives + 1)
    ]
    return [choice for choice in choices if choice.min_negatives <= choice.max_negatives]


def _sums_from(values: Sequence[Any]) -> list[Any]:
    """Return the sum of the values from each position to the end; a last 0 is the sum of none."""
    return [*accumulate(reversed(values), initial=0)][::-1]


def running_example(c: Sequence[str], d: Sequence[str], max_cases: int = MAX_CASES) -> pd.DataFrame:
    """Reconstruct the running example from its labels."""
    tables = smallest_tables(c, d, max_cases)
    positives, negatives = zip(*tables[0], strict=True)
    columns: dict[str, Any] = {"segment": range(1, len(c) + 1), "positives": positives}
    columns |= {"negatives": negatives, "tp": accumulate(positives), "fp": accumulate(negatives)}
    scores = zip(*calibrated_scores(tables[0]), strict=True)
    for name, exact, printed in zip("cd", scores, (c, [None, *d]), strict=True):
        ranges = [printed_range(label) if label else (None, None) for label in printed]
        columns[name] = _as_floats(exact)
        columns[f"{name}_printed"] = printed
        columns[f"{name}_low"], columns[f"{name}_high"] = map(_as_floats, zip(*ranges, strict=True))
    example = pd.DataFrame(columns)
    # The difference of the two gains at the end of each segment, up to a factor that is the same for all.
    differences = (sum(positives) - example["tp"] - example["fp"]).abs() / example["tp"]
    return example.assign(tables=len(tables), nearest_break_even=example.index == differences.idxmin())


def example_cases(example: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and score of the example's cases; the cases of a segment share a score."""
    counts = example[["positives", "negatives"]].to_numpy()
    truth = np.tile([True, False], len(counts)).repeat(counts.ravel())
    return truth, np.arange(len(counts), 0, -1).repeat(counts.sum(axis=1))


def _as_floats(values: Sequence[Fraction | None]) -> list[float]:
    return [np.nan if value is None else float(value) for value in values]


GRID_LINES = np.arange(1, 10) / 10  # the lines of a grid

# The panels of each figure, and the parts that each panel shows.
FIGURE_PARTS: dict[int, list[tuple[str, tuple[str, ...]]]] = {
    1: [("roc", ("curve", "non-dominated", "hull")), ("pr", ("curve", "non-dominated"))],
    2: [("pr", ("curve", "non-dominated", "always positive")), ("prg", ("curve", "hull", "always positive"))],
    3: [("roc", ("curve", "hull", "grid")), ("prg", ("curve", "hull", "grid"))],
}


def example_curves(example: pd.DataFrame) -> pd.DataFrame:
    """Return the curves, hulls and grids of the running example (PRG paper, Figures 1 to 3)."""
    truth, score = example_cases(example)
    points = operating_points(truth, score)
    rates = points.fp / points.negatives, points.tp / points.positives
    prevalence = points.positives / (points.positives + points.negatives)
    is_shown = non_dominated(points)
    precision = points.tp[is_shown] / (points.tp[is_shown] + points.fp[is_shown])
    baseline = 2 * prevalence / (1 + prevalence)

    hull = find_roc_hull(points.positive_steps())
    c = np.diff(hull.tp) / (np.diff(hull.tp) + np.diff(hull.fp))
    prg_hull = select_f_vertices(hull)
    recall_gain, precision_gain = prg_hull.gain(prg_hull.positives - prg_hull.tp), prg_hull.gain(prg_hull.fp)
    d = 1 / (1 + beta_squared_between(prg_hull))
    grid_x, grid_y = (axis.ravel() for axis in np.meshgrid(GRID_LINES, GRID_LINES))

    curves = curve_numbers(truth, score).rename(columns={"area": "value"}).assign(part="curve")
    parts = [
        curves,
        _part_rows("roc", "non-dominated", rates[0][is_shown], rates[1][is_shown]),
        _part_rows("roc", "hull", hull.fp / hull.negatives, hull.tp / hull.positives, [*c, np.nan]),
        _part_rows("roc", "grid", *gain_to_rates(grid_x, grid_y, prevalence)),
        _part_rows("pr", "non-dominated", rates[1][is_shown], precision),
        _part_rows("pr", "always positive", [1.0], [prevalence], baseline),
        # The last segment goes down from full recall to the always-positive prediction.
        _part_rows("prg", "hull", [*recall_gain, 1.0], [*precision_gain, 0.0], [*d, 0.0, np.nan]),
        _part_rows("prg", "always positive", [1.0], [0.0], baseline),
        _part_rows("prg", "grid", *rates_to_gain(grid_x, grid_y, prevalence)),
    ]
    return pd.concat(parts, ignore_index=True)[column_names("prg_figure_1")]


def shown_numbers(curves: pd.DataFrame, number: int) -> pd.DataFrame:
    """Return the rows of the example's numbers that one of the three figures shows."""
    parts = [curves[(curves["panel"] == panel) & curves["part"].isin(shown)] for panel, shown in FIGURE_PARTS[number]]
    return pd.concat(parts, ignore_index=True)


def gain_to_rates(
    recall_gain: np.ndarray, precision_gain: np.ndarray, prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the false and the true positive rate of predictions with such gains.

    With k = P/N, recall gain is 1 - k FN/TP and precision gain 1 - k FP/TP.
    """
    odds = prevalence / (1 - prevalence)
    true_positive_rate = 1 / (1 + (1 - recall_gain) / odds)
    return true_positive_rate * (1 - precision_gain), true_positive_rate


def rates_to_gain(
    false_positive_rate: np.ndarray, true_positive_rate: np.ndarray, prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return recall gain and precision gain of the predictions with such rates whose gains are both 0 or greater."""
    odds = prevalence / (1 - prevalence)
    gains = np.stack([1 - odds * (1 / true_positive_rate - 1), 1 - false_positive_rate / true_positive_rate])
    recall_gain, precision_gain = gains[:, (gains >= 0).all(axis=0)]
    return recall_gain, precision_gain


def _part_rows(panel: str, part: str, x: ArrayLike, y: ArrayLike, value: ArrayLike = np.nan) -> pd.DataFrame:
    return pd.DataFrame({"panel": panel, "part": part, "x": x, "y": y, "value": value})


def calc_prg_example(labels: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Reconstruct the running example from the labels of Figure 3, and trace its curves."""
    example = running_example(**labels)
    curves = example_curves(example)
    figures = {f"prg_figure_{number}": shown_numbers(curves, number) for number in (1, 2, 3)}
    return {"running_example": example, **figures}
