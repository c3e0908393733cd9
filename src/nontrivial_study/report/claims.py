"""The audit's claims as the page shows them, by document and section, and printed numbers beside those found."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Any

import pandas as pd
from markupsafe import Markup, escape

from nontrivial.claims.claim import Claim
from nontrivial.claims.domains.domain import Domain
from nontrivial.claims.findings import Decision, Finding, NumberFinding, RelationFinding, finding_from_json
from nontrivial.claims.language.formulas import Formula, FormulaCases, NamedNumbers
from nontrivial.claims.language.printed import PrintedNumber
from nontrivial.claims.language.ratios import Ratios
from nontrivial.claims.sentences import finding_text, holds_text, reason_text
from nontrivial.claims.verdict import CONTRADICTED, Verdict
from nontrivial.files import read_json
from nontrivial_study.experiments.ranks.disagreement import labels_of_pair
from nontrivial_study.report.figures import display_name, document_rank, figure_of
from nontrivial_study.report.notation import (
    Link,
    broken_links,
    cut_number,
    cut_value,
    formula,
    prose,
    round_number,
)

BEYOND = "Beyond the documents"


@dataclass(frozen=True)
class ShownClaim:
    """A record of ``claims/verdicts.json``, and what is prepared for reading: formulas as code, few digits."""

    record: Mapping[str, Any]
    stated: str
    found: str
    reason: str
    links: Sequence[Link] = ()  # the comparisons that break
    witness: str = ""  # what the case is that settles it, such as "Example"
    # That case; "first" and "second" of a pair.
    tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)  # of the measures in that case
    holds_where: str = ""  # where a claim that fails does hold
    # The sha256 of each file; None if it was not there.
    data: Mapping[str, str | None] = field(default_factory=dict)
    evidence: str | None = None  # its path in the results; None without the file
    printed: PrintedNumber | None = None  # the number that is stated
    number: NumberFinding | None = None  # the number that was found
    figure: int = 0  # of the document; 0 for none
    # Conditions, and where the document has them.
    presupposed: Mapping[str, str] = field(default_factory=dict)


def read_claims(results: Path) -> list[ShownClaim] | None:
    """Read the verdicts in the order of each document; None without any."""
    path = results / "claims" / "verdicts.json"
    if not path.is_file():
        return None
    records = sorted(read_json(path), key=lambda record: int(record["place"]))
    return [_show(record, results) for record in records]


def _show(record: Mapping[str, Any], results: Path) -> ShownClaim:
    """Prepare a record by its evidence; without that, by the sentences that it has itself."""
    evidence = results / record["evidence"]
    if not evidence.is_file():
        stated, found, reason = (record[name] for name in ("stated", "found", "reason"))
        return ShownClaim(record, stated, found, reason, data=dict.fromkeys(record["data"]))
    trail = read_json(evidence)["trail"]
    claim, found, reason = trail["claim"], finding_from_json(trail["found"]), dict(trail["reason"])
    printed = Formula.condition(claim["claim"]).printed if claim.get("claim") else None
    given = Markup(" and ").join(map(formula, claim.get("given", ())))
    shown = ShownClaim(
        record,
        stated=Markup(" if ").join(filter(None, [formula(claim.get("claim", "")), given])),
        found=_with_code(finding_text(found, cut_number, _as_code)),
        reason=reason_text(Verdict(reason.pop("code"), reason), found, record["stated"], cut_number),
        links=_links(Claim(**claim), found) if record["verdict"] == CONTRADICTED else (),
        data={name: trail["data_sha256"].get(name) for name in record["data"]},
        evidence=record["evidence"],
        printed=printed.stated if printed and isinstance(found, NumberFinding) else None,
        number=found if isinstance(found, NumberFinding) else None,
        figure=claim.get("figure", 0),
        presupposed={formula(condition): at for condition, at in claim.get("presupposed", {}).items()},
    )
    if isinstance(found, RelationFinding) and found.place:
        holds = Formula.condition(claim["claim"]).sometimes
        return replace(shown, witness=f"First point at which it {'holds' if holds else 'fails'}")
    return _show_decision(shown, found, trail["witness"]) if isinstance(found, Decision) else shown


def _as_code(written: str) -> str:
    return f"`{prose(written)}`"


def _with_code(text: str) -> Markup:
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def _links(claim: Claim, found: Finding) -> Sequence[Link]:
    """The comparisons of a claim that break: in the counterexample, the numbers found, or at the first such point."""
    cases: FormulaCases | None = None
    text = claim.formula.text
    match found:
        case NumberFinding(value=value) if claim.formula.printed is not None:
            part, stated = claim.formula.printed
            sign = "<" if value < stated.value else ">"
            number = formula(ast.get_source_segment(text, part) or "")
            return [Link(number, cut_number(value), sign, formula(stated.text), "")]
        case Decision(witness=tuple(witness)) if isinstance(claim.about, Domain):
            cases = claim.about.as_cases(witness)
        case RelationFinding(values=values):
            numbers = {name: Ratios(*value.as_integer_ratio()) for name, (value, *_) in values.items()}
            cases = NamedNumbers(numbers, {})
    if cases is None or claim.formula.sometimes:
        return ()
    return broken_links(text, claim.formula.tree, cases)


def _show_decision(shown: ShownClaim, found: Decision, parts: Mapping[str, Any] | None) -> ShownClaim:
    """Add the case that settles a claim, and where one that fails does hold."""
    where = found.exactly_when
    if where is not None and where.status != "refuted":
        shown = replace(shown, holds_where=_with_code(holds_text(where, _as_code)))
    if parts is None:
        return shown
    counterexample = "Smallest counterexample" if found.smallest else "Counterexample"
    return replace(
        shown,
        witness=counterexample if found.status == "refuted" else "Example",
        tables={"tables": {"": parts}, "pairs of tables": parts}.get(found.domain["over"], {}),
        values={formula(name): cut_value(value) for name, value in (found.values or {}).items()},  # noqa: PD011
    )


@dataclass(frozen=True)
class Document:
    """A document with its claims by section, in its order."""

    name: str
    title: str
    address: str
    sections: Mapping[str, Sequence[ShownClaim]]

    @property
    def records(self) -> list[Mapping[str, Any]]:
        """The records of all sections."""
        return [claim.record for claims in self.sections.values() for claim in claims]


def group_claims(claims: Sequence[ShownClaim], sources: Mapping[str, Mapping[str, str]]) -> list[Document]:
    """Group claims by document and section; what no document states comes last, by the document that it is near to."""
    by_document: dict[str, dict[str, list[ShownClaim]]] = {}
    for claim in claims:
        record = claim.record
        is_ours = record["group"] == "beyond"
        document = BEYOND if is_ours else record["source"]
        section = display_name(record["source"]) if is_ours else record["section"]
        by_document.setdefault(document, {}).setdefault(section, []).append(claim)
    documents = []
    for name in sorted(by_document, key=lambda name: (name == BEYOND, document_rank(name, list(sources)))):
        source = sources.get(name, {})
        documents.append(
            Document(name, source.get("title", ""), source.get("address", ""), by_document[name])
        )
    return documents


def find_places(claim: ShownClaim, figures: Iterable[str], tables: Iterable[str]) -> dict[str, str]:
    """Find the ``figure`` and the ``table`` of the page that a claim leads to; empty where there is none."""
    record = claim.record
    read = [PurePath(name).stem for name in record["data"] if name.startswith("tables/")]
    number = claim.figure or int((re.findall(r"Figure (\d+)", record["locator"]) or [0])[0])
    figure = figure_of(record["source"], number)
    return {
        "figure": figure if figure in figures else "",
        "table": next((name for name in read if name in tables), ""),
    }


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
    """A printed number and the one found; without a verdict where the data are others than the document's."""

    label: str
    address: str  # of the place on the page that has more of it
    verdict: str
    stated: str
    found: str
    marks: Mapping[str, float]  # places on the axis in percent: stated, value, low, high
    leaves: str  # "left" or "right" where what was found leaves the frame
    relative: bool  # whether both are divided by the stated number, which is too large for the axis


def pair_numbers(claims: Sequence[ShownClaim], tables: Mapping[str, pd.DataFrame]) -> list[Pair]:
    """Pair every printed number with the one found: claims first, then the ranks of other data than the paper's."""
    pairs = []
    for claim in claims:
        if claim.printed is None or claim.number is None or claim.number.elsewhere:
            continue
        number, record = claim.number, claim.record
        found = str(float(number.value)).removesuffix(".0")
        numbers = claim.printed.value, number.value, number.low, number.high
        where = record["statement"], f"#claim-{record['id']}", record["verdict"]
        pairs.append(_pair(*where, claim.printed.text, found, numbers))
    pairs.sort(key=lambda pair: pair.verdict not in ("contradicted", "caveat"))
    ranks = tables.get("rank_disagreement", pd.DataFrame())
    for _, row in ranks.iterrows():
        names = " and ".join(labels_of_pair(row["pair"]))
        for column, question in _QUESTIONS.items():
            columns = (f"paper_{column}", column, f"{column}_low", f"{column}_high")
            if all(texts := [row.get(name, "") for name in columns]):
                where = f"{names}: {question}", "#section-rank_disagreement", ""
                pairs.append(_pair(*where, texts[0], texts[1], tuple(map(Fraction, texts))))
    return pairs


def _pair(
    label: str, address: str, verdict: str, stated: str, found: str, numbers: Sequence[Fraction]
) -> Pair:
    relative = not LEFT <= numbers[0] <= RIGHT
    scaled = [float(number / numbers[0]) if relative else float(number) for number in numbers]
    marks = dict(zip(("stated", "value", "low", "high"), map(axis_position, scaled), strict=True))
    leaves = "left" if min(scaled[1:]) < LEFT else "right" if max(scaled[1:]) > RIGHT else ""
    return Pair(label, address, verdict, stated, round_number(found)[0], marks, leaves, relative)


def axis_position(number: float, left: float = LEFT, right: float = RIGHT) -> float:
    """Return where a number lies on an axis, in percent of its length, the ends for what is beyond them."""
    return round(100 * (min(max(number, left), right) - left) / (right - left), 2)
