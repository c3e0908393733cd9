"""Recompute the published errors on Haberman's data."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import write_table
from nontrivial.experiments.repeats.published_errors import haberman_table

write_table(snakemake.output.haberman, haberman_table(snakemake.params.haberman))
