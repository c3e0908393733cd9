"""Every printed number beside the one found, on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from nontrivial_study.experiments.ranks.ranks import AREAS
from nontrivial_study.report.claims import ShownClaim
from nontrivial_study.report.numbers import round_number

LEFT, RIGHT = -0.4, 1.1  # the ends of the axis
TICKS = (0, 0.5, 1)
_QUESTIONS = {
    "top1_disagreement": "another best model",
    "top3_disagreement": "another order of the best three",
    "rank_correlation": "correlation of the ranks",
}


@dataclass(frozen=True)
class Pair:
    """A printed number and the one found.

    Attributes
    ----------
    label, address : str
        What it is, and the place on the page that has more of it.
    verdict : str
        Empty where other data were used, so that the two need not agree.
    stated, found : str
    marks : mapping of str to float
        Places on the axis in percent: ``stated``, ``value``, ``low``, ``high``.
    leaves : str
        "left" or "right" where what was found leaves the frame.
    relative : bool
        Whether both are divided by the stated number, because it is too large for the axis.
    """

    label: str
    address: str
    verdict: str
    stated: str
    found: str
    marks: Mapping[str, float]
    leaves: str
    relative: bool


def pair_numbers(claims: Sequence[ShownClaim], tables: Mapping[str, pd.DataFrame]) -> list[Pair]:
    """Pair every printed number with the one found: claims first, then the ranks of other data than the paper's."""
    pairs = []
    for claim in claims:
        printed, number = claim.printed, claim.number
        if printed is None or number is None or claim.record["group"] == "repair":
            continue
        found = round_number(str(float(number.value)).removesuffix(".0"))[0]
        address = f"#claim-{claim.record['id']}"
        numbers = printed.value, number.value, number.low, number.high
        pairs.append(
            _pair(claim.record["statement"], address, claim.record["verdict"], printed.text, found, numbers)
        )
    pairs.sort(key=lambda pair: pair.verdict not in ("contradicted", "caveat"))
    return pairs + _pair_ranks(tables.get("rank_disagreement"))


def _pair_ranks(ranks: pd.DataFrame | None) -> list[Pair]:
    """The PRG paper's ranks beside those of this study, which may be of other tasks."""
    pairs = []
    for _, row in ranks.iterrows() if ranks is not None else ():
        names = " and ".join(AREAS.get(area, area) for area in row["pair"].split("/"))
        for column, question in _QUESTIONS.items():
            if row[column] and row[f"paper_{column}"]:
                texts = row[f"paper_{column}"], row[column], row[f"{column}_low"], row[f"{column}_high"]
                numbers = tuple(map(Fraction, texts))
                found = round_number(row[column])[0]
                pairs.append(
                    _pair(f"{names}: {question}", "#section-rank_disagreement", "", texts[0], found, numbers)
                )
    return pairs


def _pair(
    label: str, address: str, verdict: str, stated: str, found: str, numbers: Sequence[Fraction]
) -> Pair:
    relative = not LEFT <= numbers[0] <= RIGHT
    scaled = [float(number / numbers[0]) if relative else float(number) for number in numbers]
    marks = dict(zip(("stated", "value", "low", "high"), map(place, scaled), strict=True))
    leaves = "left" if min(scaled[1:]) < LEFT else "right" if max(scaled[1:]) > RIGHT else ""
    return Pair(label, address, verdict, stated, found, marks, leaves, relative)


def place(number: float, left: float = LEFT, right: float = RIGHT) -> float:
    """Return where a number lies on an axis, in percent of its length, the ends for what is beyond them.

    Examples
    --------
    >>> place(0.35), place(-9)
    (50.0, 0.0)
    """
    return round(100 * (min(max(number, left), right) - left) / (right - left), 2)
