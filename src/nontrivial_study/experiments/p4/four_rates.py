"""The P4 article's four probabilities: which of them a measure notices, and measures over imbalance and noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np
import pandas as pd

from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.experiments.imbalance.crossings import expected_cells
from nontrivial_study.experiments.imbalance.sweep import Rates

PROBABILITIES = ("precision", "recall", "specificity", "negative_predictive_value")
MEASURES = {"P4": "p4", "F1": "f_beta", "Informedness": "informedness", "Markedness": "markedness"}
PLANE = ("p4", "f_beta", "informedness", "markedness", "prediction_advantage")
CELLS = ("tp", "fp", "fn", "tn")
# Half as far apart as the noises: so the points reach to where noise flips the whole minority.
SHARES, NOISES = np.linspace(0.005, 0.5, 100).round(6), np.linspace(0, 0.5, 51).round(6)
_SMALL, _NOTICED = 0.01, 0.05


def dependency_table(stated: Mapping[str, Mapping[str, bool]], powers: int = 6) -> pd.DataFrame:
    """Find out which of the four probabilities a measure notices when it is near 0.

    The article's table says on which probabilities a measure "depends", and that a measure misleads when one on
    which it does not depend approaches 0. The four are tied to each other, three of them fix the fourth, so that the
    latter is what can be tested: how great can the measure be while the probability is at most 0.01?

    Parameters
    ----------
    stated : mapping
        What the article says, by measure and probability.
    powers : int
        The tables searched have cells of 0 and of the powers of ten up to this one.

    Returns
    -------
    DataFrame
        ``measure, probability, greatest`` (of the measure, where the probability is at most 0.01), ``tp, fp, fn, tn``
        (the first table that attains it), ``depends`` (the greatest is at most 0.05) and ``stated``.

    References
    ----------
    P4 article, section on examples and its dependency table.
    """
    values = [0, *(10**power for power in range(powers + 1))]
    cells = np.array(list(product(values, repeat=4)), dtype=np.int64)
    cells = cells[cells.sum(axis=1) > 0]
    table = confusion_measures(*cells.T)
    rows = []
    for name, column in MEASURES.items():
        for probability in PROBABILITIES:
            near = np.flatnonzero((table[probability] <= _SMALL) & table[column].notna())
            place = int(near[table[column].to_numpy()[near].argmax()])
            greatest = table[column].to_numpy()[place]
            front = {"measure": name, "probability": probability, "greatest": greatest}
            attained = dict(zip(CELLS, cells[place].tolist(), strict=True))
            verdict = {"depends": bool(greatest <= _NOTICED), "stated": stated[name][probability]}
            rows.append(front | attained | verdict)
    return pd.DataFrame(rows)


def plane_table(
    rates: Rates | None,
    shares: Iterable[float] = SHARES,
    noises: Iterable[float] = NOISES,
) -> pd.DataFrame:
    """Compute the measures of an unlimited test set over the imbalance-noise plane.

    Parameters
    ----------
    rates : Rates or None
        Of a classifier; None if it has no predictions.
    shares, noises : iterable of float
        Of the positive class, and of wrong labels, half of them in each class.

    Returns
    -------
    DataFrame
        ``minority_share, noise`` and the measures; missing where the noise would flip more than the minority. No
        rows without rates.

    Examples
    --------
    >>> plane_table(Rates(1.0, 0.0), [0.5], [0.2])[["p4", "prediction_advantage"]].round(3).values.tolist()
    [[0.8, 0.6]]
    """
    points = pd.DataFrame(list(product(shares, noises)), columns=["minority_share", "noise"])
    share, noise = points["minority_share"].to_numpy(), points["noise"].to_numpy()
    if rates is None:
        return points.reindex(columns=[*points, *PLANE]).iloc[:0]
    cells = np.stack(expected_cells(*rates, share, noise)).clip(0)
    values = confusion_measures(*cells)[list(PLANE)]
    values[noise / 2 > share + 1e-12] = np.nan
    return pd.concat([points, values], axis=1)
