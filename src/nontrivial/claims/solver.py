"""Decides claims about confusion tables of any size, and about other numbers without bounds, with the solver z3.

Cells are real numbers from 0 on, of which whole numbers are some: what no real table refutes no table does. A ratio is
kept as numerator, denominator (positive where there is a value) and "defined"; a measure with a square root as its
signed square. The definitions of the measures here are not those of `nontrivial.claims.tables`, by which whatever the
solver refutes is tried again.

The solver works under a limit of its own steps, which is the same on every machine; beyond it a claim is undecided.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import z3

from nontrivial.claims.formulas import SYMBOLS, Formula, is_number, literal

STEPS = 2_000_000
SPLITS = 3  # open signs, on which a minimum or a magnitude depends, that are taken both ways
_CELLS = ("fp", "tp", "fn", "tn")
_MEASURES = {
    "positives": "tp + fn",
    "negatives": "fp + tn",
    "predicted_positives": "tp + fp",
    "predicted_negatives": "fn + tn",
    "errors": "fp + fn",
    "n": "tp + fp + fn + tn",
    "accuracy": "(tp + tn) / n",
    "error_rate": "errors / n",
    "precision": "tp / predicted_positives",
    "recall": "tp / positives",
    "specificity": "tn / negatives",
    "negative_predictive_value": "tn / predicted_negatives",
    "false_positive_rate": "fp / negatives",
    "false_negative_rate": "fn / positives",
    "false_discovery_rate": "fp / predicted_positives",
    "false_omission_rate": "fn / predicted_negatives",
    "prevalence": "positives / n",
    "balanced_accuracy": "(recall + specificity) / 2",
    "informedness": "recall + specificity - 1",
    "markedness": "precision + negative_predictive_value - 1",
    "f1": "2 * tp / (positives + predicted_positives)",
    "jaccard": "tp / (tp + errors)",
    "p4": "4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn))",
    "chance_agreement": "(predicted_positives * positives + predicted_negatives * negatives) / n**2",
    "cohen_kappa": "(accuracy - chance_agreement) / (1 - chance_agreement)",
    "no_information_rate": "max(positives, negatives) / n",
    "prediction_advantage": "1 - errors / min(positives, negatives)",
    "goodman_kruskal_lambda": "1 - (min(tp, fp) + min(fn, tn)) / min(positives, negatives)",
    "precision_gain": "1 - positives / negatives * (fp / tp)",
    "recall_gain": "1 - positives / negatives * (fn / tp)",
    "f1_gain": "1 - positives / negatives * (errors / (2 * tp))",
    "positive_likelihood_ratio": "recall / false_positive_rate",
    "negative_likelihood_ratio": "false_negative_rate / specificity",
    "diagnostic_odds_ratio": "tp * tn / (fp * fn)",
}
# Those with a square root, by their squares and what has their sign.
_ROOTS = {
    "matthews_corrcoef": (
        "(tp*tn - fp*fn)**2 / (positives * negatives * predicted_positives * predicted_negatives)",
        "tp*tn - fp*fn",
    ),
    "fowlkes_mallows": ("tp**2 / (positives * predicted_positives)", "tp"),
}


@dataclass(frozen=True)
class Ratio:
    """A number in the solver's terms; `root` if the number meant is the signed square root."""

    above: Any
    below: Any
    defined: Any
    root: bool = False


class Symbols(Protocol):
    """Names in the solver's terms.

    Attributes
    ----------
    free : tuple
        The variables.
    bounds : list
        What holds of them.
    signed : bool
        Whether denominators are made positive, as an order needs; an equation is simpler without.
    """

    free: tuple[Any, ...]
    bounds: list[Any]
    signed: bool

    def value(self, name: str) -> Ratio:
        """What a name stands for."""

    def exchanged(self, how: str) -> Symbols:
        """The same with classes, or truth and prediction, exchanged."""

    def with_signs(self, signed: bool) -> Symbols:
        """The same with denominators made positive, or left as they are."""


class TableSymbols:
    """One confusion table."""

    def __init__(self, fp: Any, tp: Any, fn: Any, tn: Any, *, signed: bool = True) -> None:
        self.free, self.signed = (fp, tp, fn, tn), signed
        self.bounds = [cell >= 0 for cell in self.free]
        self._known = {name: _whole(cell) for name, cell in zip(_CELLS, self.free, strict=True)}

    @classmethod
    def named(cls, ending: str = "") -> TableSymbols:
        """A table of new variables."""
        return cls(*(z3.Real(name + ending) for name in _CELLS))

    def value(self, name: str) -> Ratio:
        """A measure or cell."""
        if name not in self._known:
            if name in _ROOTS:
                square, sign = (_ratio(_parsed(text), self) for text in _ROOTS[name])
                above = z3.If(sign.above >= 0, square.above, -square.above)
                self._known[name] = Ratio(above, square.below, square.defined, root=True)
            else:
                self._known[name] = _ratio(_parsed(_MEASURES[name]), self)
        return self._known[name]

    def exchanged(self, how: str) -> TableSymbols:
        """The table with classes, or truth and prediction, exchanged."""
        fp, tp, fn, tn = self.free
        cells = (fn, tn, fp, tp) if how == "swap" else (fn, tp, fp, tn)
        return TableSymbols(*cells, signed=self.signed)

    def with_signs(self, signed: bool) -> TableSymbols:
        """The same with denominators made positive, or left as they are."""
        return TableSymbols(*self.free, signed=signed)


class PairSymbols:
    """Two tables, whose names end in ``_1`` and ``_2``."""

    def __init__(self, one: TableSymbols, other: TableSymbols) -> None:
        self.tables = {"1": one, "2": other}
        self.free, self.signed = one.free + other.free, one.signed
        self.bounds = one.bounds + other.bounds

    def value(self, name: str) -> Ratio:
        """A measure of the table that the name's end tells."""
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure)

    def exchanged(self, how: str) -> PairSymbols:
        """Both exchanged."""
        return PairSymbols(*(table.exchanged(how) for table in self.tables.values()))

    def with_signs(self, signed: bool) -> PairSymbols:
        """The same with denominators made positive, or left as they are."""
        return PairSymbols(*(table.with_signs(signed) for table in self.tables.values()))


class NumberSymbols:
    """Numbers by name, and what is defined from them.

    Parameters
    ----------
    ranges : mapping of str to range
    define : mapping of str to Formula
    bounded : bool
        Whether the numbers stay within their ranges; otherwise they are from 0 on, or positive where 0 is not in the
        range.
    """

    def __init__(
        self,
        ranges: Mapping[str, range],
        define: Mapping[str, Formula],
        *,
        bounded: bool = False,
        signed: bool = True,
    ) -> None:
        self._made_of, self._bounded, self.signed = (ranges, define), bounded, signed
        self.free = tuple(z3.Real(name) for name in ranges)
        self.bounds = []
        for number, axis in zip(self.free, ranges.values(), strict=True):
            if bounded:
                self.bounds += [number >= axis[0], number <= axis[-1]]
            else:
                self.bounds.append(number > 0 if axis[0] > 0 else number >= 0)
        self._define = define
        self._known = {name: _whole(number) for name, number in zip(ranges, self.free, strict=True)}

    def value(self, name: str) -> Ratio:
        """A number, or what is defined."""
        if name not in self._known:
            self._known[name] = _ratio(self._define[name].tree, self)
        return self._known[name]

    def exchanged(self, how: str) -> NumberSymbols:
        """ValueError: these are no tables."""
        raise ValueError(f"{how}() is for measures of a confusion table.")

    def with_signs(self, signed: bool) -> NumberSymbols:
        """The same with denominators made positive, or left as they are."""
        return NumberSymbols(*self._made_of, bounded=self._bounded, signed=signed)


@dataclass(frozen=True)
class Answer:
    """Whether there is a case: True, False, or None if the limit was reached first; and one, if there is."""

    exists: bool | None
    case: tuple[Fraction, ...] | None = None


def find_case(symbols: Symbols, given: Sequence[Formula], *also: Any) -> Answer:
    """Look for a case that is as given and as the conditions in the solver's terms say.

    Parameters
    ----------
    symbols : Symbols
    given : sequence of Formula
        Conditions that must be true.
    *also
        Further conditions; of a disjunction each part is looked for by itself.
    """
    base = [*symbols.bounds, *(truth_of(formula, symbols)[0] for formula in given)]
    answers = []
    for parts in itertools.product(*map(_alternatives, also)):
        answers.append(_solve([*base, *parts], symbols.free))
        if answers[-1].exists:
            return answers[-1]
    return Answer(None if any(answer.exists is None for answer in answers) else False)


def truth_of(formula: Formula, symbols: Symbols) -> tuple[Any, Any]:
    """Where a condition is true, and where it is false, in the solver's terms."""
    return _truth(formula.tree, symbols)


def negated(condition: Any) -> Any:
    """What is true where a condition in the solver's terms is not."""
    return z3.Not(condition)


def _solve(conditions: list[Any], free: Sequence[Any]) -> Answer:
    """Ask the solver; where it gives up, ask again with each open sign taken both ways."""
    answer = _ask(conditions, free)
    if answer.exists is not None:
        return answer
    signs = list(dict.fromkeys(sign for condition in conditions for sign in _open_signs(condition)))[:SPLITS]
    answers = []
    for values in itertools.product((True, False), repeat=len(signs)):
        settled = [(sign, z3.BoolVal(value)) for sign, value in zip(signs, values, strict=True)]
        taken = [sign if value else z3.Not(sign) for sign, value in zip(signs, values, strict=True)]
        parts = (
            [z3.simplify(z3.substitute(condition, *settled)) for condition in conditions] if settled else []
        )
        answers.append(_ask([*parts, *taken], free) if parts else answer)
        if answers[-1].exists:
            return answers[-1]
    return Answer(None if any(one.exists is None for one in answers) else False)


def _ask(conditions: list[Any], free: Sequence[Any]) -> Answer:
    solver = z3.Solver()
    solver.set("rlimit", STEPS)
    solver.add(conditions)
    result = solver.check()
    if result != z3.sat:
        return Answer(False if result == z3.unsat else None)
    model = solver.model()
    values = [model.eval(variable, model_completion=True) for variable in free]
    if not all(z3.is_rational_value(value) for value in values):
        return Answer(True)
    return Answer(
        True, tuple(Fraction(value.numerator_as_long(), value.denominator_as_long()) for value in values)
    )


def _alternatives(condition: Any) -> list[Any]:
    return list(condition.children()) if z3.is_or(condition) else [condition]


def _open_signs(condition: Any) -> list[Any]:
    """The conditions on which parts of it depend, the innermost first."""
    found, waiting, seen = [], [condition], set()
    while waiting:
        part = waiting.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_app_of(part, z3.Z3_OP_ITE):
            found.append(part.arg(0))
        waiting += part.children()
    return found[::-1]


@functools.cache
def _parsed(text: str) -> ast.expr:
    return Formula.number(text).tree


def _whole(number: Any) -> Ratio:
    return Ratio(number, z3.RealVal(1), z3.BoolVal(True))


def _ratio(node: ast.expr, symbols: Symbols) -> Ratio:
    match node:
        case ast.Name(id=name):
            return symbols.value(name)
        case ast.Constant():
            return _whole(z3.RealVal(str(literal(node))))
        case ast.UnaryOp(operand=operand):
            part = _ratio(operand, symbols)
            return Ratio(-part.above, part.below, part.defined)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=power)):
            return functools.reduce(_times, [_ratio(left, symbols)] * power)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _ratio(left, symbols), _ratio(right, symbols)
            if isinstance(op, ast.Div):
                return _over(one, other, symbols.signed)
            return {ast.Add: _plus, ast.Sub: _minus, ast.Mult: _times}[type(op)](one, other)
        case ast.Call(func=ast.Name(id="abs"), args=[part]):
            inner = _ratio(part, symbols.with_signs(True))
            return Ratio(z3.If(inner.above >= 0, inner.above, -inner.above), inner.below, inner.defined)
        case ast.Call(func=ast.Name(id=name), args=parts) if name in ("min", "max"):
            choose = functools.partial(_choose, "<=" if name == "min" else ">=")
            signed = symbols.with_signs(True)
            return functools.reduce(choose, [_ratio(part, signed) for part in parts])
        case ast.Call(func=ast.Name(id=name), args=[part]):
            return _ratio(part, symbols.exchanged(name))
    raise AssertionError(ast.dump(node))


def _truth(node: ast.expr, symbols: Symbols) -> tuple[Any, Any]:
    match node:
        case ast.UnaryOp(operand=operand):
            true, false = _truth(operand, symbols)
            return false, true
        case ast.BoolOp(op=op, values=parts):
            truths, falses = zip(*(_truth(part, symbols) for part in parts), strict=True)
            if isinstance(op, ast.And):
                return z3.And(truths), z3.Or(falses)
            return z3.Or(truths), z3.And(falses)
        case ast.Compare(left=left, comparators=[right]) if not is_number(left):
            (yes, no), (also, nor) = _truth(left, symbols), _truth(right, symbols)
            return z3.Or(z3.And(yes, also), z3.And(no, nor)), z3.Or(z3.And(yes, nor), z3.And(no, also))
        case ast.Compare(left=left, ops=ops, comparators=others):
            if all(isinstance(op, ast.Eq | ast.NotEq) for op in ops):
                symbols = symbols.with_signs(False)
            terms = [left, *others]
            links = [
                link
                for op, one, other in zip(ops, terms, others, strict=False)
                for link in _links(SYMBOLS[type(op)], one, other)
            ]
            defined = z3.And([_ratio(term, symbols).defined for term in terms])
            held = [
                _holds(symbol, _ratio(one, symbols), _ratio(other, symbols)) for one, symbol, other in links
            ]
            return z3.And(defined, *held), z3.Or([z3.And(defined, z3.Not(one)) for one in held])
    raise AssertionError(ast.dump(node))


def _links(symbol: str, one: ast.expr, other: ast.expr) -> list[tuple[ast.expr, str, ast.expr]]:
    """A comparison with a minimum on its greater side, or a maximum on its smaller one, as one for each member."""
    if symbol in (">=", ">"):
        return [(b, symbol, a) for a, _, b in _links({">=": "<=", ">": "<"}[symbol], other, one)]
    if symbol in ("<=", "<"):
        return [(a, symbol, b) for a in _members(one, "max") for b in _members(other, "min")]
    return [(one, symbol, other)]


def _members(node: ast.expr, choice: str) -> list[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=members) if name == choice:
            return members
    return [node]


def _holds(symbol: str, one: Ratio, other: Ratio) -> Any:
    if one.root or other.root:
        one, other = _signed_square(one), _signed_square(other)
    left, right = _product(one.above, other.below), _product(other.above, one.below)
    return {
        "<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right,
        "==": left == right, "!=": left != right,
    }[symbol]  # fmt: skip


def _signed_square(part: Ratio) -> Ratio:
    if part.root:
        return part
    square = part.above * part.above
    return Ratio(z3.If(part.above >= 0, square, -square), _product(part.below, part.below), part.defined)


def _plus(one: Ratio, other: Ratio) -> Ratio:
    if one.below.eq(other.below):
        return Ratio(one.above + other.above, one.below, z3.And(one.defined, other.defined))
    above = _product(one.above, other.below) + _product(other.above, one.below)
    return Ratio(above, _product(one.below, other.below), z3.And(one.defined, other.defined))


def _minus(one: Ratio, other: Ratio) -> Ratio:
    return _plus(one, Ratio(-other.above, other.below, other.defined))


def _times(one: Ratio, other: Ratio) -> Ratio:
    below = _product(one.below, other.below)
    return Ratio(_product(one.above, other.above), below, z3.And(one.defined, other.defined))


def _over(one: Ratio, other: Ratio, signed: bool) -> Ratio:
    """(sign of b) a / |b|, so that the denominator is positive where that matters."""
    above, below = _product(one.above, other.below), _product(one.below, other.above)
    defined = z3.And(one.defined, other.defined, other.above != 0)
    if not signed or _is_plainly_positive(other.above):
        return Ratio(above, below, defined)
    positive = other.above > 0
    return Ratio(z3.If(positive, above, -above), z3.If(positive, below, -below), defined)


def _choose(symbol: str, one: Ratio, other: Ratio) -> Ratio:
    first = _holds(symbol, one, other)
    below = one.below if one.below.eq(other.below) else z3.If(first, one.below, other.below)
    return Ratio(z3.If(first, one.above, other.above), below, z3.And(one.defined, other.defined))


def _product(one: Any, other: Any) -> Any:
    if _is_one(one):
        return other
    return one if _is_one(other) else one * other


def _is_one(term: Any) -> bool:
    return z3.is_rational_value(term) and term.as_fraction() == 1


def _is_plainly_positive(term: Any) -> bool:
    """Tell that a term is made of variables from 0 on without a minus."""
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        return all(_is_plainly_positive(part) for part in term.children()[1:])
    if z3.is_app_of(term, z3.Z3_OP_SUB) or z3.is_app_of(term, z3.Z3_OP_UMINUS):
        return False
    if z3.is_rational_value(term):
        return term.as_fraction() >= 0
    return all(_is_plainly_positive(part) for part in term.children())
