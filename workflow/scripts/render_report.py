"""Render the page of figures, tables and verdicts."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)


from nontrivial.claims.registry import read_sources
from nontrivial.files import write_text
from nontrivial.report.page import render_page

captions = {Path(path).stem: Path(path).read_text(encoding="utf-8") for path in snakemake.input.captions}
sources = read_sources(Path(snakemake.input.claims[0]).parent)
results = Path(snakemake.output.page).parents[1]
write_text(snakemake.output.page, render_page(results, captions, sources))
