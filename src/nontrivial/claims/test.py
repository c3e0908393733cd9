"""What a test is made of, and the test of a statement about every case of a domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.audit.domains import Domain
from nontrivial.audit.found import Found, Search
from nontrivial.audit.search import check, is_hit
from nontrivial.audit.stated import Condition, Order, Statement


@dataclass(frozen=True)
class Test:
    """A named test.

    Attributes
    ----------
    run : callable
        Computes what is found.
    is_hit : callable or None
        For a search: takes the same arguments and one case, and tells whether that case settles the statement.
    check : callable or None
        Takes the same arguments, and `stated`, and raises ValueError where they cannot be used.
    """

    run: Callable[..., Found]
    is_hit: Callable[..., bool] | None = None
    check: Callable[..., None] | None = None


def search_test(
    run: Callable[..., Search],
    domain_of: Callable[..., Domain],
    allowed: Mapping[str, range] | None = None,
) -> Test:
    """Give a search the check of a single case and that of its parameters.

    Parameters
    ----------
    run : callable
        The search: of a statement, of what is taken for granted (``where``), of a proposed condition (``holds_where``)
        and of the parameters of its domain.
    domain_of : callable
        Of those parameters.
    allowed : mapping of str to range, optional
        The values that parameters of the domain can have, where not any will do; None is no value.
    """

    def is_case(
        case: Sequence[int],
        *,
        stated: Statement,
        where: tuple[Order, ...] = (),
        holds_where: Condition | None = None,
        **domain: Any,
    ) -> bool:
        return is_hit(stated, where, domain_of(**domain), case)

    def check_parameters(
        *,
        stated: Statement,
        where: tuple[Order, ...] = (),
        holds_where: Condition | None = None,
        **domain: Any,
    ) -> None:
        for name, values in (allowed or {}).items():
            if domain.get(name) is not None and domain[name] not in values:
                raise ValueError(
                    f"parameter {name!r} is {domain[name]}; {values[0]} to {values[-1]} is allowed."
                )
        check(stated, where, domain_of(**domain), holds_where)

    return Test(run, is_case, check_parameters)
