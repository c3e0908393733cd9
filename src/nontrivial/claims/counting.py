"""How many claims have which verdict: counted once, and said in the same words wherever a registry is summed up."""

from collections import Counter
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
COUNTED_AS = {
    REPRODUCED: "proved or computed",
    NOT_REFUTED: "searched",
    CAVEAT: "with a caveat",
    CONTRADICTED: "contradicted",
    NOT_EVALUATED: "not evaluated",
}


def count_verdicts(records: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the verdicts in each group, without groups and verdicts that no record has."""
    counts = Counter((record["group"], record["verdict"]) for record in records)
    by_group = {
        group: {verdict: counts[group, verdict] for verdict in COUNTED_AS if counts[group, verdict]}
        for group in GROUPS
    }
    return {group: verdicts for group, verdicts in by_group.items() if verdicts}


def count_line(records: Iterable[Mapping[str, Any]]) -> str:
    """Write the counts, such as "3 claims (2 proved or computed, 1 contradicted); 1 misprint (1 contradicted)".

    Examples
    --------
    >>> count_line([{"group": "claim", "verdict": "reproduced"}, {"group": "claim", "verdict": "not_refuted"}])
    '2 claims (1 proved or computed, 1 searched)'
    """
    parts = []
    for group, verdicts in count_verdicts(records).items():
        words = ", ".join(f"{count:,} {COUNTED_AS[verdict]}" for verdict, count in verdicts.items())
        noun, *rest = GROUPS[group].split(" ", 1)  # "theorems of our own"
        parts.append(" ".join([count_of(sum(verdicts.values()), noun), *rest, f"({words})"]))
    return "; ".join(parts)
