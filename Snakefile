# The entry point: configuration, rules, one file for each experiment, and what a whole study consists of.

import atexit

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


include: "workflow/rules/data.smk"
include: "workflow/rules/download.smk"
include: "workflow/rules/tasks.smk"
include: "workflow/rules/imbalance.smk"
include: "workflow/rules/losses.smk"
include: "workflow/rules/selective.smk"
include: "workflow/rules/repeats.smk"
include: "workflow/rules/exam.smk"
include: "workflow/rules/ranks.smk"
include: "workflow/rules/prg_example.smk"
include: "workflow/rules/p4.smk"
include: "workflow/rules/tutorial.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/audit.smk"
include: "workflow/rules/benchmarks.smk"


rule all:
    default_target: True
    input:
        [] if STORED else [*lost(JOBS), *absent(rules.copy_code.output)[:1]],
        rules.record_run.output,
        rules.write_crate.output,
        rules.write_manifest.output,


rule benchmarks:
    input:
        rules.collect_speed.output,


OBSERVER = engine.Observer()
logger.addHandler(OBSERVER)


onsuccess:
    atexit.register(print_page, workflow, config)


onerror:
    atexit.register(print_failures, OBSERVER)  # after all that the engine still has to say
