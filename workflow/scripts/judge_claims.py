"""Compute a verdict for every registered claim, with its evidence."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.claims.judge import judge_claims
from nontrivial.claims.registry import load_claims
from nontrivial_study.documents.evidence import write_evidence

claims = load_claims(Path(snakemake.input.claims[0]).parent)
folder = Path(snakemake.output.verdicts).parent
write_evidence(judge_claims(claims, folder.parent), folder)
