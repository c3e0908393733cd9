"""The audit's claims as a page shows them, from the fields of the verdicts and of the evidence beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from nontrivial.claims.formulas import Formula
from nontrivial.claims.found import Decision, found_from_json
from nontrivial.claims.sentences import found_text, holds_text, reason_text
from nontrivial.claims.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED
from nontrivial.files import DamagedFile
from nontrivial.records import read_json
from nontrivial.report.captions import document_rank
from nontrivial.report.numbers import cut_number, cut_value
from nontrivial.report.relations import readable_relation

# The order in which a reader wants to see them, and their names.
VERDICTS = {
    CONTRADICTED: "contradicted",
    CAVEAT: "holds with caveat",
    REPRODUCED: "reproduced",
    NOT_EVALUATED: "not evaluated",
}
# What is counted apart from the documents' claims, in the order of the page, by name.
APART = {
    "definition": "Definitions",
    "step": "Proof steps",
    "repair": "Repairs",
    "replication": "Replications on other data",
    "beyond": "Beyond the documents",
}
_PARENTS = {"step": "step_of", "repair": "repairs"}  # by group: the field that names the parent


@dataclass(frozen=True)
class ShownClaim:
    """A record of the audit, and what of it is prepared for reading.

    Attributes
    ----------
    record : mapping
        As ``claims/verdicts.json`` has it.
    stated, found, reason : str
        What is stated, what was found and why the verdict is what it is; formulas with the signs of prose, long
        decimals cut off.
    witness : str
        What the case is that settles it: "Smallest counterexample", "Counterexample" or "Example"; empty without one.
    tables : mapping of str to mapping of str to int
        The confusion tables that the case consists of, ``FP, TP, FN, TN``, by "first" and "second" or an empty text.
    values : mapping of str to str
        What the measures come to there.
    holds_where : str
        Where a claim that fails does hold; empty where that is not known.
    data : mapping of str to str or None
        The sha256 that each file had when the claim was judged; None where it was not there.
    evidence : str or None
        The evidence's path inside the results; None where the file is not there.
    repairs, steps : list of ShownClaim
        What repairs it, and the steps of its proof.
    """

    record: Mapping[str, Any]
    stated: str
    found: str
    reason: str
    witness: str = ""
    tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    holds_where: str = ""
    data: Mapping[str, str | None] = field(default_factory=dict)
    evidence: str | None = None
    repairs: list[ShownClaim] = field(default_factory=list)
    steps: list[ShownClaim] = field(default_factory=list)


def read_claims(results: Path) -> list[ShownClaim] | None:
    """Read the verdicts, in the order of the documents; None without any.

    Raises
    ------
    ValueError
        If a verdict is not one of the four, a proof step or repair is of no entry that is there, or a record does not
        say what its evidence says.
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
    claims = {record["id"]: _show(record, results) for record in records}
    for claim in claims.values():
        if above := _PARENTS.get(claim.record["group"]):
            parent = claims.get(claim.record[above])
            if parent is None:
                raise ValueError(
                    f"claims/verdicts.json: {claim.record['id']!r} has {above} {claim.record[above]!r}; "
                    "allowed is the id of an entry."
                )
            (parent.repairs if above == "repairs" else parent.steps).append(claim)
    return sorted(claims.values(), key=lambda claim: document_rank(claim.record["source"]))


def count_verdicts(claims: Sequence[ShownClaim]) -> dict[str, dict[str, int]]:
    """Count by verdict the claims of each document, and under the keys of `APART` all that is none of these."""
    documents = dict.fromkeys(claim.record["source"] for claim in claims)
    counts = {name: dict.fromkeys(VERDICTS, 0) for name in (*documents, *APART)}
    for claim in claims:
        group = claim.record["group"]
        counts[group if group in APART else claim.record["source"]][claim.record["verdict"]] += 1
    return counts


def main_claims(claims: Sequence[ShownClaim]) -> dict[str, list[ShownClaim]]:
    """The claims that each document is about, by document and in the order of verdicts; none without any."""
    chosen: dict[str, list[ShownClaim]] = {}
    for claim in claims:
        if claim.record["main"]:
            chosen.setdefault(claim.record["source"], []).append(claim)
    order = list(VERDICTS)
    return {
        document: sorted(group, key=lambda claim: order.index(claim.record["verdict"]))
        for document, group in chosen.items()
    }


def group_by_verdict(claims: Iterable[ShownClaim]) -> list[tuple[str, list[ShownClaim]]]:
    """The claims of each verdict that there is, in the order of `VERDICTS`."""
    chosen = list(claims)
    groups = [
        (verdict, [claim for claim in chosen if claim.record["verdict"] == verdict]) for verdict in VERDICTS
    ]
    return [(verdict, group) for verdict, group in groups if group]


def _show(record: Mapping[str, Any], results: Path) -> ShownClaim:
    """Prepare a record by its evidence; without that, by the sentences that it has itself."""
    evidence = results / record["evidence"]
    if not evidence.is_file():
        return ShownClaim(
            record, record["stated"], record["found"], record["reason"], data=dict.fromkeys(record["data"])
        )
    whole = read_json(evidence)
    if any(whole.get(name) != value for name, value in record.items()):
        raise DamagedFile(
            results / "claims" / "verdicts.json", f"it does not say what {record['evidence']} says"
        )
    trail = whole["trail"]
    claim, found, reason = trail["claim"], found_from_json(trail["found"]), dict(trail["reason"])
    printed = Formula(claim["claim"]).printed if claim.get("claim") else None
    number = partial(cut_number, beside=printed[1] if printed else "")
    given = " and ".join(map(readable_relation, claim.get("given", ())))
    shown = ShownClaim(
        record,
        stated=" if ".join(filter(None, [readable_relation(claim.get("claim", "")), given])),
        found=found_text(found, number, readable_relation),
        reason=reason_text(reason.pop("code"), reason, found, number),
        data={name: trail["data_sha256"].get(name) for name in record["data"]},
        evidence=record["evidence"],
    )
    return _show_decision(shown, found, trail["witness"]) if isinstance(found, Decision) else shown


def _show_decision(shown: ShownClaim, found: Decision, parts: Mapping[str, Any] | None) -> ShownClaim:
    """Add the case that settles a claim, and where one that fails does hold."""
    refuted, where = found.status == "refuted", found.exactly_when
    if where is not None and where.status != "refuted":
        shown = replace(shown, holds_where=holds_text(where, readable_relation))
    if parts is None:
        return shown
    tables = {"tables": {"": parts}, "pairs of tables": parts}.get(found.domain["over"], {})
    counterexample = "Smallest counterexample" if found.smallest else "Counterexample"
    return replace(
        shown,
        witness=counterexample if refuted else "Example",
        tables=tables,
        values={readable_relation(name): cut_value(value) for name, value in (found.values or {}).items()},
    )
