"""The published Haberman errors, recomputed (PA paper, Appendix A)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pandas as pd

from nontrivial.measures.published.printed import published_advantage
from nontrivial_study.tables import column_names


def haberman_table(published: Mapping[str, Any]) -> pd.DataFrame:
    """Recompute the Prediction Advantage of the published Haberman errors (PA paper, Appendix A).

    Parameters
    ----------
    published : mapping
        ``positives``, ``cases`` and ``errors``: mappings with ``source``, ``error`` as printed, ``bound``
        (``"equal"``, or ``"greater"`` where the error is only said to exceed the number) and ``stated_advantage``.

    Returns
    -------
    DataFrame
        ``source, error, bound, stated_advantage, advantage, low, high, sign_certain, possible``. The interval is the
        one that the printed digits leave. Of an error that is said to exceed a number, that number is an exact
        bound: the interval reaches from the advantage of a classifier that is always wrong to the bound's.
    """
    positives, cases = published["positives"], published["cases"]
    always_wrong = float(1 - 1 / Fraction(min(positives, cases - positives), cases))
    rows = []
    for entry in published["errors"]:
        record = published_advantage(error=entry["error"], positives=positives, n=cases)
        greater = entry["bound"] == "greater"
        rows.append(
            {
                **entry,
                "advantage": record.advantage,
                "low": always_wrong if greater else record.low,
                "high": record.advantage if greater else record.high,
                "sign_certain": record.advantage < 0 if greater else record.sign_certain,
                "possible": True if greater else record.possible,
            }
        )
    return pd.DataFrame(rows, columns=column_names("haberman_published"))
