"""Compare the models' ranks under the areas: how far they differ, when that matters, and which area to use."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.ranks.model_choice import area_finding, choice_by_share, choice_table
from nontrivial_study.experiments.ranks.ranks import (
    rank_disagreement,
    rank_disagreement_by_group,
    rank_figure_table,
    share_curve,
)
from nontrivial_study.tables import read_table, write_result

params, output = snakemake.params, snakemake.output
pairs, groups, resamples = (params.ranking[name] for name in ("pairs", "groups", "resamples"))
areas = read_table(snakemake.input.areas)
areas = areas[~areas["task"].isin(params.left_out)].reset_index(drop=True)
write_result(output.disagreement, rank_disagreement(areas, pairs, params.published, resamples))
write_result(output.groups, rank_disagreement_by_group(areas, pairs, groups, resamples))
write_result(output.prg_figure_4, rank_figure_table(areas, "pr_auc", "prg_auc", params.models))
choice = choice_table(areas, resamples)
for path in (output.choice, output.prg_model_choice):
    write_result(path, choice)
by_share = choice_by_share(areas, groups["positive_share"], resamples)
write_result(output.by_share, by_share)
write_result(output.finding, area_finding(areas, pairs, by_share, resamples))
write_result(output.prg_disagreement_by_share, share_curve(areas, pairs))
