"""Parse the scores, fractions, ranges and confidence intervals in the cells of tables and in options."""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from nontrivial.measures.published.numbers import FOOTNOTE_MARKS, RoundingInterval, parse_printed
from nontrivial.measures.published.tables import AREA, LAMBDA, SCORE_BOUNDS, SCORE_NAMES

_WHOLE = r"[0-9]{1,3}(?:[,'\u2009\u202f\u00a0 ][0-9]{3})+(?![0-9])|[0-9]+"
_DIGITS = r"[0-9]*\.?[0-9]+"
_DASHES = r"-\u2010-\u2015\u2212"
_FRACTION = re.compile(rf"(?<![0-9.])({_WHOLE})\s*(?:/|\bof\b|\bout of\b)\s*({_WHOLE})(?![0-9]|\.[0-9])")
_SCORE_RANGE = re.compile(rf"([-\u2212]?{_DIGITS})\s*(%?)\s*(?:[{_DASHES}]|\bto\b)\s*({_DIGITS})\s*(%?)")
_INTERVAL_ENDS = re.compile(rf"({_DIGITS})\s*%?\s*(?:[{_DASHES},;]|\bto\b)\s*({_DIGITS})")
_CI_LABEL = re.compile(r"([0-9]+) ?% ?(ci|confidence interval)\s*[:,=]?|\bci\b\s*[:,=]?", re.IGNORECASE)
_ABOUT = re.compile(r"^(~|\u2248|\u223c|\u2245|ca?\.|approx\.?|about)\s*")
_PER_MILLE = re.compile(rf"({_DIGITS})\s*\u2030")
_LEADING_NUMBER = re.compile(rf"[\s<>=']*({_DIGITS})")
_COMMA_BEFORE_THREE_DIGITS = re.compile(r"\d,\d{3}(?!\d)")
PERCENTAGE_SCORES = {name for name, bounds in SCORE_BOUNDS.items() if bounds == (0, 1)} - {AREA, LAMBDA}
IntervalEnds = tuple[RoundingInterval, RoundingInterval]


class PrintedFraction(NamedTuple):
    """A fraction such as 67/75, and its text. `beside` is the number printed beside the fraction, or an empty text."""

    part: int
    whole: int
    text: str
    beside: str


def parse_fraction(text: str) -> PrintedFraction | None:
    """Find the fraction in a cell, such as "67/75 (89.3%)"; None if there is none.

    Examples
    --------
    >>> parse_fraction("89.3% (67/75)")
    PrintedFraction(part=67, whole=75, text='67/75', beside='89.3%')
    """
    match = _FRACTION.search(text)
    if match is None:
        return None
    part, whole = (int(re.sub(r"\D", "", digits)) for digits in match.groups())
    remainder = re.sub(r"[(\[]\s*[;,]?\s*[)\]]", " ", text.replace(match[0], "", 1))
    remainder = remainder.strip(FOOTNOTE_MARKS + "=:")
    number = re.match(rf"[(\[]?\s*({_DIGITS})\s*([%\u2030]?)(?!\s*(?:[-\u2010-\u2015]|to\b))", remainder)
    beside = "".join(number.groups()) if number else ""
    if beside and beside[-1] not in "%\u2030" and float(beside) > 1:
        beside += "%"
    return PrintedFraction(part, whole, match[0], beside)


def with_decimal_points(text: str, *, commas_are_decimal: bool) -> str:
    """Write decimal commas as points, except in fractions.

    A text with a point stays as it is. So does a text such as 1,234, unless `commas_are_decimal`.
    """
    if "." in text or (_COMMA_BEFORE_THREE_DIGITS.search(text) and not commas_are_decimal):
        return text
    fraction_or_comma = re.compile(rf"{_FRACTION.pattern}|(?<=\d),(?=\d)")
    return fraction_or_comma.sub(lambda match: "." if match[0] == "," else match[0], text)


def number_without_percent_sign(text: str) -> float | None:
    """Return the number that begins a cell, such as 92; None without a number, or if the cell has a percent sign."""
    number = _LEADING_NUMBER.match(_ABOUT.sub("", text.strip(FOOTNOTE_MARKS)))
    outside_brackets = re.sub(r"[(\[][^()\[\]]*[)\]]", "", text)
    has_sign = "%" in outside_brackets or "\u2030" in outside_brackets
    return None if number is None or has_sign else float(number[1])


def add_percent_signs(texts: Mapping[str, str]) -> dict[str, str]:
    """Add a percent sign to the scores without one, if at least two scores lack one and all of these exceed 1."""
    numbers = {
        name: number
        for name, text in texts.items()
        if SCORE_NAMES.get(name) in PERCENTAGE_SCORES and (number := number_without_percent_sign(text)) is not None
    }
    percentages = numbers if len(numbers) > 1 and min(numbers.values()) > 1 else {}
    return {name: f"{text} %" if name in percentages else text for name, text in texts.items()}


def parse_score(text: str, measure: str, name: str) -> RoundingInterval:
    """Parse a printed score, such as 0.92, about 0.92, 92 % or 85-91 %; it may also be given per mille."""
    plain = _ABOUT.sub("", text.strip(FOOTNOTE_MARKS))
    plain = _PER_MILLE.sub(lambda match: f"{Decimal(match[1]).scaleb(-1)}%", plain)
    ends = _SCORE_RANGE.fullmatch(plain)
    if ends is None:
        return parse_printed(plain, name, SCORE_BOUNDS[measure])
    sign = "%" if ends[2] or ends[4] else ""
    low, high = (parse_printed(end + sign, name, SCORE_BOUNDS[measure]) for end in (ends[1], ends[3]))
    if low.value > high.value:
        raise ValueError(f"{name} is {text!r}, a range that ends below its beginning.")
    return replace(low, high=high.high, value=(low.value + high.value) / 2, is_limit=True)


def parse_confidence_interval(text: str, name: str, *, is_percent: bool) -> IntervalEnds | None:
    """Parse the ends of the 95 % interval of an area, which stands in brackets or fills the cell; None without it."""
    inside_brackets = " ".join(re.findall(r"[(\[]([^()\[\]]*)[)\]]", text)) or text
    levels = [level for level, _ in _CI_LABEL.findall(inside_brackets) if level]
    ends = _INTERVAL_ENDS.search(_CI_LABEL.sub("", inside_brackets))
    if ends is None or any(level != "95" for level in levels):
        return None
    sign = "%" if is_percent or "%" in _CI_LABEL.sub("", text) else ""
    low, high = (parse_printed(end + sign, name, SCORE_BOUNDS[AREA]) for end in ends.groups())
    return low, high
