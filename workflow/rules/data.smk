# Data sets in canonical form, with a record of where they come from.

BUNDLED = PLAN.from_source("scikit-learn")


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
