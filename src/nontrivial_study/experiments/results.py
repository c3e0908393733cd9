"""How runs of the study end, and the intervals of its estimates."""

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial._draws import CONFIDENCE_LEVEL

TAILS = (1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2


def interval_around(estimate: Floats | float, drawn: Floats) -> tuple[Floats, Floats]:
    """Return percentiles of draws, along their first axis, as an interval that holds the estimate.

    The estimate may lie beyond all draws: a rate estimated as 0 or 1 is at the end of its posterior. NaN among draws
    and estimates does not count.

    Examples
    --------
    >>> low, high = interval_around(1.0, np.linspace(0, 0.8, 41))
    >>> round(float(low), 2), float(high)
    (0.02, 1.0)
    """
    low, high = np.nanquantile(drawn, TAILS, axis=0)
    return np.fmin(low, estimate), np.fmax(high, estimate)


# Outcomes of runs, for the column `outcome` of tables. The column `status` has "ok" or the reason.
OK = "ok"
FAILED = "failed"
IMPOSSIBLE = "impossible"
NOT_EVALUATED_OUTCOME = "not evaluated"
NO_PREDICTIONS = "no predictions: the model failed on this data set; curve_areas.csv has the reason"


def failure_of(error: Exception, where: str = "") -> str:
    """Return one line that tells how a model failed, and where, such as in a fold."""
    return " ".join(f"failed{where}: {type(error).__name__}: {error}".split())


def outcomes_of(runs: pd.DataFrame) -> pd.Series:
    """Return the outcome of each run; without a column `outcome`, each run that is not ok has failed."""
    if "outcome" in runs:
        return runs["outcome"]
    return runs["status"].where(runs["status"] == OK, FAILED)
