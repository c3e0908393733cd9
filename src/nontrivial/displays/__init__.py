"""Plots of curves and measures in the style of scikit-learn's displays; drawing the first imports matplotlib."""

from nontrivial.displays.curves import (
    CostCurveDisplay,
    HyperbolicPrecisionRecallDisplay,
    NetBenefitDisplay,
    PrecisionRecallGainDisplay,
)
from nontrivial.displays.labels import MeasureImbalanceDisplay, VennDisplay

__all__ = [
    "CostCurveDisplay",
    "HyperbolicPrecisionRecallDisplay",
    "MeasureImbalanceDisplay",
    "NetBenefitDisplay",
    "PrecisionRecallGainDisplay",
    "VennDisplay",
]
