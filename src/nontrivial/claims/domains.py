"""What claims are about: confusion tables and pairs of them, distributions, numbers by name, printed numbers."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.language import Cases, Formula, NamedNumbers, Printed, Truth, Value, all_true, evaluate
from nontrivial.claims.solver import Ratio, Space, plain
from nontrivial.claims.verdict import Absent, Case, Number, Numbers, Range
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.names import ALIASES

# Confusion tables. Measures are the ratios of the catalogue: 0/0 has no value, x/0 is infinite.
CELLS = ("fp", "tp", "fn", "tn")
MARGINS = ("positives", "negatives", "predicted_positives", "predicted_negatives", "errors", "n")
CHANCE_AGREEMENT = Formula.number(
    "(predicted_positives * positives + predicted_negatives * negatives) / n**2"
)
FACTOR = "k"
NAMES = (*CELLS, *MARGINS, *CATALOGUE, "f1", "chance_agreement")


class Table(Cases):
    """A confusion table, or many at once, by the numbers FP, TP, FN and TN, and a factor where cases have one."""

    def __init__(self, *cells: Any, beta: Fraction = Fraction(1), factor: Any = None) -> None:
        self.cells, self.arithmetic, self.factor = cells, type(cells[0]), factor
        fp, tp, fn, tn = cells
        hits, misses = (beta**2).as_integer_ratio()
        self._tables = ConfusionTables(tp, fp, fn, tn, weights=(misses, hits))
        self._known: dict[str, Any] = {}

    def value(self, name: str) -> Any:
        """A cell, a margin or a measure, also F and its gain with a beta such as ``f_beta(2)``; computed once."""
        if name not in self._known:
            self._known[name] = self._compute(name)
        return self._known[name]

    def _compute(self, name: str) -> Any:
        measure, _, beta = name.partition("(")
        if beta:
            return Table(*self.cells, beta=Fraction(beta.removesuffix(")"))).value(measure)
        if name == FACTOR and self.factor is not None:
            return self.factor
        if name in (*CELLS, *MARGINS):
            return getattr(self._tables, name)
        if name == "chance_agreement":
            return CHANCE_AGREEMENT.value(self)
        if name not in NAMES:
            raise ValueError(f"{name!r} is unknown; known: {', '.join(NAMES)}.")
        record = CATALOGUE[ALIASES.get(name, name)]
        above, below = record.ratio(self._tables)
        if record.scale.falls:
            return replace(below / above, scale=record.scale.of_reciprocal)
        return replace(above / below, scale=record.scale)

    def exchanged(self, how: str) -> Table:
        fp, tp, fn, tn = self.cells
        cells = (fn, tn, fp, tp) if how == "swap" else (fn, tp, fp, tn)
        return Table(*cells, factor=self.factor)

    def multiplied(self, label: str, factor: Any, words: str) -> Table:
        fp, tp, fn, tn = self.cells
        if label == "positives":
            tp, fn = tp * factor, fn * factor
        else:
            fp, tn = fp * factor, tn * factor
        return Table(fp, tp, fn, tn, factor=self.factor)


class TwoTables(Cases):
    """Pairs of tables, whose names end in ``_1`` and ``_2``, before any beta."""

    def __init__(self, first: Table, second: Table) -> None:
        self.tables = {"1": first, "2": second}
        self.arithmetic = first.arithmetic

    def value(self, name: str) -> Any:
        name, bracket, beta = name.partition("(")
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure + bracket + beta)

    def exchanged(self, how: str) -> TwoTables:
        return TwoTables(*(table.exchanged(how) for table in self.tables.values()))

    def multiplied(self, label: str, factor: Any, words: str) -> TwoTables:
        return TwoTables(*(table.multiplied(label, factor, words) for table in self.tables.values()))


# Kinds of cases.
#
# A case is a tuple of whole numbers, say the four cells of a table. A domain goes through its small cases in the order
# of size (by sum, then one by one); the solver decides some domains for cases of any size.
#
# Up to how many cases tables are tried, in both together if they come in pairs; a factor counts as so many cases.
SMALL = {"tables": 12, "pairs of tables": 8, "tables and a factor": 10}
LARGEST = {
    "tables": 48,
    "pairs of tables": 16,
    "tables and a factor": 24,
}  # if no small table settles a claim
_LARGEST_WITHOUT_EMPTY_CELL = {"tables": 48, "pairs of tables": 18, "tables and a factor": 24}
_BLOCK = 2**14
_MOST_OF_LOG = 10**15  # the denominator of a number from logarithms
_MOST = 10**6  # combinations of whole numbers
_FACTORS = tuple(map(Fraction, ("1/2", "1/7", "1/100", "100", "1e9")))  # near 1, near 0, and large


@dataclass(frozen=True)
class Part:
    """Cases that are tried at once, in the order of size; `case` gives the one at a place."""

    cases: Cases
    count: int
    case: Callable[[int], Case]

    def first(self, mask: np.ndarray) -> Case | None:
        return self.case(int(np.argmax(mask))) if mask.any() else None


class Domain(ABC):
    """What the search and the solver need to know of cases of a kind."""

    kind: str  # as the registry calls it
    complete: bool = False  # whether its small cases are all that it has
    whole: bool = True  # whether its cases are whole numbers only
    gapless: bool = True  # whether its larger cases are all up to some size

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """What its cases have numbers for."""

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """What was searched, as plain data."""

    @abstractmethod
    def small(self) -> Iterable[Part]:
        """Its small cases, by size."""

    def larger(self, names: Collection[str]) -> Iterable[Part]:
        """Some larger ones, by size, in which a claim with these names can be judged."""
        return ()

    def larger_fields(self, names: Collection[str]) -> dict[str, Any]:
        """What of these was searched, as plain data."""
        return {}

    @abstractmethod
    def natural(self) -> Iterable[Part]:
        """Those that people meet, by size: no cell or count is 0, and rankings have no ties."""

    @abstractmethod
    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One case in numbers that nothing outgrows; None if it is not in the domain."""

    def space(self) -> Space | None:
        """Its cases in the solver's terms; None if the solver cannot take them."""
        return None


class Rows(Domain):
    """Cases that are rows of whole numbers, each of which is in a range."""

    ranges: Mapping[str, range]  # of each number

    @abstractmethod
    def cases(self, columns: Any, arithmetic: Any = Value) -> Cases:
        """Cases from a column for each number."""

    def grid(self) -> np.ndarray:
        """All combinations of the numbers; ValueError if there are too many."""
        axes = self.ranges.values()
        if math.prod(map(len, axes)) > _MOST:
            raise ValueError(f"the ranges have more than {_MOST:,} combinations.")
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))

    def small(self) -> Iterable[Part]:
        return map(self.part, _in_blocks(self.grid()))

    def natural(self) -> Iterable[Part]:
        grid = self.grid()
        return map(self.part, _in_blocks(grid[(grid > 0).all(axis=1)]))

    def has(self, number: int | Fraction, axis: range) -> bool:
        return type(number) is int and number in axis

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        axes = self.ranges.values()
        if len(case) != len(axes) or not all(map(self.has, case, axes)):
            return None
        return self.cases(np.array([case], dtype=object).T)

    def part(self, block: np.ndarray) -> Part:
        return Part(self.cases(block.T), len(block), lambda place: plain(block[place].tolist()))

    def space(self) -> Space | None:
        """Variables from 0 on, or positive where a range begins with 1 or more."""
        names = [f"?{name}" for name in self.ranges]
        bounds = [f"(> ?{name} 0.0)" for name, axis in self.ranges.items() if axis[0] > 0]
        return Space(names, bounds, self.cases(names, Ratio), self.whole)


def _in_blocks(rows: np.ndarray) -> Iterator[np.ndarray]:
    """Rows of numbers by their sums, some at a time."""
    rows = rows[np.argsort(rows.sum(axis=1), kind="stable")]
    return (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))


@dataclass(frozen=True)
class Tables(Rows):
    """Confusion tables of any size, "tables and a factor", or "pairs of tables": of two classifiers or problems."""

    kind: str = "tables"

    @property
    def _ends(self) -> Sequence[str]:
        return ("_1", "_2") if self.kind == "pairs of tables" else ("",)

    @property
    def _factor(self) -> Sequence[str]:
        return (FACTOR,) if self.kind == "tables and a factor" else ()

    @property
    def names(self) -> Sequence[str]:
        return [*(f"{name}{end}" for end in self._ends for name in NAMES), *self._factor]

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind, "cases": SMALL[self.kind]}

    @functools.cached_property
    def ranges(self) -> Mapping[str, range]:  # type: ignore[override]
        cells = {f"{cell}{end}": range(10**100) for end in self._ends for cell in CELLS}  # any counts
        return cells | dict.fromkeys(self._factor, range(1, 10**100))

    def cases(self, columns: Any, arithmetic: Any = Value) -> Cases:
        numbers = list(map(arithmetic, columns))
        if self.kind == "pairs of tables":
            return TwoTables(Table(*numbers[:4]), Table(*numbers[4:]))
        return Table(*numbers[:4], factor=numbers[4] if self._factor else None)

    def small(self) -> Iterable[Part]:
        return [_small(self)]

    def _with_factor(self, block: np.ndarray) -> Part:
        """Leave out tables with a factor of 0, if there is a factor."""
        return self.part(block[block[:, -1] > 0] if self._factor else block)

    def larger(self, names: Collection[str]) -> Iterable[Part]:
        return map(self._with_factor, _by_total(len(self.ranges), SMALL[self.kind] + 1, LARGEST[self.kind]))

    def larger_fields(self, names: Collection[str]) -> dict[str, Any]:
        return {"larger": LARGEST[self.kind]}

    def natural(self) -> Iterable[Part]:
        cells = len(self.ranges)
        largest = _LARGEST_WITHOUT_EMPTY_CELL[self.kind] - cells
        return (self.part(block + 1) for block in _by_total(cells, 0, largest))


@functools.cache  # claims share them, and what each measure comes to on them
def _small(tables: Tables) -> Part:
    return tables._with_factor(np.concatenate(list(_by_total(len(tables.ranges), 0, SMALL[tables.kind]))))


def _by_total(count: int, first: int, last: int) -> Iterator[np.ndarray]:
    """All sequences of so many whole numbers from 0 on with sums from `first` to `last`, in blocks."""
    for total in range(first, last + 1):
        bars = np.array(list(itertools.combinations(range(total + count - 1), count - 1)), dtype=np.int64)
        cases = np.diff(bars, axis=1, prepend=-1, append=total + count - 1) - 1
        yield from _in_blocks(cases)


@dataclass(frozen=True)
class WholeNumbers(Rows):
    """Numbers by name, each in a range, and what is defined from them."""

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    complete: bool = True  # or all positive real numbers are meant, of which the ranges are tried
    whole: bool = True
    kind = "numbers"

    @classmethod
    def positive(cls, names: Sequence[str], define: Mapping[str, Formula]) -> WholeNumbers:
        """All positive numbers, of which few are tried."""
        largest = 6 if len(names) < 5 else 3
        return cls(dict.fromkeys(names, range(1, largest + 1)), define, complete=False, whole=False)

    def fields(self) -> dict[str, Any]:
        ranges = {name: [axis[0], axis[-1]] for name, axis in self.ranges.items()}
        return {"over": self.kind, "ranges": ranges, "open": not self.complete}

    @property
    def names(self) -> Sequence[str]:
        return [*self.ranges, *self.define]

    def cases(self, columns: Any, arithmetic: Any = Value) -> NamedNumbers:
        numbers = dict(zip(self.ranges, map(arithmetic, columns), strict=True))
        return NamedNumbers(numbers, self.define, arithmetic)

    def larger(self, names: Collection[str]) -> Iterable[Part]:
        """Of all positive numbers, the small cases times each of some factors."""
        for factor in () if self.complete else _FACTORS:
            for block in _in_blocks(self.grid()):
                yield self.part(block * factor)

    def has(self, number: int | Fraction, axis: range) -> bool:
        """Whether a number is in its range; if all numbers are meant, whether it is positive."""
        return super().has(number, axis) if self.complete else number > 0

    def space(self) -> Space | None:
        return None if any(formula.has_logarithm for formula in self.define.values()) else super().space()


# Cross-entropy: distributions of labels, and forecasts that take no notice of the features (PA paper, Section 2.3).
#
# Whole counts give a distribution of labels, and a forecast, the same for every case. A forecast's likelihood stands
# for its risk: it is the exponential of minus the risk summed over the cases.
Counts = Sequence[Any]  # of each label


def _likelihood(labels: Counts, forecast: Counts) -> Value:
    return Value(math.prod(map(pow, forecast, labels)), sum(forecast) ** sum(labels))


def _entropy_likelihood(labels: Counts, _: Counts) -> Value:
    """By the chain rule of entropy: first label or not, then second or not, .."""
    left = [sum(labels[place:]) for place in range(len(labels) + 1)]
    steps = math.prod(count**count * rest**rest for count, rest in zip(labels, left[1:], strict=True))
    return Value(steps, math.prod(count**count for count in left[:-1]))


def _divergence_likelihood(labels: Counts, guess: Counts) -> Value:
    """By the definition of the divergence, a sum over the labels."""
    above = math.prod((guessed * sum(labels)) ** count for count, guessed in zip(labels, guess, strict=True))
    return Value(above, math.prod((count * sum(guess)) ** count for count in labels))


FORECASTS: dict[str, Callable[[Counts, Counts], Value]] = {
    "cases": lambda labels, _: Value(sum(labels)),
    "guesses": lambda _, guess: Value(sum(guess)),
    "shares_likelihood": lambda labels, _: _likelihood(labels, labels),
    "guess_likelihood": _likelihood,
    "entropy_likelihood": _entropy_likelihood,
    "divergence_likelihood": _divergence_likelihood,
}


@dataclass(frozen=True)
class Forecasts(Rows):
    """All distributions of labels and all forecasts."""

    classes: int  # the number of labels
    count: int  # the largest of a label
    guess: int  # the largest count of a label in a forecast
    kind = "forecasts"
    names = tuple(FORECASTS)

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind} | asdict(self)

    @functools.cached_property
    def ranges(self) -> Mapping[str, range]:  # type: ignore[override]
        largest = {"label": self.count, "forecast": self.guess}
        return {f"{of}_{k}": range(most + 1) for of, most in largest.items() for k in range(self.classes)}

    def space(self) -> None:
        """None: powers of counts are nothing for the solver."""

    def cases(self, columns: Any, arithmetic: Any = Value) -> NamedNumbers:
        exact = list(np.asarray(columns).astype(object))  # the powers of counts outgrow 64 bits
        labels, guess = exact[: self.classes], exact[self.classes :]
        return NamedNumbers({name: number(labels, guess) for name, number in FORECASTS.items()}, {})


# Claims about numbers that were printed or measured, judged with what rounding and sampling leave possible.
@dataclass(frozen=True)
class Point:
    """Numbers that belong together; None where there is no such number."""

    values: Mapping[str, Fraction | None]
    # Between which ends numbers may lie, or all numbers together as they may be; of the others there is no doubt.
    ranges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    possible: Sequence[Mapping[str, Fraction | None]] = ()
    place: Mapping[str, str] = field(default_factory=dict)  # what tells the point from others
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)  # as of `Number`

    def rows(self, names: Sequence[str]) -> list[tuple[Fraction, ...]]:
        """The numbers of some names, and then as they may be: at all ends of their ranges; none if one is missing."""
        ends = ({*self.ranges.get(name, (self.values[name],))} for name in names)
        together = [[numbers[name] for name in names] for numbers in self.possible]
        first = [self.values[name] for name in names]
        rows = [tuple(row) for row in (first, *(together or itertools.product(*ends)))]
        return [] if None in first else [row for row in rows if None not in row]


def _names(formulas: Sequence[Formula], define: Mapping[str, Formula], point: Point) -> list[str]:
    """The point's names that formulas are made of in the end; ValueError for one that it does not have."""
    names = [name for formula in formulas for name in formula.names]
    for name in names:
        if name in define:
            names += define[name].names
        elif name not in point.values:
            raise ValueError(f"{name!r} is not among the numbers: {', '.join((*point.values, *define))}.")
    return [name for name in dict.fromkeys(names) if name not in define]


def _cases(
    names: Sequence[str], rows: Sequence[Sequence[Fraction]], define: Mapping[str, Formula]
) -> NamedNumbers:
    columns = np.array(rows, dtype=object).T
    return NamedNumbers(dict(zip(names, map(Value, columns), strict=True)), define)


class _WithinRanges(Cases):
    """A point's numbers, and after them the ends of their ranges: equality is judged by ranges."""

    # Within ranges two numbers are equal if they are so at all ends, unequal if one is always below the other, and
    # else neither. Digits stand for all that rounds to them: if x is 0.3334, x == 0.333 is true throughout.

    def __init__(self, cases: Cases, count: int, tolerance: str) -> None:
        self._cases, self._count, self._is_exact = cases, count, tolerance == "exact"

    def value(self, name: str) -> Any:
        return self._cases.value(name)

    def compare(self, parts: Sequence[ast.expr], symbols: Sequence[str], sides: Sequence[Value]) -> Truth:
        if not {"==", "!="} & {*symbols}:
            return Value.compare(symbols, sides)
        links = []
        pairs = itertools.pairwise(zip(parts, sides, strict=True))
        for symbol, ((part, side), (other, its)) in zip(symbols, pairs, strict=True):
            if symbol in ("==", "!="):
                equal = self._equal(self._ends(part, side, symbol), self._ends(other, its, symbol))
                links.append(equal if symbol == "==" else ~equal)
            else:
                links.append(Value.compare([symbol], [side, its]))
        return functools.reduce(operator.and_, links)

    def _ends(self, part: ast.expr, side: Value, symbol: str) -> tuple[Value, Value]:
        """Between what a side of an equation lies, if it is printed digits."""
        digits = None if self._is_exact else Printed.of(part)
        # A fraction is exact, and a whole number after !=, or a printed 0.3 would not differ from 0.
        if digits and "/" not in digits.text and (symbol == "==" or "." in digits.text):
            return Value.of(digits.low), Value.of(digits.high)
        return side, side

    def _equal(self, first: tuple[Value, Value], second: tuple[Value, Value]) -> Truth:
        (low, high), (its_low, its_high) = first, second
        below, above = Value.compare(["<"], [high, its_low]), Value.compare([">"], [low, its_high])
        states = [below.true, above.true, below.false & above.false]
        order = np.zeros(self._count) + np.select(states, [-1, 1, 0], np.nan)  # NaN where a side has no value
        if order[0] == 0 and (low is not high or its_low is not its_high):
            order[np.isfinite(order)] = 0
        elif (order != order[0]).any():
            order[1:] = np.nan
        return Truth(order == 0, abs(order) == 1, below.near | above.near)


def judge_point(
    claim: Formula,
    given: Sequence[Formula],
    define: Mapping[str, Formula],
    point: Point,
    tolerance: str = "rounded",
    *,
    among_many: bool = False,
) -> Number | Numbers | Absent:
    """Judge a claim about one point; what rounding leaves possible, but is not as given, does not count."""
    names = _names([claim, *given], define, point)
    rows = point.rows(names)
    if not rows:
        return Absent("no number")
    met = all_true(given, _cases(names, rows, define), len(rows))
    applies = met.true & ~met.near
    if not applies[0]:
        return Absent("does not apply")
    numbers, count = _cases(names, list(itertools.compress(rows, applies)), define), int(applies.sum())
    if claim.printed is not None and not among_many:
        span = _range(evaluate(claim.printed[0], numbers))
        return Absent("undefined") if span is None else Number(*span, point.elsewhere)
    ranges = {name: _range(numbers.value(name)) for name in claim.names}
    values = {name: span for name, span in ranges.items() if span is not None}
    truth = claim.truth(_WithinRanges(numbers, count, tolerance))
    true, false = (np.broadcast_to(mask, count) for mask in (truth.true, truth.false & ~truth.near))
    if len(values) < len(ranges) or not (true[0] or false[0]):
        return Absent("undecided" if np.any(truth.false) else "undefined")
    ends = ("all" if true[1:].all() else "none" if false[1:].all() else "some") if count > 1 else "some"
    return Numbers(values, bool(true[0]), ends, elsewhere=point.elsewhere)


def _range(value: Value) -> Range | None:
    """The first number, the least and the greatest; None if one has no value. Logarithms are rounded."""
    every = value.fractions()
    numbers = [number for number in every if number is not None]
    if value.error is not None:
        numbers = [number.limit_denominator(_MOST_OF_LOG) for number in numbers]
    return (numbers[0], min(numbers), max(numbers)) if len(numbers) == len(every) else None


def judge_points(
    claim: Formula, given: Sequence[Formula], define: Mapping[str, Formula], points: Iterable[Point]
) -> Numbers | Absent:
    """Judge a claim about every point, or, if it is "sometimes" so, about some."""
    counts = dict.fromkeys(("points", "kept", "clearly_kept", "clearly_broken", "absent"), 0)
    telling = Numbers({}, True, "all")
    for point in points:
        judged = judge_point(claim, given, define, point, among_many=True)
        if not isinstance(judged, Numbers):
            counts["absent"] += judged == Absent("no number")
            continue
        counts["points"] += 1
        counts["kept"] += judged.holds
        counts["clearly_kept"] += judged.holds and judged.at_ends == "all"
        counts["clearly_broken"] += not judged.holds and judged.at_ends == "none"
        if not telling.place and judged.holds == claim.sometimes:
            telling = replace(judged, place=point.place)
    if not counts["points"]:
        return Absent("no points")
    if claim.sometimes and not counts["kept"]:
        return Absent("kept nowhere", counts)
    wanted = 1 if claim.sometimes else counts["points"]
    at_ends = "all" if counts["clearly_kept"] >= wanted else "none" if counts["clearly_broken"] else "some"
    return replace(telling, holds=counts["kept"] >= wanted, at_ends=at_ends, points=counts)
