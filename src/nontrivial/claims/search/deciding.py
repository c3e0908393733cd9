"""Decides a claim about the cases of a domain.

The first of these steps that settles the claim is the last:

1. All small cases are tried. One of them settles it: it is refuted, or, if it says "sometimes", shown.
2. The solver is asked. No case of any size settles it: it is proved, or impossible.
3. Larger cases are tried. One of them settles it.
4. The solver's own case settles it, if exact arithmetic confirms it.
5. The claim is left open, unless its small cases are all cases: then it is proved, or impossible.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from nontrivial.claims.domains.domain import Domain
from nontrivial.claims.findings import Case, Decision, Status
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.language.ratios import Ratios
from nontrivial.claims.search.conditions import find_condition, try_condition
from nontrivial.claims.search.question import CaseMasks, Question
from nontrivial.claims.solver import FEW_STEPS, SolverAnswer, SolverSpace


def decide(
    claim: Formula, conditions: Sequence[Formula], domain: Domain, proposed: Formula | None = None
) -> Decision:
    """Decide a claim, and say when it is undefined, and when a claim that fails does hold: as proposed, or as found."""
    question = Question(claim, conditions, domain)
    decision = settle(question)
    decision = replace(decision, undefined_somewhere=_is_undefined_somewhere(question, decision))
    if decision.witness is None:
        return decision
    natural = question.first_settling(domain.natural_batches()) if decision.smallest else None
    witness = natural or decision.witness
    exactly_when = None
    if decision.status == "refuted":
        exactly_when = try_condition(proposed, question) if proposed else find_condition(question)
    cases = domain.single(witness)
    assert cases is not None  # a witness is in the domain
    return replace(
        decision,
        witness=witness,
        natural=natural is not None,
        values={name: _value_text(value) for name, value in claim.values(cases).items()},
        exactly_when=exactly_when,
    )


def settle(question: Question) -> Decision:
    """Decide a claim, and look no further."""
    decision, domain = _try_small_cases(question), question.domain
    if decision.witness is not None:
        return decision
    space, answer, larger_case = question.solver_space(), SolverAnswer(None), None
    # About pairs of tables, the solver soon proves a claim, but takes minutes to refute one.
    asks_twice = domain.kind == "pairs of tables"
    if space is not None:
        answer = _ask_solver(question, space, FEW_STEPS if asks_twice else None)
    if answer.exists is not False and (domain.is_whole or not question.is_settled_by(answer.case)):
        larger_case = question.first_settling(domain.larger_batches(question.names))
    if larger_case is not None:
        return _settle_by(larger_case, decision, question, smallest=domain.larger_are_all)
    if space is not None and asks_twice and answer.exists is None:
        answer = _ask_solver(question, space)
    if space is not None and answer.exists is False:
        return _prove_for_any_size(decision, question, space)
    decision = replace(decision, domain=decision.domain | domain.larger_fields(question.names))
    if answer.case is not None and question.is_settled_by(answer.case):
        return _settle_by(answer.case, decision, question, smallest=False)
    return _leave_open(decision, question, answer)


def _try_small_cases(question: Question) -> Decision:
    domain, counts = question.domain, np.zeros(len(CaseMasks._fields), dtype=int)
    settling_case = undefined_case = None
    for batch in domain.small_batches():
        masks = question.masks(batch)
        settling_case = settling_case or batch.first_case(masks.settling)
        undefined_case = undefined_case or batch.first_case(masks.undefined)
        counts += [mask.sum() for mask in masks]
    totals = CaseMasks(*counts.tolist())
    decision = Decision(
        status="not shown" if question.claim.sometimes else "searched",
        proved_of="",
        domain=domain.search_fields(),
        checked=totals.defined,
        undefined=totals.undefined,
        hits=totals.settling,
        undefined_somewhere=bool(totals.undefined) or (False if domain.is_complete else None),
        vacuous=not totals.defined,
        undefined_case=undefined_case,
        near=totals.rounded,
        undecided=totals.undecided > 0,
    )
    return decision if settling_case is None else _settle_by(settling_case, decision, question)


def _ask_solver(question: Question, space: SolverSpace, steps: int | None = None) -> SolverAnswer:
    """Ask the solver for a case that settles the claim."""
    truth = question.claim.evaluate(space.cases)
    settling = truth.true if question.claim.sometimes else truth.false
    return space.find_case(question.conditions, settling, steps=steps)


def _settle_by(case: Case, decision: Decision, question: Question, *, smallest: bool = True) -> Decision:
    status: Status = "shown" if question.claim.sometimes else "refuted"
    return replace(decision, status=status, witness=case, smallest=smallest, vacuous=False)


def _prove_for_any_size(decision: Decision, question: Question, space: SolverSpace) -> Decision:
    """Return the decision on a claim that no case settles; it is vacuous if no case makes it true or false."""
    if decision.vacuous:  # no small case meets the conditions, but a larger one may
        truth = question.claim.evaluate(space.cases)
        answer = space.find_case(question.conditions, truth.false if question.claim.sometimes else truth.true)
        checked = int(question.masks_at(answer.case).defined)
        decision = replace(decision, checked=checked, vacuous=answer.exists is False)
    return decision if decision.vacuous else _prove(decision, question, "any size")


def _prove(decision: Decision, question: Question, proved_of: str) -> Decision:
    status: Status = "impossible" if question.claim.sometimes else "proved"
    return replace(decision, status=status, proved_of=proved_of)


def _leave_open(decision: Decision, question: Question, answer: SolverAnswer) -> Decision:
    """Return the decision on a claim that neither cases nor the solver settle."""
    domain = question.domain
    if decision.vacuous:
        larger = domain.larger_batches(question.names)
        decision = replace(decision, vacuous=not any(question.masks(batch).defined.any() for batch in larger))
    decision = replace(decision, unconfirmed=bool(answer.exists) and not domain.is_whole)
    if domain.is_complete and not (decision.near or decision.vacuous):
        return _prove(decision, question, "the ranges")
    return decision


def _is_undefined_somewhere(question: Question, decision: Decision) -> bool | None:
    """Whether the claim is undefined in a case of any size that meets the conditions; None if that is open."""
    space = question.solver_space()
    if space is None or decision.undefined_somewhere is not None:
        return decision.undefined_somewhere
    undefined = question.claim.evaluate(space.cases).undefined
    answer = space.find_case(question.conditions, [undefined])
    is_known = answer.exists is False or question.masks_at(answer.case).undefined
    return answer.exists if is_known else None


def _value_text(value: Ratios) -> str:
    """Write a value exactly, a rounded one with nine digits."""
    numerator, denominator, is_rounded = (
        np.ravel(part).tolist()[0]
        for part in (value.numerator, value.denominator, getattr(value.error, "numerator", 0))
    )
    if is_rounded:
        return f"{float(Fraction(numerator, denominator)):.9g}"
    return value.scale.text(numerator, denominator) if numerator or denominator else "undefined"
