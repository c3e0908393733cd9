"""What an interval takes for granted, besides independent cases, by its method.

- ``one_more_case``: one more case, or group, of each class may be right or wrong; it weighs what is typical.
- ``no_rare_loss``: no rare case has a loss much greater than those seen.
"""

from __future__ import annotations

from typing import Literal

Assumption = Literal["one_more_case", "no_rare_loss"]

ASSUMPTIONS: dict[str, Assumption | None] = {
    "exact": None,
    "clopper_pearson": None,
    "bayesian_bootstrap": "one_more_case",
    "fieller": "no_rare_loss",
}
