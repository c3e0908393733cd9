"""From scores to predictions."""

from __future__ import annotations

import numpy as np

from nontrivial._arrays import Floats, Mask

ROUNDING = 1e-6  # how far outside [0, 1] computed probabilities may lie


def check_threshold(threshold: float, score: str | None, prediction: str | None, file: str) -> None:
    """Refuse a threshold that is not finite or that has no scores to cut.

    Parameters
    ----------
    threshold : float
    score, prediction : str or None
        The column of scores, and the column of predictions if the user named one.
    file : str
    """
    if prediction is not None:
        raise ValueError(
            "--threshold makes predictions from scores, but --prediction names a column of predictions; give only one."
        )
    if score is None:
        raise ValueError(f"--threshold needs scores, and {file} has none; name their column with --score.")
    if not np.isfinite(threshold):
        raise ValueError(f"--threshold is {threshold}; it must be a finite number.")


def are_probabilities(scores: Floats) -> bool:
    """Tell whether all scores lie in [0, 1], apart from rounding."""
    return bool(scores.min() >= -ROUNDING and scores.max() <= 1 + ROUNDING)


def apply_threshold(scores: Floats, column: str, threshold: float | None, place: str) -> tuple[Mask, str]:
    """Return which cases are predicted positive, and by what rule; `place` names the column and its file.

    Raises
    ------
    ValueError
        If no threshold is given and none follows from the scores.
    """
    if threshold is not None:
        written = repr(threshold + 0.0).removesuffix(".0")  # no sign of a zero
        return scores >= threshold, f"positive where {column} >= {written}"
    probabilities = are_probabilities(scores)
    threshold, reason = (
        (0.5, "all scores lie in [0, 1]") if probabilities else (0, "scores lie outside [0, 1]")
    )
    positive = scores >= threshold
    if not probabilities and (positive.all() or not positive.any()):
        raise ValueError(
            f"{place} holds scores from {scores.min():.6g} to {scores.max():.6g}, for which the default threshold 0 "
            "would predict all cases alike; give a threshold with --threshold."
        )
    return positive, f"positive where {column} >= {threshold:g}, as {reason}"
