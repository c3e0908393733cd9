# Data sets in canonical form, with a record of where they come from.


rule prepare_bundled_data:
    input:
        code=modules("prepare_bundled_data"),
    output:
        tables=expand("<results>/data/{name}.parquet", name=PLAN.datasets),
        records=report(
            expand("<results>/data/{name}.json", name=PLAN.datasets),
            category="Data",
        ),
    log:
        "<logs>/prepare_bundled_data.log",
    benchmark:
        "<benchmarks>/prepare_bundled_data.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        datasets=PLAN.datasets,
    script:
        "../scripts/prepare_bundled_data.py"
