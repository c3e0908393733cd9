"""Compute a verdict for every registered claim, with its evidence."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.audit.evaluate import evaluate_claims
from nontrivial.audit.evidence import write_evidence
from nontrivial.audit.registry import load_claims

claims = load_claims(Path(snakemake.input.claims[0]).parent)
folder = Path(snakemake.output.records).parent
write_evidence(evaluate_claims(claims, folder.parent), folder)
