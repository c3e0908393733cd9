"""Printed numbers, counts, fractions, ranges and intervals, in the texts of cells and options."""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from nontrivial.measures.published.printed import MARKS, Interval, read_printed
from nontrivial.measures.published.tables import AREA, BOUNDS, LAMBDA, SCORES

_WHOLE = r"[0-9]{1,3}(?:[,'\u2009\u202f\u00a0 ][0-9]{3})+(?![0-9])|[0-9]+"
_FRACTION = re.compile(rf"(?<![0-9.])({_WHOLE})\s*(?:/|\bof\b|\bout of\b)\s*({_WHOLE})(?![0-9]|\.[0-9])")
_NUMBER = r"[0-9]*\.?[0-9]+"
_RANGE = re.compile(rf"([-\u2212]?{_NUMBER})\s*(%?)\s*(?:[-\u2010-\u2015\u2212]|\bto\b)\s*({_NUMBER})\s*(%?)")
_ABOUT = re.compile(r"^(~|\u2248|\u223c|\u2245|ca?\.|approx\.?|about)\s*")
_PER_MILLE = re.compile(rf"({_NUMBER})\s*\u2030")
_LEVEL = re.compile(r"([0-9]+) ?% ?(ci|confidence interval)\s*[:,=]?|\bci\b\s*[:,=]?", re.IGNORECASE)
_ENDS = re.compile(rf"({_NUMBER})\s*%?\s*(?:[-\u2010-\u2015\u2212,;]|\bto\b)\s*({_NUMBER})")
_BARE = re.compile(rf"[\s<>=']*({_NUMBER})")
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
# Scores that are printed as percentages, too.
PERCENTAGES = {name for name, bounds in BOUNDS.items() if bounds == (0, 1)} - {AREA, LAMBDA}


class CountedShare(NamedTuple):
    """A count of so many, as printed, and the number beside it, if any."""

    part: int
    whole: int
    text: str
    beside: str


def read_fraction(text: str) -> CountedShare | None:
    """Return the fraction in a cell, such as "67/75 (89.3%)"; None if there is none.

    Examples
    --------
    >>> read_fraction("89.3% (67/75)")
    CountedShare(part=67, whole=75, text='67/75', beside='89.3%')
    """
    match = _FRACTION.search(text)
    if match is None:
        return None
    part, whole = (int(re.sub(r"\D", "", digits)) for digits in match.groups())
    others = re.sub(r"[(\[]\s*[;,]?\s*[)\]]", " ", text.replace(match[0], "", 1)).strip(MARKS + "=:")
    number = re.match(rf"[(\[]?\s*({_NUMBER})\s*([%\u2030]?)(?!\s*(?:[-\u2010-\u2015]|to\b))", others)
    beside = "".join(number.groups()) if number else ""
    if beside and beside[-1] not in "%\u2030" and float(beside) > 1:
        beside += "%"
    return CountedShare(part, whole, match[0], beside)


def with_points(text: str, has_commas: bool) -> str:
    """Write decimal commas as points, except in fractions; commas that may separate thousands only if `has_commas`."""
    if "." in text or not (has_commas or not _THOUSANDS.search(text)):
        return text
    both = re.compile(rf"{_FRACTION.pattern}|(?<=\d),(?=\d)")
    return both.sub(lambda match: "." if match[0] == "," else match[0], text)


def bare_number(text: str) -> float | None:
    """Return the number that begins a cell without a sign of percentages, such as 92; None if there is none."""
    number = _BARE.match(_ABOUT.sub("", text.strip(MARKS)))
    outside = re.sub(r"[(\[][^()\[\]]*[)\]]", "", text)
    return None if number is None or "%" in outside or "\u2030" in outside else float(number[1])


def with_percent_signs(texts: Mapping[str, str]) -> dict[str, str]:
    """Add the sign to bare shares if two or more are above 1 and none is at or below 1."""
    numbers = {name: bare_number(text) for name, text in texts.items() if SCORES.get(name) in PERCENTAGES}
    bare = {name: number for name, number in numbers.items() if number is not None}
    signed = bare if len(bare) > 1 and min(bare.values()) > 1 else ()
    return {name: f"{text} %" if name in signed else text for name, text in texts.items()}


def read_score(text: str, measure: str, called: str) -> Interval:
    """Return what a printed score stands for, also a range such as 85-91 %, about 0.92, or a number per mille."""
    plain = _ABOUT.sub("", text.strip(MARKS))
    plain = _PER_MILLE.sub(lambda match: f"{Decimal(match[1]).scaleb(-1)}%", plain)
    ends = _RANGE.fullmatch(plain)
    if ends is None:
        return read_printed(plain, called, BOUNDS[measure])
    sign = "%" if ends[2] or ends[4] else ""
    low, high = (read_printed(end + sign, called, BOUNDS[measure]) for end in (ends[1], ends[3]))
    if low.value > high.value:
        raise ValueError(f"{called} is {text!r}, a range that ends below its beginning.")
    return replace(low, high=high.high, value=(low.value + high.value) / 2, is_limit=True)


def interval_in(text: str, called: str, is_percent: bool = False) -> tuple[Interval, Interval] | None:
    """Return the ends of a 95 % interval, in the brackets of a cell or as the whole cell; None if there is none."""
    inside = " ".join(re.findall(r"[(\[]([^()\[\]]*)[)\]]", text)) or text
    levels = [level[0] for level in _LEVEL.findall(inside) if level[0]]
    ends = _ENDS.search(_LEVEL.sub("", inside))
    if ends is None or any(level != "95" for level in levels):
        return None
    is_percent |= "%" in _LEVEL.sub("", text)
    low, high = (read_printed(f"{end}{'%' * is_percent}", called, BOUNDS[AREA]) for end in ends.groups())
    return low, high
