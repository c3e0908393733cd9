"""A claim of a document as an entry of the registry states it, with the cases or the points that it is about."""

from __future__ import annotations

import csv
import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from fractions import Fraction
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from nontrivial.claims.domains.domain import Domain, NumberDomain
from nontrivial.claims.domains.forecasts import ForecastDomain
from nontrivial.claims.domains.tables import TableDomain
from nontrivial.claims.language.formulas import Definitions, Formula, FormulaCases, NamedNumbers
from nontrivial.claims.language.numbers import PrintedNumber, Ratios
from nontrivial.claims.least import LeastClaim, LeastNumber
from nontrivial.claims.points import Point
from nontrivial.claims.rankings.domain import RANKING_RELATIONS, RankingDomain
from nontrivial.claims.rankings.quantities import QUANTITIES, describe_quantity
from nontrivial.claims.verdict import GROUPS, NothingFound
from nontrivial.measures.catalogue import ALIASES, CATALOGUE

_RANGE_OF_INTEGERS = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")
_MAX_NAMES_LISTED = 12
_FILE_PARAMETERS = ("table", "selection", "counts")  # parameters that are paths in the results folder
DOMAINS: dict[str, Callable[..., Domain]] = {
    "tables": TableDomain,
    "pairs of tables": functools.partial(TableDomain, "pairs of tables"),
    "tables and a factor": functools.partial(TableDomain, "tables and a factor"),
    "forecasts": ForecastDomain,
    "rankings": RankingDomain,
    "pairs of rankings": functools.partial(RankingDomain, pairs=True),
}


@functools.cache
def study_kinds() -> dict[str, Callable[..., list[Point] | NothingFound]]:
    """Return the functions of packages that read points from a study's results, by the kind of claim."""
    offered = entry_points(group="nontrivial.claims")
    return {kind: read for package in offered for kind, read in package.load().items()}


@dataclass(frozen=True)
class PointSource:
    """The source of the points of a claim about a study, or about printed numbers."""

    kind: str
    read: Callable[[Path], list[Point] | NothingFound]  # reads them from the results folder
    define: Definitions  # further numbers, from the numbers of a point
    files: tuple[str, ...] = ()  # the files that it reads in the results folder
    names: tuple[str, ...] = ()  # the names that a claim may use; empty if only the results show them


def parse_subject(over: str | Mapping[str, Any], define: Definitions) -> Domain | PointSource:
    """Parse the key ``over``, the cases or points that a claim is about; raise ValueError if the kind is unknown."""
    kind, parameters = (over, {}) if isinstance(over, str) else next(iter(over.items()))
    if kind == "numbers":
        return _parse_number_subject(parameters, define)
    if kind in DOMAINS:
        if define:
            raise ValueError(f"'define' is for numbers and studies, not for {kind}.")
        _check_parameters(kind, DOMAINS[kind], parameters)
        return DOMAINS[kind](**parameters)
    if kind not in study_kinds():
        known = ", ".join([*DOMAINS, "numbers", *study_kinds()])
        raise ValueError(f"'over' is {kind!r}; it must be one of {known}.")
    read = study_kinds()[kind]
    arguments = _check_parameters(kind, read, parameters) | parameters
    files = tuple(arguments[name] for name in _FILE_PARAMETERS if arguments.get(name))
    return PointSource(kind, lambda results: read(results, **parameters), define, files)


def _check_parameters(kind: str, function: Callable[..., Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the default of each parameter of a function; raise ValueError if one is missing or unknown."""
    signature = inspect.signature(function).parameters.items()
    defaults = {name: x.default for name, x in signature if name not in ("results", "kind", "pairs")}
    needed = [name for name, default in defaults.items() if default is inspect.Parameter.empty]
    if not {*needed} <= {*parameters} <= {*defaults}:
        given = ", ".join(parameters) or "no parameter"
        form = f"{{{kind}: {{{', '.join(f'{name}: ...' for name in needed)}}}}}" if needed else kind
        optional = ", ".join(name for name in defaults if name not in needed)
        also = f", with {optional} if need be" if optional else ""
        raise ValueError(f"'over' gives {kind} {given}; it must be {form}{also}.")
    return defaults


def _parse_number_subject(numbers: Mapping[str, Any] | Sequence[str], define: Definitions) -> Domain | PointSource:
    """Parse names of positive numbers, ranges such as ``0..50``, or printed numbers."""
    if not numbers:
        raise ValueError("'over' names no number; write some, such as {numbers: {k: 0..50}}.")
    if not isinstance(numbers, Mapping):
        return NumberDomain.positive(sorted(numbers), define)
    matches = {name: _RANGE_OF_INTEGERS.fullmatch(str(text)) for name, text in sorted(numbers.items())}
    if all(matches.values()):
        ranges = {name: range(int(match[1]), int(match[2]) + 1) for name, match in matches.items() if match}
        if not all(ranges.values()):
            raise ValueError("a range of 'numbers' is empty; the first number must not be above the last.")
        return NumberDomain(ranges, define)
    # A whole number without quotes is exact.
    texts = {name: f"{text}/1" if isinstance(text, int) else text for name, text in numbers.items()}
    printed = {name: PrintedNumber.parse(text) for name, text in texts.items()}
    values = {name: number.value for name, number in printed.items()}
    point = Point(values, {name: (number.low, number.high) for name, number in printed.items()})
    return PointSource("numbers", lambda _: [point], define, names=(*printed, *define))


@dataclass(frozen=True)
class Claim:
    """One testable statement of a document, with the keys of its entry, which ``claims.schema.json`` describes."""

    id: str
    source: str  # the short name of the document
    section: str
    locator: str
    statement: str
    kind: str
    place: int  # its number among the document's claims
    figure: int = 0
    anchor: str = ""
    over: str | Mapping[str, Any] = ""
    given: Sequence[str] = ()
    # Its conditions that the document presupposes, with their places there.
    presupposed: Mapping[str, str] = field(default_factory=dict)
    define: Mapping[str, str] = field(default_factory=dict)
    claim: str = ""
    exactly_when: str = ""
    tolerance: str = "rounded"
    command: str = ""  # the command that makes the results that it reads
    holds_if: Mapping[str, Any] = field(default_factory=dict)
    steps: Sequence[Mapping[str, Any]] = ()
    because: str = ""
    note: str = ""
    main: bool = False
    beyond: bool = False

    @property
    def group(self) -> str:
        """The group in which the claim is counted, one of `GROUPS`."""
        kind = "beyond" if self.beyond else self.kind
        return kind if kind in GROUPS else "claim"

    @functools.cached_property
    def formula(self) -> Formula:
        """The claim as a formula. A claim about a least number says that the variable equals the stated number."""
        least = LeastClaim.parse(self.claim)
        return Formula.condition(f"{least.name} == {least.stated}" if least else self.claim)

    @functools.cached_property
    def least(self) -> LeastNumber | None:
        """The least number that the claim is about; None for any other claim."""
        least = LeastClaim.parse(self.claim)
        if least is None:
            return None
        if not isinstance(self.about, Domain):
            raise ValueError("'least ... such that' is for claims about cases of any size.")
        return LeastNumber(least.name, least.condition, self.given, self.about)

    @functools.cached_property
    def conditions(self) -> tuple[Formula, ...]:
        """The formulas of the key ``given``."""
        return tuple(map(Formula.condition, self.given))

    @functools.cached_property
    def proposed(self) -> Formula | None:
        """The formula of the key ``exactly_when``, a condition derived by hand; None without one."""
        return Formula.condition(self.exactly_when) if self.exactly_when else None

    @functools.cached_property
    def about(self) -> Domain | PointSource:
        """The cases or points that the claim is about."""
        define = {name: Formula.number(str(text)) for name, text in self.define.items()}
        return parse_subject(self.over, define)

    @functools.cached_property
    def parts(self) -> tuple[Claim, ...]:
        """The repaired reading, if any, and the steps, as claims. Each inherits the keys that its entry lacks."""
        entries = {"holds-if": self.holds_if} if self.holds_if else {}
        entries |= {f"step-{number}": step for number, step in enumerate(self.steps, start=1)}
        kind = "lemma" if self.kind == "misprint" else self.kind
        not_inherited: dict[str, Any] = {"kind": kind, "exactly_when": "", "note": "", "holds_if": {}, "steps": ()}
        parts = []
        for name, entry in entries.items():
            keys = not_inherited | {**entry, "id": f"{self.id}-{name}"}
            if "over" in entry:
                keys.setdefault("define", {})
            parts.append(replace(self, **{key: keys[key] for key in keys if key != "as"}))
        return tuple(parts)

    @property
    def data(self) -> tuple[str, ...]:
        """The files in the results folder that the claim is judged by."""
        return self.about.files if self.over and isinstance(self.about, PointSource) else ()

    @property
    def stated(self) -> str:
        """The claim and its conditions in one line; empty for an opinion."""
        given = self.given
        if len(given) > 1:
            given = [f"({text})" if " or " in text else text for text in given]
        return " if ".join(filter(None, [self.claim, " and ".join(given)]))

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain data, without empty ones. `Claim` makes an equal claim of the data."""
        return {
            key: list(item) if isinstance(item, tuple) else item
            for key, item in asdict(self).items()
            if item or key == "place"
        }


def check_claim(claim: Claim) -> None:
    """Raise ValueError if the parts of a claim do not fit each other."""
    if claim.because or claim.kind == "opinion":
        if claim.over or claim.claim or not claim.because:
            raise ValueError("what no computation settles has the key 'because', no 'over' and no 'claim'.")
        return
    if not claim.over or not claim.claim:
        raise ValueError("the keys 'over' and 'claim' are needed; or else 'because' says why not.")
    if claim.kind == "misprint" and not claim.holds_if:
        raise ValueError("the key 'holds_if' is missing; a misprint has the right form there.")
    for part in claim.parts:
        check_claim(part)
    if any(formula.sometimes for formula in filter(None, (*claim.conditions, claim.proposed))):
        raise ValueError("sometimes(...) is for 'claim' alone; a condition is met by each case or not.")
    about, formula, conditions = claim.about, claim.formula, claim.conditions
    if claim.least is not None:
        if formula.printed is None:
            raise ValueError("the least number is compared with digits, such as 'is 0.71', or a fraction.")
        question = claim.least.question(Fraction(1, 2))
        formula, conditions = question.claim, tuple(question.conditions)
    if isinstance(about, PointSource) and claim.proposed is not None:
        raise ValueError("'exactly_when' is for claims about cases of any size.")
    if claim.data and not claim.command:
        raise ValueError("the key 'study' is missing, as it reads results.")
    if not formula.names:
        raise ValueError(f"{claim.claim!r} has no name of what it is about; {_suggest_names('', about)}.")
    if about.names:  # otherwise only the results show which names exist
        _check_names(claim.define, [*filter(None, (formula, *conditions, claim.proposed))], about)


def _check_names(define: Mapping[str, str], formulas: Sequence[Formula], about: Domain | PointSource) -> None:
    """Raise ValueError if a formula has an unknown name, or cannot be evaluated."""
    if isinstance(about, PointSource):
        numbers = {name: Ratios(1) for name in about.names if name not in about.define}
        cases: FormulaCases = NamedNumbers(numbers, about.define)
    else:
        cases = next(iter(about.small_batches())).cases
    for name in define:
        if [*about.names].count(name) > 1:
            raise ValueError(f"{name!r} is defined twice; once is allowed.")
        cases.value(name)
    for formula in formulas:
        for name in formula.names:
            if name.partition("(")[0] not in about.names:
                raise ValueError(f"{name!r} is unknown; {_suggest_names(name, about)}.")
        formula.evaluate(cases)


def _suggest_names(name: str, about: Domain | PointSource) -> str:
    """Write a clause that lists the known names, or, if there are many, the names most similar to `name`."""
    known = about.names
    if len(known) <= _MAX_NAMES_LISTED:
        return f"known about {about.kind}: {', '.join(known) or 'the columns of its table'}"
    measure, bracket, beta = name.partition("(")
    similar = get_close_matches(ALIASES.get(measure, measure), known, 3, 0.5)
    meant = " or ".join(match + bracket + beta for match in similar)
    question = f"about {about.kind}, did you mean {meant}? " if similar else ""
    return f"{question}nontrivial claims --names lists what is known"


def known_names() -> dict[str, dict[str, str]]:
    """Return the names that a claim can use, each with a line on the meaning, by the subject of the claim."""
    lines: dict[str, dict[str, str]] = {}
    text = resources.files(__package__).joinpath("names.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        lines.setdefault(row["over"], {})[row["name"]] = row["meaning"]
    measures = {name: f"{measure.definition}: {measure.meaning}" for name, measure in CATALOGUE.items()}
    rankings = {name: describe_quantity(compute) for name, compute in QUANTITIES.items()}
    return {
        "functions, in claims about anything": lines["functions"],
        "tables, and pairs of tables (names end in _1 and _2)": lines["tables"] | measures | lines["tables"],
        "rankings, and pairs of rankings (names end in _a and _b)": rankings | lines["rankings"],
        "pairs of rankings": {name: str(holds.__doc__) for name, holds in RANKING_RELATIONS.items()},
        "forecasts": lines["forecasts"],
    }
