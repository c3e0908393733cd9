"""Numbers and formulas as the page writes them: few digits, and plain code."""

import ast
import math
import re
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

from markupsafe import Markup

from nontrivial.claims.language.formulas import SYMBOLS, FormulaCases, evaluate_node
from nontrivial.claims.language.ratios import Ratios, TruthValues
from nontrivial.claims.sentences import number_text

DIGITS = 4  # significant digits on the page
_WRITTEN = 12  # significant digits from which a number is cut


def round_number(text: str) -> tuple[str, bool]:
    """Round a number's text to four significant digits, and say whether that changes it.

    A whole number stays whole; one that is rounded to a whole number keeps its zeros, such as 1.000.
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

    Unlike rounding, this keeps a number on its side of every shorter one: 0.49999999 is less than 1/2, and so is
    0.4999….
    """
    with localcontext(prec=_WRITTEN):
        value = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    digits = max(DIGITS, value.adjusted() + 1)
    if number.denominator == 1 or len(value.as_tuple().digits) <= digits:
        return number_text(number)
    with localcontext(prec=digits, rounding=ROUND_DOWN):
        exact = f" ({number})" if _is_short(number) else ""
        return f"{+value:f}…{exact}"


def cut_value(text: str) -> str:
    """Write a measure's value likewise, but keep a short fraction as it is, and what is no number, too."""
    try:
        number = Fraction(text)
    except ValueError:
        return text
    return text if _is_short(number) else cut_number(number)


def percent(share: float | str) -> str:
    """Write a share as a percentage of at most three significant digits, "unknown" if it is an empty text."""
    return "unknown" if share == "" else f"{100 * float(share):.3g}\N{NO-BREAK SPACE}%"


def decimals(number: str, digits: int) -> str:
    """Write a number of a table with so many decimals, "unknown" if it is empty."""
    return f"{float(number):.{digits}f}" if number else "unknown"


def _is_short(number: Fraction) -> bool:
    return bool(max(abs(number.numerator), number.denominator) < 10**DIGITS)


# Formulas as plain code, and the comparisons of a claim that break, with the numbers on both sides.
_SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">", "==": "=", "!=": "≠"}


@dataclass(frozen=True)
class Link:
    """One comparison as it comes out: both sides as formulas, and their values."""

    left: Markup
    left_value: str
    sign: str
    right: Markup
    right_value: str


def prose(written: str) -> str:
    """Write a formula of the registry in one line with the signs of prose."""
    text = re.sub(r"\bf_beta\b", "f1", " ".join(written.split()))  # no claim has another beta
    for sign, sign_of_prose in _SIGNS.items():
        text = text.replace(f" {sign} ", f" {sign_of_prose} ")
    return text


def formula(written: str) -> Markup:
    """Write a formula likewise, as code."""
    text = prose(written)
    return Markup("<code>{}</code>").format(text) if text else Markup()


def broken_links(text: str, claim: ast.expr, cases: FormulaCases, wanted: bool = True) -> list[Link]:
    """Find the comparisons because of which a claim, parsed from a text, fails in a case."""
    match claim:
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return broken_links(text, part, cases, not wanted)
        case ast.BoolOp(values=parts):
            return [link for part in parts for link in broken_links(text, part, cases, wanted)]
        case ast.Compare(left=left, comparators=others) if isinstance(
            evaluate_node(left, cases), TruthValues
        ):
            sides = (left, *others)
            by_side = [[broken_links(text, side, cases, truth) for truth in (True, False)] for side in sides]
            return [link for breaks, holds in by_side for link in breaks or holds]
        case ast.Compare(left=left, ops=ops, comparators=others):
            return [
                _link(text, first, second, cases)
                for op, first, second in zip(ops, (left, *others), others, strict=False)
                if _holds(SYMBOLS[type(op)], first, second, cases) is (not wanted)
            ]
    return []


def _holds(symbol: str, first: ast.expr, second: ast.expr, cases: FormulaCases) -> bool | None:
    truth = Ratios.compare([symbol], [evaluate_node(first, cases), evaluate_node(second, cases)])
    return bool(truth.true.all()) if truth.is_defined.all() else None


def _link(text: str, first: ast.expr, second: ast.expr, cases: FormulaCases) -> Link:
    sign = next((symbol for symbol in ("<", ">", "==") if _holds(symbol, first, second, cases)), "?")
    left, right = (formula(ast.get_source_segment(text, side) or "") for side in (first, second))
    return Link(left, _value(first, cases), _SIGNS.get(sign, sign), right, _value(second, cases))


def _value(node: ast.expr, cases: FormulaCases) -> str:
    """What a side comes to, in few digits; empty for a number that stands there already."""
    if isinstance(node, ast.Constant):
        return ""
    number = evaluate_node(node, cases).first_number()
    return "undefined" if number is None else cut_value(str(number))
