"""Numbers and formulas as people read them: few digits, and MathML."""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

from markupsafe import Markup, escape

from nontrivial.claims.language import SYMBOLS, Cases, Value, evaluate, is_number, parse
from nontrivial.claims.sentences import number_text

# Numbers as people read them: few digits, and never so few that they say something else.


DIGITS = 4  # significant digits on the page
# Of what stands above or below the line of a fraction that a reader still takes in.
_LARGEST_PART = 10**DIGITS
_WRITTEN = 12  # significant digits from which a number is cut


def round_number(text: str) -> tuple[str, bool]:
    """Round a number's text to four significant digits; a whole number stays whole.

    Returns
    -------
    (str, bool)
        The text to show, and whether it says less than the one given.

    Examples
    --------
    >>> round_number("0.0380000001"), round_number("25980")
    (('0.038', True), ('25980', False))
    >>> round_number("0.999973671739")[0], round_number("4997.5")[0]  # 1.000 says that it is rounded
    ('1.000', '4998')
    """
    if not text or not math.isfinite(float(text)) or float(text).is_integer():
        return text, False
    value = float(text)
    short = f"{value:.{DIGITS}g}"
    if float(short).is_integer():
        short = f"{value:.{max(0, DIGITS - len(str(abs(int(float(short))))))}f}"
    return short, short != text


def cut_number(number: Fraction) -> str:
    """Write a number, cutting what follows its first four digits off, with an ellipsis; a whole part stays whole.

    Cutting off keeps a number on its side of every shorter one, which rounding does not: 0.49999999 is less than
    1/2, and 0.4999… still looks it.

    Examples
    --------
    >>> cut_number(Fraction(7, 15)), cut_number(Fraction(19, 20)), cut_number(Fraction(1333200, 34396597))
    ('0.4666… (7/15)', '0.95', '0.03875…')
    """
    with localcontext(prec=_WRITTEN):
        value = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    kept = max(DIGITS, value.adjusted() + 1)
    if number.denominator == 1 or len(value.as_tuple().digits) <= kept:
        return number_text(number)
    with localcontext(prec=kept, rounding=ROUND_DOWN):
        exact = f" ({number})" if _is_short(number) else ""
        return f"{+value:f}…{exact}"


def cut_digits(text: str) -> str:
    """Write a number as it is written, but for decimals after its first four digits.

    Examples
    --------
    >>> cut_digits("0.2742"), cut_digits("0.27425"), cut_digits("25980")
    ('0.2742', '0.2742…', '25980')
    """
    is_long = "." in text and len(text.replace(".", "").lstrip("0")) > DIGITS
    return cut_number(Fraction(text)).partition(" ")[0] if is_long else text


def cut_value(text: str) -> str:
    """Write a measure's value likewise, but keep a short fraction as it is, and what is no number, too.

    Examples
    --------
    >>> cut_value("1/3"), cut_value("1333200/34396597"), cut_value("sqrt(2)")
    ('1/3', '0.03875…', 'sqrt(2)')
    """
    try:
        number = Fraction(text)
    except ValueError:
        return text
    return text if _is_short(number) else cut_number(number)


def percent(share: float) -> str:
    """Write a share as a percentage of at most three significant digits.

    Examples
    --------
    >>> percent(0.2192).split(), percent(0).split()  # joined by a space that does not break
    (['21.9', '%'], ['0', '%'])
    """
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


def _is_short(number: Fraction) -> bool:
    return bool(max(abs(number.numerator), number.denominator) < _LARGEST_PART)


# Claims' formulas as MathML, and the links of a relation that break, with the numbers on both sides.


_PAIR = {"_1": "1", "_2": "2"}  # of the first and of the second of two tables
# The study's tables and the registry have no other beta.
_NAMES = {"f_beta": "F1", "f1": "F1", "tp": "TP", "fp": "FP", "fn": "FN", "tn": "TN", "pi": "π"}
_SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">", "==": "=", "!=": "≠"}
_ARITHMETIC: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "\N{MINUS SIGN}",
    ast.Mult: "\N{MULTIPLICATION SIGN}",
    ast.Div: "/",
}
_RANKS: dict[type, int] = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 3, ast.Pow: 4}
_SHORT = 24  # characters of a number that is not broken
_FRACTION = 14  # characters above or below the line of a fraction that is drawn as one


@dataclass(frozen=True)
class Link:
    """One comparison as it comes out: both sides as MathML, and their values."""

    left: Markup
    left_value: str
    sign: str
    right: Markup
    right_value: str


def mathml(text: str) -> Markup:
    """Write a formula of the registry as MathML, in pieces between which a line may break.

    Examples
    --------
    >>> mathml("f_beta <= 1")
    Markup('<math><mi>F1</mi></math> <math><mo form="infix" lspace="0">≤</mo><mn>1</mn></math>')
    """
    line = " ".join(text.split())
    return Markup(" ").join(_pieces(parse(line)) if line else ())


def number_mathml(node: ast.expr) -> Markup:
    """Write a number of a parsed formula likewise."""
    return Markup(" ").join(_terms(node))


def broken_links(claim: ast.expr, cases: Cases, wanted: bool = True) -> list[Link]:
    """Find the comparisons because of which a claim fails in a case.

    Parameters
    ----------
    claim : ast.expr
        The tree of a condition.
    cases : Cases
        One case, in numbers.
    wanted : bool
        What the condition is claimed to be.
    """
    match claim:
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return broken_links(part, cases, not wanted)
        case ast.BoolOp(values=parts):
            return [link for part in parts for link in broken_links(part, cases, wanted)]
        case ast.Compare(left=left, comparators=others) if not is_number(left):
            return [link for part in (left, *others) for link in _as_they_are(part, cases)]
        case ast.Compare(left=left, ops=ops, comparators=others):
            links = zip(ops, (left, *others), others, strict=False)
            return [
                _link(one, other, cases)
                for op, one, other in links
                if _holds(SYMBOLS[type(op)], one, other, cases) is (not wanted)
            ]
    return []


def _as_they_are(part: ast.expr, cases: Cases) -> list[Link]:
    return broken_links(part, cases, True) or broken_links(part, cases, False)


def _holds(symbol: str, one: ast.expr, other: ast.expr, cases: Cases) -> bool | None:
    truth = Value.compare([symbol], [evaluate(one, cases), evaluate(other, cases)])
    return None if not truth.defined.all() else bool(truth.true.all())


def _link(one: ast.expr, other: ast.expr, cases: Cases) -> Link:
    sign = next((sign for symbol, sign in _SIGNS.items() if symbol in ("<", ">", "==") and _holds(
        symbol, one, other, cases)), "?")  # fmt: skip
    return Link(number_mathml(one), _value(one, cases), sign, number_mathml(other), _value(other, cases))


def _value(node: ast.expr, cases: Cases) -> str:
    """What a side comes to, in few digits; empty for a number that stands there already."""
    if isinstance(node, ast.Constant):
        return ""
    value = evaluate(node, cases)
    number: Fraction | None = value.fractions()[0]
    if number is None:
        return "undefined"
    if value.is_root:
        return cut_value(str(Fraction(math.copysign(math.sqrt(abs(number)), number))))
    return cut_value(str(number))


def _pieces(node: ast.expr) -> Iterator[Markup]:
    """The pieces of a formula: conditions, the links of a chain, and the terms of a long sum."""
    match node:
        case ast.Call(func=ast.Name(id="sometimes"), args=[inner]):
            yield Markup("in some case")
            yield from _pieces(inner)
        case ast.BoolOp(op=joint, values=parts):
            for place, part in enumerate(parts):
                if place:
                    yield Markup("and" if isinstance(joint, ast.And) else "or")
                yield from _bracketed(part)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            yield Markup("not")
            yield from _bracketed(part)
        case ast.Compare(left=left, ops=ops, comparators=others):
            yield from _bracketed(left)
            for op, part in zip(ops, others, strict=True):
                sign = _SIGNS[SYMBOLS[type(op)]]
                if is_number(part):
                    yield from _terms(part, sign)
                else:
                    yield Markup("just where") if sign == "=" else Markup("unless")
                    yield from _bracketed(part)
        case _:
            yield from _terms(node)


def _bracketed(part: ast.expr) -> Iterator[Markup]:
    if not isinstance(part, ast.BoolOp):
        yield from _pieces(part)
        return
    first, *between, last = _pieces(part)
    yield Markup("(") + first
    yield from between
    yield last + ")"


def _terms(node: ast.expr, before: str = "") -> Iterator[Markup]:
    """A number after a sign, which may break before the signs of its own."""
    first, *others = _spread(node, 0)
    yield Markup("<math>{}</math>").format((_first_sign(before) if before else "") + first)
    yield from map(Markup("<math>{}</math>").format, others)


def _spread(node: ast.expr, rank: int) -> list[Markup]:
    """A number in as many rows as it takes so that none is long."""
    if len(ast.unparse(node)) <= _SHORT:
        return [_inside(node, rank)]
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=right):
            own = _RANKS[type(op)]
            first, *others = _spread(right, own + 1)
            rows = [*_spread(left, own), _first_sign(_ARITHMETIC[type(op)]) + first, *others]
            return _bracket("(", rows) if own < rank else rows
        case ast.Call(func=ast.Name(id=name), args=parts):
            rows = [
                row
                for part in parts
                for row in _ended(_spread(part, 0), "," if part is not parts[-1] else "")
            ]
            return _bracket(f"{name}(" if name != "abs" else "|", rows, ")" if name != "abs" else "|")
    return [_inside(node, rank)]


def _bracket(before: str, rows: list[Markup], after: str = ")") -> list[Markup]:
    return _ended(
        [Markup('<mo form="prefix" stretchy="false">{}</mo>').format(before) + rows[0], *rows[1:]], after
    )


def _ended(rows: list[Markup], sign: str) -> list[Markup]:
    end = Markup('<mo form="postfix" stretchy="false">{}</mo>').format(sign) if sign else Markup()
    return [*rows[:-1], rows[-1] + end]


def _part(node: ast.expr) -> Markup:
    match node:
        case ast.Constant(kind=str(digits)):
            return Markup("<mn>{}</mn>").format(cut_digits(digits))
        case ast.Name(id=name):
            return _name(name)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return Markup('<mo form="prefix">\N{MINUS SIGN}</mo>') + _inside(part, 2)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return Markup("<msup>{}{}</msup>").format(_row(_inside(left, 5)), _row(_part(right)))
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _is_fraction(left, right):
            return Markup("<mfrac>{}{}</mfrac>").format(_row(_part(left)), _row(_part(right)))
        case ast.BinOp(left=left, op=op, right=right):
            rank = _RANKS[type(op)]
            return _inside(left, rank) + _sign(_ARITHMETIC[type(op)]) + _inside(right, rank + 1)
        case ast.Call(func=ast.Name(id="abs"), args=[part]):
            return Markup("<mrow><mo>|</mo>{}<mo>|</mo></mrow>").format(_part(part))
        case ast.Call(func=ast.Name(id=name), args=parts):
            inner = Markup("<mo>,</mo>").join(map(_part, parts))
            return Markup("<mi>{}</mi><mrow><mo>(</mo>{}<mo>)</mo></mrow>").format(name, inner)
    return Markup("<mtext>{}</mtext>").format(ast.unparse(node))


def _is_fraction(above: ast.expr, below: ast.expr) -> bool:
    return max(len(ast.unparse(above)), len(ast.unparse(below))) <= _FRACTION


def _inside(node: ast.expr, rank: int) -> Markup:
    """A part of a greater one, in brackets where it binds less."""
    if isinstance(node, ast.BinOp) and _RANKS[type(node.op)] < rank:
        return Markup("<mrow><mo>(</mo>{}<mo>)</mo></mrow>").format(_part(node))
    return _part(node)


def _row(inner: Markup) -> Markup:
    return inner if inner.count("<m") == 1 else Markup("<mrow>{}</mrow>").format(inner)


def _sign(sign: str) -> Markup:
    return Markup('<mo form="infix">{}</mo>').format(sign)


def _first_sign(sign: str) -> Markup:
    """A sign at the start of a piece, with a space before it."""
    return Markup('<mo form="infix" lspace="0">{}</mo>').format(sign)


@functools.cache
def _name(name: str) -> Markup:
    if numbered := re.fullmatch(r"([a-eg-oq-z])([0-9])", name):  # not F1 and P4
        return Markup("<msub><mi>{}</mi><mn>{}</mn></msub>").format(*numbered.groups())
    pair = _PAIR.get(name[-2:], "")
    name = name[:-2] if pair else name
    word = Markup("<mi>{}</mi>").format(escape(_NAMES.get(name, name).replace("_", "\N{NO-BREAK SPACE}")))
    return Markup("<msub>{}<mn>{}</mn></msub>").format(word, pair) if pair else word
