from .areas import break_even_point_score, curve_areas, kolmogorov_smirnov_score, pr_auc_score
from .bootstrap import bootstrap_curve_areas
from .calibration import FBetaCalibrator
from .gain import (
    ExtrapolatedAreaWarning,
    expected_f_gain_score,
    mean_random_prg_auc,
    precision_recall_gain_curve,
    prg_auc_score,
)
from .hull import (
    cost_curve,
    cost_curve_area_score,
    h_measure_score,
    prg_convex_hull,
    probability_cost,
    roc_convex_hull,
    roc_hull_auc_score,
)
from .points import OperatingPoints, operating_points

__all__ = [
    "ExtrapolatedAreaWarning",
    "FBetaCalibrator",
    "OperatingPoints",
    "bootstrap_curve_areas",
    "break_even_point_score",
    "cost_curve",
    "cost_curve_area_score",
    "curve_areas",
    "expected_f_gain_score",
    "h_measure_score",
    "kolmogorov_smirnov_score",
    "mean_random_prg_auc",
    "operating_points",
    "pr_auc_score",
    "precision_recall_gain_curve",
    "prg_auc_score",
    "prg_convex_hull",
    "probability_cost",
    "roc_convex_hull",
    "roc_hull_auc_score",
]
