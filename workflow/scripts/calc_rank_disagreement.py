"""Compare the models' ranks under the three areas, over all tasks and in groups of them."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table
from nontrivial.experiments.ranks.rank_groups import rank_disagreement_by_group
from nontrivial.experiments.ranks.rank_pairs import rank_figure_table
from nontrivial.experiments.ranks.ranking import rank_disagreement
from nontrivial.experiments.result_tables import write_result

params, output = snakemake.params, snakemake.output
areas = read_table(snakemake.input.areas)
areas = areas[~areas["task"].isin(params.left_out)].reset_index(drop=True)
resamples = params.ranking["resamples"]
write_result(output.disagreement, rank_disagreement(areas, params.published, resamples))
write_result(output.groups, rank_disagreement_by_group(areas, params.ranking["groups"], resamples))
write_result(output.prg_figure_4, rank_figure_table(areas, "pr_auc", "prg_auc", params.models))
