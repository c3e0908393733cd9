"""The plot of measures over the class balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import as_real, binary_truth_and_predictions, check_choice
from nontrivial.displays._base import LabelsDisplay, positive_label_suffix
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.names import canonical_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ZERO_LINE_ID = "no-advantage"  # each display has one such line, so these count the displays on the axes
_PAPER_MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")


@dataclass(eq=False, repr=False)
class MeasureImbalanceDisplay(LabelsDisplay):
    """Measures of one rule as the share of positives changes while its two error rates stay.

    The plot shows at which shares a measure praises a rule that is worse than the trivial prediction. Use
    `from_estimator` or `from_predictions`.

    Parameters
    ----------
    positive_share : ndarray of shape (n_shares,)
        Shares of positives, in [0, 1].
    measures : DataFrame of shape (n_shares, n_measures)
        Columns of `nontrivial.measures.confusion_measures`.
    observed_share : float, optional
        Share of positives in the data, which a line marks.
    name, pos_label : optional
        The model's name in the legend; the positive label, which the axis names.

    Attributes
    ----------
    lines_, ax_, figure_
        What matplotlib drew; `lines_` has the line of each measure, by its name.

    Notes
    -----
    PA paper, Section 4. The error rates stay the same if only the number of cases in each class changes.

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
        """Compute the measures from labels and predicted labels, draw them, and return the display.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight
            As in `nontrivial.measures.p4_score`, which raises the same errors. One class only is a ValueError, too.
        measures : sequence of str
            Columns of `nontrivial.measures.confusion_measures`, by default the five of the PA paper's Figure 1. Another
            name is a ValueError.
        shares : array-like, optional
            Shares of positives, by default 0.01, 0.02, ... 0.99. A share outside [0, 1] is a ValueError.
        name : str, optional
            The model's name in the legend.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        weights = np.ones(len(positive)) if weights is None else weights
        tpr = np.average(predicted[positive], weights=weights[positive])
        fpr = np.average(predicted[~positive], weights=weights[~positive])
        share = np.arange(1, 100) / 100 if shares is None else as_real(shares, "shares")
        table = confusion_measures(
            tp=share * tpr, fp=(1 - share) * fpr, fn=share * (1 - tpr), tn=(1 - share) * (1 - fpr)
        )
        measures = list(map(canonical_name, measures))
        for measure in measures:
            check_choice(measure, "measures", table.columns)
        observed = float(weights[positive].sum() / weights.sum())
        display = cls(share, table[measures], observed_share=observed, name=name, pos_label=pos_label)
        return display.plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the measures on `ax` or new axes, each model paler than the one before; return the display."""
        ax = self._set_axes(ax)
        from nontrivial.figure_style import (
            MEASURE_LOOKS,
            MeasureLook,
        )  # here, so that importing a display is fast

        n_earlier = sum(line.get_gid() == _ZERO_LINE_ID for line in ax.lines)
        model = self.name or (f"model {n_earlier + 1}" if n_earlier else "")
        ax.axhline(0, color="0.6", linewidth=0.8, zorder=1, visible=not n_earlier, gid=_ZERO_LINE_ID)
        if self.observed_share is not None and not n_earlier:
            ax.axvline(self.observed_share, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
            ax.annotate(
                "these cases", (self.observed_share, 0.02), xycoords=("data", "axes fraction"), color="0.4",
                fontsize="small", xytext=(3, 0), textcoords="offset points",
            )  # fmt: skip
        self.lines_ = {}
        for measure in self.measures.columns.astype(str):
            look = MEASURE_LOOKS.get(
                measure, MeasureLook(measure.replace("_", " ").capitalize(), None, (), "")
            )
            (self.lines_[measure],) = ax.plot(
                self.positive_share,
                self.measures[measure],
                label=f"{look.name}, {model}" if model else look.name,
                **look.line_options() | {"marker": ""},
                alpha=0.5**n_earlier,
            )
        xlabel = "Share of positives" + positive_label_suffix(self.pos_label)
        ax.set(xlim=(0, 1), ylim=(-0.55, 1.02), xlabel=xlabel, ylabel="Value of the measure")
        # Only a figure with a layout engine makes room for a legend beside the axes.
        if ax.figure.get_layout_engine() is not None:
            ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        else:
            ax.legend(loc="best", fontsize="small")
        return self
