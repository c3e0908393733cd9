"""Plots of curves and measures in the manner of scikit-learn's displays; matplotlib is imported when one is drawn."""

from nontrivial.displays.cost import CostCurveDisplay
from nontrivial.displays.gain import PrecisionRecallGainDisplay
from nontrivial.displays.imbalance import MeasureImbalanceDisplay
from nontrivial.displays.precision_recall import HyperbolicPrecisionRecallDisplay, PrecisionRecallDisplay
from nontrivial.displays.venn import VennDisplay

__all__ = [
    "CostCurveDisplay",
    "HyperbolicPrecisionRecallDisplay",
    "MeasureImbalanceDisplay",
    "PrecisionRecallDisplay",
    "PrecisionRecallGainDisplay",
    "VennDisplay",
]
