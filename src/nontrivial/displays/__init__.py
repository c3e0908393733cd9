"""Plots of curves and measures in the manner of scikit-learn's displays; matplotlib is imported when one is drawn."""

from nontrivial.displays.cost import CostCurveDisplay
from nontrivial.displays.gain import PrecisionRecallGainDisplay
from nontrivial.displays.imbalance import MeasureImbalanceDisplay
from nontrivial.displays.precision_recall import HyperbolicPrecisionRecallDisplay
from nontrivial.displays.venn import VennDisplay

__all__ = [
    "CostCurveDisplay",
    "HyperbolicPrecisionRecallDisplay",
    "MeasureImbalanceDisplay",
    "PrecisionRecallGainDisplay",
    "VennDisplay",
]

# The former name, which is that of scikit-learn's display too.
PrecisionRecallDisplay = HyperbolicPrecisionRecallDisplay
