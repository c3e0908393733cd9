# Models trained on binary tasks: their out-of-fold predictions, measures and areas under curves. A job takes one batch
# of tasks. When a batch is made again, tasks whose data, models and code are the same keep their predictions. Only
# small tables are brought together from all batches.

MADE = ["made"] if PLAN.made else []
BATCHES = [*PLAN.chunks, *PLAN.archive, *MADE]


# Joining files takes no time. On a cluster these jobs run where the study was started.
localrules:
    collect_curve_areas,
    collect_measures,


rule train_models:
    input:
        tables=chunk_datasets("parquet"),
        described=lambda wildcards: (
            [] if wildcards.chunk in PLAN.openml else chunk_datasets("json")(wildcards)
        ),
        records=chunk_openml("json"),
        folds=lambda wildcards: (
            f"<results>/data/{wildcards.chunk}.folds.parquet" if wildcards.chunk in PLAN.openml else []
        ),
    output:
        predictions=update("<results>/predictions/{chunk}.parquet"),
    log:
        "<logs>/train_models/{chunk}.log",
    benchmark:
        "<benchmarks>/train_models/{chunk}.tsv"
    wildcard_constraints:
        chunk="chunk-[0-9]+|openml-[0-9]+",
    priority: largest_first
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(450, per_million_cells=100),
        runtime=runtime(10, per_million_cells=300),
    params:
        code=digest_of_code("train_models"),
        tasks=lambda wildcards: PLAN.chunks[wildcards.chunk],
        models=PLAN.models,
        folds=config["folds"],
        seconds=config["model_seconds"],
    script:
        "../scripts/train_models.py"


# The files are no inputs, as those of `prepare_own_data`.
rule read_predictions:
    input:
        code=modules("read_predictions"),
    output:
        predictions=expand("<results>/predictions/{batch}.parquet", batch=MADE),
    log:
        "<logs>/read_predictions.log",
    benchmark:
        "<benchmarks>/read_predictions.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(1000),
        runtime=runtime(60),
    params:
        made=PLAN.made,
        digests=lambda wildcards: [sha256_of(path) for files in PLAN.made.values() for path in files.values()],
    script:
        "../scripts/read_predictions.py"


rule calc_curve_areas:
    input:
        predictions="<results>/predictions/{batch}.parquet",
    output:
        areas="<results>/scores/curve_areas/{batch}.parquet",
    log:
        "<logs>/calc_curve_areas/{batch}.log",
    benchmark:
        "<benchmarks>/calc_curve_areas/{batch}.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(270),
        runtime=runtime(3),
    params:
        code=digest_of_code("calc_curve_areas"),
        cost=config["losses"]["cost_of_rarest"],
    script:
        "../scripts/calc_curve_areas.py"


rule collect_curve_areas:
    input:
        parts=expand("<results>/scores/curve_areas/{batch}.parquet", batch=BATCHES),
        records=RECORDS,
        archived=expand("<results>/openml/{batch}.json", batch=PLAN.archive),
        code=modules("collect_curve_areas"),
    output:
        **table("areas", "<results>/tables/curve_areas.csv", "PRG paper"),
    log:
        "<logs>/collect_curve_areas.log",
    benchmark:
        "<benchmarks>/collect_curve_areas.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/collect_curve_areas.py"


rule calc_measures:
    input:
        predictions="<results>/predictions/{batch}.parquet",
    output:
        measures="<results>/scores/measures/{batch}.parquet",
    log:
        "<logs>/calc_measures/{batch}.log",
    benchmark:
        "<benchmarks>/calc_measures/{batch}.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(270),
        runtime=runtime(3),
    params:
        code=digest_of_code("calc_measures"),
    script:
        "../scripts/calc_measures.py"


rule collect_measures:
    input:
        parts=expand("<results>/scores/measures/{batch}.parquet", batch=BATCHES),
        code=modules("collect_measures"),
    output:
        **table("measures", "<results>/tables/measures.csv", "All models"),
    log:
        "<logs>/collect_measures.log",
    benchmark:
        "<benchmarks>/collect_measures.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/collect_measures.py"
