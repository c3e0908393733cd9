"""F1 at thresholds that were chosen on other folds."""

from __future__ import annotations

import numpy as np

from nontrivial._arrays import Ints, Mask, Scores


def held_out_f1(truth: Mask, score: Scores, fold: Ints) -> float:
    """Return F1 over all folds, each judged at the threshold that is best for F1 on the others.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
        At least one is True.
    score : ndarray of shape (n,)
        Finite; the greater, the more positive.
    fold : ndarray of shape (n,)
        Number of the fold that each case belongs to.

    Returns
    -------
    float
        In [0, 1], of the counts summed over the folds; NaN with fewer than two folds, where there is nothing to
        choose a threshold on.

    Notes
    -----
    A threshold is one of the other folds' scores and calls positive what scores at least as much; the greatest is
    taken among equally good ones. Where no threshold finds a positive, nothing is called positive. Counts are summed
    because F1 is no mean over cases, so that a mean over folds is something else (PRG paper, Sections 2.1 and 3).

    Examples
    --------
    >>> truth = np.array([True, False, True, False])
    >>> held_out_f1(truth, np.array([0.9, 0.1, 0.8, 0.2]), np.array([0, 0, 1, 1]))
    0.6666666666666666
    """
    folds = np.unique(fold)
    if len(folds) < 2:
        return float("nan")
    order = np.argsort(score)[::-1]
    truth, score, fold = truth[order], score[order], fold[order]
    # A threshold that only the held-out fold has ties with the greater one before it, and so is never the first best.
    ends = np.flatnonzero(np.append(score[1:] != score[:-1], True))
    every_tp, every_called = np.cumsum(truth)[ends], ends + 1
    tp = called = 0
    for number in folds:
        held_out = fold == number
        tp_here, called_here = np.cumsum(held_out & truth)[ends], np.cumsum(held_out)[ends]
        found = every_tp - tp_here
        # Twice the true positives over all that is called positive or is so: F1; 0 where the others have no positive.
        f1 = 2 * found / np.maximum(every_called - called_here + found[-1], 1)
        best = f1.argmax()
        if f1[best] > 0:
            tp += tp_here[best]
            called += called_here[best]
    return float(2 * tp / (called + every_tp[-1]))
