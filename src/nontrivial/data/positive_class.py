"""Which class counts as positive."""

from __future__ import annotations

from collections.abc import Mapping


def minority_class(counts: Mapping[str, int]) -> str:
    """Return the class with the fewest rows; of equally rare ones, the last in sorted order.

    Examples
    --------
    >>> minority_class({"benign": 357, "malignant": 212})
    'malignant'
    """
    fewest = min(counts.values())
    return max(name for name, count in counts.items() if count == fewest)
