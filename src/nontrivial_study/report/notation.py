"""Numbers and formulas as the page writes them: few digits, and plain code."""

import ast
import math
import re
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

from markupsafe import Markup

from nontrivial.claims.language.formulas import SYMBOLS, FormulaCases, evaluate_node
from nontrivial.claims.language.numbers import Ratios, TruthValues
from nontrivial.claims.sentences import fraction_text

SHOWN_DIGITS = 4  # significant digits of a number on the page
_DIGITS_BEFORE_CUT = 12  # significant digits to which a number is computed before it is cut


def round_number(text: str) -> str:
    """Round a number's text to four significant digits.

    A whole number stays whole; one that is rounded to a whole number keeps its zeros, such as 1.000.
    """
    if not text or not math.isfinite(float(text)) or float(text).is_integer():
        return text
    value = float(text)
    rounded = f"{value:.{SHOWN_DIGITS}g}"
    if float(rounded).is_integer():
        n_decimals = max(0, SHOWN_DIGITS - len(str(abs(int(float(rounded))))))
        rounded = f"{value:.{n_decimals}f}"
    return rounded


def cut_number(number: Fraction) -> str:
    """Cut a number after four significant digits, with an ellipsis; the whole part stays whole.

    Unlike rounding, this keeps the order of a number and a shorter one: 0.49999999 is less than 1/2, and so is 0.4999….
    """
    with localcontext(prec=_DIGITS_BEFORE_CUT):
        value = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    n_digits = max(SHOWN_DIGITS, value.adjusted() + 1)
    if number.denominator == 1 or len(value.as_tuple().digits) <= n_digits:
        return fraction_text(number)
    with localcontext(prec=n_digits, rounding=ROUND_DOWN):
        exact = f" ({number})" if _is_short(number) else ""
        return f"{+value:f}…{exact}"


def cut_value(text: str) -> str:
    """Cut a measure's value like `cut_number`; short fractions, and texts that are not numbers, stay."""
    try:
        number = Fraction(text)
    except ValueError:
        return text
    return text if _is_short(number) else cut_number(number)


def _is_short(number: Fraction) -> bool:
    return bool(max(abs(number.numerator), number.denominator) < 10**SHOWN_DIGITS)


def format_percent(share: float | str) -> str:
    """Write a share as a percentage of at most three significant digits, or "unknown" for an empty text."""
    return "unknown" if share == "" else f"{100 * float(share):.3g}\N{NO-BREAK SPACE}%"


def format_decimal(number: str, n_decimals: int) -> str:
    """Write a table's number with a fixed number of decimals, or "unknown" for an empty text."""
    return f"{float(number):.{n_decimals}f}" if number else "unknown"


_PROSE_SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">", "==": "=", "!=": "≠"}


def formula_text(formula: str) -> str:
    """Write a formula of the registry in one line, with signs such as ≤ in place of <=."""
    text = re.sub(r"\bf_beta\b", "f1", " ".join(formula.split()))  # no claim has another beta
    for sign, prose_sign in _PROSE_SIGNS.items():
        text = text.replace(f" {sign} ", f" {prose_sign} ")
    return text


def formula_markup(formula: str) -> Markup:
    """Write a formula as `formula_text` does, and mark it up as code."""
    text = formula_text(formula)
    return Markup("<code>{}</code>").format(text) if text else Markup()


@dataclass(frozen=True)
class EvaluatedComparison:
    """Two sides of a comparison, as formulas and as values, and the sign that is true of the values."""

    left: Markup
    left_value: str
    sign: str
    right: Markup
    right_value: str


def broken_comparisons(
    text: str, claim: ast.expr, cases: FormulaCases, wanted: bool = True
) -> list[EvaluatedComparison]:
    """Find the comparisons that keep a claim, which was parsed from a text, from being as wanted in a case."""
    match claim:
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return broken_comparisons(text, part, cases, not wanted)
        case ast.BoolOp(values=parts):
            return [broken for part in parts for broken in broken_comparisons(text, part, cases, wanted)]
        case ast.Compare(left=left, comparators=right) if isinstance(evaluate_node(left, cases), TruthValues):
            # Truths are compared, as in (a > b) == (c > d): every comparison of each side is shown.
            both = [
                broken_comparisons(text, side, cases, True) or broken_comparisons(text, side, cases, False)
                for side in (left, *right)
            ]
            return [comparison for of_side in both for comparison in of_side]
        case ast.Compare(left=left, ops=ops, comparators=right):
            return [
                _evaluate_comparison(text, first, second, cases)
                for op, first, second in zip(ops, (left, *right), right, strict=False)
                if _is_true(SYMBOLS[type(op)], first, second, cases) is (not wanted)
            ]
    return []


def _is_true(sign: str, left: ast.expr, right: ast.expr, cases: FormulaCases) -> bool | None:
    """Tell whether a comparison holds in all cases; None if a case leaves it undefined."""
    truth = Ratios.compare([sign], [evaluate_node(left, cases), evaluate_node(right, cases)])
    return bool(truth.true.all()) if truth.is_defined.all() else None


def _evaluate_comparison(text: str, left: ast.expr, right: ast.expr, cases: FormulaCases) -> EvaluatedComparison:
    sign = next((sign for sign in ("<", ">", "==") if _is_true(sign, left, right, cases)), "?")
    left_code, right_code = (formula_markup(ast.get_source_segment(text, side) or "") for side in (left, right))
    return EvaluatedComparison(
        left_code, _side_value(left, cases), _PROSE_SIGNS.get(sign, sign), right_code, _side_value(right, cases)
    )


def _side_value(side: ast.expr, cases: FormulaCases) -> str:
    """Write the value of a side in few digits; empty if the side is itself a number."""
    if isinstance(side, ast.Constant):
        return ""
    number = evaluate_node(side, cases).first_number()
    return "undefined" if number is None else cut_value(str(number))
