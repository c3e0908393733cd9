"""Conditions on confusion tables, evaluated once more: case by case, in fractions, by definitions of its own.

None stands for what has no value, and for what is neither true nor false.
"""

import ast
import functools
import itertools
import operator
from fractions import Fraction

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


def total(*parts):
    return None if absent(parts) else sum(parts)


def harmonic(*parts):
    """The harmonic mean of shares by its limit: 0 if one of them is 0."""
    if absent(parts):
        return None
    return Fraction(0) if 0 in parts else len(parts) / sum(Fraction(1) / part for part in parts)


def gain(rate, share):
    """A rate on the harmonic scale on which the share of positives is 0 and 1 is 1."""
    return None if absent((rate, share)) else over(rate - share, (1 - share) * rate)


@functools.cache
def measure(name, cells):
    """A measure of one table, from what its name means."""
    fp, tp, fn, tn = cells
    n, yes, no, said = fp + tp + fn + tn, tp + fn, fp + tn, tp + fp
    precision, recall, specificity, npv = over(tp, said), over(tp, yes), over(tn, no), over(tn, n - said)
    share = over(yes, n)
    match name:
        case "fp" | "tp" | "fn" | "tn":
            return {"fp": fp, "tp": tp, "fn": fn, "tn": tn}[name]
        case "n" | "positives" | "negatives" | "errors":
            return {"n": n, "positives": yes, "negatives": no, "errors": fp + fn}[name]
        case "predicted_positives":
            return said
        case "predicted_negatives":
            return n - said
        case "precision":
            return precision
        case "recall":
            return recall
        case "specificity":
            return specificity
        case "negative_predictive_value":
            return npv
        case "false_positive_rate":
            return over(fp, no)
        case "false_negative_rate":
            return over(fn, yes)
        case "false_discovery_rate":
            return None if precision is None else 1 - precision
        case "false_omission_rate":
            return None if npv is None else 1 - npv
        case "positive_likelihood_ratio":
            return over(recall, over(fp, no))
        case "negative_likelihood_ratio":
            return over(over(fn, yes), specificity)
        case "diagnostic_odds_ratio":
            return over(tp * tn, fp * fn)
        case "prevalence":
            return share
        case "accuracy":
            return over(n - fp - fn, n)
        case "error_rate":
            return over(fp + fn, n)
        case "no_information_rate":
            return over(max(yes, no), n)
        case "balanced_accuracy":
            return over(total(recall, specificity), 2)
        case "informedness":
            return total(recall, specificity, -1)
        case "markedness":
            return total(precision, npv, -1)
        case "f1" | "f_beta":
            return over(2 * tp, yes + said)
        case "jaccard":
            return over(tp, n - tn)
        case "p4":
            rates = (precision, recall, specificity, npv)
            # Where one of the four has no value there is no success of a kind, and P4 is 0 by its limit.
            return None if tp + tn == 0 else Fraction(0) if absent(rates) else harmonic(*rates)
        case "chance_agreement":
            return None if n == 0 else over(yes * said + no * (n - said), n * n)
        case "cohen_kappa":
            return None if n == 0 else over(over(tp + tn, n) - chance(cells), 1 - chance(cells))
        case "prediction_advantage":
            return None if min(yes, no) == 0 else 1 - Fraction(fp + fn, min(yes, no))
        case "goodman_kruskal_lambda":
            return None if min(yes, no) == 0 else 1 - Fraction(min(tp, fp) + min(fn, tn), min(yes, no))
        case "precision_gain":
            return gain(precision, share) if tp and no else None
        case "recall_gain":
            return gain(recall, share) if tp and no else None
        case "f_beta_gain":
            return gain(over(2 * tp, yes + said), share) if tp and no else None
        case "geometric_mean":
            return None if absent((recall, specificity)) else Root(recall * specificity)
        case "matthews_corrcoef":
            covariance = tp * tn - fp * fn
            square = over(covariance**2, yes * no * said * (n - said))
            return None if square is None else Root(-square if covariance < 0 else square)
        case "fowlkes_mallows":
            square = over(tp * tp, yes * said)
            return None if square is None else Root(square)
    raise AssertionError(name)


def chance(cells):
    return measure("chance_agreement", cells)


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
            one, other = number(left, tables), number(right, tables)
            if absent((one, other)):
                return None
            match op:
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.Mult():
                    return one * other
                case ast.Div():
                    return over(one, other)
                case ast.Pow():
                    return one ** int(other)
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
            one, other = truth(left, tables), truth(right, tables)
            return None if None in (one, other) else OPERATORS[type(op)](one, other)
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [number(part, tables) for part in (left, *others)]
            if absent(values):
                return None
            if any(isinstance(value, Root) for value in values):
                values = [signed_square(value) for value in values]
            return all(
                OPERATORS[type(op)](*pair) for op, pair in zip(ops, itertools.pairwise(values), strict=True)
            )
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
    return itertools.chain.from_iterable(_of_sum(cells, n) for n in range(largest + 1))


def _of_sum(cells, n):
    if cells == 1:
        return [(n,)]
    return [(first, *rest) for first in range(n + 1) for rest in _of_sum(cells - 1, n - first)]
