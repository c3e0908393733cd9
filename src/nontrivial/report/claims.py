"""The audit's claims as a page shows them, from the verdicts and the evidence beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.audit.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED
from nontrivial.records import read_json
from nontrivial.report.captions import document_rank
from nontrivial.report.cases import readable_case
from nontrivial.report.numbers import cut_numbers

# The order in which a reader wants to see them, and their names.
VERDICTS = {
    CONTRADICTED: "contradicted",
    CAVEAT: "holds with caveat",
    REPRODUCED: "reproduced",
    NOT_EVALUATED: "not evaluated",
}
BEYOND = "beyond the documents"
_CELLS = ("FP", "TP", "FN", "TN")
_SIGNS = {
    r"\b(f_beta|f1)(?=_[12]\b|\b)": "F1",  # the study's tables and the registry have no other beta
    r"_1\b(?!\.\w)": "\N{SUBSCRIPT ONE}",  # of the first of two tables
    r"_2\b(?!\.\w)": "\N{SUBSCRIPT TWO}",
    r"_(?!\w*[./]\w)": " ",  # but not in a file's path
    "<=": "≤",
    ">=": "≥",
    "==": "=",
    "!=": "≠",
    r" \* ": " \N{MULTIPLICATION SIGN} ",
    " - ": " \N{MINUS SIGN} ",
    r" ?\*\* ?": "^",
}
_MARGINS = re.compile(r"confusion table of (\d+) positives and (\d+) negatives")
_FORM = re.compile(r"\(([^()]+)\)")


@dataclass(frozen=True)
class ShownClaim:
    """A record of the audit, and what of it is prepared for reading.

    Attributes
    ----------
    record : mapping
        As ``claims/verdicts.json`` has it.
    stated : str
        What is stated; a relation with the signs and words of prose.
    found : str
        What was found, likewise, and with long decimals cut off.
    domain : str
        Which cases were searched, if any.
    reason : str
        Why the verdict is what it is.
    cases : sequence of mappings of str to int
        The counterexample's confusion table, or several, by ``FP, TP, FN, TN``; empty where it is none.
    case : str
        A counterexample that is no confusion table, with the names of its parts; empty where they are not known.
    form : str
        How a counterexample that is no confusion table is to be read, in the words of its domain.
    values : mapping of str to str
        What the measures come to there.
    holds_where : mapping or None
        Where a claim that fails does hold: ``condition``, whether that is ``exact``, and otherwise in how many cases
        it is ``met`` of those in which the claim ``holds``.
    data : mapping of str to str or None
        The sha256 that each file had when the claim was judged; None where it was not there.
    evidence : str or None
        The evidence's path inside the results; None where the file is not there.
    main : bool
        Whether it is one of the few that its document is about.
    document : str
        Under which heading it stands: that of its document, or of what no document states.
    vacuous : bool
        Whether neither side of its condition is ever true where it holds.
    """

    record: Mapping[str, Any]
    stated: str
    found: str
    domain: str
    reason: str
    cases: Sequence[Mapping[str, int]]
    case: str
    form: str
    values: Mapping[str, str]
    holds_where: Mapping[str, Any] | None
    data: Mapping[str, str | None]
    evidence: str | None
    main: bool
    document: str
    vacuous: bool


def read_claims(results: Path) -> list[ShownClaim] | None:
    """Read the verdicts in the order of their documents and ids, those beyond the documents last; None without any.

    Raises
    ------
    ValueError
        If a verdict is not one of the four.
    """
    path = results / "claims" / "verdicts.json"
    if not path.is_file():
        return None
    records = read_json(path)
    for record in records:
        if record["verdict"] not in VERDICTS:
            raise ValueError(
                f"claims/verdicts.json gives {record['id']!r} the verdict {record['verdict']!r}; "
                f"allowed are {', '.join(VERDICTS)}."
            )
    claims = [_show(record, results) for record in records]
    return sorted(claims, key=lambda claim: (_rank(claim), claim.record["id"]))


def count_verdicts(claims: Sequence[ShownClaim]) -> dict[str, dict[str, int]]:
    """Count the claims of each document by verdict, and apart from them those that no document states."""
    counts = Counter((claim.document, claim.record["verdict"]) for claim in claims)
    documents = dict.fromkeys(claim.document for claim in claims)
    return {document: {verdict: counts[document, verdict] for verdict in VERDICTS} for document in documents}


def main_claims(claims: Sequence[ShownClaim]) -> dict[str, list[ShownClaim]]:
    """The claims that each document is about, by document and in the order of verdicts; none without any."""
    order = list(VERDICTS)
    chosen = sorted(
        (claim for claim in claims if claim.main), key=lambda claim: order.index(claim.record["verdict"])
    )
    documents = dict.fromkeys(claim.document for claim in claims if claim.main)
    return {document: [claim for claim in chosen if claim.document == document] for document in documents}


def readable_relation(text: str) -> str:
    """Write a relation of the registry as prose has it.

    Examples
    --------
    >>> readable_relation("prediction_advantage <= 2 * f_beta - 1 if positives < negatives")
    'prediction advantage ≤ 2 × F1 − 1 if positives < negatives'
    >>> readable_relation("fp**2 != tp * fn")
    'fp^2 ≠ tp × fn'
    >>> readable_relation("f1_1 >= f1_2 if predicted_positives_1 = 0")
    'F1₁ ≥ F1₂ if predicted positives₁ = 0'
    >>> readable_relation("every row of tables/curve_areas.csv with model = random_forest.")
    'every row of tables/curve_areas.csv with model = random forest.'
    """
    for code, sign in _SIGNS.items():
        text = re.sub(code, sign, text)
    return text


def _rank(claim: ShownClaim) -> tuple[bool, tuple[int, str]]:
    return claim.document == BEYOND, document_rank(claim.document)


def _show(record: Mapping[str, Any], results: Path) -> ShownClaim:
    evidence = results / record["evidence"]
    trail = read_json(evidence).get("trail", {}) if evidence.is_file() else {}
    hashes = trail.get("data_sha256", {})
    details = trail.get("found", {}).get("details", {})
    where, values = details.get("holds_where"), details.get("values")
    if record["counterexample"] is None or not isinstance(values, dict):
        values = {}
    # The condition has a place of its own.
    found = record["found"].partition("; it holds ")[0] if where else record["found"]
    return ShownClaim(
        record=record,
        stated=readable_relation(record["stated"]),
        found=readable_relation(cut_numbers(found, beside=record["stated"])),
        domain=readable_relation(record["domain"]),
        reason=cut_numbers(record["reason"]),
        cases=_tables(record),
        case=readable_case(record["counterexample"], record["domain"]),
        form=_form(record["domain"]),
        values={readable_relation(name): cut_numbers(str(value)) for name, value in values.items()},
        holds_where=where and where | {"condition": readable_relation(where["condition"])},
        data={name: hashes.get(name) for name in record["data"]},
        evidence=record["evidence"] if evidence.is_file() else None,
        main=trail.get("claim", {}).get("main", False),
        document=BEYOND if record["beyond"] else record["source"],
        vacuous=bool(details.get("vacuous")),
    )


def _tables(record: Mapping[str, Any]) -> list[dict[str, int]]:
    """The confusion tables that a counterexample consists of: four counts each, or FP and TP of known margins."""
    case = record["counterexample"]
    if not isinstance(case, list) or not all(type(count) is int for count in case):
        return []
    margins = _MARGINS.search(record["domain"])
    if margins and len(case) == 2:
        (fp, tp), (positives, negatives) = case, map(int, margins.groups())
        case = [fp, tp, positives - tp, negatives - fp]
    if "confusion table" not in record["domain"] or len(case) % len(_CELLS):
        return []
    starts = range(0, len(case), len(_CELLS))
    return [dict(zip(_CELLS, case[start : start + len(_CELLS)], strict=True)) for start in starts]


def _form(domain: str) -> str:
    """What a domain says in brackets of how its cases are written, or else what its cases are."""
    brackets = _FORM.search(domain)
    return brackets[1] if brackets else domain.partition(" where ")[0].replace("every", "a", 1)
