"""Render the page of claims, figures and tables, and write the version and commit that it names beside it."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import nontrivial
from nontrivial.claims.registry import read_registry
from nontrivial.files import write_json, write_text
from nontrivial_study.provenance.run import commit_of
from nontrivial_study.report.page import render_page

captions = {Path(path).stem: Path(path).read_text(encoding="utf-8") for path in snakemake.input.captions}
sources, _ = read_registry(Path(snakemake.input.claims[0]).parent)
results = Path(snakemake.output.page).parents[1]
about = {"version": nontrivial.__version__, "commit": commit_of(snakemake.params.project)}
about["configfiles"] = snakemake.params.configfiles
write_json(snakemake.output.about, about)
write_text(snakemake.output.page, render_page(results, captions, sources))
