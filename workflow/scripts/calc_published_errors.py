"""Recompute the published errors on Haberman's data."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.experiments.repeats.published_errors import haberman_table
from nontrivial.experiments.result_tables import write_result

write_result(snakemake.output.haberman, haberman_table(snakemake.params.haberman))
