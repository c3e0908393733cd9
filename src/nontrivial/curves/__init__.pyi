from .areas import pr_auc_score
from .break_even import break_even_point_score
from .calibration import FBetaCalibrator
from .cost import cost_curve, cost_curve_area_score, probability_cost
from .expected_gain import expected_f_gain_score
from .gain import precision_recall_gain_curve
from .gain_areas import ExtrapolatedAreaWarning, mean_random_prg_auc, prg_auc_score
from .hull import prg_convex_hull, roc_convex_hull, roc_hull_auc_score
from .points import OperatingPoints, operating_points
from .resampling import bootstrap_curve_areas
from .separation import h_measure_score, kolmogorov_smirnov_score
from .summary import curve_areas

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
