"""Scores of labels by name, and labels."""

import math

import numpy as np

from nontrivial import measures
from nontrivial.seeds import generator_for

SCORES = {
    "p4": measures.p4_score,
    "informedness": measures.informedness_score,
    "markedness": measures.markedness_score,
    "precision_gain": measures.precision_gain_score,
    "recall_gain": measures.recall_gain_score,
    "f_beta_gain": measures.f_gain_score,
}
OTHERS = {
    "geometric_mean": (measures.geometric_mean_score, lambda t: math.sqrt(t["recall"] * t["specificity"])),
    "lift": (measures.lift_score, lambda t: t["precision"] / t["prevalence"]),
}
ALL = SCORES | {name: score for name, (score, _) in OTHERS.items()}


def draw(k, weighted, n=90):
    rng = generator_for("label scores", k, weighted)
    truth = rng.integers(0, k, n)
    predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    return truth, predicted, rng.integers(0, 4, n) if weighted else None
