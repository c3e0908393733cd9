"""Decides a claim about cases of a kind, and looks for the condition under which one that fails does hold."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.language import Formula, all_true
from nontrivial.claims.solver import Answer, Space, any_of, find_case
from nontrivial.claims.verdict import Case, Decision, ExactlyWhen, Outcome, Status

# With the solver for cases of any size, and by trying every small one exactly.
#
# The solver proves or refutes; what it leaves undecided is searched only, and said to be. Every proof is tried on all
# small cases, and every refutation is a case that exact arithmetic confirms.


_NATURAL = {  # what makes a case one that people meet: no empty cell, no ties
    "tables": "min(tp, fp, fn, tn) > 0",
    "pairs of tables": "min(tp_1, fp_1, fn_1, tn_1, tp_2, fp_2, fn_2, tn_2) > 0",
    "rankings": "ties == 0",
    "pairs of rankings": "ties_a == 0 and ties_b == 0",
}


def decide(
    claim: Formula, given: Sequence[Formula], domain: Domain, proposed: Formula | None = None
) -> Decision:
    """Decide a claim about the cases that are as given; `proposed` is where one that fails was derived to hold.

    Examples
    --------
    >>> from nontrivial.claims.domains import Tables
    >>> minority = [Formula.condition("1 <= positives <= negatives")]
    >>> decide(Formula.condition("prediction_advantage <= recall"), minority, Tables()).status
    'proved'
    >>> decide(Formula.condition("f1 <= balanced_accuracy"), minority, Tables()).witness
    (2, 2, 1, 1)
    """
    found = _solve(_search(claim, given, domain), claim, given, domain)
    found = _look_for_natural(found, claim, given, domain)
    if found.status in ("searched", "not shown") and domain.complete:
        found = replace(found, status="impossible" if claim.sometimes else "proved", proved_of="the ranges")
    if found.witness is not None:
        cases = domain.one(found.witness)
        assert cases is not None  # a witness is in the domain
        found = replace(found, values={name: _text(value) for name, value in claim.values(cases).items()})
    if found.status != "refuted":
        return found
    case = claim, given, domain
    where = find_condition(*case) if proposed is None else try_condition(proposed, *case)
    return replace(found, exactly_when=where)


def is_hit(claim: Formula, given: Sequence[Formula], domain: Domain, case: Sequence[int | Fraction]) -> bool:
    """Tell whether one case settles a claim: it is as given, and the claim fails (or holds, if it is "sometimes")."""
    return _try(claim, given, domain, case)[0]


def _try(
    claim: Formula, given: Sequence[Formula], domain: Domain, case: Sequence[int | Fraction] | None
) -> tuple[bool, ...]:
    """Whether one case, if there is one, settles a claim, gives it a meaning, and leaves it without one."""
    cases = None if case is None else domain.one(case)
    if cases is None:
        return False, False, False
    return tuple(bool(mask.all()) for mask in _hits(claim, given, Part(cases, 1, lambda _: ())))


def _hits(claim: Formula, given: Sequence[Formula], part: Part) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The cases of a part that settle a claim, those in which it has a meaning, and those in which it has none."""
    applies, truth = all_true(given, part.cases, part.count), claim.truth(part.cases)
    hit = truth.true if claim.sometimes else truth.false
    return applies & hit, applies & truth.defined, applies & ~truth.defined


def _first(mask: np.ndarray, part: Part) -> Case | None:
    return part.case(int(np.argmax(mask))) if mask.any() else None


def _search(claim: Formula, given: Sequence[Formula], domain: Domain) -> Decision:
    counts = np.zeros(3, dtype=int)
    witness = natural = undefined_case = None
    for part in _tried(domain, claim, *given):
        hit, _, undefined = masks = _hits(claim, given, part)
        witness = witness or _first(hit, part)
        undefined_case = undefined_case or _first(undefined, part)
        if natural is None and hit.any() and domain.kind in _NATURAL:
            natural = _first(hit & Formula(_NATURAL[domain.kind]).truth(part.cases).true, part)
        counts += [mask.sum() for mask in masks]
    hits, checked, without = counts.tolist()
    status: Status = "shown" if claim.sometimes else "refuted"
    if not hits:
        status = "not shown" if claim.sometimes else "searched"
    somewhere = bool(without) or (False if domain.complete else None)
    found = Decision(status, "", domain.fields(), checked, without, hits, somewhere, not checked)
    case = natural or witness
    return replace(found, witness=case, natural=natural is not None, undefined_case=undefined_case)


def _solve(found: Decision, claim: Formula, given: Sequence[Formula], domain: Domain) -> Decision:
    """Ask the solver what a search left open, and try each of its cases exactly."""
    space = _space(domain, claim, *given)
    if found.hits and (space is None or found.undefined_somewhere is not None):
        return found
    if space is None:
        return _search_larger(found, claim, given, domain, Answer(None))
    truth = claim.truth(space.cases)
    if found.undefined_somewhere is None:
        answer = find_case(space, given, [truth.undefined])
        is_known = answer.exists is False or _try(claim, given, domain, domain.of_solver(answer.case))[2]
        found = replace(found, undefined_somewhere=answer.exists if is_known else None)
    if found.hits:
        return found
    settling, others = (truth.true, truth.false) if claim.sometimes else (truth.false, truth.true)
    answer = find_case(space, given, settling)
    if answer.exists is not False:
        return _search_larger(found, claim, given, domain, answer)
    if not found.checked:  # no small case is as given, but the solver may know a larger one
        known = find_case(space, given, others)
        tried = _try(claim, given, domain, domain.of_solver(known.case))[1]
        found = replace(found, checked=int(tried), vacuous=known.exists is False)
    return replace(found, status="impossible" if claim.sometimes else "proved", proved_of="any size")


def _search_larger(
    found: Decision, claim: Formula, given: Sequence[Formula], domain: Domain, answer: Answer
) -> Decision:
    """Try larger cases where no small one settles a claim, and the one that the solver knows, if any."""
    solved = domain.of_solver(answer.case)
    if solved is not None and not is_hit(claim, given, domain, solved):
        solved = None
    if domain.whole or solved is None:
        if case := _first_hit(claim, given, domain.larger()):
            return _settled(found, claim, case, True)
        if domain.largest:
            found = replace(found, domain=found.domain | {"larger": domain.largest})
        solved = _first_hit(claim, given, domain.skewed()) or solved
    if solved is not None:
        return _settled(found, claim, solved, False)
    # Undecided, or settled by real numbers for which no whole ones were found.
    has_meaning = found.vacuous and any(_hits(claim, given, part)[1].any() for part in domain.larger())
    return replace(
        found, vacuous=found.vacuous and not has_meaning, unconfirmed=bool(answer.exists) and not domain.whole
    )


def _first_hit(claim: Formula, given: Sequence[Formula], parts: Iterable[Part]) -> Case | None:
    """The first case that settles a claim."""
    firsts = (_first(_hits(claim, given, part)[0], part) for part in parts)
    return next((case for case in firsts if case is not None), None)


def _look_for_natural(found: Decision, claim: Formula, given: Sequence[Formula], domain: Domain) -> Decision:
    """Take a larger table as witness if it is the first that people meet; of pairs there are too many."""
    if found.witness is None or found.natural or not found.smallest or domain.kind != "tables":
        return found
    case = _first_hit(claim, [*given, Formula(_NATURAL[domain.kind])], domain.larger())
    return found if case is None else replace(found, witness=case, natural=True)


def _settled(found: Decision, claim: Formula, case: Case, smallest: bool) -> Decision:
    status: Status = "shown" if claim.sometimes else "refuted"
    return replace(found, status=status, witness=case, smallest=smallest, vacuous=False)


def _text(value: Any) -> str:
    number: Fraction | None = value.fractions()[0]
    if number is None:
        return "undefined"
    if not value.is_root:
        return str(number)
    square, sign = abs(number), -1 if number < 0 else 1
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return str(sign * root) if root**2 == square else f"{'-' if sign < 0 else ''}sqrt({square})"


def _space(domain: Domain, *formulas: Formula) -> Space | None:
    """All cases in the solver's terms; None if it cannot take them."""
    return None if any(formula.has_logarithm for formula in formulas) else domain.space()


def _tried(domain: Domain, *formulas: Formula) -> Iterator[Part]:
    """The small cases; of all positive numbers, where the solver cannot help, others than whole ones too."""
    alone = not domain.whole and _space(domain, *formulas) is None
    return chain(domain.small(), domain.larger() if alone else ())


# Where a claim that fails in places does hold: by a condition derived by hand, or one that is looked for.
#
# A condition is exact if, among the cases that are as given, it is true just where the claim is. The solver proves
# this for cases of any size. If it cannot, every small case is tried, and the result says so. Of tables, simple
# comparisons of cells and rates are looked at, and any two of them joined by "and" or "or".


TRIED = 16  # candidates that are put to the solver; none is met in a small case in which the claim fails
_EVERY = "== <= >= < > !="
# Of tables: left sides, comparisons, right sides, of which each is combined with each.
_ATOMS = (
    ("errors; tp + tn; fp; fn; tp; tn; predicted_positives; predicted_negatives", "== >", "0"),
    ("min(fn, tn); min(fp, tp); min(tp, tn); min(fp, fn)", ">", "0"),
    ("positives", _EVERY, "negatives"),
    ("predicted_positives", _EVERY, "positives; predicted_negatives"),
    ("fp", _EVERY, "fn"),
    ("tp", _EVERY, "fp; fn; tn"),
    ("tn", _EVERY, "fp; fn"),
    ("recall", _EVERY, "specificity"),
    ("precision", _EVERY, "negative_predictive_value"),
    ("prediction_advantage; informedness", _EVERY, "0"),
    ("accuracy", _EVERY, "1/2"),
)


def try_condition(proposed: Formula, claim: Formula, given: Sequence[Formula], domain: Domain) -> ExactlyWhen:
    """Try a condition in every small case, and then by the solver."""
    right, mask = _evaluate([proposed], claim, given, domain)
    met, wrong, holds = int(mask.sum()), int((mask & ~right).sum()), int(right.sum())
    status: Outcome = "refuted" if wrong else "searched" if met == holds else "sufficient"
    space = _space(domain, proposed, claim, *given)
    if domain.complete:
        status = "proved" if status == "searched" else status
    elif space is not None and not wrong:
        truth, is_met = claim.truth(space.cases), proposed.truth(space.cases).true
        goes_wrong = find_case(space, given, is_met, truth.false).exists
        if goes_wrong:
            status = "refuted"
        elif status == "searched" and goes_wrong is False:
            misses = find_case(space, given, truth.true, [f"(not {any_of(*is_met)})"]).exists
            status = status if misses is None else "sufficient" if misses else "proved"
    return ExactlyWhen(proposed.text, status, met, wrong, holds)


def find_condition(claim: Formula, given: Sequence[Formula], domain: Domain) -> ExactlyWhen | None:
    """Look for the simplest condition on tables that is exact, or the weakest that suffices; None if there is none."""
    if domain.kind != "tables":
        return None
    atoms = [atom for atom in _atoms() if set(atom.names) != set(claim.names)]
    right, *masks = _evaluate(atoms, claim, given, domain)
    if right.all():  # only larger tables tell where it fails
        return None
    known: dict[bytes, tuple[str, np.ndarray]] = {}
    for atom, mask in zip(atoms, masks, strict=True):
        if mask.any() and not mask.all():
            known.setdefault(mask.tobytes(), (atom.text, mask))  # of equals the first, which is the simplest
    found = sorted(_sufficient(list(known.values()), right), key=lambda one: -int(one[1].sum()))
    for text, _ in found[:TRIED]:
        judged = try_condition(Formula(text), claim, given, domain)
        if judged.status != "refuted" and (judged.status != "sufficient" or judged.met < judged.holds):
            return judged
    return None


def _sufficient(atoms: list[tuple[str, np.ndarray]], right: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Atoms, and pairs joined by "and" or "or", that are met somewhere and nowhere where the claim fails."""
    single = [one for one in atoms if not (one[1] & ~right).any()]
    yield from single
    for (one, its_mask), (other, mask) in combinations(atoms, 2):
        both = its_mask & mask
        if both.any() and not (both & ~right).any():
            yield f"{one} and {other}", both
    for (one, its_mask), (other, mask) in combinations(single, 2):
        yield f"{one} or {other}", its_mask | mask


def _evaluate(
    conditions: Sequence[Formula], claim: Formula, given: Sequence[Formula], domain: Domain
) -> list[np.ndarray]:
    """Where the claim holds, and where each condition is met, of the small cases in which the claim has a meaning."""
    rows = []
    for part in _tried(domain, claim, *given, *conditions):
        truth = claim.truth(part.cases)
        meant = all_true(given, part.cases, part.count) & truth.defined
        masks = [truth.true, *(condition.truth(part.cases).true for condition in conditions)]
        rows.append([np.broadcast_to(mask, part.count)[meant] for mask in masks])
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


@functools.cache
def _atoms() -> tuple[Formula, ...]:
    return tuple(
        Formula(f"{left} {symbol} {right}")
        for lefts, symbols, rights in _ATOMS
        for left, right, symbol in product(lefts.split("; "), rights.split("; "), symbols.split())
    )
