"""The registry of claims: reading it, and saying what is wrong with each entry, by its line."""

from __future__ import annotations

import contextlib
import csv
import functools
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from fractions import Fraction
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import yaml

from nontrivial.claims.counting import GROUPS
from nontrivial.claims.domains import Domain, Forecasts, Point, Tables, WholeNumbers
from nontrivial.claims.language import Cases, Formula, NamedNumbers, Printed, Value
from nontrivial.claims.least import Least, parse_least
from nontrivial.claims.rankings.domains import RELATIONS, AllRankings
from nontrivial.claims.rankings.quantities import LINES
from nontrivial.claims.verdict import Absent
from nontrivial.files import find_files
from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.measures.names import ALIASES
from nontrivial.schemas import check, read_yaml

_RANGE = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")
_MOST_LISTED = 12  # names in a sentence
_FILES = ("table", "selection", "counts")  # parameters that are paths in the results folder
DOMAINS: dict[str, Callable[..., Domain]] = {
    "tables": Tables,
    "pairs of tables": functools.partial(Tables, "pairs of tables"),
    "tables and a factor": functools.partial(Tables, "tables and a factor"),
    "forecasts": Forecasts,
    "rankings": AllRankings,
    "pairs of rankings": functools.partial(AllRankings, pairs=True),
}


@functools.cache
def study_kinds() -> dict[str, Callable[..., list[Point] | Absent]]:
    """The kinds of claims that read a study's results, which packages offer as entry points."""
    offered = entry_points(group="nontrivial.claims")
    return {kind: read for package in offered for kind, read in package.load().items()}


@dataclass(frozen=True)
class Source:
    """Where the points of a claim about a study, or about printed numbers, come from."""

    kind: str
    read: Callable[[Path], list[Point] | Absent]  # from the results folder
    define: Mapping[str, Formula]  # from the numbers of a point
    files: tuple[str, ...] = ()  # what it reads in the results folder
    names: tuple[str, ...] = ()  # that a claim may use; none if only the results tell


def read_over(over: str | Mapping[str, Any], define: Mapping[str, Formula]) -> Domain | Source:
    """Return what a claim is about; ValueError, naming what is known or allowed, if it is nothing."""
    kind, parameters = (over, {}) if isinstance(over, str) else next(iter(over.items()))
    if kind == "numbers":
        return _numbers(parameters, define)
    if kind in DOMAINS:
        if define:
            raise ValueError(f"'define' is for numbers and studies, not for {kind}.")
        _defaults(kind, DOMAINS[kind], parameters)
        return DOMAINS[kind](**parameters)
    if kind not in study_kinds():
        known = ", ".join([*DOMAINS, "numbers", *study_kinds()])
        raise ValueError(f"'over' is {kind!r}; it must be one of {known}.")
    function = study_kinds()[kind]
    arguments = _defaults(kind, function, parameters) | parameters
    files = tuple(arguments[name] for name in _FILES if arguments.get(name))
    return Source(kind, lambda results: function(results, **parameters), define, files)


def _defaults(kind: str, function: Callable[..., Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults of a kind's parameters; ValueError if one is missing or unknown."""
    parameters_of_kind = inspect.signature(function).parameters.items()
    known = {name: x.default for name, x in parameters_of_kind if name not in ("results", "kind", "pairs")}
    needed = [name for name, default in known.items() if default is inspect.Parameter.empty]
    if not {*needed} <= {*parameters} <= {*known}:
        given = ", ".join(parameters) or "no parameter"
        form = f"{{{kind}: {{{', '.join(f'{name}: ...' for name in needed)}}}}}" if needed else kind
        more = ", ".join(name for name in known if name not in needed)
        also = f", with {more} if need be" if more else ""
        raise ValueError(f"'over' gives {kind} {given}; it must be {form}{also}.")
    return known


def _numbers(numbers: Mapping[str, Any] | Sequence[str], define: Mapping[str, Formula]) -> Domain | Source:
    if not numbers:
        raise ValueError("'over' names no number; write some, such as {numbers: {k: 0..50}}.")
    if not isinstance(numbers, Mapping):
        return WholeNumbers.positive(sorted(numbers), define)
    ends = {name: match for name, text in sorted(numbers.items()) if (match := _RANGE.fullmatch(str(text)))}
    if len(ends) == len(numbers):
        ranges = {name: range(int(at[1]), int(at[2]) + 1) for name, at in ends.items()}
        if not all(ranges.values()):
            raise ValueError("a range of 'numbers' is empty; the first number must not be above the last.")
        return WholeNumbers(ranges, define)
    # A whole number without quotes is exact.
    fixed = {
        name: Printed.parse(f"{text}/1" if isinstance(text, int) else text) for name, text in numbers.items()
    }
    values = {name: number.value for name, number in fixed.items()}
    point = Point(values, {name: (number.low, number.high) for name, number in fixed.items()})
    return Source("numbers", lambda _: [point], define, names=(*fixed, *define))


@dataclass(frozen=True)
class Claim:
    """One testable statement of a document: the keys of its entry, which ``claims.schema.json`` describes."""

    id: str
    source: str  # the document
    section: str
    locator: str
    statement: str
    kind: str
    place: int  # among the document's claims
    figure: int = 0
    anchor: str = ""
    over: str | Mapping[str, Any] = ""
    given: Sequence[str] = ()
    presupposed: Mapping[str, str] = field(default_factory=dict)  # where the document says what is given
    define: Mapping[str, str] = field(default_factory=dict)
    claim: str = ""
    exactly_when: str = ""
    tolerance: str = "rounded"
    command: str = ""  # that makes the results that it reads
    holds_if: Mapping[str, Any] = field(default_factory=dict)
    steps: Sequence[Mapping[str, Any]] = ()
    because: str = ""
    note: str = ""
    main: bool = False
    beyond: bool = False

    @property
    def group(self) -> str:
        """The group in which it is counted, one of `GROUPS`."""
        kind = "beyond" if self.beyond else self.kind
        return kind if kind in GROUPS else "claim"

    @functools.cached_property
    def formula(self) -> Formula:
        """What is claimed; of a least number, that it equals the stated one."""
        least = parse_least(self.claim)
        return Formula.condition(f"{least[0]} == {least[2]}" if least else self.claim)

    @functools.cached_property
    def least(self) -> Least | None:
        """What the least number is asked for; None if the claim is another."""
        parts = parse_least(self.claim)
        if parts is None:
            return None
        if not isinstance(self.about, Domain):
            raise ValueError("'least ... such that' is for claims about cases of any size.")
        return Least(*parts[:2], self.given, self.about)

    @functools.cached_property
    def conditions(self) -> tuple[Formula, ...]:
        return tuple(map(Formula.condition, self.given))

    @functools.cached_property
    def proposed(self) -> Formula | None:
        return Formula.condition(self.exactly_when) if self.exactly_when else None

    @functools.cached_property
    def about(self) -> Domain | Source:
        return read_over(self.over, {name: Formula.number(str(text)) for name, text in self.define.items()})

    @functools.cached_property
    def parts(self) -> tuple[Claim, ...]:
        """The repaired reading, if any, and the steps, as claims; what they lack they take from this one."""
        entries = {"holds-if": self.holds_if} if self.holds_if else {}
        entries |= {f"step-{number}": step for number, step in enumerate(self.steps, start=1)}
        kind = "lemma" if self.kind == "misprint" else self.kind
        own = {"kind": kind, "exactly_when": "", "note": "", "holds_if": {}, "steps": ()}
        parts = []
        for name, entry in entries.items():
            keys = own | ({"define": {}} if "over" in entry else {}) | {**entry, "id": f"{self.id}-{name}"}
            parts.append(replace(self, **{key: keys[key] for key in keys if key != "as"}))
        return tuple(parts)

    @property
    def data(self) -> tuple[str, ...]:
        return self.about.files if self.over and isinstance(self.about, Source) else ()

    @property
    def stated(self) -> str:
        """What is stated, in one line; empty where no computation settles it."""
        given = self.given if len(self.given) < 2 else [f"({x})" if " or " in x else x for x in self.given]
        return " if ".join(filter(None, [self.claim, " and ".join(given)]))

    def to_json(self) -> dict[str, Any]:
        """Plain data that make an equal claim; empty fields are left out."""
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
    for its_part in claim.parts:
        check_claim(its_part)
    if any(formula.sometimes for formula in filter(None, (*claim.conditions, claim.proposed))):
        raise ValueError("sometimes(...) is for 'claim' alone; a condition is met by each case or not.")
    about = claim.about
    formula, conditions = claim.formula, claim.conditions
    if claim.least is not None:
        if formula.printed is None:
            raise ValueError("the least number is compared with digits, such as 'is 0.71', or a fraction.")
        question = claim.least.question(Fraction(1, 2))
        formula, conditions = question.claim, tuple(question.given)
    if isinstance(about, Source) and claim.proposed is not None:
        raise ValueError("'exactly_when' is for claims about cases of any size.")
    if claim.data and not claim.command:
        raise ValueError("the key 'study' is missing, as it reads results.")
    if not formula.names:
        raise ValueError(f"{claim.claim!r} has no name of what it is about; {_known('', about)}.")
    if not about.names:  # only the results tell
        return
    if isinstance(about, Source):
        numbers = {name: Value(1) for name in about.names if name not in about.define}
        cases: Cases = NamedNumbers(numbers, about.define)
    else:
        cases = next(iter(about.small())).cases
    for name in claim.define:
        if [*about.names].count(name) > 1:
            raise ValueError(f"{name!r} is defined twice; once is allowed.")
        cases.value(name)  # ValueError for a definition from what is unknown, or of itself
    for part in filter(None, (formula, *conditions, claim.proposed)):
        for name in part.names:
            if name.partition("(")[0] not in about.names:
                raise ValueError(f"{name!r} is unknown; {_known(name, about)}.")
        part.truth(cases)  # ValueError for a root in arithmetic, or a number that is swapped


def _known(name: str, about: Domain | Source) -> str:
    kind, known = about.kind, about.names
    if len(known) <= _MOST_LISTED:
        return f"known about {kind}: {', '.join(known) or 'the columns of its table'}"
    measure, bracket, beta = name.partition("(")
    near = get_close_matches(ALIASES.get(measure, measure), known, 3, 0.5)
    meant = f"about {kind}, did you mean {' or '.join(x + bracket + beta for x in near)}? " if near else ""
    return f"{meant}nontrivial claims --names lists what is known"


def known_names() -> dict[str, dict[str, str]]:
    """Return the names that a claim may use, by what it is over, each with a line that says what it is."""
    lines: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(_read("names.csv").splitlines()):
        lines.setdefault(row["over"], {})[row["name"]] = row["meaning"]
    measures = {name: f"{measure.definition}: {measure.meaning}" for name, measure in CATALOGUE.items()}
    return {
        "functions, in claims about anything": lines["functions"],
        "tables, and pairs of tables (names end in _1 and _2)": lines["tables"] | measures | lines["tables"],
        "rankings, and pairs of rankings (names end in _a and _b)": LINES,
        "pairs of rankings": {name: str(function.__doc__) for name, function in RELATIONS.items()},
        "forecasts": lines["forecasts"],
    }


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def read_registry(path: str | Path) -> tuple[dict[str, Any], list[Claim]]:
    """Return the documents by short name, and the claims in order, of a YAML file or of all such files of a folder."""
    parts = _read_files(Path(path))
    sources, studies = (_declared(parts, key) for key in ("sources", "studies"))
    schema = {**_schema()["$defs"]["claim"], "$defs": _schema()["$defs"]}
    claims: dict[str, Claim] = {}
    wrong = []
    for file, content in parts.items():
        if "sections" not in content:
            continue
        first, lines = _lines(file)
        if content.get("source") not in sources:
            has = f"has the source {content['source']!r}" if "source" in content else "has no 'source'"
            known = ", ".join(sources) or "none yet"
            wrong.append(f"{file}, line {first}: it {has}; name one that 'sources' describes: {known}.")
        entries = [(section, entry) for section in content["sections"] for entry in section["claims"]]
        for number, ((section, entry), line) in enumerate(zip(entries, lines, strict=True), start=1):
            about = {key: section[key] for key in section if key != "claims"}
            name = repr(entry["id"]) if isinstance(entry, dict) and "id" in entry else f"number {number}"
            try:
                if not isinstance(entry, dict):
                    raise ValueError(f"it is {entry!r}; it must be a mapping with an id.")
                check(entry, schema)
                if entry["id"] in claims:
                    raise ValueError("it has an id that another claim has; each id is allowed once.")
                claims[entry["id"]] = _claim({**about, **entry, "place": number}, content, studies)
            except ValueError as error:
                wrong.append(f"{file}, line {line}: claim {name}: {error}")
    if wrong:
        raise ValueError("\n".join(wrong))
    order = list(sources)
    return sources, sorted(claims.values(), key=lambda claim: (order.index(claim.source), claim.place))


def load_claims(registry: str | Path) -> list[Claim]:
    """Read a registry's claims as `read_registry` does, the main claims first."""
    _, claims = read_registry(registry)
    return sorted(claims, key=lambda claim: not claim.main)


def _read_files(registry: Path) -> dict[Path, dict[str, Any]]:
    paths = find_files(registry, "*.yaml") if registry.is_dir() else [registry]
    parts = {path: read_yaml(path, as_written=True) for path in paths}
    if registry.is_file() and "sources" not in parts[registry]:  # a file beside it may declare them for all
        for path in find_files(registry.parent, "*.yaml"):
            with contextlib.suppress(ValueError):  # another file there need not be one of claims
                part = read_yaml(path, as_written=True)
                if path != registry and "sections" not in part and "sources" in part:
                    parts[path] = part
    for path, part in parts.items():
        check(part, _schema(), str(path))
    if not any("sections" in part for part in parts.values()):
        raise ValueError(f"{registry} holds no claims; at least one is needed, under the key sections.")
    return parts


def _declared(parts: Mapping[Path, Mapping[str, Any]], key: str) -> dict[str, Any]:
    """What all files together declare under a key; ValueError where two declare the same name."""
    declared: dict[str, Any] = {}
    for path, part in parts.items():
        for name, value in part.get(key, {}).items():
            if name in declared:
                raise ValueError(f"{path}: another file has {name!r} under {key}, too; each is allowed once.")
            declared[name] = value
    return declared


def _claim(fields: dict[str, Any], content: Mapping[str, Any], studies: Mapping[str, str]) -> Claim:
    """The claim of an entry, with what its file says of it."""
    study = fields.pop("study", None)
    if study is not None and study not in studies:
        raise ValueError(f"study is {study!r}; known under 'studies': {', '.join(studies) or 'none'}.")
    places = {text: place for place, texts in content.get("presupposed", {}).items() for text in texts}
    presupposed = {text: places[text] for text in fields.get("given", ()) if text in places}
    defaults = {
        "locator": fields["section"],
        "command": studies.get(study, ""),
        "source": content.get("source", ""),
    }
    claim = Claim(**defaults | fields, presupposed=presupposed)
    check_claim(claim)
    return claim


def _lines(path: Path) -> tuple[int, list[int]]:
    """The line of a file's source, or else of its sections, and those on which its entries begin."""

    def keys(mapping: Any) -> dict[str, Any]:
        return {key.value: value for key, value in mapping.value}

    content = keys(yaml.compose(path.read_text(encoding="utf-8-sig"), yaml.CSafeLoader))
    sections = content["sections"]
    entries = (entry for section in sections.value for entry in keys(section)["claims"].value)
    first = content.get("source", sections).start_mark.line + 1
    return first, [entry.start_mark.line + 1 for entry in entries]


@functools.cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(_read("claims.schema.json"))
    return schema
