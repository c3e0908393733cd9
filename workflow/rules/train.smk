# Out-of-fold predictions: all models on a batch of tasks in each job. A batch that has been made before is updated: tasks
# whose predictions would be made from the same things again are carried over.


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
