"""Which class counts as positive."""

from __future__ import annotations

from collections.abc import Mapping

from nontrivial.labels import Classes


def minority_class(counts: Mapping[str, int]) -> str:
    """Return the class with the fewest rows; of equally rare ones, the last in the order of `Classes`.

    Examples
    --------
    >>> minority_class({"benign": 357, "malignant": 212})
    'malignant'
    >>> minority_class({"9": 20, "10": 20})
    '10'
    """
    fewest = min(counts.values())
    return Classes.of([name for name, count in counts.items() if count == fewest]).names[-1]
