from .advantage import (
    SelectiveAdvantageCurve,
    bayesian_marginal_prediction,
    efron_r2_score,
    goodman_kruskal_lambda_score,
    mcfadden_r2_score,
    no_information_rate,
    prediction_advantage_score,
    selective_advantage_curve,
)
from .comparison import ModelComparison, TrivialityTest, UnequalCasesWarning, compare_models, triviality_test
from .confusion import confusion_measures, macro_average, micro_average
from .intervals import AdvantageInterval, confusion_intervals, prediction_advantage_interval
from .label_scores import (
    f_gain_score,
    geometric_mean_score,
    informedness_score,
    lift_score,
    markedness_score,
    net_benefit_score,
    p4_score,
    precision_gain_score,
    recall_gain_score,
)
from .losses import UnboundedLossWarning
from .published.advantage import PublishedAdvantage, published_advantage
from .published.folds import published_scores_possible
from .published.shares import PublishedBounds, published_bounds
from .published.tables import published_tables
from .published.verdict import PublishedVerdict, published_verdict
from .scorers import SCORERS, get_scorer

__all__ = [
    "SCORERS",
    "AdvantageInterval",
    "ModelComparison",
    "PublishedAdvantage",
    "PublishedBounds",
    "PublishedVerdict",
    "SelectiveAdvantageCurve",
    "TrivialityTest",
    "UnboundedLossWarning",
    "UnequalCasesWarning",
    "bayesian_marginal_prediction",
    "compare_models",
    "confusion_intervals",
    "confusion_measures",
    "efron_r2_score",
    "f_gain_score",
    "geometric_mean_score",
    "get_scorer",
    "goodman_kruskal_lambda_score",
    "informedness_score",
    "lift_score",
    "macro_average",
    "markedness_score",
    "mcfadden_r2_score",
    "micro_average",
    "net_benefit_score",
    "no_information_rate",
    "p4_score",
    "precision_gain_score",
    "prediction_advantage_interval",
    "prediction_advantage_score",
    "published_advantage",
    "published_bounds",
    "published_scores_possible",
    "published_tables",
    "published_verdict",
    "recall_gain_score",
    "selective_advantage_curve",
    "triviality_test",
]
