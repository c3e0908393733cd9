"""A claim about the cases of a domain, and how single cases settle it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from nontrivial.claims.domains.domain import CaseBatch, Domain
from nontrivial.claims.findings import Case
from nontrivial.claims.language.formulas import Formula, all_true
from nontrivial.claims.solver import SolverSpace


class CaseMasks(NamedTuple):
    """Which of the cases that meet the conditions settle a claim, make it true or false, or leave it undefined."""

    settling: Any
    defined: Any
    undefined: Any
    undecided: Any  # would settle it, but compare rounded numbers
    rounded: Any  # compare rounded numbers that differ by less than their errors


@dataclass(frozen=True)
class Question:
    """Whether a claim holds in all cases of a domain that meet the conditions; or in some, if it says "sometimes"."""

    claim: Formula
    conditions: Sequence[Formula]
    domain: Domain

    @property
    def names(self) -> set[str]:
        return {name for formula in (self.claim, *self.conditions) for name in formula.names}

    def masks(self, batch: CaseBatch) -> CaseMasks:
        met, truth = all_true(self.conditions, batch.cases, batch.count), self.claim.evaluate(batch.cases)
        rounded = met.true & (met.rounded | truth.rounded)
        settling = met.true & (truth.true if self.claim.sometimes else truth.false)
        return CaseMasks(
            settling=settling & ~rounded,
            defined=met.true & truth.is_defined,
            undefined=met.true & ~truth.is_defined,
            undecided=settling & rounded,
            rounded=rounded,
        )

    def masks_at(self, case: Sequence[int | Fraction] | None) -> CaseMasks:
        """Return the masks of one case; all False for None, and for a case outside the domain."""
        cases = None if case is None else self.domain.single(case)
        if cases is None:
            return CaseMasks(*[False] * len(CaseMasks._fields))
        return CaseMasks(*(bool(mask.all()) for mask in self.masks(CaseBatch(cases, 1, lambda _: ()))))

    def is_settled_by(self, case: Sequence[int | Fraction] | None) -> bool:
        return bool(self.masks_at(case).settling)

    def first_settling(self, batches: Iterable[CaseBatch]) -> Case | None:
        """Find the first case that settles the claim."""
        firsts = (batch.first_case(self.masks(batch).settling) for batch in batches)
        return next((case for case in firsts if case is not None), None)

    def solver_space(self, *more: Formula) -> SolverSpace | None:
        """Return the cases in the solver's terms; None if it cannot decide the claim, or further formulas."""
        formulas = (self.claim, *self.conditions, *more)
        has_logarithm = any(formula.has_logarithm for formula in formulas)
        return None if has_logarithm else self.domain.solver_space()
