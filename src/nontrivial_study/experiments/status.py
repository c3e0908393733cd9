"""How runs of the study end: a table's column `outcome` has a code, its column `status` "ok" or the reason."""

import pandas as pd

OK = "ok"
FAILED = "failed"
IMPOSSIBLE = "impossible"
NOT_EVALUATED = "not evaluated"
NO_PREDICTIONS = "no predictions: the model failed on this data set; curve_areas.csv has the reason"


def outcomes_of(runs: pd.DataFrame) -> pd.Series:
    """Return the code of each run; in a table without the column `outcome` all runs are good or failed.

    Examples
    --------
    >>> outcomes_of(pd.DataFrame({"status": ["ok", "failed in fold 3: ValueError: impossible"]})).tolist()
    ['ok', 'failed']
    """
    if "outcome" in runs:
        return runs["outcome"]
    return runs["status"].where(runs["status"] == OK, FAILED)
