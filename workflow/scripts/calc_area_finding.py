"""Answer when the choice of the area matters, and which to use, with what the answers follow from."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table
from nontrivial.experiments.ranks.area_finding import area_finding, choice_by_share
from nontrivial.experiments.ranks.share_curve import share_curve
from nontrivial.experiments.result_tables import write_result

ranking, output = snakemake.params.ranking, snakemake.output
areas = read_table(snakemake.input.areas)
areas = areas[~areas["task"].isin(snakemake.params.left_out)].reset_index(drop=True)
by_share = choice_by_share(areas, ranking["groups"]["positive_share"], ranking["resamples"])
write_result(output.by_share, by_share)
write_result(output.finding, area_finding(areas, by_share, ranking["resamples"]))
write_result(output.prg_disagreement_by_share, share_curve(areas))
