"""The plot of measures against the class balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import as_real, binary_truth_and_predictions, canonical_name, show
from nontrivial.displays._base import LabelsDisplay, new_axes
from nontrivial.measures.confusion import confusion_measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ZERO = "no-advantage"  # a mark by which the displays on the same axes are counted
_PAPER_MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")


@dataclass(eq=False, repr=False)
class MeasureImbalanceDisplay(LabelsDisplay):
    """Measures of one rule as the share of positives changes while its two error rates stay.

    The error rates describe the rule, and the share of positives describes the data. The plot shows at which shares
    a measure praises a rule that is worse than the trivial prediction. Use `from_estimator` or `from_predictions`
    to make one.

    Parameters
    ----------
    positive_share : ndarray of shape (n_shares,)
        In (0, 1).
    measures : DataFrame of shape (n_shares, n_measures)
        Named as `nontrivial.measures.confusion_measures` names them.
    observed_share : float, optional
        Share of positives in the data, marked by a line.
    name, pos_label : optional
        For the legend and the axis.

    Attributes
    ----------
    lines_, ax_, figure_
        What matplotlib drew; the lines by the names of their measures.

    Notes
    -----
    PA paper, Section 4 (measures over noise and imbalance). The plot assumes that the error rates stay the same.
    They do if the cases of each class stay alike and only their numbers change.

    Examples
    --------
    >>> display = MeasureImbalanceDisplay.from_predictions([0, 0, 0, 1], [0, 0, 1, 1], shares=[0.1, 0.5])
    >>> display.measures["prediction_advantage"].round(3).tolist()
    [-2.0, 0.667]
    """

    positive_share: Floats
    measures: pd.DataFrame
    _: KW_ONLY
    observed_share: float | None = None
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        measures: Sequence[str] = _PAPER_MEASURES,
        shares: ArrayLike | None = None,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Compute the measures from labels and predicted labels, and draw them.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight, name, ax
            As in `VennDisplay.from_predictions`; the name goes into the legend.
        measures : sequence of str
            Columns of `nontrivial.measures.confusion_measures`; by default the five of the PA paper's Figure 1.
        shares : array-like, optional
            Shares of positives, strictly between 0 and 1; by default 0.01, 0.02, ... 0.99.

        Returns
        -------
        MeasureImbalanceDisplay

        Raises
        ------
        ValueError
            If the lengths differ, one class is missing, or a share or the name of a measure is not allowed.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        weights = np.ones(len(positive)) if weights is None else weights
        recall = np.average(predicted[positive], weights=weights[positive])
        fall_out = np.average(predicted[~positive], weights=weights[~positive])
        share = np.arange(1, 100) / 100 if shares is None else as_real(np.atleast_1d(shares), "shares")
        if not ((share > 0) & (share < 1)).all():
            raise ValueError(
                "shares has a value that is not strictly between 0 and 1; both classes must occur."
            )
        table = confusion_measures(
            share * recall, (1 - share) * fall_out, share * (1 - recall), (1 - share) * (1 - fall_out)
        )
        measures = list(map(canonical_name, measures))
        unknown = [measure for measure in measures if measure not in table]
        if unknown:
            raise ValueError(f"measures has {show(unknown[0])}; it must name columns of confusion_measures.")
        return cls(
            share,
            table[measures],
            observed_share=float(weights[positive].sum() / weights.sum()),
            name=name,
            pos_label=pos_label,
        ).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the measures on `ax` or new axes, where each model is paler than the one before; return the display."""
        ax = new_axes() if ax is None else ax
        from nontrivial.figure_style import LOOKS, Look  # here, so that importing a display is fast

        self.ax_, self.figure_ = ax, ax.figure
        earlier = sum(line.get_gid() == _ZERO for line in ax.lines)
        model = self.name or (f"model {earlier + 1}" if earlier else "")
        ax.axhline(0, color="0.6", linewidth=0.8, zorder=1, visible=not earlier, gid=_ZERO)
        if self.observed_share is not None and not earlier:
            ax.axvline(self.observed_share, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
            beside: dict[str, Any] = {"xytext": (3, 0), "textcoords": "offset points"}
            place, of_axes = (self.observed_share, 0.02), ("data", "axes fraction")
            ax.annotate("these cases", place, xycoords=of_axes, color="0.4", fontsize="small", **beside)
        self.lines_ = {}
        for measure in self.measures.columns.astype(str):
            look = LOOKS.get(measure, Look(measure.replace("_", " ").capitalize(), None, (), ""))
            (self.lines_[measure],) = ax.plot(
                self.positive_share,
                self.measures[measure],
                label=f"{look.name}, {model}" if model else look.name,
                **look.line() | {"marker": ""},
                alpha=0.5**earlier,
            )
        of = "" if self.pos_label is None else f" (positive label: {self.pos_label})"
        ax.set(
            xlim=(0, 1), ylim=(-0.55, 1.02), xlabel=f"Share of positives{of}", ylabel="Value of the measure"
        )
        # Only a figure that arranges what it holds makes room beside the axes.
        if ax.figure.get_layout_engine() is not None:
            ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        else:
            ax.legend(loc="best", fontsize="small")
        return self
