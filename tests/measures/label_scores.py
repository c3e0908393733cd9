"""Scores of labels by name, and labels."""

import math

import numpy as np

from nontrivial import measures
from nontrivial.seeds import generator_for

OTHERS = {
    "geometric_mean": (measures.geometric_mean_score, lambda t: math.sqrt(t["recall"] * t["specificity"])),
    "lift": (measures.lift_score, lambda t: t["precision"] / t["prevalence"]),
}


def draw(k, weighted, n=90):
    rng = generator_for("label scores", k, weighted)
    truth = rng.integers(0, k, n)
    predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    return truth, predicted, rng.integers(0, 4, n) if weighted else None
