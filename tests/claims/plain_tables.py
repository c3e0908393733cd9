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


def measure(name, cells):
    """A measure of one table, from what its name means."""
    return _measures(cells)[name]


@functools.cache
def _measures(cells):
    fp, tp, fn, tn = cells
    n, yes, no, said = fp + tp + fn + tn, tp + fn, fp + tn, tp + fp
    precision, recall, specificity, npv = over(tp, said), over(tp, yes), over(tn, no), over(tn, n - said)
    share, chance = over(yes, n), n and over(yes * said + no * (n - said), n * n)
    false_positive_rate, false_negative_rate = over(fp, no), over(fn, yes)
    f1, rates = over(2 * tp, yes + said), (precision, recall, specificity, npv)
    # Where one of the four rates has no value there is no success of a kind, and P4 is 0 by its limit.
    p4 = None if tp + tn == 0 else Fraction(0) if absent(rates) else harmonic(*rates)
    gains = (gain(rate, share) if tp and no else None for rate in (precision, recall, f1))
    covariance = tp * tn - fp * fn
    return {
        "fp": fp,
        "tp": tp,
        "fn": fn,
        "tn": tn,
        "n": n,
        "positives": yes,
        "negatives": no,
        "errors": fp + fn,
        "predicted_positives": said,
        "predicted_negatives": n - said,
        "precision": precision,
        "recall": recall,
        "specificity": specificity,
        "negative_predictive_value": npv,
        "prevalence": share,
        "false_positive_rate": false_positive_rate,
        "false_negative_rate": false_negative_rate,
        "false_discovery_rate": None if precision is None else 1 - precision,
        "false_omission_rate": None if npv is None else 1 - npv,
        "positive_likelihood_ratio": over(recall, false_positive_rate),
        "negative_likelihood_ratio": over(false_negative_rate, specificity),
        "diagnostic_odds_ratio": over(tp * tn, fp * fn),
        "accuracy": over(n - fp - fn, n),
        "error_rate": over(fp + fn, n),
        "no_information_rate": over(max(yes, no), n),
        "balanced_accuracy": over(total(recall, specificity), 2),
        "informedness": total(recall, specificity, -1),
        "markedness": total(precision, npv, -1),
        "f1": f1,
        "f_beta": f1,
        "jaccard": over(tp, n - tn),
        "p4": p4,
        "chance_agreement": chance if n else None,
        "cohen_kappa": over(over(tp + tn, n) - chance, 1 - chance) if n else None,
        "prediction_advantage": 1 - Fraction(fp + fn, min(yes, no)) if min(yes, no) else None,
        "goodman_kruskal_lambda": 1 - Fraction(min(tp, fp) + min(fn, tn), min(yes, no))
        if min(yes, no)
        else None,
        "prevalence_threshold": over(
            false_positive_rate, total(false_positive_rate, recall)
        ),  # its square's scale
        **dict(zip(("precision_gain", "recall_gain", "f_beta_gain"), gains, strict=True)),
        "geometric_mean": None if absent((recall, specificity)) else Root(recall * specificity),
        "matthews_corrcoef": root(covariance * abs(covariance), yes * no * said * (n - said)),
        "fowlkes_mallows": root(tp * tp, yes * said),
    }


def root(above, below):
    square = over(above, below)
    return None if square is None else Root(square)


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
    found = itertools.product(range(largest + 1), repeat=cells)
    return sorted((case for case in found if sum(case) <= largest), key=lambda case: (sum(case), case))
