# Out-of-fold predictions: all models on a batch of tasks in each job.


rule train_models:
    input:
        tables=chunk_datasets,
        code=modules("train_models"),
    output:
        predictions=RESULTS + "/predictions/{chunk}.parquet",
        runs=RESULTS + "/predictions/{chunk}-runs.csv",
    log:
        RESULTS + "/logs/train_models/{chunk}.log",
    benchmark:
        RESULTS + "/benchmarks/train_models/{chunk}.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        tasks=lambda wildcards: PLAN.chunks[wildcards.chunk],
        models=PLAN.models,
        folds=config["folds"],
    script:
        "../scripts/train_models.py"
