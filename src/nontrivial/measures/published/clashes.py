"""Why printed numbers do not fit: which of them clashes with the others, and which may have been cut off."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from nontrivial.measures.published.tables import Ranges

IsPossible = Callable[[Ranges], bool]  # for tables, folds, or any data; ValueError if this cannot be decided
MOST_CUT_OFF = 3  # together, besides all


def fits_without(ranges: Ranges, is_possible: IsPossible) -> list[str] | None:
    """Return the scores each of which, left out, lets the others fit; None if this cannot be decided."""
    others = {name: {other: ranges[other] for other in ranges if other != name} for name in ranges}
    try:
        return [name for name in ranges if is_possible(others[name])]
    except ValueError:
        return None


def fits_cut_off(ranges: Ranges, is_possible: IsPossible) -> list[tuple[str, ...]] | None:
    """Return the smallest sets of scores that let all fit if they were cut off and not rounded; None as above."""
    cut = {name: interval.as_cut_off() for name, interval in ranges.items() if not interval.is_limit}
    for size in sorted({*range(1, min(len(cut), MOST_CUT_OFF) + 1), len(cut)} - {0}):
        try:
            groups = [
                names
                for names in combinations(cut, size)
                if is_possible({**ranges, **{name: cut[name] for name in names}})
            ]
        except ValueError:
            return None
        if groups:
            return groups
    return []
