"""Which printed scores clash: those that fit if one is left out, or if some were cut off instead of rounded."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import combinations
from typing import Any

from nontrivial.measures.published.inequalities import SCORE_NAMES, Ranges

MAX_CASES_TRIED = 100_000
MAX_SCORES_CUT_OFF = 3  # together, besides all of them


def find_clashes(
    ranges: Ranges, is_possible: Callable[[Ranges], bool], printed: Iterable[str], n: int = 0
) -> dict[str, Any]:
    """Return the scores that can each be left out to let the others fit, and the smallest sets that may be cut off."""
    printed_names = {name: name for name in ranges} | {SCORE_NAMES[name]: name for name in printed}
    fields: dict[str, Any] = {"fits_without": None, "fits_cut_off": None}
    with suppress(ValueError):  # some of the scores leave too many tables to try
        if len(ranges) > 1:
            fields["fits_without"] = [
                printed_names[left_out]
                for left_out in ranges
                if is_possible({name: interval for name, interval in ranges.items() if name != left_out})
            ]
        if n <= MAX_CASES_TRIED:
            fields["fits_cut_off"] = [
                [printed_names[name] for name in group] for group in _groups_cut_off(ranges, is_possible)
            ]
    return fields


def _groups_cut_off(ranges: Ranges, is_possible: Callable[[Ranges], bool]) -> list[tuple[str, ...]]:
    """Return the smallest groups of scores that let all fit if their digits were cut off."""
    cut_off = {name: interval.as_cut_off() for name, interval in ranges.items() if not interval.is_limit}
    sizes = {*range(1, min(len(cut_off), MAX_SCORES_CUT_OFF) + 1), len(cut_off)} - {0}
    for size in sorted(sizes):
        groups = [
            group
            for group in combinations(cut_off, size)
            if is_possible({**ranges, **{name: cut_off[name] for name in group}})
        ]
        if groups:
            return groups
    return []
