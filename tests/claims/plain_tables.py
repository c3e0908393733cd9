"""Conditions on confusion tables, evaluated once more: case by case, in fractions.

None stands for what has no value, and for what is neither true nor false.
"""

import ast
import functools
import itertools
import operator
from fractions import Fraction

from nontrivial.measures.catalogue import CATALOGUE, ROOT_SCALE, ConfusionTables

OPERATORS = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class Root:
    """A square root with a sign, by its square with that sign."""

    def __init__(self, square):
        self.square = square


def over(above, below):
    if above is None or below is None or below == 0:
        return None
    return Fraction(above) / below


def absent(parts):
    """Whether one of them is None, by identity, as fractions are slow to compare."""
    return any(part is None for part in parts)


@functools.cache
def measure(name, cells):
    """A cell, a margin or a measure of one table, as a fraction; of a measure with another scale, by its ratio."""
    fp, tp, fn, tn = map(Fraction, cells)
    tables = ConfusionTables(tp, fp, fn, tn)
    if name == "chance_agreement":
        predicted, positives, n = tables.predicted_positives, tables.positives, tables.n
        return over(positives * predicted + (n - positives) * (n - predicted), n * n)
    if hasattr(tables, name):
        return getattr(tables, name)
    record = CATALOGUE["f_beta" if name == "f1" else name]
    ratio = over(*record.ratio(tables)[:: -1 if record.scale.falls else 1])
    return Root(ratio) if record.scale == ROOT_SCALE and ratio is not None else ratio


def exchanged(tables, how):
    if how == "swap":
        return {end: (fn, tn, fp, tp) for end, (fp, tp, fn, tn) in tables.items()}
    return {end: (fn, tp, fp, tn) for end, (fp, tp, fn, tn) in tables.items()}


def number(node, tables):
    """A number, of tables by the ending of their names."""
    match node:
        case ast.Constant(value=value):
            return value if isinstance(value, int) else Fraction(str(value))
        case ast.Name(id=name):
            end = next(end for end in tables if name.endswith(end))
            return measure(name.removesuffix(end), tables[end])
        case ast.UnaryOp(op=ast.USub(), operand=part):
            part = number(part, tables)
            return None if part is None else -part
        case ast.Call(func=ast.Name(id="swap" | "transpose" as how), args=[part]):
            return number(part, exchanged(tables, how))
        case ast.Call(func=ast.Name(id=name), args=parts):
            parts = [number(part, tables) for part in parts]
            return None if absent(parts) else {"min": min, "max": max, "abs": abs}[name](*parts)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = number(left, tables), number(right, tables)
            if absent((first, second)):
                return None
            match op:
                case ast.Add():
                    return first + second
                case ast.Sub():
                    return first - second
                case ast.Mult():
                    return first * second
                case ast.Div():
                    return over(first, second)
                case ast.Pow():
                    return first ** int(second)
    raise AssertionError(ast.dump(node))


def signed_square(value):
    return value.square if isinstance(value, Root) else value * abs(value)


def truth(node, tables):
    """True, False or None."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=part):
            part = truth(part, tables)
            return None if part is None else not part
        case ast.BoolOp(op=op, values=parts):
            parts, settles = [truth(part, tables) for part in parts], isinstance(op, ast.Or)
            return settles if settles in parts else None if None in parts else not settles
        case ast.Compare(left=ast.Compare() | ast.BoolOp() as left, ops=[op], comparators=[right]):
            first, second = truth(left, tables), truth(right, tables)
            return None if None in (first, second) else OPERATORS[type(op)](first, second)
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [number(part, tables) for part in (left, *others)]
            if absent(values):
                return None
            if any(isinstance(value, Root) for value in values):
                values = [signed_square(value) for value in values]
            return all(OPERATORS[type(op)](*pair) for op, pair in zip(ops, itertools.pairwise(values), strict=True))
    raise AssertionError(ast.dump(node))


class Condition:
    """A condition in the registry's words."""

    def __init__(self, text):
        tree = ast.parse(text.strip(), mode="eval").body
        self.sometimes = isinstance(tree, ast.Call)
        self.tree = tree.args[0] if self.sometimes else tree

    def __call__(self, case):
        """Whether it is true of a table of four cells, or a pair of eight; None where it is undefined."""
        tables = {"": case} if len(case) == 4 else {"_1": case[:4], "_2": case[4:]}
        return truth(self.tree, tables)


def cases(cells, largest):
    """All tables, or pairs, by the number of their cases and then cell by cell."""
    rows = itertools.product(range(largest + 1), repeat=cells)
    return sorted((case for case in rows if sum(case) <= largest), key=lambda case: (sum(case), case))
