"""Two models of the study's own data that AUPR and AUPRG order differently (a counterpart to PRG paper, Figure 5)."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from nontrivial_study.experiments.status import NOT_EVALUATED, OK

NONE = f"{NOT_EVALUATED}: on no task AUPR and AUPRG order two models differently"


def find_opposed(areas: pd.DataFrame, tasks: Collection[str]) -> tuple[str, list[str]] | None:
    """Find the task and the two models about which AUPR and AUPRG disagree most.

    That is the pair whose smaller difference, of the one in AUPR and the one in AUPRG, is greatest. Models whose AUPRG
    is extrapolated do not count, nor do those with a negative one, whose curve is far below what a figure shows.

    Parameters
    ----------
    areas : DataFrame
        From `nontrivial_study.experiments.tasks.area_table.area_table`.
    tasks : collection of str
        Those to search.

    Returns
    -------
    task : str
    models : list of two str
        First the one that AUPR prefers. None instead of both if there is no such pair.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": "t", "model": ["a", "b"], "status": "ok", "extrapolated": False})
    >>> find_opposed(areas.assign(pr_auc=[0.5, 0.6], prg_auc=[0.7, 0.4]), ["t"])
    ('t', ['b', 'a'])
    """
    served = areas[(areas["status"] == OK) & areas["task"].isin(tasks)]
    served = served[~served["extrapolated"].astype(bool) & (served["prg_auc"] >= 0)]
    most, found = 0.0, None
    for task, rows in served.groupby("task", sort=False):
        pr, prg = (
            np.subtract.outer(values, values) for values in rows[["pr_auc", "prg_auc"]].to_numpy(float).T
        )
        by = np.minimum(pr, -prg)  # above 0 where the first has more AUPR and less AUPRG
        first, second = np.unravel_index(by.argmax(), by.shape)
        if by[first, second] > most:
            most = by[first, second]
            found = str(task), rows["model"].iloc[[first, second]].tolist()
    return found
