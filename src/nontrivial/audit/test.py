"""What a test is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nontrivial.audit.found import Found


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
