"""Decides a claim about cases of a kind, and looks for the condition under which one that fails does hold."""

import csv
import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import resources
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.language import Formula, Value, all_true
from nontrivial.claims.solver import FEW_STEPS, Space, any_of
from nontrivial.claims.verdict import Case, Decision, ExactlyWhen, Outcome, Status


class Masks(NamedTuple):
    """Which cases settle a claim, give it a meaning, or give it none."""

    hit: Any
    defined: Any
    undefined: Any
    undecided: Any  # would settle it, but rest on rounded logarithms
    near: Any  # rest on rounded logarithms


@dataclass(frozen=True)
class Question:
    """A claim about the cases of a domain that are as given."""

    claim: Formula
    given: Sequence[Formula]
    domain: Domain

    @property
    def names(self) -> set[str]:
        return {name for formula in (self.claim, *self.given) for name in formula.names}

    def masks_of(self, part: Part) -> Masks:
        given, truth = all_true(self.given, part.cases, part.count), self.claim.truth(part.cases)
        near = given.true & (given.near | truth.near)
        hit = given.true & (truth.true if self.claim.sometimes else truth.false)
        return Masks(hit & ~near, given.true & truth.defined, given.true & ~truth.defined, hit & near, near)

    def masks_at(self, case: Sequence[int | Fraction] | None) -> Masks:
        cases = None if case is None else self.domain.one(case)
        if cases is None:
            return Masks(*[False] * len(Masks._fields))
        return Masks(*(bool(mask.all()) for mask in self.masks_of(Part(cases, 1, lambda _: ()))))

    def first_hit(self, parts: Iterable[Part]) -> Case | None:
        firsts = (part.first(self.masks_of(part).hit) for part in parts)
        return next((case for case in firsts if case is not None), None)

    def space(self, *more: Formula) -> Space | None:
        """All cases in the solver's terms; None if it cannot take them."""
        formulas = (self.claim, *self.given, *more)
        return None if any(formula.has_logarithm for formula in formulas) else self.domain.space()


def decide(
    claim: Formula, given: Sequence[Formula], domain: Domain, proposed: Formula | None = None
) -> Decision:
    """Decide a claim about the cases that are as given; `proposed` is where one that fails was derived to hold."""
    asked = Question(claim, given, domain)
    decision, space = settle(asked), asked.space()
    if space is not None and decision.undefined_somewhere is None:
        exists, undefined_case = space.find(asked.given, [claim.truth(space.cases).undefined])
        is_known = exists is False or asked.masks_at(undefined_case).undefined
        decision = replace(decision, undefined_somewhere=exists if is_known else None)
    if decision.witness is None:
        return decision
    case, condition = asked.first_hit(domain.natural()) if decision.smallest else None, None
    if case is not None:
        decision = replace(decision, witness=case, natural=True)
    if decision.status == "refuted":
        condition = find_condition(asked) if proposed is None else try_condition(proposed, asked)
    cases = domain.one(decision.witness or ())
    assert cases is not None  # a witness is in the domain
    values = {name: _text(value) for name, value in claim.values(cases).items()}
    return replace(decision, values=values, exactly_when=condition)


def settle(asked: Question) -> Decision:
    """Decide whether a claim holds, and look no further: by small cases, then by the solver, then by larger cases."""
    decision, space = _search(asked), asked.space()
    if decision.hits:
        return decision
    exists = solved = None
    if space is not None:
        truth = asked.claim.truth(space.cases)
        settling, others = (truth.true, truth.false) if asked.claim.sometimes else (truth.false, truth.true)
        if asked.domain.kind == "pairs of tables":  # the solver soon proves, but takes minutes to refute
            exists, solved = space.find(asked.given, settling, steps=FEW_STEPS)
            case = None if exists is False else asked.first_hit(asked.domain.larger(asked.names))
            if case is not None:
                return _settled(decision, asked, case)
        if exists is None:
            exists, solved = space.find(asked.given, settling)
        if exists is False and not decision.checked:  # a larger case may be as given, if no small one is
            is_met, case = space.find(asked.given, others)
            decision = replace(decision, checked=int(asked.masks_at(case).defined), vacuous=is_met is False)
    if exists is not False:
        decision = _search_larger(decision, asked, exists, solved)
    is_open = decision.status in ("searched", "not shown") and not (decision.near or decision.vacuous)
    if is_open and (exists is False or asked.domain.complete):
        status: Status = "impossible" if asked.claim.sometimes else "proved"
        of = "any size" if exists is False else "the ranges"
        decision = replace(decision, status=status, proved_of=of)
    return decision


def _search(asked: Question) -> Decision:
    """Try all small cases."""
    domain, counts = asked.domain, np.zeros(len(Masks._fields), dtype=int)
    witness = undefined_case = None
    for part in domain.small():
        masks = asked.masks_of(part)
        witness = witness or part.first(masks.hit)
        undefined_case = undefined_case or part.first(masks.undefined)
        counts += [mask.sum() for mask in masks]
    total = Masks(*counts.tolist())
    decision = Decision(
        "not shown" if asked.claim.sometimes else "searched",
        "",
        domain.fields(),
        checked=total.defined,
        undefined=total.undefined,
        hits=total.hit,
        undefined_somewhere=bool(total.undefined) or (False if domain.complete else None),
        vacuous=not total.defined,
        undefined_case=undefined_case,
        near=total.near,
        undecided=total.undecided > 0,
    )
    return decision if witness is None else _settled(decision, asked, witness)


def _settled(decision: Decision, asked: Question, case: Case, *, smallest: bool = True) -> Decision:
    status: Status = "shown" if asked.claim.sometimes else "refuted"
    return replace(decision, status=status, witness=case, smallest=smallest, vacuous=False)


def _search_larger(decision: Decision, asked: Question, exists: bool | None, solved: Case | None) -> Decision:
    """Try larger cases where no small one settles a claim, and the one that the solver knows, if any."""
    domain = asked.domain
    is_confirmed = asked.masks_at(solved).hit
    case = asked.first_hit(domain.larger(asked.names)) if domain.whole or not is_confirmed else None
    if case is not None:
        return _settled(decision, asked, case, smallest=domain.gapless)
    decision = replace(decision, domain=decision.domain | domain.larger_fields(asked.names))
    if solved is not None and is_confirmed:
        return _settled(decision, asked, solved, smallest=False)
    # Undecided, or settled by real numbers for which no whole ones were found.
    larger = (asked.masks_of(part).defined.any() for part in domain.larger(asked.names))
    vacuous = decision.vacuous and not any(larger)
    return replace(decision, vacuous=vacuous, unconfirmed=bool(exists) and not domain.whole)


def _text(value: Value) -> str:
    above, below, is_rounded = (
        np.ravel(part).tolist()[0]
        for part in (value.numerator, value.denominator, getattr(value.error, "numerator", 0))
    )
    if is_rounded:
        return f"{float(Fraction(above, below)):.9g}"
    return value.scale.text(above, below) if above or below else "undefined"


# Where a claim that fails does hold: by a condition derived by hand, or one that is looked for.
#
# A condition is exact if, among the cases that are as given, it is true just where the claim is. The solver proves
# this for cases of any size; else every small case is tried. Of tables, simple comparisons of cells and rates are
# looked at, and any two of them joined by "and" or "or".
TRIED = 16  # candidates that are put to the solver; none is met in a small case in which the claim fails


def try_condition(proposed: Formula, asked: Question) -> ExactlyWhen:
    """Try a condition in every small case, and then by the solver."""
    right, mask = _evaluate([proposed], asked)
    met, wrong, holds = int(mask.sum()), int((mask & ~right).sum()), int(right.sum())
    status: Outcome = "refuted" if wrong else "searched" if met == holds else "sufficient"
    space = asked.space(proposed)
    if asked.domain.complete:
        status = "proved" if status == "searched" else status
    elif space is not None and not wrong:
        truth, is_met = asked.claim.truth(space.cases), proposed.truth(space.cases).true
        goes_wrong, _ = space.find(asked.given, is_met, truth.false)
        if goes_wrong:
            status = "refuted"
        elif status == "searched" and goes_wrong is False:
            misses, _ = space.find(asked.given, truth.true, [f"(not {any_of(*is_met)})"])
            status = status if misses is None else "sufficient" if misses else "proved"
    return ExactlyWhen(proposed.text, status, met, wrong, holds)


def find_condition(asked: Question) -> ExactlyWhen | None:
    """Look for the simplest condition on tables that is exact, or the weakest that suffices; None if there is none."""
    if asked.domain.kind != "tables":
        return None
    atoms = [atom for atom in simple_conditions() if set(atom.names) != set(asked.claim.names)]
    right, *masks = _evaluate(atoms, asked)
    if right.all():  # only larger tables tell where it fails
        return None
    known: dict[bytes, tuple[str, np.ndarray]] = {}
    for atom, mask in zip(atoms, masks, strict=True):
        if mask.any() and not mask.all():
            known.setdefault(mask.tobytes(), (atom.text, mask))  # of equals the first, which is the simplest
    sufficient = sorted(_sufficient(list(known.values()), right), key=lambda atom: -int(atom[1].sum()))
    conditions = (Formula(text) for text, _ in sufficient)
    claimed = asked.claim.comparisons
    for condition in islice((formula for formula in conditions if formula.comparisons != claimed), TRIED):
        judged = try_condition(condition, asked)
        if judged.status != "refuted" and (judged.status != "sufficient" or judged.met < judged.holds):
            return judged
    return None


def _sufficient(atoms: list[tuple[str, np.ndarray]], right: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Atoms, and pairs joined by "and" or "or", that are met somewhere and nowhere where the claim fails."""
    single = [(text, mask) for text, mask in atoms if not (mask & ~right).any()]
    yield from single
    for (first, first_mask), (second, second_mask) in combinations(atoms, 2):
        both = first_mask & second_mask
        if both.any() and not (both & ~right).any():
            yield f"{first} and {second}", both
    for (first, first_mask), (second, second_mask) in combinations(single, 2):
        yield f"{first} or {second}", first_mask | second_mask


def _evaluate(conditions: Sequence[Formula], asked: Question) -> list[np.ndarray]:
    """Where the claim holds, and where each condition is met, of the small cases in which the claim has a meaning."""
    rows = []
    for part in asked.domain.small():
        truth = asked.claim.truth(part.cases)
        meant = all_true(asked.given, part.cases, part.count).true & truth.defined
        masks = [truth.true, *(condition.truth(part.cases).true for condition in conditions)]
        rows.append([np.broadcast_to(mask, part.count)[meant] for mask in masks])
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


@functools.cache
def simple_conditions() -> tuple[Formula, ...]:
    text = resources.files(__package__).joinpath("conditions.csv").read_text(encoding="utf-8")
    return tuple(Formula(row["condition"]) for row in csv.DictReader(text.splitlines()))
