"""Figure 2 of the PA paper, drawn to scale: what is positive, what is called positive, and what is both."""

from __future__ import annotations

from string import ascii_lowercase

import pandas as pd
from matplotlib.figure import Figure

from nontrivial.displays.venn import VennDisplay
from nontrivial.figure_style import NO_MODEL, TEXT_WIDTH, blank, house_style
from nontrivial.measures.confusion import confusion_measures


def plot_regions(table: pd.DataFrame) -> Figure:
    """Draw the Venn diagrams of several confusion tables beside one another (PA paper, Figure 2).

    Parameters
    ----------
    table : DataFrame
        From `nontrivial_study.experiments.imbalance.regions.region_table`.

    Returns
    -------
    matplotlib.figure.Figure
        Under each diagram its PA, Cohen's kappa, F1 and accuracy.
    """
    if table.empty:
        return blank(NO_MODEL)
    titles = table["title"].drop_duplicates().tolist()
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.2), layout="constrained")
        panels = figure.subplots(1, len(titles), squeeze=False)[0]
        for letter, axes, title in zip(ascii_lowercase, panels, titles, strict=False):
            cells = table[table["title"] == title].set_index("cell")["count"].to_dict()
            VennDisplay(**cells).plot(axes, legend=False)
            axes.set_title(f"{letter}   {title}", fontweight="bold")
            measures = confusion_measures(**cells).iloc[0]
            axes.set_xlabel(
                f"PA = (b \N{MINUS SIGN} a) / (b + c) = {_signed(measures['prediction_advantage'])}\n"
                f"kappa {_signed(measures['cohen_kappa'])},  F1 {_signed(measures['f_beta'])},  "
                f"accuracy {_signed(measures['accuracy'])}"
            )
        figure.legend(handles=VennDisplay.legend_handles(), loc="outside lower center", ncols=2)
    return figure


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")
