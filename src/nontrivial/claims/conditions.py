"""The condition under which a statement that fails in places does hold: derived by hand, or searched for.

A condition is exact if it is met in just the cases in which the statement holds, and sufficient if it is met in none in
which it fails. One that the registry proposes is tried on the whole domain, and taken only if it is exact there.
Otherwise candidates are comparisons that a domain offers, such as of counts and rates of a confusion table, and any two
of them joined by "and" or "or". The simplest exact one is taken; if there is none, the weakest sufficient one: that
which is met in most cases. They are first tried on small cases, then on the whole domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from nontrivial.audit.domains import Domain
from nontrivial.audit.expressions import Cases
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.truth import condition_met, truth

TRIED = 12  # candidates of either kind that are tried on the whole domain


def try_condition(
    proposed: Condition, statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> dict[str, Any]:
    """Try a condition in every case of a domain.

    Parameters
    ----------
    proposed : Condition
    statement, where, domain
        As for `nontrivial.audit.search.search`, which has found a counterexample.
    kind : type
        Of the numbers that suffice for evaluating the statement and the condition.

    Returns
    -------
    dict
        ``condition`` as text, ``exact``, ``met`` (in how many cases), ``wrong`` (in how many of these the statement
        fails) and ``holds`` (in how many it holds).
    """
    (met,), (wrong,), holds = _try_on([proposed], statement, where, domain, kind)
    return {
        "condition": proposed.text,
        "exact": bool(met == holds and not wrong),
        "met": int(met),
        "wrong": int(wrong),
        "holds": holds,
    }


def condition_under_which(
    statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> dict[str, Any] | None:
    """Search for the condition under which a statement holds.

    Parameters
    ----------
    statement, where, domain, kind
        As for `try_condition`.

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
    candidates: Sequence[Condition], statement: Statement, where: Sequence[Order], domain: Domain, kind: type
) -> tuple[np.ndarray, np.ndarray, int]:
    """In how many cases each candidate is met, in how many of these the statement fails, and in how many it holds."""
    met, wrong, true = np.zeros(len(candidates), dtype=np.int64), np.zeros(len(candidates), dtype=np.int64), 0
    for meant, holds, cases in _evaluate(statement, where, domain, kind) if candidates else ():
        true += int(np.count_nonzero(meant & holds))
        for place, candidate in enumerate(candidates):
            mask = np.broadcast_to(condition_met(candidate, cases), meant.shape) & meant
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
) -> tuple[list[Condition], list[Condition]]:
    """The candidates that are exact on small cases, and of the merely sufficient ones those that are met most."""
    small = list(_evaluate(statement, where, domain, kind))
    right = np.concatenate([holds[meant] for meant, holds, _ in small])
    names = set(statement.order.names)
    known: dict[bytes, Condition] = {}
    for atom in domain.atoms:
        if set(atom.names) == names:
            continue  # it would say the claim in its own words
        candidate = Condition(((atom,),))
        mask = np.concatenate(
            [_mask(condition_met(candidate, cases), meant.shape)[meant] for meant, _, cases in small]
        )
        if mask.any() and not mask.all():
            known.setdefault(mask.tobytes(), candidate)
    masks = {candidate: np.frombuffer(mask, dtype=bool) for mask, candidate in known.items()}
    found: list[tuple[bool, int, Condition]] = []

    def note(candidate: Condition, mask: np.ndarray) -> None:
        if mask.any() and not (mask & ~right).any():
            count = int(np.count_nonzero(mask))
            found.append((count == np.count_nonzero(right), count, candidate))

    for candidate, mask in masks.items():
        note(candidate, mask)
    for (one, its_mask), (other, mask) in combinations(masks.items(), 2):
        (first,), (second,) = one.groups, other.groups
        note(Condition((first + second,)), its_mask & mask)
        if not (its_mask & ~right).any() and not (mask & ~right).any():
            note(Condition((first, second)), its_mask | mask)
    exact = [candidate for is_exact, _, candidate in found if is_exact]
    rest = sorted((item for item in found if not item[0]), key=lambda item: -item[1])
    return exact[:TRIED], [candidate for _, _, candidate in rest[:TRIED]]
