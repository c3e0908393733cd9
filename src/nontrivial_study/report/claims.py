"""The audit's claims as a page shows them, by document and section, and every printed number beside the one found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePath
from typing import Any

import pandas as pd
from markupsafe import Markup, escape

from nontrivial.claims.domains import Domain
from nontrivial.claims.language import Cases, Formula, NamedNumbers, Printed, Value
from nontrivial.claims.registry import Claim, Source
from nontrivial.claims.sentences import found_text, holds_text, reason_text
from nontrivial.claims.verdict import (
    CONTRADICTED,
    VERDICT_WORDS,
    Decision,
    Found,
    Number,
    Numbers,
    Survey,
    found_from_json,
)
from nontrivial.files import DamagedFile, read_json
from nontrivial_study.experiments.ranks.ranks import AREAS
from nontrivial_study.report.figures import DOCUMENTS, display_name, document_rank
from nontrivial_study.report.notation import (
    Link,
    broken_links,
    cut_number,
    cut_value,
    formula,
    round_number,
)

# The audit's claims as a page shows them, from the fields of the verdicts and of the evidence beside them.


# The order in which a reader wants to see them, and their names.
_HELD = "\x00"  # no text of a claim has it


@dataclass(frozen=True)
class ShownClaim:
    """A record of the audit, and what of it is prepared for reading.

    Attributes
    ----------
    record : mapping
        As ``claims/verdicts.json`` has it.
    stated, found, reason : str or Markup
        What is stated, what was found and why the verdict is what it is; formulas as code, long decimals cut off.
    links : sequence of Link
        The comparisons that break, with the numbers on both sides.
    witness : str
        What the case is that settles it, such as "Smallest counterexample" or "Example"; empty without one.
    tables : mapping of str to mapping of str to int
        The confusion tables that the case consists of, ``FP, TP, FN, TN``, by "first" and "second" or an empty text.
    values : mapping
        What the measures come to there, by their names.
    holds_where : str or Markup
        Where a claim that fails does hold; empty where that is not known.
    data : mapping of str to str or None
        The sha256 that each file had when the claim was judged; None where it was not there.
    evidence : str or None
        The evidence's path inside the results; None where the file is not there.
    printed, number : Printed and Number, or None
        Of a printed number: what is stated, and what was found.
    place : int
        Its place among the document's claims.
    figure : int
        The number of the document's figure that it is about; 0 for none.
    presupposed : mapping of Markup to str
        What the document presupposes of it elsewhere, and where.
    """

    record: Mapping[str, Any]
    stated: str
    found: str
    reason: str
    links: tuple[Link, ...] = ()
    witness: str = ""
    tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    holds_where: str = ""
    data: Mapping[str, str | None] = field(default_factory=dict)
    evidence: str | None = None
    printed: Printed | None = None
    number: Number | None = None
    place: int = 0
    figure: int = 0
    presupposed: Mapping[str, str] = field(default_factory=dict)


def read_claims(results: Path) -> list[ShownClaim] | None:
    """Read the verdicts in the order of each document; None without any."""
    path = results / "claims" / "verdicts.json"
    if not path.is_file():
        return None
    records = read_json(path)
    for record in records:
        if record["verdict"] not in VERDICT_WORDS:
            raise ValueError(
                f"claims/verdicts.json gives {record['id']!r} the verdict {record['verdict']!r}; "
                f"it must be one of {', '.join(VERDICT_WORDS)}."
            )
    return sorted((_show(record, results) for record in records), key=lambda claim: claim.place)


def _show(record: Mapping[str, Any], results: Path) -> ShownClaim:
    """Prepare a record by its evidence; without that, by the sentences that it has itself."""
    evidence = results / record["evidence"]
    if not evidence.is_file():
        return ShownClaim(
            record,
            record["stated"],
            record["found"],
            record["reason"],
            data=dict.fromkeys(record["data"]),
            place=record["place"],
        )
    whole = read_json(evidence)
    if any(whole.get(name) != value for name, value in record.items()):
        raise DamagedFile(
            results / "claims" / "verdicts.json", f"it does not say what {record['evidence']} says"
        )
    trail = whole["trail"]
    claim, found, reason = trail["claim"], found_from_json(trail["found"]), dict(trail["reason"])
    printed = Formula(claim["claim"]).printed if claim.get("claim") else None
    given = Markup(" and ").join(map(formula, claim.get("given", ())))
    shown = ShownClaim(
        record,
        stated=Markup(" if ").join(filter(None, [formula(claim.get("claim", "")), given])),
        found=with_formulas(lambda write: found_text(found, cut_number, write)),
        reason=reason_text(reason.pop("code"), reason, found, cut_number),
        links=_links(Claim(**claim), found) if record["verdict"] == CONTRADICTED else (),
        data={name: trail["data_sha256"].get(name) for name in record["data"]},
        evidence=record["evidence"],
        printed=Printed.parse(printed[1]) if printed and isinstance(found, Number) else None,
        number=found if isinstance(found, Number) else None,
        place=claim["place"],
        figure=claim.get("figure", 0),
        presupposed={formula(condition): at for condition, at in claim.get("presupposed", {}).items()},
    )
    if isinstance(found, Survey) and record["witness"]:
        holds = Formula(claim["claim"]).sometimes
        return replace(shown, witness=f"First point at which it {'holds' if holds else 'fails'}")
    return _show_decision(shown, found, trail["witness"]) if isinstance(found, Decision) else shown


def with_formulas(say: Callable[[Callable[[str], str]], str]) -> Markup:
    """Return a sentence, escaped, with its formulas as code; `say` is given what writes a formula into it.

    Examples
    --------
    >>> with_formulas(lambda write: "x < y & " + write("tp"))
    Markup('x &lt; y &amp; <code>tp</code>')
    """
    formulas: list[str] = []

    def hold(text: str) -> str:
        formulas.append(text)
        return f"{_HELD}{len(formulas) - 1}{_HELD}"

    text = str(escape(say(hold)))
    return Markup(re.sub(f"{_HELD}(\\d+){_HELD}", lambda held: formula(formulas[int(held[1])]), text))


def _links(claim: Claim, found: Found) -> tuple[Link, ...]:
    """The links of a claim that break: in the counterexample, in the numbers found, or at the first such point."""
    cases: Cases | None = None
    match found:
        case Number(value=value) if claim.formula.printed is not None:
            left, digits = claim.formula.printed
            sign = "<" if value < Printed.parse(digits).value else ">"
            return (Link(formula(left), cut_number(value), sign, formula(digits), ""),)
        case Decision(witness=tuple(witness)) if isinstance(claim.about, Domain):
            cases = claim.about.one(witness)
        case Numbers(values=values):
            cases = NamedNumbers(
                {name: Value(*one[0].as_integer_ratio()) for name, one in values.items()}, {}
            )
        case Survey(values=values) if values and isinstance(claim.about, Source):
            numbers = {name: Value(*Fraction(text).as_integer_ratio()) for name, text in values.items()}
            cases = NamedNumbers(numbers, claim.about.define)
    if cases is None or claim.formula.sometimes:
        return ()
    return tuple(broken_links(claim.formula.tree, cases))


def _show_decision(shown: ShownClaim, found: Decision, parts: Mapping[str, Any] | None) -> ShownClaim:
    """Add the case that settles a claim, and where one that fails does hold."""
    refuted, where = found.status == "refuted", found.exactly_when
    if where is not None and where.status != "refuted":
        shown = replace(shown, holds_where=with_formulas(partial(holds_text, where)))
    if parts is None:
        return shown
    tables = {"tables": {"": parts}, "pairs of tables": parts}.get(found.domain["over"], {})
    counterexample = "Smallest counterexample" if found.smallest else "Counterexample"
    return replace(
        shown,
        witness=counterexample if refuted else "Example",
        tables=tables,
        values={formula(name): cut_value(value) for name, value in (found.values or {}).items()},  # noqa: PD011
    )


# The claims by document and section, and where each one leads: its document, figure and table.


# What is counted apart from the documents' claims, by name.
APART = {
    "definition": "definition",
    "misprint": "misprint",
    "replication": "replication on other data",
    "beyond": "theorem of our own",
}
BEYOND = "Beyond the documents"


@dataclass(frozen=True)
class Places:
    """The names of the figure and the table that a claim leads to; empty where the page has none."""

    figure: str
    table: str


@dataclass(frozen=True)
class Section:
    """A section of a document with its entries."""

    name: str
    entries: Sequence[ShownClaim]

    @property
    def short(self) -> str:
        """The name as it stands before a row of squares."""
        return self.name.removeprefix("Section ")

    @property
    def counts(self) -> dict[str, int]:
        """How many claims there are of each verdict; what is counted apart is left out."""
        return count_verdicts(self.entries)


@dataclass(frozen=True)
class Document:
    """A document with its sections, in its order."""

    name: str
    title: str
    address: str
    sections: Sequence[Section]

    @property
    def heading(self) -> str:
        """The name as a heading."""
        return display_name(self.name)

    @property
    def entries(self) -> list[ShownClaim]:
        """All entries of all sections."""
        return [claim for section in self.sections for claim in section.entries]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims there are of each verdict; what is counted apart is left out."""
        return count_verdicts(self.entries)

    @property
    def apart(self) -> int:
        """How many entries are counted apart."""
        return len(self.entries) - sum(self.counts.values())


def count_verdicts(claims: Iterable[ShownClaim]) -> dict[str, int]:
    """Count the documents' claims by verdict, without what is counted apart."""
    counts = dict.fromkeys(VERDICT_WORDS, 0)
    for claim in claims:
        if claim.record["group"] not in APART:
            counts[claim.record["verdict"]] += 1
    return counts


def group_claims(claims: Sequence[ShownClaim], sources: Mapping[str, Mapping[str, str]]) -> list[Document]:
    """Group claims by document and section; what no document states comes last, by the document that it is near to."""
    found: dict[str, dict[str, list[ShownClaim]]] = {}
    for claim in claims:
        record = claim.record
        is_ours = record["group"] == "beyond"
        document = BEYOND if is_ours else record["source"]
        section = display_name(record["source"]) if is_ours else record["section"]
        found.setdefault(document, {}).setdefault(section, []).append(claim)
    return [
        Document(
            name,
            sources.get(name, {}).get("title", ""),
            sources.get(name, {}).get("address", ""),
            [Section(heading, entries) for heading, entries in found[name].items()],
        )
        for name in sorted(found, key=lambda name: (name == BEYOND, document_rank(name)))
    ]


def find_places(claim: ShownClaim, figures: Iterable[str], tables: Iterable[str]) -> Places:
    """Find where a claim leads among the figures and tables of the page, which are given by name."""
    record = claim.record
    read = [PurePath(name).stem for name in record["data"] if name.startswith("tables/")]
    prefix = next((key for key, document in DOCUMENTS.items() if document == record["source"]), "")
    number = claim.figure or "".join(re.findall(r"Figure (\d+)", record["locator"])[:1])
    figure = f"{prefix}_figure_{number}"
    return Places(figure if figure in figures else "", next((name for name in read if name in tables), ""))


# Every printed number beside the one found, on one axis.


LEFT, RIGHT = -0.4, 1.1  # the ends of the axis
TICKS = (0, 0.5, 1)
_QUESTIONS = {
    "top1_disagreement": "another best model",
    "top3_disagreement": "another order of the best three",
    "rank_correlation": "correlation of the ranks",
}


@dataclass(frozen=True)
class Pair:
    """A printed number and the one found.

    Attributes
    ----------
    label, address : str
        What it is, and the place on the page that has more of it.
    verdict : str
        Empty where other data were used, so that the two need not agree.
    stated, found : str
    marks : mapping of str to float
        Places on the axis in percent: ``stated``, ``value``, ``low``, ``high``.
    leaves : str
        "left" or "right" where what was found leaves the frame.
    relative : bool
        Whether both are divided by the stated number, because it is too large for the axis.
    """

    label: str
    address: str
    verdict: str
    stated: str
    found: str
    marks: Mapping[str, float]
    leaves: str
    relative: bool


def pair_numbers(claims: Sequence[ShownClaim], tables: Mapping[str, pd.DataFrame]) -> list[Pair]:
    """Pair every printed number with the one found: claims first, then the ranks of other data than the paper's."""
    pairs = []
    for claim in claims:
        printed, number = claim.printed, claim.number
        if printed is None or number is None:
            continue
        found = round_number(str(float(number.value)).removesuffix(".0"))[0]
        address = f"#claim-{claim.record['id']}"
        numbers = printed.value, number.value, number.low, number.high
        pairs.append(
            _pair(claim.record["statement"], address, claim.record["verdict"], printed.text, found, numbers)
        )
    pairs.sort(key=lambda pair: pair.verdict not in ("contradicted", "caveat"))
    return pairs + _pair_ranks(tables.get("rank_disagreement"))


def _pair_ranks(ranks: pd.DataFrame | None) -> list[Pair]:
    """The PRG paper's ranks beside those of this study, which may be of other tasks."""
    pairs = []
    for _, row in ranks.iterrows() if ranks is not None else ():
        names = " and ".join(AREAS.get(area, area) for area in row["pair"].split("/"))
        for column, question in _QUESTIONS.items():
            columns = (f"paper_{column}", column, f"{column}_low", f"{column}_high")
            if all(texts := [row.get(name, "") for name in columns]):
                numbers = tuple(map(Fraction, texts))
                found = round_number(row[column])[0]
                pairs.append(
                    _pair(f"{names}: {question}", "#section-rank_disagreement", "", texts[0], found, numbers)
                )
    return pairs


def _pair(
    label: str, address: str, verdict: str, stated: str, found: str, numbers: Sequence[Fraction]
) -> Pair:
    relative = not LEFT <= numbers[0] <= RIGHT
    scaled = [float(number / numbers[0]) if relative else float(number) for number in numbers]
    marks = dict(zip(("stated", "value", "low", "high"), map(axis_position, scaled), strict=True))
    leaves = "left" if min(scaled[1:]) < LEFT else "right" if max(scaled[1:]) > RIGHT else ""
    return Pair(label, address, verdict, stated, found, marks, leaves, relative)


def axis_position(number: float, left: float = LEFT, right: float = RIGHT) -> float:
    """Return where a number lies on an axis, in percent of its length, the ends for what is beyond them.

    Examples
    --------
    >>> axis_position(0.35), axis_position(-9)
    (50.0, 0.0)
    """
    return round(100 * (min(max(number, left), right) - left) / (right - left), 2)
