# The entry point: configuration, rules by stage of the work, and what a whole study consists of.

import atexit

from snakemake.utils import min_version

min_version("9")


configfile: "config/config.yaml"


report: "workflow/report/study.rst"


include: "workflow/rules/common.smk"


pathvars:
    results=config["results"].rstrip("/"),
    logs="<results>/logs",
    benchmarks="<results>/benchmarks",


include: "workflow/rules/data.smk"
include: "workflow/rules/download.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/plot.smk"
include: "workflow/rules/gain.smk"
include: "workflow/rules/advantage.smk"
include: "workflow/rules/audit.smk"


rule all:
    default_target: True
    input:
        lost(JOBS),
        absent(rules.copy_code.output)[:1],
        rules.record_run.output,
        rules.write_crate.output,
        rules.write_manifest.output,


onsuccess:
    atexit.register(print_page)


onerror:
    atexit.register(print_failures, log)  # after all that the engine still has to say
