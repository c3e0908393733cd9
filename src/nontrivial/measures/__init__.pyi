from .advantage import bayesian_marginal_prediction, prediction_advantage_score
from .averages import macro_average, micro_average
from .comparison import ModelComparison, UnequalCasesWarning, compare_models
from .confusion import confusion_measures
from .confusion_intervals import confusion_intervals
from .gain_scores import f_gain_score, precision_gain_score, recall_gain_score
from .intervals import AdvantageInterval, prediction_advantage_interval
from .net_benefit import net_benefit_score
from .published.error_rates import PublishedAdvantage, published_advantage
from .published.feasibility import published_scores_possible, published_tables
from .published.verdict import PublishedVerdict, published_verdict
from .relations import efron_r2_score, goodman_kruskal_lambda_score, mcfadden_r2_score, no_information_rate
from .scorers import SCORERS, get_scorer
from .scores import geometric_mean_score, informedness_score, lift_score, markedness_score, p4_score
from .selective import SelectiveAdvantageCurve, selective_advantage_curve
from .triviality import TrivialityTest, triviality_test
from .unbounded import UnboundedLossWarning

__all__ = [
    "SCORERS",
    "AdvantageInterval",
    "ModelComparison",
    "PublishedAdvantage",
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
    "published_scores_possible",
    "published_tables",
    "published_verdict",
    "recall_gain_score",
    "selective_advantage_curve",
    "triviality_test",
]
