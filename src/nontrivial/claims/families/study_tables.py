"""Numbers read from the study's own tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from nontrivial.audit.found import Quantities, Quantity, Unavailable
from nontrivial.audit.stated import Comparison, Printed, Statement
from nontrivial.audit.test import Test
from nontrivial.audit.verdict import CAVEAT, CONTRADICTED, REPRODUCED, decide
from nontrivial.csv_tables import read_texts

# What a smaller study than the document's has to say of a stated bound.
_BOUND = {
    REPRODUCED: ", which keeps the stated bound",
    CAVEAT: ", which leaves the stated bound open",
    CONTRADICTED: ", which breaks the stated bound",
}


def read_rows(
    path: Path, row: dict[str, str], columns: Sequence[str], *, name: str, exactly: int | None = None
) -> list[dict[str, str]] | Unavailable:
    """Read the rows of a CSV table that have given values, as text.

    Parameters
    ----------
    path : Path
    row : dict of str
        Columns and the values that a row must have.
    columns : sequence of str
        Columns that are needed.
    name : str
        The table, for the sentence.
    exactly : int, optional
        How many rows there may be, if there are any.

    Returns
    -------
    list of dict, or Unavailable
        Nothing is available of a study that has no such row.

    Raises
    ------
    ValueError
        If the table lacks a column or has another number of such rows.
    """
    texts = read_texts(path)
    for column in (*row, *columns):
        if column not in texts:
            raise ValueError(f"{name} has no column {column!r}; it has {', '.join(texts)}.")
    matching = [
        line for line in texts.to_dict("records") if all(line[key] == value for key, value in row.items())
    ]
    wanted = ", ".join(f"{key} = {value}" for key, value in row.items())
    if not matching:
        return Unavailable(f"{name} has no row with {wanted}.")
    if exactly is not None and len(matching) != exactly:
        raise ValueError(f"{name} has {len(matching)} rows with {wanted}; exactly {exactly} is allowed.")
    return matching


def table_number(
    results: Path,
    *,
    table: str,
    row: dict[str, str],
    column: str,
    interval: bool = False,
    ends: tuple[str, ...] | None = None,
    scope: dict[str, str] | None = None,
    stated: Printed | Comparison | None = None,
) -> Quantity | Unavailable:
    """Read one number of a CSV table under the results folder, exactly as its digits stand there.

    Parameters
    ----------
    results : Path
        The results folder.
    table : str
        Path of the table in it.
    row : dict of str
        Columns and the values that single out one row.
    column : str
        The column of the number.
    interval : bool
        Whether the columns of that name with ``_low`` and ``_high`` appended hold the ends of its interval.
    ends : tuple of two str, optional
        The columns that do, where they have other names.
    scope : dict of str
        Columns and the values they must have in that row for the claim to be about this study at all; with other
        values nothing is found, and the number is told with the reason.
    stated : Printed or Comparison, optional
        What is stated; with such a reason goes whether the number keeps a stated bound.
    """
    low, high = ends or ((f"{column}_low", f"{column}_high") if interval else (column, column))
    rows = read_rows(results / table, row, (*(scope or {}), column, low, high), name=table, exactly=1)
    if isinstance(rows, Unavailable):
        return rows
    (line,) = rows
    if not all(line[name] for name in (column, low, high)):
        return Unavailable(f"{table} leaves {column} empty there.")
    found = Quantity(*(Fraction(line[name]) for name in (column, low, high)))
    for key, value in (scope or {}).items():
        if line[key] != value:
            bound = _BOUND[decide(stated, found)[0]] if isinstance(stated, Comparison) else ""
            return Unavailable(
                f"the claim is about {value} {key}; {table} covers {line[key]}, for which it has {found.text()}{bound}."
            )
    return found


def f1_at_segments(
    results: Path, *, stated: Statement, table: str, segments: dict[str, int]
) -> Quantities | Unavailable:
    """F1 of the predictions at the ends of segments of a hull.

    Parameters
    ----------
    table : str
        A table with columns ``segment, tp, fp``, the counts at the end of each segment; the last has every positive.
    segments : dict of int
        Their numbers by the names that the statement uses.
    """
    rows = read_rows(results / table, {}, ("segment", "tp", "fp"), name=table)
    if isinstance(rows, Unavailable):
        return rows
    counts = {int(line["segment"]): (int(line["tp"]), int(line["fp"])) for line in rows}
    positives = max(tp for tp, _ in counts.values())
    if not set(segments.values()) <= counts.keys():
        return Unavailable(f"{table} has {len(counts)} segments.")
    ends = {name: counts[number] for name, number in segments.items()}
    return Quantities(
        {name: Quantity.exactly(Fraction(2 * tp, tp + fp + positives)) for name, (tp, fp) in ends.items()}
    )


def label_before_break_even(results: Path, *, table: str) -> Quantity | Unavailable:
    """The calibrated score of the segment that ends in the vertex of a hull closest to where both gains are equal.

    Parameters
    ----------
    table : str
        A table with columns ``segment, positives, tp, fp, d``: of each segment the positives on it, the counts at its
        end and its calibrated score.
    """
    rows = read_rows(results / table, {}, ("segment", "positives", "tp", "fp", "d"), name=table)
    if isinstance(rows, Unavailable):
        return rows
    positives = sum(int(line["positives"]) for line in rows)

    def distance(line: dict[str, str]) -> Fraction:
        """Of the gains from each other, but for a factor that all points share."""
        tp, fp = int(line["tp"]), int(line["fp"])
        return abs(Fraction(fp - (positives - tp), tp))

    closest = min((line for line in rows if int(line["tp"])), key=distance)
    if not closest["d"]:
        return Unavailable(f"{table} has no calibrated score of segment {closest['segment']}.")
    return Quantity.exactly(Fraction(closest["d"]), segment=int(closest["segment"]))


def halves_of_rate_grid(
    results: Path, *, stated: Statement, table: str, steps: int
) -> Quantities | Unavailable:
    """Count where a regular grid of ROC space lies in PRG space: its points in the ``lower`` and ``upper`` half.

    Of the grid's points inside the ROC plot those count that have no negative gain; the halves are those of recall gain
    below and above 1/2. With k = P/N, recall gain is 1 - k FN/TP and precision gain 1 - k FP/TP.

    Parameters
    ----------
    table : str
        A table with columns ``positives, negatives``, whose sums are P and N.
    steps : int
        How many steps the grid has from 0 to 1.
    """
    rows = read_rows(results / table, {}, ("positives", "negatives"), name=table)
    if isinstance(rows, Unavailable):
        return rows
    odds = Fraction(*(sum(int(line[name]) for line in rows) for name in ("positives", "negatives")))
    rates = [Fraction(step, steps) for step in range(1, steps)]
    # No negative precision gain is a false positive rate up to the true positive rate.
    gains = [1 - odds * (1 - recall) / recall for recall in rates for other in rates if other <= recall]
    half = Fraction(1, 2)
    halves = {"lower": sum(0 <= gain < half for gain in gains), "upper": sum(gain > half for gain in gains)}
    return Quantities({name: Quantity.exactly(count) for name, count in halves.items()})


def check_halves(*, stated: Statement, **_: object) -> None:
    """Raise ValueError where the statement is about something else than the two halves."""
    for name in stated.names:
        if name not in ("lower", "upper"):
            raise ValueError(f"{name!r} is no half of the grid; known: lower, upper.")


def check_segments(*, stated: Statement, segments: dict[str, int], **_: object) -> None:
    """Raise ValueError where the statement is about a segment that is not given."""
    for name in stated.names:
        if name not in segments:
            raise ValueError(f"{name!r} is not among the segments; known: {', '.join(segments)}.")


def check_ends(*, ends: tuple[str, ...] | None = None, **_: object) -> None:
    """Raise ValueError unless there are two ends."""
    if ends is not None and len(ends) != 2:
        raise ValueError(
            f"parameter 'ends' names {len(ends)} columns; the two of the lower and upper end are allowed."
        )


TESTS = {
    "f1_at_segments": Test(f1_at_segments, check=check_segments),
    "halves_of_rate_grid": Test(halves_of_rate_grid, check=check_halves),
    "label_before_break_even": Test(label_before_break_even),
    "table_number": Test(table_number, check=check_ends),
}
