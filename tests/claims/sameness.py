"""What an entry says, whatever its words: relations by the numbers that both sides come to in the same few cases.

So the order of operands, of relations and of their sides says nothing, nor does what is moved from one side to the
other, nor how many cases a search goes through.
"""

import ast
import random
from fractions import Fraction

import numpy as np

from nontrivial.claims.domains import Forecasts, Tables, WholeNumbers
from nontrivial.claims.language import NamedNumbers, Value, evaluate, is_number, names_in
from nontrivial.claims.rankings.domains import AllRankings, RankingPairs
from nontrivial.claims.registry import Source

_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_TRIED, _ROWS = 50, 5


def _tables(domain):
    return [domain.cases(np.random.default_rng(0).integers(0, 9, (len(domain.axes()), _TRIED)))]


def _small(domain):
    return [part.cases for part in domain.small()]


_SAME = {
    "tables": _tables(Tables()),
    "pairs of tables": _tables(Tables(pairs=True)),
    "rankings": _small(AllRankings(4)),
    "pairs of rankings": _small(RankingPairs(3)),
    "pairs of curves": _small(RankingPairs(3, of_curves=True)),
    "forecasts": _small(Forecasts(2, 1, 1)),
}


def says(claim):
    """What an entry is about, what it presupposes, and what it claims, each so that equals are equal."""
    about = claim.about
    define = about.define if isinstance(about, WholeNumbers | Source) else {}
    if isinstance(about, WholeNumbers):
        over = "numbers"
        rows = [{name: Fraction(_seed(name, row), 97) for name in about.ranges} for row in range(_ROWS)]
        cases = [_numbers(row, define) for row in rows]
    elif isinstance(about, Source) and about.kind == "numbers":
        point = about.read(None)[0]
        cases = [_numbers(point.values, define)]
        over = (
            "fixed numbers",
            claim.formula.printed and claim.formula.printed[1],
            str(sorted(point.ranges.items())),
        )
    elif isinstance(about, Source):
        return repr(claim.over), frozenset(claim.given), claim.formula.text
    else:
        cases, over = _SAME[about.kind], about.kind
    given = frozenset().union(*(_all(condition.tree, cases, define) for condition in claim.conditions))
    return over, given, (claim.formula.sometimes, _all(claim.formula.tree, cases, define))


def _seed(name, row):
    return random.Random(f"{name} {row}").randrange(1, 10**6)


def _numbers(values, define):
    exact = {name: np.array([x.as_integer_ratio()], dtype=object).T for name, x in values.items()}
    return NamedNumbers({name: Value(*parts) for name, parts in exact.items()}, define)


def _all(node, cases, define):
    """The relations all of which a condition is."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return frozenset().union(*(_all(part, cases, define) for part in node.values))
    if isinstance(node, ast.Compare) and is_number(node.left):
        sides = [node.left, *node.comparators]
        links = zip(sides, node.ops, sides[1:], strict=False)
        return frozenset().union(*(_link(*link, cases, define) for link in links))
    if isinstance(node, ast.Compare):
        op = type(node.ops[0]).__name__
        return frozenset(
            [(op, frozenset(_all(part, cases, define) for part in (node.left, *node.comparators)))]
        )
    parts = [node.operand] if isinstance(node, ast.UnaryOp) else node.values
    return frozenset([(type(node).__name__, frozenset(_all(part, cases, define) for part in parts))])


def _link(left, op, right, cases, define):
    kind = type(op)
    if kind in _TURNED:
        left, kind, right = right, _TURNED[kind], left
    if kind in (ast.Lt, ast.LtE):
        for side, name in ((left, "max"), (right, "min")):
            if isinstance(side, ast.Call) and side.func.id == name:
                pairs = [(one, right) if side is left else (left, one) for one in side.args]
                return frozenset().union(*(_link(a, kind(), b, cases, define) for a, b in pairs))
    names = frozenset(_base(left, define) | _base(right, define))
    return frozenset([(kind.__name__, names, _difference(left, right, cases, kind in (ast.Eq, ast.NotEq)))])


def _base(node, define):
    """The names that a formula is made of in the end."""
    return {
        base
        for name in names_in(node)
        for base in (_base(define[name].tree, define) if name in define else {name})
    }


def _difference(left, right, cases, has_no_sign):
    """One side less the other in some cases, up to a factor; what both come to if they are always equal."""
    sides = [], []
    for some in cases:
        for found, node in zip(sides, (left, right), strict=True):
            found += evaluate(node, some).fractions()
    places = range(max(map(len, sides)))
    chosen = random.Random(0).sample(places, min(_TRIED, len(places)))
    ones, others = ([side[place % len(side)] for place in chosen] for side in sides)
    tried = [None if None in pair else pair[0] - pair[1] for pair in zip(ones, others, strict=True)]
    if not any(tried):
        return tuple(ones if None in others else others)
    scale = next(abs(x) if not has_no_sign else x for x in tried if x) if len(tried) > 1 else 1
    return tuple(None if x is None else x / scale for x in tried)
