"""How many claims have which verdict: counted once, and said in the same words wherever a registry is summed up."""

from collections.abc import Iterable, Mapping
from typing import Any

from nontrivial.claims.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, NOT_REFUTED, REPRODUCED
from nontrivial.terminal import count_of

# The groups, and what one entry of each is called.
GROUPS = {
    "claim": "claim",
    "misprint": "misprint",
    "replication": "replication",
    "definition": "definition",
    "beyond": "theorem of our own",
}
_PLURALS = {"beyond": "theorems of our own"}
COUNTED_AS = {
    REPRODUCED: "proved or computed",
    NOT_REFUTED: "searched",
    CAVEAT: "with a caveat",
    CONTRADICTED: "contradicted",
    NOT_EVALUATED: "not evaluated",
}


def count_verdicts(records: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the verdicts of each group that has a record; verdicts that none has are left out."""
    counts: dict[str, dict[str, int]] = {group: dict.fromkeys(COUNTED_AS, 0) for group in GROUPS}
    for record in records:
        counts[record["group"]][record["verdict"]] += 1
    return {
        group: {verdict: count for verdict, count in verdicts.items() if count}
        for group, verdicts in counts.items()
        if any(verdicts.values())
    }


def count_line(records: Iterable[Mapping[str, Any]]) -> str:
    """Say the counts, such as "3 claims (2 proved or computed, 1 contradicted); 1 misprint (1 contradicted)".

    Examples
    --------
    >>> count_line([{"group": "claim", "verdict": "reproduced"}, {"group": "claim", "verdict": "not_refuted"}])
    '2 claims (1 proved or computed, 1 searched)'
    """
    parts = []
    for group, verdicts in count_verdicts(records).items():
        words = ", ".join(f"{count:,} {COUNTED_AS[verdict]}" for verdict, count in verdicts.items())
        parts.append(f"{_counted(sum(verdicts.values()), group)} ({words})")
    return "; ".join(parts)


def _counted(count: int, group: str) -> str:
    return (
        count_of(count, GROUPS[group])
        if group not in _PLURALS or count == 1
        else f"{count:,} {_PLURALS[group]}"
    )
