"""Plots of curves and measures in the style of scikit-learn's displays; drawing the first imports matplotlib."""

from nontrivial.displays.cost import CostCurveDisplay
from nontrivial.displays.gain import PrecisionRecallGainDisplay
from nontrivial.displays.imbalance import MeasureImbalanceDisplay
from nontrivial.displays.net_benefit import NetBenefitDisplay
from nontrivial.displays.precision_recall import HyperbolicPrecisionRecallDisplay
from nontrivial.displays.venn import VennDisplay

__all__ = [
    "CostCurveDisplay",
    "HyperbolicPrecisionRecallDisplay",
    "MeasureImbalanceDisplay",
    "NetBenefitDisplay",
    "PrecisionRecallGainDisplay",
    "VennDisplay",
]

# The former name, which is also that of scikit-learn's display.
PrecisionRecallDisplay = HyperbolicPrecisionRecallDisplay
