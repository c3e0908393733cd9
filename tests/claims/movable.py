"""The numbers of an entry, each by itself, and how far one has to be moved for another verdict."""

import ast
import dataclasses
import datetime
import math
import re
from collections.abc import Callable

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What names things under `over`.
_NAMES = {"where", "table", "selection", "record", "counts", "ends", "needed", "archive", "quantity", "area"}
_CONDITIONS = {"that", "surely", "possibly"}
_FARTHEST = 20_000  # units


@dataclasses.dataclass(frozen=True)
class Number:
    """Digits in an entry.

    Attributes
    ----------
    where : str
        The key that they stand under.
    digits : str
    most : int or None
        What they cannot exceed, in units of the last digit: a share in per cent is 100 at most.
    put : callable
        Takes other digits and returns the entry with these instead.
    """

    where: str
    digits: str
    most: int | None
    put: Callable

    def moved(self, units):
        """The entry with the number so many units of its last digit higher, or as high or low as it can be."""
        if _DATE.fullmatch(self.digits):
            return self.put(str(datetime.date.fromisoformat(self.digits) + datetime.timedelta(units)))
        whole, _, decimals = self.digits.partition(".")
        most = 10 ** len(decimals) if decimals and whole == "0" else self.most or math.inf
        least = 0 if decimals or self.most else 1
        text = str(min(max(int(whole + decimals) + units, least), most)).zfill(len(decimals) + 1)
        return self.put(f"{text[: -len(decimals)]}.{text[-len(decimals) :]}" if decimals else text)


def numbers_of(claim):
    """Every number under ``over``, and those in formulas that have decimals or stand alone on a side.

    Exponents, factors and the 1 of "1 - x" are the formula's own, and 0 says a sign. Ranges say where to search.
    """
    yield from _under(claim.over, "over", lambda new: dataclasses.replace(claim, over=new))
    yield from _in_formula(claim.claim, "claim", lambda new: dataclasses.replace(claim, claim=new))
    for place, text in enumerate(claim.given):
        others = claim.given[:place], claim.given[place + 1 :]
        yield from _in_formula(
            text,
            "given",
            lambda new, others=others: dataclasses.replace(claim, given=[*others[0], new, *others[1]]),
        )


def _under(value, where, put):
    if isinstance(value, dict):
        for key, part in value.items():
            inner = _in_formula if key in _CONDITIONS else _under
            if key not in _NAMES:
                yield from inner(part, f"{where}.{key}", lambda new, key=key: put(value | {key: new}))
    elif isinstance(value, list | tuple):
        for place, part in enumerate(value):
            others = value[:place], value[place + 1 :]
            yield from _under(part, where, lambda new, others=others: put([*others[0], new, *others[1]]))
    elif isinstance(value, int):
        yield Number(where, str(value), None, lambda digits: put(int(digits)))
    elif _DATE.fullmatch(value):
        yield Number(where, value, None, put)
    elif ".." not in value:
        yield from _in_text(value, where, put)


def _in_text(text, where, put):
    """A number, or both parts of a fraction; of a fraction of 10, 100, .. only the numerator, which is its digits."""
    above, line, below = text.partition("/")
    if line and re.fullmatch("10+", below.strip()):
        yield Number(where, above.strip(), int(below), lambda digits: put(f"{digits}/{below}"))
        return
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        yield Number(
            where,
            match[0],
            None,
            lambda digits, start=start, end=end: put(text[:start] + digits + text[end:]),
        )


def _in_formula(text, where, put):
    text = " ".join(text.split())
    tree = ast.parse(text, mode="eval")
    sides = [
        side
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
    ]
    decimals = [
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]
    places = set()
    for node in (*sides, *decimals):
        place = node.col_offset, node.end_col_offset
        digits = text[slice(*place)]
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?( ?/ ?[0-9]+)?", digits) and digits != "0" and place not in places:
            places.add(place)
            yield from _in_text(
                digits, where, lambda new, place=place: put(text[: place[0]] + new + text[place[1] :])
            )


def least_move(number, outcome, own):
    """By how many units a number has to be moved, up or down, for another outcome than its own; None if none does.

    Tried are 1 to 8 units, and from there on half as far again each time; between the last two the least is sought.
    """

    def is_other(units):
        try:
            return outcome(number.moved(units)) != own
        except ValueError:  # there is no such entry
            return False

    before, distance = 0, 1
    while distance <= _FARTHEST:
        for sign in (1, -1):
            if is_other(sign * distance):
                while distance - before > 1:
                    middle = (before + distance) // 2
                    before, distance = (before, middle) if is_other(sign * middle) else (middle, distance)
                return distance
        before, distance = distance, max(distance + 1, distance * 3 // 2 if distance > 8 else 0)
    return None
