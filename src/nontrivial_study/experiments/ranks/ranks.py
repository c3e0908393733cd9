"""The tables of the experiment on how areas rank models (PRG paper, Section 4)."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from nontrivial_study.experiments.ranks.area_finding import area_finding, share_curve
from nontrivial_study.experiments.ranks.disagreement import rank_disagreement, rank_disagreement_by_group
from nontrivial_study.experiments.ranks.model_choice import choice_by_share, choice_table
from nontrivial_study.experiments.ranks.rank_figure import rank_figure_table
from nontrivial_study.tables import read_table


def calc_ranks(
    areas: str,
    published: Mapping[str, Any],
    ranking: Mapping[str, Any],
    left_out: Collection[str],
    models: int,
) -> dict[str, pd.DataFrame]:
    """Compare the models' ranks under the areas: how far they differ, when that matters, and which area to use."""
    pairs, groups, resamples = (ranking[name] for name in ("pairs", "groups", "resamples"))
    table = read_table(areas)
    table = table[~table["task"].isin(left_out)].reset_index(drop=True)
    choice = choice_table(table, resamples)
    by_share = choice_by_share(table, groups["positive_share"], resamples)
    return {
        "rank_disagreement": rank_disagreement(table, pairs, published, resamples),
        "rank_disagreement_by_imbalance": rank_disagreement_by_group(table, pairs, groups, resamples),
        "prg_figure_4": rank_figure_table(table, "pr_auc", "prg_auc", models),
        "model_choice": choice,
        "prg_model_choice": choice,
        "model_choice_by_share": by_share,
        "area_finding": area_finding(table, pairs, by_share, resamples),
        "prg_disagreement_by_share": share_curve(table, pairs),
    }
