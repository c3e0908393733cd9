# The entry point: configuration, rules, one file for each experiment, and what a whole study consists of.

import sys
import time

from snakemake.logging import logger
from snakemake.utils import min_version

min_version("9")


report: "workflow/report/study.rst"


container: "nontrivial.sif"  # with --software-deployment-method apptainer; made from the Dockerfile


include: "workflow/rules/common.smk"


pathvars:
    results=config["results"].rstrip("/"),
    logs="<results>/logs",
    benchmarks="<results>/benchmarks",


# This stands before all rules. With a storage, rules that stand before it would lose their own constraints.
wildcard_constraints:
    batch="chunk-[0-9]+|openml-[0-9]+|archive-[0-9]+|made",
    number="[0-9]+",


include: "workflow/rules/data.smk"
include: "workflow/rules/download.smk"


for experiment in EXPERIMENTS:

    include: f"workflow/rules/{experiment}.smk"


include: "workflow/rules/draw.smk"
include: "workflow/rules/audit.smk"
include: "workflow/rules/benchmarks.smk"


# All results are asked for by name, so that the same command makes a lost one again.
rule all:
    default_target: True
    input:
        MADE_FILES,
        CODE_FILES,
        expand("<results>/{name}", name=["run.json", "ro-crate-metadata.json", "manifest-sha256.txt"]),


rule benchmarks:
    input:
        rules.collect_speed.output,


STARTED = time.time()


onsuccess:
    for line in describe_outputs(config["results"]):
        logger.info(line)


onerror:
    print(*describe_failures(log, f"{config['results']}/logs", STARTED), sep="\n", file=sys.stderr)
