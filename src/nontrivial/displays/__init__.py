"""Plots of curves and measures in the style of scikit-learn's displays; drawing the first imports matplotlib."""

from nontrivial.displays.class_balance import MeasureImbalanceDisplay
from nontrivial.displays.costs import CostCurveDisplay, NetBenefitDisplay
from nontrivial.displays.precision_recall import HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.displays.venn import VennDisplay

__all__ = [
    "CostCurveDisplay",
    "HyperbolicPrecisionRecallDisplay",
    "MeasureImbalanceDisplay",
    "NetBenefitDisplay",
    "PrecisionRecallGainDisplay",
    "VennDisplay",
]
