"""How often two areas disagree on the best models, against how rare the positives are."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from nontrivial_study.experiments.intervals import TAILS
from nontrivial_study.experiments.ranks.rank_groups import task_properties
from nontrivial_study.experiments.ranks.ranking import PAIRS, compare_ranks
from nontrivial_study.tables import column_names

FIGURES = ("top1", "top3")
WIDTH = 1.0  # of the window, as the standard deviation of a normal curve, in halvings of the share
POINTS = 60


def share_curve(areas: pd.DataFrame) -> pd.DataFrame:
    """Trace the share of tasks in which two areas disagree over the share of positives.

    Parameters
    ----------
    areas : DataFrame
        From `experiments.tasks.area_table.area_table`, with ``rows_of``; rows that failed are left out.

    Returns
    -------
    DataFrame
        ``kind``: ``"task"`` rows have for each task, pair and figure the ``source`` and whether the areas disagree;
        ``"curve"`` rows ``disagreement``, ``low`` and ``high`` at a share, from the rarest to the most frequent
        positives of a task, and ``datasets``, how many sources they rest on there. Both have ``pair``, ``figure``
        (``top1``, ``top3``) and ``positive_share``. No rows without tasks.

    Notes
    -----
    At each share the tasks are weighted by a normal curve in the logarithm of their share, and the tasks of one source
    share its weight. ``datasets`` is the square of the sources' summed weights over the sum of their squares. The
    interval is that of Jeffreys for as many tries, which says something where no task disagrees.

    Examples
    --------
    >>> one = {"task": "t", "rows_of": "d", "status": "ok", "positives": 10, "negatives": 90, "extrapolated": False}
    >>> areas = pd.DataFrame(one | {"pr_auc": [0.9, 0.8], "prg_auc": [0.8, 0.9], "roc_auc": [0.9, 0.8]})
    >>> curve = share_curve(areas).query("pair == 'pr_auc/prg_auc' and figure == 'top1' and kind == 'curve'")
    >>> curve[["disagreement", "low", "datasets"]].iloc[0].round(3).tolist()
    [1.0, 0.147, 1.0]
    """
    share = task_properties(areas)["positive_share"].to_numpy()
    columns = column_names("prg_disagreement_by_share")
    if not len(share):
        return pd.DataFrame(columns=columns)
    grid = np.geomspace(share.min(), share.max(), POINTS)
    near = np.exp(-0.5 * (np.log2(grid[:, None] / share) / WIDTH) ** 2)
    parts = []
    for one, other in PAIRS:
        comparison = compare_ranks(areas, one, other)
        codes, names = pd.factorize(comparison.sources)
        weights = near / np.bincount(codes)[codes]
        of_source = np.stack([weights[:, codes == code].sum(axis=1) for code in range(len(names))])
        tries = of_source.sum(axis=0) ** 2 / (of_source**2).sum(axis=0)
        for figure in FIGURES:
            differs = comparison.disagreement[figure].astype(float)
            found = (weights * differs).sum(axis=1) / weights.sum(axis=1)
            low, high = (betaincinv(found * tries + 0.5, (1 - found) * tries + 0.5, end) for end in TAILS)
            about = {"pair": f"{one}/{other}", "figure": figure}
            tasks = {"kind": "task", "positive_share": share, "disagreement": differs}
            tasks["source"] = comparison.sources
            curve = {"kind": "curve", "positive_share": grid, "disagreement": found, "low": low, "high": high}
            parts += [pd.DataFrame(about | tasks), pd.DataFrame(about | curve | {"datasets": tries})]
    return pd.concat(parts, ignore_index=True)[columns]
