"""Cases of a domain that are no confusion tables, in words: what the numbers of each are."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RANKING = re.compile(
    r"^every ranking of .*positives and the negatives of each group of ties, the best group first\)"
)
_LABELS = re.compile(
    r"^every distribution of (\d+) labels by counts .*, and every guess by counts(?!.*cost matrix)"
)
_IN_SEQUENCE = re.compile(r"^whole numbers (\w+(?:, \w+)*) from ")
_RANGES = re.compile(r"^all whole numbers (\w+ in [^\s,]+(?:, \w+ in [^\s,]+)*)")


def readable_case(case: object, domain: str) -> str:
    """Name the parts of a case, as its domain says that they are written.

    Parameters
    ----------
    case : list of int
        As the audit stores it; anything else gives no text.
    domain : str
        The domain's own description.

    Returns
    -------
    str
        Empty where the domain is none of those that are known here.

    Examples
    --------
    >>> readable_case([1, 2], "whole numbers neg, pos from 1 on, in this sequence")
    'neg = 1, pos = 2'
    >>> readable_case([3, 1], "all whole numbers a1 in 1..20, a2 in 1..20 where a1 > a2")
    'a1 = 3, a2 = 1'
    >>> labels = "every distribution of 3 labels by counts in 0..6, and every guess by counts in 0..1"
    >>> readable_case([0, 1, 2, 0, 0, 1], labels)
    'the labels 0, 1, 2 occur 0, 1, 2 times; the guess is 2'
    """
    if not isinstance(case, list) or not all(type(number) is int for number in case):
        return ""
    if _RANKING.match(domain):
        return _ranking(case)
    if labels := _LABELS.match(domain):
        return _distribution(case, int(labels[1]))
    if names := _IN_SEQUENCE.match(domain) or _RANGES.match(domain):
        return _named(case, [name.split()[0] for name in names[1].split(", ")])
    return ""


def _ranking(case: Sequence[int]) -> str:
    """The cases from the best on, + for a positive and \N{MINUS SIGN} for a negative."""
    if len(case) % 2:
        return ""
    groups = [
        " ".join(["+"] * positives + ["\N{MINUS SIGN}"] * negatives)
        for positives, negatives in zip(case[::2], case[1::2], strict=True)
    ]
    signs = " ".join(f"[{group}]" if " " in group else group for group in groups)
    return f"{signs} (the best case first, positives +, negatives \N{MINUS SIGN}, tied ones in brackets)"


def _distribution(case: Sequence[int], labels: int) -> str:
    """How often each label occurs, and which is guessed, or how often each is."""
    if len(case) != 2 * labels:
        return ""
    names = ", ".join(map(str, range(labels)))
    counts, guesses = (", ".join(map(str, part)) for part in (case[:labels], case[labels:]))
    one = sum(case[labels:]) == 1
    guess = f"the guess is {case[labels:].index(1)}" if one else f"they are guessed {guesses} times"
    return f"the labels {names} occur {counts} times; {guess}"


def _named(case: Sequence[int], names: Sequence[str]) -> str:
    if len(case) != len(names):
        return ""
    return ", ".join(f"{name} = {number}" for name, number in zip(names, case, strict=True))
