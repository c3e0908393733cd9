"""Claims' formulas as prose has them."""

from __future__ import annotations

import io
import tokenize

_PAIR = {"_1": "\N{SUBSCRIPT ONE}", "_2": "\N{SUBSCRIPT TWO}"}  # of the first and of the second of two tables
_NAMES = {"f_beta": "F1", "f1": "F1"}  # the study's tables and the registry have no other beta
_SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "==": "=",
    "!=": "≠",
    "*": " \N{MULTIPLICATION SIGN} ",
    "-": "\N{MINUS SIGN}",
    "**": "^",
}


def readable_relation(formula: str) -> str:
    """Write a formula of the registry as prose has it.

    Examples
    --------
    >>> readable_relation("prediction_advantage <= 2*f_beta - 1")
    'prediction advantage ≤ 2 × F1 − 1'
    >>> readable_relation("fp**2 != tp * fn and (f1_1 >= 0.30)")
    'fp^2 ≠ tp × fn and (F1₁ ≥ 0.30)'
    """
    line = " ".join(formula.split())
    said, end = "", 0
    for token in tokenize.generate_tokens(io.StringIO(line).readline):
        said += line[end : token.start[1]]
        said += _name(token.string) if token.type == tokenize.NAME else _SIGNS.get(token.string, token.string)
        end = token.end[1]
    return " ".join(said.split())


def _name(name: str) -> str:
    pair = _PAIR.get(name[-2:], "")
    name = name[:-2] if pair else name
    return _NAMES.get(name, name).replace("_", " ") + pair
