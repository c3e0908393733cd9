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
from nontrivial.claims.language.formulas import Formula, FormulaCases, NamedNumbers
from nontrivial.claims.language.numbers import PrintedNumber, Ratios
from nontrivial.claims.sentences import finding_text, holds_text, reason_text
from nontrivial.claims.verdict import (
    CONTRADICTED,
    Decision,
    Finding,
    NumberFinding,
    RelationFinding,
    Verdict,
    finding_from_json,
)
from nontrivial.files import read_json
from nontrivial_study.experiments.ranks.disagreement import labels_of_pair
from nontrivial_study.report.figures import Sources, display_name, document_rank, figure_of
from nontrivial_study.report.notation import (
    EvaluatedComparison,
    broken_comparisons,
    cut_number,
    cut_value,
    formula_markup,
    formula_text,
    round_number,
)

BEYOND_DOCUMENTS = "Beyond the documents"


@dataclass(frozen=True)
class ShownClaim:
    """A record of ``claims/verdicts.json``, prepared for reading: formulas as code, numbers of few digits."""

    record: Mapping[str, Any]
    stated: str
    found: str
    reason: str
    broken_comparisons: Sequence[EvaluatedComparison] = ()
    # The case that settles the claim: its title, such as "Example", its confusion tables, and the measures' values. Two
    # tables are named "first" and "second".
    case_title: str = ""
    case_tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    case_values: Mapping[str, str] = field(default_factory=dict)
    holds_where: str = ""
    data_digests: Mapping[str, str | None] = field(default_factory=dict)  # None if a file was not there
    evidence_path: str | None = None
    printed: PrintedNumber | None = None
    number: NumberFinding | None = None
    figure_number: int = 0  # 0 if the claim is not about a figure
    presupposed: Mapping[str, str] = field(default_factory=dict)  # the locator of each condition


def read_claims(results: Path) -> list[ShownClaim] | None:
    """Read the verdicts in the order of each document; None without any."""
    path = results / "claims" / "verdicts.json"
    if not path.is_file():
        return None
    records = sorted(read_json(path), key=lambda record: int(record["place"]))
    return [_prepare_claim(record, results) for record in records]


def _prepare_claim(record: Mapping[str, Any], results: Path) -> ShownClaim:
    """Prepare a record by its evidence, or by the record's own sentences if that file is missing."""
    evidence = results / record["evidence"]
    if not evidence.is_file():
        stated, found, reason = (record[name] for name in ("stated", "found", "reason"))
        return ShownClaim(record, stated, found, reason, data_digests=dict.fromkeys(record["data"]))
    trail = read_json(evidence)["trail"]
    claim, finding, reason = trail["claim"], finding_from_json(trail["found"]), dict(trail["reason"])
    printed = Formula.condition(claim["claim"]).printed if claim.get("claim") else None
    conditions = Markup(" and ").join(map(formula_markup, claim.get("given", ())))
    is_contradicted = record["verdict"] == CONTRADICTED
    shown = ShownClaim(
        record,
        stated=Markup(" if ").join(filter(None, [formula_markup(claim.get("claim", "")), conditions])),
        found=_render_code(finding_text(finding, cut_number, _quoted_formula)),
        reason=reason_text(Verdict(reason.pop("code"), reason), finding, record["stated"], cut_number),
        broken_comparisons=_comparisons_that_break(Claim(**claim), finding) if is_contradicted else (),
        data_digests={name: trail["data_sha256"].get(name) for name in record["data"]},
        evidence_path=record["evidence"],
        printed=printed.stated if printed and isinstance(finding, NumberFinding) else None,
        number=finding if isinstance(finding, NumberFinding) else None,
        figure_number=claim.get("figure", 0),
        presupposed={formula_markup(condition): locator for condition, locator in claim.get("presupposed", {}).items()},
    )
    if isinstance(finding, RelationFinding) and finding.place:
        verb = "holds" if Formula.condition(claim["claim"]).sometimes else "fails"
        return replace(shown, case_title=f"First point at which it {verb}")
    return _add_decision(shown, finding, trail["witness"]) if isinstance(finding, Decision) else shown


def _quoted_formula(formula: str) -> str:
    return f"`{formula_text(formula)}`"


def _render_code(text: str) -> Markup:
    """Turn each part between backticks into code."""
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def _comparisons_that_break(claim: Claim, finding: Finding) -> Sequence[EvaluatedComparison]:
    """Find the comparisons of a claim that break in its counterexample, its numbers or its first such point."""
    cases: FormulaCases | None = None
    text = claim.formula.text
    match finding:
        case NumberFinding(value=value) if claim.formula.printed is not None:
            computed, stated = claim.formula.printed
            sign = "<" if value < stated.value else ">"
            left = formula_markup(ast.get_source_segment(text, computed) or "")
            return [EvaluatedComparison(left, cut_number(value), sign, formula_markup(stated.text), "")]
        case Decision(witness=tuple(witness)) if isinstance(claim.about, Domain):
            cases = claim.about.as_cases(witness)
        case RelationFinding(values=values):
            numbers = {name: Ratios(*value.as_integer_ratio()) for name, (value, *_) in values.items()}
            cases = NamedNumbers(numbers, {})
    if cases is None or claim.formula.sometimes:
        return ()
    return broken_comparisons(text, claim.formula.tree, cases)


def _add_decision(shown: ShownClaim, finding: Decision, cells: Mapping[str, Any] | None) -> ShownClaim:
    """Add the case that settles a claim, and the condition under which a claim that fails does hold."""
    condition = finding.exactly_when
    if condition is not None and condition.status != "refuted":
        shown = replace(shown, holds_where=_render_code(holds_text(condition, _quoted_formula)))
    if cells is None:
        return shown
    values = finding.values or {}  # noqa: PD011
    counterexample = "Smallest counterexample" if finding.smallest else "Counterexample"
    return replace(
        shown,
        case_title=counterexample if finding.status == "refuted" else "Example",
        case_tables={"tables": {"": cells}, "pairs of tables": cells}.get(finding.domain["over"], {}),
        case_values={formula_markup(name): cut_value(value) for name, value in values.items()},
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


def group_claims(claims: Sequence[ShownClaim], sources: Sources) -> list[Document]:
    """Group claims by document and section. Claims beyond the documents come last; their sections are the documents."""
    by_document: dict[str, dict[str, list[ShownClaim]]] = {}
    for claim in claims:
        record = claim.record
        is_beyond = record["group"] == "beyond"
        document = BEYOND_DOCUMENTS if is_beyond else record["source"]
        section = display_name(record["source"]) if is_beyond else record["section"]
        by_document.setdefault(document, {}).setdefault(section, []).append(claim)
    ranks = {name: document_rank(name, list(sources)) for name in by_document}
    order = sorted(by_document, key=lambda name: (name == BEYOND_DOCUMENTS, ranks[name]))
    return [
        Document(
            name, sources.get(name, {}).get("title", ""), sources.get(name, {}).get("address", ""), by_document[name]
        )
        for name in order
    ]


def find_places(claim: ShownClaim, figures: Iterable[str], tables: Iterable[str]) -> dict[str, str]:
    """Find the ``figure`` and the ``table`` on the page that a claim is about; a text is empty if there is none."""
    record = claim.record
    tables_read = [PurePath(name).stem for name in record["data"] if name.startswith("tables/")]
    number = claim.figure_number or int((re.findall(r"Figure (\d+)", record["locator"]) or [0])[0])
    figure = figure_of(record["source"], number)
    return {
        "figure": figure if figure in figures else "",
        "table": next((name for name in tables_read if name in tables), ""),
    }


# Every number that a document prints beside the number that was found, on one axis.
AXIS_START, AXIS_END = -0.4, 1.1
AXIS_TICKS = (0, 0.5, 1)
_RANK_QUESTIONS = {
    "top1_disagreement": "another best model",
    "top3_disagreement": "another order of the best three",
    "rank_correlation": "correlation of the ranks",
}


@dataclass(frozen=True)
class NumberPair:
    """A printed number and the number found."""

    label: str
    address: str  # the place on the page that says more
    verdict: str  # empty if the data are not the document's
    stated: str
    found: str
    marks: Mapping[str, float]  # positions on the axis in percent: stated, value, low, high
    leaves: str  # the end of the axis beyond which a number found lies: "left", "right" or ""
    relative: bool  # whether all are divided by the stated number, which lies beyond the axis


def pair_numbers(claims: Sequence[ShownClaim], tables: Mapping[str, pd.DataFrame]) -> list[NumberPair]:
    """Pair every printed number with the number found: claims that fail first, the paper's ranks last."""
    pairs = []
    numbers: Sequence[Fraction]
    for claim in claims:
        if claim.printed is None or claim.number is None or claim.number.elsewhere:
            continue
        number, record = claim.number, claim.record
        found = str(float(number.value)).removesuffix(".0")
        numbers = (claim.printed.value, number.value, number.low, number.high)
        address = f"#claim-{record['id']}"
        pair = _create_pair(record["statement"], address, record["verdict"], claim.printed.text, found, numbers)
        pairs.append(pair)
    pairs.sort(key=lambda pair: pair.verdict not in ("contradicted", "caveat"))
    for _, row in tables.get("rank_disagreement", pd.DataFrame()).iterrows():
        areas = " and ".join(labels_of_pair(row["pair"]))
        for column, question in _RANK_QUESTIONS.items():
            texts = [row.get(name, "") for name in (f"paper_{column}", column, f"{column}_low", f"{column}_high")]
            if all(texts):
                numbers = tuple(map(Fraction, texts))
                label, address = f"{areas}: {question}", "#section-rank_disagreement"
                pairs.append(_create_pair(label, address, "", texts[0], texts[1], numbers))
    return pairs


def _create_pair(
    label: str, address: str, verdict: str, stated: str, found: str, numbers: Sequence[Fraction]
) -> NumberPair:
    """Put the stated number, value, low and high on the axis, divided by the stated one if that lies beyond it."""
    relative = not AXIS_START <= numbers[0] <= AXIS_END
    scaled = [float(number / numbers[0]) if relative else float(number) for number in numbers]
    marks = dict(zip(("stated", "value", "low", "high"), map(axis_position, scaled), strict=True))
    leaves = "left" if min(scaled[1:]) < AXIS_START else "right" if max(scaled[1:]) > AXIS_END else ""
    return NumberPair(label, address, verdict, stated, round_number(found), marks, leaves, relative)


def axis_position(number: float, start: float = AXIS_START, end: float = AXIS_END) -> float:
    """Return the position of a number on an axis in percent of its length; numbers beyond the axis are at its ends."""
    return round(100 * (min(max(number, start), end) - start) / (end - start), 2)
