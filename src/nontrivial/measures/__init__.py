"""Measures from labels, predictions and confusion tables."""

from nontrivial.measures.advantage import bayesian_marginal_prediction, prediction_advantage_score
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.published import PublishedAdvantage, published_advantage
from nontrivial.measures.scores import (
    f_gain_score,
    informedness_score,
    markedness_score,
    p4_score,
    precision_gain_score,
    recall_gain_score,
)

__all__ = [
    "PublishedAdvantage",
    "bayesian_marginal_prediction",
    "confusion_measures",
    "f_gain_score",
    "informedness_score",
    "markedness_score",
    "p4_score",
    "precision_gain_score",
    "prediction_advantage_score",
    "published_advantage",
    "recall_gain_score",
]
