"""Claims' formulas as prose has them."""

from __future__ import annotations

import ast

_PAIR = {"_1": "\N{SUBSCRIPT ONE}", "_2": "\N{SUBSCRIPT TWO}"}  # of the first and of the second of two tables
_NAMES = {"f_beta": "F1", "f1": "F1"}  # the study's tables and the registry have no other beta
_SIGNS = {
    " <= ": " ≤ ",
    " >= ": " ≥ ",
    " == ": " = ",
    " != ": " ≠ ",
    " * ": " \N{MULTIPLICATION SIGN} ",
    " - ": " \N{MINUS SIGN} ",
    " ** ": "^",
}


def readable_relation(formula: str) -> str:
    """Write a formula of the registry as prose has it.

    Examples
    --------
    >>> readable_relation("prediction_advantage <= 2*f_beta - 1")
    'prediction advantage ≤ 2 × F1 − 1'
    >>> readable_relation("fp**2 != tp*fn"), readable_relation("f1_1 >= 0.30")
    ('fp^2 ≠ tp × fn', 'F1₁ ≥ 0.30')
    """
    if not formula:
        return ""
    text = ast.unparse(_Readable(formula).visit(ast.parse(formula, mode="eval")))
    for code, sign in _SIGNS.items():
        text = text.replace(code, sign)
    return text


class _Readable(ast.NodeTransformer):
    """Puts names for reading, and numbers as they were written, in the place of a formula's own."""

    def __init__(self, formula: str) -> None:
        self.formula = formula

    def visit_Name(self, node: ast.Name) -> ast.Name:
        pair = _PAIR.get(node.id[-2:], "")
        name = node.id[:-2] if pair else node.id
        return ast.Name(_NAMES.get(name, name).replace("_", " ") + pair)

    def visit_Constant(self, node: ast.Constant) -> ast.Name:
        return ast.Name(ast.get_source_segment(self.formula, node))
