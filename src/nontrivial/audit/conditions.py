"""The condition under which a statement that fails in places does hold, searched for in a small grammar.

Candidates are comparisons that a domain offers, such as of counts and rates of a confusion table, and any two of them
joined by "and" or "or". A candidate is exact if it is met in just the cases in which the statement holds, and
sufficient if it is met in none in which it fails. The simplest exact one is taken; if there is none, the weakest
sufficient one: that which is met in most cases. Candidates are first tried on small cases, then on the whole domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from nontrivial.audit.domains import Domain
from nontrivial.audit.expressions import Cases
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.truth import order_truth, truth

TRIED = 12  # candidates of either kind that are tried on the whole domain


@dataclass(frozen=True)
class Candidate:
    """One comparison, or two joined by "and" or "or"."""

    parts: tuple[Order, ...]
    junction: str = ""

    @property
    def text(self) -> str:
        """The condition as the registry would write it."""
        return f" {self.junction} ".join(part.text for part in self.parts)

    def met(self, cases: Cases) -> Any:
        """Where it is met; a term without value meets no comparison."""
        masks = [holds & defined for holds, defined in (order_truth(part, cases) for part in self.parts)]
        if len(masks) == 1:
            return masks[0]
        return masks[0] & masks[1] if self.junction == "and" else masks[0] | masks[1]


def condition_under_which(
    statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> dict[str, Any] | None:
    """Find the condition under which a statement holds.

    Parameters
    ----------
    statement, where, domain
        As for `nontrivial.audit.search.search`, which has found a counterexample.
    kind : type
        Of the numbers that suffice for evaluating the statement.

    Returns
    -------
    dict or None
        ``condition`` as text, ``exact``, ``met`` (in how many cases of the domain) and ``holds`` (in how many the
        statement does); None if no candidate suffices.
    """
    exact, sufficient = _try_on_small_cases(statement, where, domain.small(), kind)
    for candidates in (exact, sufficient):  # whatever is exact on the whole domain is exact on small cases
        met, wrong, true = _try_on(candidates, statement, where, domain, kind)
        possible = [
            place
            for place in range(len(candidates))
            if not wrong[place] and (candidates is sufficient or met[place] == true)
        ]
        if possible:
            best = max(possible, key=lambda place: met[place])  # of equals the first, which is the simplest
            return {
                "condition": candidates[best].text,
                "exact": bool(met[best] == true),
                "met": int(met[best]),
                "holds": true,
            }
    return None


def _try_on(
    candidates: Sequence[Candidate], statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> tuple[np.ndarray, np.ndarray, int]:
    """In how many cases each candidate is met, in how many of these the statement fails, and in how many it holds."""
    met, wrong, true = np.zeros(len(candidates), dtype=np.int64), np.zeros(len(candidates), dtype=np.int64), 0
    for meant, holds, cases in _evaluate(statement, where, domain, kind) if candidates else ():
        true += int(np.count_nonzero(meant & holds))
        for place, candidate in enumerate(candidates):
            mask = np.broadcast_to(candidate.met(cases), meant.shape) & meant
            met[place] += np.count_nonzero(mask)
            wrong[place] += np.count_nonzero(mask & ~holds)
    return met, wrong, true


def _evaluate(
    statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> Iterator[tuple[np.ndarray, np.ndarray, Cases]]:
    for part in domain.parts(kind):
        applies, defined, holds = (_mask(mask, part.shape) for mask in truth(statement, where, part.cases))
        yield applies & defined, holds, part.cases


def _mask(mask: Any, shape: tuple[int, ...]) -> np.ndarray:
    return np.broadcast_to(np.asarray(mask, dtype=bool), shape)


def _try_on_small_cases(
    statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates that are exact on small cases, and of the merely sufficient ones those that are met most."""
    small = list(_evaluate(statement, where, domain, kind))
    right = np.concatenate([holds[meant] for meant, holds, _ in small])
    names = set(statement.order.names)
    known: dict[bytes, Candidate] = {}
    for atom in domain.atoms:
        if set(atom.names) == names:
            continue  # it would say the claim in its own words
        candidate = Candidate((atom,))
        mask = np.concatenate([_mask(candidate.met(cases), meant.shape)[meant] for meant, _, cases in small])
        if mask.any() and not mask.all():
            known.setdefault(mask.tobytes(), candidate)
    masks = {candidate: np.frombuffer(mask, dtype=bool) for mask, candidate in known.items()}
    found: list[tuple[bool, int, Candidate]] = []

    def note(candidate: Candidate, mask: np.ndarray) -> None:
        if mask.any() and not (mask & ~right).any():
            count = int(np.count_nonzero(mask))
            found.append((count == np.count_nonzero(right), count, candidate))

    for candidate, mask in masks.items():
        note(candidate, mask)
    for (one, its_mask), (other, mask) in combinations(masks.items(), 2):
        parts = one.parts + other.parts
        note(Candidate(parts, "and"), its_mask & mask)
        if not (its_mask & ~right).any() and not (mask & ~right).any():
            note(Candidate(parts, "or"), its_mask | mask)
    exact = [candidate for is_exact, _, candidate in found if is_exact]
    rest = sorted((item for item in found if not item[0]), key=lambda item: -item[1])
    return exact[:TRIED], [candidate for _, _, candidate in rest[:TRIED]]
