"""Numbers and formulas as people read them: few digits, and plain code."""

from __future__ import annotations

import ast
import math
from copy import deepcopy
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

from markupsafe import Markup

from nontrivial.claims.language import SYMBOLS, Cases, Value, evaluate, is_number, parse
from nontrivial.claims.sentences import number_text

# Numbers as people read them: few digits, and never so few that they say something else.


DIGITS = 4  # significant digits on the page
# Of what stands above or below the line of a fraction that a reader still takes in.
_LARGEST_PART = 10**DIGITS
_WRITTEN = 12  # significant digits from which a number is cut


def round_number(text: str) -> tuple[str, bool]:
    """Round a number's text to four significant digits; a whole number stays whole.

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


# Claims' formulas as plain code, and the links of a relation that break, with the numbers on both sides.


_SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">", "==": "=", "!=": "≠"}
_WRITTEN_AS = {"f_beta": "f1"}  # the study's tables and the registry have no other beta


@dataclass(frozen=True)
class Link:
    """One comparison as it comes out: both sides as formulas, and their values."""

    left: Markup
    left_value: str
    sign: str
    right: Markup
    right_value: str


class _AsRead(ast.NodeTransformer):
    """Turns the numbers of a formula into what stands there, with few digits."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(cut_digits(str(node.kind)))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(_WRITTEN_AS.get(node.id, node.id))


def formula(written: str | ast.expr) -> Markup:
    """Write a formula of the registry, or the tree of one, as code with the signs of prose.

    Examples
    --------
    >>> formula("f_beta <= 2 * tp - 0.50")
    Markup('<code>f1 ≤ 2 * tp - 0.50</code>')
    """
    line = " ".join(written.split()) if isinstance(written, str) else ast.unparse(written)
    if not line:
        return Markup()
    tree = parse(line) if isinstance(written, str) else written
    text = ast.unparse(_AsRead().visit(deepcopy(tree)))
    for sign, sign_of_prose in _SIGNS.items():
        text = text.replace(f" {sign} ", f" {sign_of_prose} ")
    return Markup("<code>{}</code>").format(text)


def broken_links(claim: ast.expr, cases: Cases, wanted: bool = True) -> list[Link]:
    """Find the comparisons because of which a claim fails in a case."""
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
    return Link(formula(one), _value(one, cases), sign, formula(other), _value(other, cases))


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
