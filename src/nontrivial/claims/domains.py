"""What claims are about: confusion tables and pairs of them, distributions, numbers by name, printed numbers.

The measures of tables here are an exact copy of those in `nontrivial.measures.confusion`, kept as a cross-check.
"""

from __future__ import annotations

import functools
import graphlib
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.language import Cases, Formula, NamedNumbers, Value, all_true, evaluate, parse
from nontrivial.claims.solver import Ratio, Space
from nontrivial.claims.verdict import Absent, Case, Number, Numbers, Range, Survey
from nontrivial.measures.published.tables import FALLING, RISING, Cells
from nontrivial.measures.published.tables import ROOTS as RATIOS_UNDER_ROOTS

# Measures of confusion tables, as definitions in counts and rates for the solver, as ratios for exact arithmetic.
#
# They are a cross-check of `nontrivial.measures.confusion`: an exact copy of its formulas, written on its own, so that
# neither side repeats a slip of the other. The ratios are those by which published numbers are judged.
# Where a denominator is 0 a measure is 0/0 or infinite: it has no value. Of a measure with a square root the definition
# gives the signed square, x |x|.
#
# The definitions: PA paper, Section 4 (prediction_advantage, cohen_kappa, f1, balanced_accuracy); PRG paper,
# Section 3.1 (gains); P4 article (p4, the rates and the measures of its table).


CELLS = ("fp", "tp", "fn", "tn")
ROOTS = ("matthews_corrcoef", "fowlkes_mallows", "geometric_mean")  # with a square root
_DEFINITIONS = {
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
    "positive_likelihood_ratio": "tp * negatives / (fp * positives)",
    "negative_likelihood_ratio": "fn * negatives / (tn * positives)",
    "diagnostic_odds_ratio": "tp * tn / (fp * fn)",
    "prevalence": "positives / n",
    "balanced_accuracy": "(recall + specificity) / 2",
    "informedness": "recall + specificity - 1",
    "markedness": "precision + negative_predictive_value - 1",
    "f_beta": "2 * tp / (positives + predicted_positives)",
    "f1": "f_beta",
    "jaccard": "tp / (tp + errors)",
    "p4": "4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn))",
    "chance_agreement": "(predicted_positives * positives + predicted_negatives * negatives) / n**2",
    "cohen_kappa": "1 - errors * n / (predicted_positives * negatives + predicted_negatives * positives)",
    "no_information_rate": "max(positives, negatives) / n",
    "prediction_advantage": "1 - errors / min(positives, negatives)",
    "goodman_kruskal_lambda": "1 - (min(tp, fp) + min(fn, tn)) / min(positives, negatives)",
    "precision_gain": "1 - positives / negatives * (fp / tp)",
    "recall_gain": "1 - positives / negatives * (fn / tp)",
    "f_beta_gain": "1 - positives / negatives * (fp + fn) / (2 * tp)",
    "geometric_mean": "recall * specificity",
    "matthews_corrcoef": "(tp*tn - fp*fn) * abs(tp*tn - fp*fn) / "
    "(positives * negatives * predicted_positives * predicted_negatives)",
    "fowlkes_mallows": "tp**2 / (positives * predicted_positives)",
}
MEASURES = {name: Formula.number(text) for name, text in _DEFINITIONS.items()}


class _Cells(Cells):
    """The cells of many tables, each with a minority of its own."""

    @property
    def minority(self) -> Any:
        return np.minimum(self.positives, self.negatives)

    @property
    def majority(self) -> Any:
        return np.maximum(self.positives, self.negatives)


# Each measure is (a - b) / c; of a square root, the terms are those of its signed square but for a - b.
_RATIOS = RISING | FALLING | RATIOS_UNDER_ROOTS
_RATIOS["goodman_kruskal_lambda"] = lambda t: (
    t.minority,
    np.minimum(t.tp, t.fp) + np.minimum(t.fn, t.tn),
    t.minority,
)


class Table(NamedNumbers):
    """A confusion table, or many at once, by FP, TP, FN and TN."""

    def __init__(self, *cells: Any, arithmetic: Any = Value) -> None:
        self.cells = cells
        super().__init__(dict(zip(CELLS, map(arithmetic, cells), strict=True)), MEASURES, arithmetic)

    def value(self, name: str) -> Any:
        if self.arithmetic is Value and name in MEASURES.keys() & _RATIOS.keys() and name not in self._known:
            self._known[name] = self._ratio(name)
        return replace(super().value(name), is_root=name in ROOTS)

    def _ratio(self, name: str) -> Value:
        fp, tp, fn, tn = self.cells
        a, b, c = _RATIOS[name](_Cells(tp, tn, tp + fn, fp + tn))
        return Value((a - b) * abs(a - b) if name in ROOTS else a - b, c)

    def of_beta(self, name: str, beta: Fraction) -> Any:
        """(1 + b) TP over (1 + b) TP + FP + b FN, and its gain, with b for beta squared."""
        b = beta**2
        wrong = f"(fp + {b} * fn)"
        text = f"{1 + b} * tp / ({1 + b} * tp + {wrong})"
        if name == "f_beta_gain":
            text = f"1 - positives / negatives * {wrong} / ({1 + b} * tp)"
        return evaluate(parse(text), self)

    def exchanged(self, how: str) -> Table:
        fp, tp, fn, tn = self.cells
        cells = (fn, tn, fp, tp) if how == "swap" else (fn, tp, fp, tn)
        return Table(*cells, arithmetic=self.arithmetic)


# What claims are about: confusion tables and pairs of them, numbers by name, and what any kind of case has to offer.
#
# A case is a tuple of whole numbers, say the four cells of a table. Every kind of case can go through its small cases
# in the order of size (by sum, then one by one), and some can be put to the solver, which decides cases of any size.


# By whether tables come in pairs: how many cases they have together.
SMALL = {False: 12, True: 8}  # every proof is tried on tables of up to so many
LARGEST = {False: 36, True: 16}  # if no small table settles a claim, larger ones are searched up to here
_BLOCK = 2**14
_MOST = 10**6  # combinations of whole numbers
_FACTORS = (Fraction(1, 2), Fraction(1, 7), Fraction(1, 100), Fraction(100))  # near 1, near 0, and large


@dataclass(frozen=True)
class Part:
    """Cases that are tried at once, in the order of size; `case` gives the one at a place."""

    cases: Cases
    count: int
    case: Callable[[int], Case]


class Domain(ABC):
    """What the search and the solver need to know of cases of a kind."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """As the registry calls it."""

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """What was searched, as plain data."""

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """What its cases have numbers for."""

    @abstractmethod
    def small(self) -> Iterable[Part]:
        """Its small cases, by size."""

    def larger(self) -> Iterable[Part]:
        """Some larger ones, by size."""
        return ()

    @abstractmethod
    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One case in numbers that nothing outgrows; None if it is not in the domain."""

    @property
    def complete(self) -> bool:
        """Whether its small cases are all that it has."""
        return False

    @property
    def whole(self) -> bool:
        """Whether its cases are whole numbers only."""
        return True

    def space(self) -> Space | None:
        """Its cases in the solver's terms; None if the solver cannot take them."""
        return None

    def of_solver(self, case: Sequence[Fraction] | None) -> Case | None:
        """The solver's case as one of its own, made whole by a common factor if it has to be."""
        if case is None:
            return None
        scale = math.lcm(*(number.denominator for number in case)) if self.whole else 1
        scaled = (scale * number for number in case)
        return tuple(int(number) if number.denominator == 1 else number for number in scaled)


class Rows(Domain):
    """Cases that are rows of whole numbers, each of which is in a range."""

    @abstractmethod
    def axes(self) -> Sequence[range]:
        """The range of each number."""

    @abstractmethod
    def cases(self, columns: Sequence[Any] | np.ndarray) -> Cases:
        """Cases from a column for each number."""

    def check_size(self) -> None:
        """Raise ValueError if there are too many cases to go through."""
        if math.prod(axis.stop - axis.start for axis in self.axes()) > _MOST:
            raise ValueError(f"the ranges have more than {_MOST:,} combinations.")

    def small(self) -> Iterable[Part]:
        """All of its cases."""
        grid = np.stack(np.meshgrid(*self.axes(), indexing="ij"), axis=-1).reshape(-1, len(self.axes()))
        grid = grid[np.argsort(grid.sum(axis=1), kind="stable")]
        return (self.part(grid[start : start + _BLOCK]) for start in range(0, len(grid), _BLOCK))

    def has(self, case: Sequence[int | Fraction]) -> bool:
        """Whether a row is one of the cases: as many whole numbers, each in its range."""
        return len(case) == len(self.axes()) and all(
            type(number) is int and number in axis for number, axis in zip(case, self.axes(), strict=True)
        )

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        return self.cases(np.array([case], dtype=object).T) if self.has(case) else None

    def part(self, block: np.ndarray) -> Part:
        """Cases from an array with a row for each."""
        return Part(self.cases(block.T), len(block), lambda place: tuple(block[place].tolist()))


@dataclass(frozen=True)
class Tables(Rows):
    """Confusion tables of any size, or pairs of them, whose measures end in ``_1`` and ``_2``.

    A pair is of two classifiers, or of two problems.
    """

    pairs: bool = False

    @property
    def kind(self) -> str:
        return "pairs of tables" if self.pairs else "tables"

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind, "cases": SMALL[self.pairs]}

    @property
    def names(self) -> Sequence[str]:
        return [f"{name}{end}" for end in self._ends for name in (*CELLS, *MEASURES)]

    @property
    def _ends(self) -> Sequence[str]:
        return ("_1", "_2") if self.pairs else ("",)

    def axes(self) -> Sequence[range]:
        return [range(10**100)] * (len(CELLS) * len(self._ends))  # any counts

    def cases(self, columns: Sequence[Any] | np.ndarray) -> Cases:
        return self._tables(columns, Value)

    def _tables(self, cells: Sequence[Any] | np.ndarray, arithmetic: type) -> Cases:
        first = Table(*cells[:4], arithmetic=arithmetic)
        return TwoTables(first, Table(*cells[4:], arithmetic=arithmetic)) if self.pairs else first

    def small(self) -> Iterable[Part]:
        return [_small(self)]

    def larger(self) -> Iterable[Part]:
        return map(self.part, _by_total(len(self.axes()), SMALL[self.pairs] + 1, LARGEST[self.pairs]))

    def space(self) -> Space:
        cells = [f"?{cell}{end}" for end in self._ends for cell in CELLS]
        return Space(cells, (), self._tables(cells, Ratio))


@functools.cache  # claims share them, and what each measure comes to on them
def _small(tables: Tables) -> Part:
    return tables.part(np.concatenate(list(_by_total(len(tables.axes()), 0, SMALL[tables.pairs]))))


@dataclass(frozen=True)
class WholeNumbers(Rows):
    """Whole numbers by name, each in a range, and what is defined from them."""

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    # Whether all positive real numbers are meant. The ranges then only say which are tried.
    open: bool = False
    kind = "numbers"

    def __post_init__(self) -> None:
        check_defined(list(self.ranges), self.define)
        self.check_size()

    @classmethod
    def positive(cls, names: Sequence[str], define: Mapping[str, Formula]) -> WholeNumbers:
        """All positive numbers, of which few are tried."""
        largest = 6 if len(names) < 5 else 3
        return cls(dict.fromkeys(names, range(1, largest + 1)), define, open=True)

    def fields(self) -> dict[str, Any]:
        ranges = {name: [axis[0], axis[-1]] for name, axis in self.ranges.items()}
        return {"over": self.kind, "ranges": ranges, "open": self.open}

    @property
    def names(self) -> Sequence[str]:
        return [*self.ranges, *self.define]

    def axes(self) -> Sequence[range]:
        return list(self.ranges.values())

    def cases(self, columns: Any) -> NamedNumbers:
        return NamedNumbers(dict(zip(self.ranges, map(Value, columns), strict=True)), self.define)

    def larger(self) -> Iterable[Part]:
        """Of all positive numbers, the small cases times each of some factors."""
        for factor in _FACTORS if self.open else ():
            for part in self.small():
                yield self._scaled(part, factor)

    def _scaled(self, part: Part, factor: Fraction) -> Part:
        def case(place: int) -> Case:
            return self.of_solver([number * factor for number in part.case(place)]) or ()

        columns = np.array([part.case(place) for place in range(part.count)], dtype=object).T
        numbers = (Value(column * factor.numerator, factor.denominator) for column in columns)
        cases = NamedNumbers(dict(zip(self.ranges, numbers, strict=True)), self.define)
        return Part(cases, part.count, case)

    @property
    def complete(self) -> bool:
        return not self.open

    whole = complete

    def has(self, case: Sequence[int | Fraction]) -> bool:
        """Whether each number is in its range; if all numbers are meant, whether they are positive."""
        if not self.open:
            return super().has(case)
        return len(case) == len(self.ranges) and all(type(x) in (int, Fraction) and x > 0 for x in case)

    def space(self) -> Space | None:
        """Variables from 0 on, or positive where a range begins with 1 or more; None if there are logarithms."""
        if any(formula.has_logarithm for formula in self.define.values()):
            return None
        cases = NamedNumbers({name: Ratio(f"?{name}") for name in self.ranges}, self.define, Ratio)
        bounds = [f"(> ?{name} 0.0)" for name, axis in self.ranges.items() if axis[0] > 0]
        return Space([f"?{name}" for name in self.ranges], bounds, cases)


class TwoTables(Cases):
    """Pairs of tables, whose names end in ``_1`` and ``_2``."""

    def __init__(self, first: Cases, second: Cases) -> None:
        self.tables = {"1": first, "2": second}
        self.arithmetic = first.arithmetic

    def value(self, name: str) -> Any:
        """The measure, of the table that the name's end tells."""
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure)

    def of_beta(self, name: str, beta: Fraction) -> Any:
        measure, _, which = name.rpartition("_")
        return self.tables[which].of_beta(measure, beta)

    def exchanged(self, how: str) -> TwoTables:
        return TwoTables(*(table.exchanged(how) for table in self.tables.values()))


def _by_total(count: int, first: int, last: int) -> Iterator[np.ndarray]:
    """All sequences of so many whole numbers from 0 on with sums from `first` to `last`, in blocks."""
    for total in range(first, last + 1):
        bars = np.array(list(itertools.combinations(range(total + count - 1), count - 1)), dtype=np.int64)
        cases = np.diff(bars, axis=1, prepend=-1, append=total + count - 1) - 1
        yield from (cases[start : start + _BLOCK] for start in range(0, len(cases), _BLOCK))


def check_defined(known: Sequence[str], define: Mapping[str, Formula]) -> None:
    """Raise ValueError for a definition of what is known, from what is unknown, or of itself."""
    parts = {name: formula.names for name, formula in define.items()}
    for name in define:
        if name in known:
            raise ValueError(f"{name!r} is defined twice; once is allowed.")
    for name in itertools.chain(*parts.values()):
        if name not in known and name not in define:
            raise ValueError(f"{name!r} is unknown; known: {', '.join((*known, *define))}.")
    try:
        graphlib.TopologicalSorter(parts).prepare()
    except graphlib.CycleError as error:
        raise ValueError(f"{min(error.args[1])!r} is defined by itself.") from error


# Cross-entropy: distributions of labels, and forecasts that take no notice of the features (PA paper, Section 2.3).
#
# A distribution of k labels is given by whole counts, and so is a forecast, the same for every case. A forecast's
# likelihood stands for its risk: it is the exponential of minus the risk summed over the cases, so that the greater the
# likelihood is, the smaller the risk.


Counts = Sequence[Any]  # of each label


def _likelihood(labels: Counts, forecast: Counts) -> Value:
    product = math.prod(share**count for count, share in zip(labels, forecast, strict=True))
    return Value(product, sum(forecast) ** sum(labels))


def _entropy_likelihood(labels: Counts, _: Counts) -> Value:
    """exp(-n H) of the labels' entropy H by the chain rule: first label or not, then second or not, .."""
    left = [sum(labels[place:]) for place in range(len(labels) + 1)]
    steps = math.prod(count**count * rest**rest for count, rest in zip(labels, left[1:], strict=True))
    return Value(steps, math.prod(count**count for count in left[:-1]))


def _divergence_likelihood(labels: Counts, guess: Counts) -> Value:
    """exp(-n D) of the divergence D of the guess from the labels, which is a sum over the labels."""
    above = math.prod((guessed * sum(labels)) ** count for count, guessed in zip(labels, guess, strict=True))
    return Value(above, math.prod((count * sum(guess)) ** count for count in labels))


NAMES: dict[str, Callable[[Counts, Counts], Value]] = {
    "cases": lambda labels, _: Value(sum(labels)),
    "guesses": lambda _, guess: Value(sum(guess)),
    "shares_likelihood": lambda labels, _: _likelihood(labels, labels),
    "guess_likelihood": _likelihood,
    "entropy_likelihood": _entropy_likelihood,
    "divergence_likelihood": _divergence_likelihood,
}


FORECASTS = {  # what they are
    "cases": "the number of labels",
    "guesses": "the sum of the counts of the guess",
    "shares_likelihood": "exp(-n times the cross-entropy of the forecast that is the labels' shares)",
    "guess_likelihood": "the same of the guess",
    "entropy_likelihood": "exp(-n times the entropy of the labels)",
    "divergence_likelihood": "exp(-n times the Kullback-Leibler divergence of the guess from the labels)",
}


@dataclass(frozen=True)
class Forecasts(Rows):
    """All distributions of labels and all forecasts.

    Attributes
    ----------
    classes : int
        The number of labels.
    count, guess : int
        The largest count of a label, and of a label in a forecast.
    """

    classes: int
    count: int
    guess: int
    kind = "forecasts"
    names = tuple(NAMES)

    def __post_init__(self) -> None:
        self.check_size()

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind} | asdict(self)

    def axes(self) -> Sequence[range]:
        return [range(self.count + 1)] * self.classes + [range(self.guess + 1)] * self.classes

    def cases(self, columns: Sequence[Any] | np.ndarray) -> NamedNumbers:
        exact = list(np.asarray(columns).astype(object))  # the powers of counts outgrow 64 bits
        labels, guess = exact[: self.classes], exact[self.classes :]
        return NamedNumbers({name: count(labels, guess) for name, count in NAMES.items()}, {})


# Claims about numbers that were printed or measured, judged with what rounding and sampling leave possible.


@dataclass(frozen=True)
class Point:
    """Numbers that belong together.

    Attributes
    ----------
    values : mapping of str to Fraction or None
        None where there is no such number.
    ranges : mapping of str to (Fraction, Fraction)
        Between which ends numbers may lie; of the others there is no doubt.
    possible : sequence of mapping
        Instead of ranges, all numbers together as they may be.
    place : mapping of str to str
        What tells the point from the others.
    """

    values: Mapping[str, Fraction | None]
    ranges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    possible: Sequence[Mapping[str, Fraction | None]] = ()
    place: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def exact(cls, **values: Fraction | int) -> Point:
        """Numbers without doubt."""
        return cls({name: Fraction(value) for name, value in values.items()})

    def variants(self, names: Sequence[str]) -> list[dict[str, Fraction]]:
        """The numbers of some names, and then as they may be: at all ends of their ranges; none if one is missing."""
        values = _known(self.values, names)
        if len(values) < len(names):
            return []
        if self.possible:
            others = (_known(one, names) for one in self.possible)
            return [values, *(one for one in others if len(one) == len(names))]
        ends = [sorted(set(self.ranges.get(name, (number,)))) for name, number in values.items()]
        return [values, *(dict(zip(values, corner, strict=True)) for corner in itertools.product(*ends))]


def _known(values: Mapping[str, Fraction | None], names: Sequence[str]) -> dict[str, Fraction]:
    """Return those of some names that are numbers."""
    return {name: number for name in names if (number := values[name]) is not None}


def judge_point(
    claim: Formula, given: Sequence[Formula], define: Mapping[str, Formula], point: Point
) -> Number | Numbers | Absent:
    """Judge a claim about one point."""
    rows = point.variants(_needed([claim, *given], define, point))
    if not rows:
        return Absent("no number")
    cases = _cases(rows, define)
    if not all_true(given, cases, len(rows))[0]:
        return Absent("does not apply")
    if claim.printed is not None:
        found = _range(evaluate(claim.printed[0], cases))
        return Absent("undefined") if found is None else Number(*found)
    ranges = {name: _range(cases.value(name)) for name in claim.names}
    values = {name: found for name, found in ranges.items() if found is not None}
    if len(values) < len(ranges):
        return Absent("undefined")
    holds, *at_ends = np.broadcast_to(claim.truth(cases).true, len(rows)).tolist()
    return Numbers(values, holds, "all" if all(at_ends) else "some" if any(at_ends) else "none")


def survey_points(
    claim: Formula, given: Sequence[Formula], define: Mapping[str, Formula], points: Iterable[Point]
) -> Survey:
    """Look at a claim at each point.

    Examples
    --------
    >>> third, half = Fraction(1, 3), Fraction(1, 2)
    >>> points = [Point({"x": half}, {"x": (third, half)}), Point.exact(x=1)]
    >>> found = survey_points(Formula.condition("x > 2/5"), [], {}, points)
    >>> found.points, found.kept, found.clearly_kept
    (2, 2, 1)
    """
    counts = dict.fromkeys(("points", "kept", "clearly_kept", "clearly_broken", "absent"), 0)
    kept_at: list[Point] = []
    broken: list[Point] = []
    for point in points:
        rows = point.variants(_needed([claim, *given], define, point))
        if not rows:
            counts["absent"] += 1
            continue
        cases = _cases(rows, define)
        truth = claim.truth(cases)
        applies = all_true(given, cases, len(rows)) & truth.defined
        if not applies[0]:
            continue
        holds, *possible = (applies & truth.true)[applies].tolist()
        counts["points"] += 1
        counts["kept"] += holds
        counts["clearly_kept"] += holds and bool(possible) and all(possible)
        counts["clearly_broken"] += not holds and bool(possible) and not any(possible)
        (kept_at if holds else broken).append(point)
    kept_first, broken_first = (next(iter(some), Point({})) for some in (kept_at, broken))
    needed = _needed([claim, *given], define, broken_first) if broken else []
    values = {name: str(broken_first.values[name]) for name in needed}
    return Survey(**counts, broken=broken_first.place, values=values, keeping=kept_first.place)


def _needed(formulas: Sequence[Formula], define: Mapping[str, Formula], point: Point) -> list[str]:
    """The point's names that formulas are made of in the end; ValueError for one that it does not have."""
    names = [name for formula in formulas for name in formula.names]
    for name in names:
        if name in define:
            names += define[name].names
        elif name not in point.values:
            raise ValueError(f"{name!r} is not among the numbers: {', '.join((*point.values, *define))}.")
    return [name for name in dict.fromkeys(names) if name not in define]


def _cases(rows: Sequence[Mapping[str, Fraction]], define: Mapping[str, Formula]) -> NamedNumbers:
    numbers = {}
    for name in rows[0]:
        parts = np.array([row[name].as_integer_ratio() for row in rows], dtype=object)
        numbers[name] = Value(*parts.T)
    return NamedNumbers(numbers, define)


def _range(value: Value) -> Range | None:
    every = value.fractions()
    numbers = [number for number in every if number is not None]
    return (numbers[0], min(numbers), max(numbers)) if len(numbers) == len(every) else None
