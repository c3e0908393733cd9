"""The running example of the PRG paper, reconstructed from the labels of its Figure 3, and its curves."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial.curves.hull import beta_squared, f_hull, find_hull
from nontrivial.curves.points import operating_points
from nontrivial_study.experiments.curve_numbers import curve_numbers, non_dominated
from nontrivial_study.tables import column_names

# Each segment of the ROC hull carries a label c, its share of positives, and each segment of the PRG hull a label d.
# Whole numbers of positives and negatives that give labels which print alike form a family without end, since nothing
# in the labels bounds the negatives below every positive. The search here goes through the family by its number of
# cases and returns the smallest members, so that figures can be drawn from one.


MOST_CASES = 1000  # where the search ends
Table = tuple[tuple[int, int], ...]
Range = tuple[Fraction, Fraction]


def printed_range(label: str) -> Range:
    """Return the least and the greatest share that is printed as a label of two significant digits.

    Trailing zeros are not printed, nor are shares rounded to 0: "0" is 0 itself. Both ends count as in the range.

    Examples
    --------
    >>> [[str(end) for end in printed_range(label)] for label in ("0.75", "0.053", "1", "0")]
    [['149/200', '151/200'], ['21/400', '107/2000'], ['199/200', '1'], ['0', '0']]
    """
    value = Fraction(label)
    if value == 0:
        return value, value
    power = Fraction(1)
    while power > value:
        power /= 10
    # Below a power of ten the numbers of two digits lie ten times as close.
    below = power / (200 if value == power else 20)
    return value - below, min(value + power / 20, Fraction(1))


def calibrated_scores(table: Table) -> list[tuple[Fraction, Fraction | None]]:
    """Return c and d of every segment of a hull, exactly (PRG paper, Theorem 4 and Figure 3)."""
    total = sum(positives for positives, _ in table)
    scores: list[tuple[Fraction, Fraction | None]] = []
    tp = fp = 0
    for positives, negatives in table:
        gained = total * positives
        d = Fraction(gained, gained + negatives * tp - positives * fp) if tp else None
        scores.append((Fraction(positives, positives + negatives), d))
        tp, fp = tp + positives, fp + negatives
    return scores


def smallest_tables(c: Sequence[str], d: Sequence[str], most_cases: int = MOST_CASES) -> list[Table]:
    """Find every table of the smallest size whose calibrated scores are printed as given.

    The domain is all whole numbers of positives and negatives of every segment. It is searched for each number of
    positives P: given P and the segments before, both labels bound the negatives of a segment from both sides. A
    branch is left only if its cases and the fewest that the labels c let the other segments have exceed the size of
    the best table so far, and the search ends when this holds for P alone. Only the last segment's d is 0 for every
    table; its one negative is the fewest it can have.
    """
    ranges = [printed_range(label) for label in c]
    choices = [list(_choices(_odds(ends), most_cases)) for ends in ranges[:-1]]
    if not all(choices):
        return []
    search = _Search(ranges[:-1], [None, *map(printed_range, d[:-1])], choices)
    found: list[Table] = []
    most, positives = most_cases, len(c) - 1
    while positives + search.fewest_negatives(0, positives) + 1 <= most:
        for table in search.tables(positives, most - positives - 1):
            cases = positives + sum(negatives for _, negatives in table) + 1
            if cases < most:
                found, most = [], cases
            if cases == most:
                found.append((*table, (0, 1)))
        positives += 1
    return found


def running_example(c: Sequence[str], d: Sequence[str], most_cases: int = MOST_CASES) -> pd.DataFrame:
    """Reconstruct the running example from its labels."""
    tables = smallest_tables(c, d, most_cases)
    positives, negatives = zip(*tables[0], strict=True)
    columns: dict[str, Any] = {"segment": range(1, len(c) + 1), "positives": positives}
    columns |= {"negatives": negatives, "tp": accumulate(positives), "fp": accumulate(negatives)}
    scores = zip(*calibrated_scores(tables[0]), strict=True)
    for name, exact, printed in zip("cd", scores, (c, [None, *d]), strict=True):
        ranges = [printed_range(label) if label else (None, None) for label in printed]
        columns[name] = _floats(exact)
        columns[f"{name}_printed"] = printed
        columns[f"{name}_low"], columns[f"{name}_high"] = map(_floats, zip(*ranges, strict=True))
    example = pd.DataFrame(columns)
    # Up to a factor that all share, how far apart the gains are where a segment ends.
    apart = (sum(positives) - example["tp"] - example["fp"]).abs() / example["tp"]
    return example.assign(tables=len(tables), nearest_break_even=example.index == apart.idxmin())


def example_cases(example: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and score of the example's cases; those of a segment share a score."""
    counts = example[["positives", "negatives"]].to_numpy()
    truth = np.tile([True, False], len(counts)).repeat(counts.ravel())
    return truth, np.arange(len(counts), 0, -1).repeat(counts.sum(axis=1))


class _Search:
    """Whole numbers of positives and negatives whose labels c and d lie in ranges, for each segment but the last."""

    def __init__(
        self, c: Sequence[Range], d: Sequence[Range | None], choices: Sequence[Sequence[tuple[int, int, int]]]
    ) -> None:
        self.choices = choices
        self.odds = [_odds(ends) for ends in c]
        self.odds_d = [[odds.as_integer_ratio() for odds in _odds(ends)] if ends else [] for ends in d]
        least = [of_segment[0] for of_segment in choices]
        self.positives_after: list[int] = _sums_after([positives for positives, _, _ in least])
        self.negatives_after: list[int] = _sums_after([negatives for _, negatives, _ in least])
        shares = [positives * odds[0] for (positives, _, _), odds in zip(least, self.odds, strict=True)]
        self.shares_after: list[Fraction] = _sums_after(shares)

    def fewest_negatives(self, segment: int, positives: int) -> int:
        """Return a bound below the negatives of the segments from one on, if they have so many positives.

        The first of them needs the fewest negatives for a positive, so that at best it has all positives that the
        others, each with its fewest, leave over.
        """
        left = positives - self.positives_after[segment + 1]
        bound: Fraction = self.odds[segment][0] * left + self.shares_after[segment + 1]
        return max(ceil(bound), self.negatives_after[segment])

    def tables(self, positives: int, most_negatives: int) -> Iterator[Table]:
        """Give every table with so many positives and no more negatives, without the last segment."""
        yield from self._extend((), positives, most_negatives, 0, 0)

    def _extend(self, table: Table, positives: int, most: int, tp: int, fp: int) -> Iterator[Table]:
        segment = len(table)
        if segment == len(self.choices):
            yield table
            return
        last = segment == len(self.choices) - 1
        room = positives - tp - self.positives_after[segment + 1]
        for gained, low, high in self.choices[segment]:
            if gained > room or fp + low > most:
                return
            if last and gained < room:
                continue
            if tp:
                # The odds of d are (negatives x TP / gained - FP) / P; quotients of whole numbers are quick.
                (a, b), (x, y) = self.odds_d[segment]
                low = max(low, -(-gained * (positives * a + fp * b) // (b * tp)))
                high = min(high, gained * (positives * x + fp * y) // (y * tp))
            for lost in range(low, high + 1):
                after = fp + lost
                if not last:
                    after += self.fewest_negatives(segment + 1, positives - tp - gained)
                if after > most:
                    break
                yield from self._extend((*table, (gained, lost)), positives, most, tp + gained, fp + lost)


def _odds(ends: Range) -> Range:
    """Return the least and the greatest number of negatives for a positive."""
    low, high = ends
    return 1 / high - 1, 1 / low - 1


def _choices(odds: Range, most: int) -> Iterator[tuple[int, int, int]]:
    """Give every number of positives that has a number of negatives with odds in a range, and these numbers."""
    for positives in range(1, most + 1):
        low, high = ceil(positives * odds[0]), floor(positives * odds[1])
        if low <= high:
            yield positives, low, high


def _sums_after(values: Sequence[Any]) -> list[Any]:
    """Return the sums of the values from each place on, and 0 for the place after the last."""
    return [*accumulate(reversed(values), initial=0)][::-1]


def _floats(values: Sequence[Fraction | None]) -> list[float]:
    return [np.nan if value is None else float(value) for value in values]


_GRID = np.arange(1, 10) / 10

# Which of the example's numbers each figure shows.
SHOWN: dict[int, list[tuple[str, tuple[str, ...]]]] = {
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
    kept = non_dominated(points)
    precision = points.tp[kept] / (points.tp[kept] + points.fp[kept])
    baseline = 2 * prevalence / (1 + prevalence)

    hull = find_hull(points.positive_steps())
    gained, lost = np.diff(hull.tp), np.diff(hull.fp)
    for_f = f_hull(hull)
    recall_gain, precision_gain = for_f.gain(for_f.positives - for_f.tp), for_f.gain(for_f.fp)
    d = 1 / (1 + beta_squared(for_f))

    curves = curve_numbers(truth, score).rename(columns={"area": "value"}).assign(part="curve")
    parts = [
        curves,
        _part("roc", "non-dominated", rates[0][kept], rates[1][kept]),
        _part(
            "roc",
            "hull",
            hull.fp / hull.negatives,
            hull.tp / hull.positives,
            [*gained / (gained + lost), np.nan],
        ),
        _part("roc", "grid", *gain_to_rates(*_grid(), prevalence)),
        _part("pr", "non-dominated", rates[1][kept], precision),
        _part("pr", "always positive", [1.0], [prevalence], baseline),
        # From full recall the hull goes down to the always-positive prediction.
        _part("prg", "hull", [*recall_gain, 1.0], [*precision_gain, 0.0], [*d, 0.0, np.nan]),
        _part("prg", "always positive", [1.0], [0.0], baseline),
        _part("prg", "grid", *rates_to_gain(*_grid(), prevalence)),
    ]
    return pd.concat(parts, ignore_index=True)[column_names("prg_figure_1")]


def shown_numbers(curves: pd.DataFrame, number: int) -> pd.DataFrame:
    """Return the rows of the example's numbers that one of the three figures shows."""
    parts = [
        curves[(curves["panel"] == panel) & curves["part"].isin(wanted)] for panel, wanted in SHOWN[number]
    ]
    return pd.concat(parts, ignore_index=True)


def gain_to_rates(
    recall_gain: np.ndarray, precision_gain: np.ndarray, prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the false and the true positive rate of a prediction with such gains.

    With k = P/N, recall gain is 1 - k FN/TP and precision gain 1 - k FP/TP.
    """
    odds = prevalence / (1 - prevalence)
    true_positive_rate = 1 / (1 + (1 - recall_gain) / odds)
    return true_positive_rate * (1 - precision_gain), true_positive_rate


def rates_to_gain(
    false_positive_rate: np.ndarray, true_positive_rate: np.ndarray, prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return recall gain and precision gain of predictions with such rates, of those that have no negative gain."""
    odds = prevalence / (1 - prevalence)
    gains = np.stack([1 - odds * (1 / true_positive_rate - 1), 1 - false_positive_rate / true_positive_rate])
    recall_gain, precision_gain = gains[:, (gains >= 0).all(axis=0)]
    return recall_gain, precision_gain


def _grid() -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(_GRID, _GRID)
    return x.ravel(), y.ravel()


def _part(panel: str, part: str, x: ArrayLike, y: ArrayLike, value: ArrayLike = np.nan) -> pd.DataFrame:
    return pd.DataFrame({"panel": panel, "part": part, "x": x, "y": y, "value": value})


def calc_prg_example(labels: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Reconstruct the running example from the labels of Figure 3, and trace its curves."""
    example = running_example(**labels)
    curves = example_curves(example)
    figures = {f"prg_figure_{number}": shown_numbers(curves, number) for number in (1, 2, 3)}
    return {"running_example": example, **figures}
