# Models trained on tasks: their out-of-fold predictions, measures and areas under curves. A job trains on one batch
# of tasks. When it runs again, tasks with the same data, models and code keep their predictions. Only small tables
# are collected from all batches.

BATCHES = [*PLAN.chunks, *PLAN.archive, *MADE]


SCORED = BATCHES if PLAN.are_scored else []


rule train_models:
    input:
        tables=data_files_of_chunk("parquet"),
        records=data_files_of_chunk("json"),
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
        chunk="chunk-[0-9]+|openml-[0-9]+|own-[0-9]+",
    priority: largest_first
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(450, per_million_cells=100),
        runtime=runtime(10, per_million_cells=300),
    params:
        code=digest_of_code("data", "experiments", "experiments/tasks", "reading"),
        tasks=lambda wildcards: PLAN.tasks_of(wildcards.chunk),
        models=lambda wildcards: PLAN.models_for(wildcards.chunk),
        folds=config["folds"],
        seconds=config["model_seconds"],
    script:
        "../scripts/train_models.py"


# As in `prepare_own_data`, the user's files are not inputs; their digests are a parameter.
rule read_predictions:
    output:
        predictions=prediction_files([*MADE, *MADE_WHOLE]),
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
        code=digest_of_code("data", "experiments", "experiments/tasks", "reading", "scorecard", "scorecard/answers"),
        made=PLAN.external,
        settings=external_settings(config),
        digests=lambda wildcards: [sha256_of(path) for files in PLAN.external.values() for path in files.values()],
    script:
        "../scripts/read_predictions.py"


if PLAN.are_scored:

    rule calc_scores:
        input:
            predictions="<results>/predictions/{batch}.parquet",
        output:
            areas="<results>/scores/curve_areas/{batch}.parquet",
            measures="<results>/scores/measures/{batch}.parquet",
        log:
            "<logs>/calc_scores/{batch}.log",
        benchmark:
            "<benchmarks>/calc_scores/{batch}.tsv"
        conda:
            "../../envs/nontrivial.yaml"
        resources:
            mem_mb=memory(270),
            runtime=runtime(6),
        params:
            code=digest_of_code("curves", "data", "experiments", "experiments/tasks", "measures", "reading"),
            cost=config["scores"]["cost_of_rarest"],
        script:
            "../scripts/calc_scores.py"

    # This job takes no time. On a cluster it runs on the machine on which the study was started.
    localrules:
        collect_scores,

    rule collect_scores:
        input:
            areas=expand("<results>/scores/curve_areas/{batch}.parquet", batch=BATCHES),
            measures=expand("<results>/scores/measures/{batch}.parquet", batch=BATCHES),
            records=data_files("json", DATA),
            archived=expand("<results>/openml/{batch}.json", batch=PLAN.archive),
        output:
            areas=add_table("curve_areas"),
            measures=add_table("measures"),
        log:
            "<logs>/collect_scores.log",
        benchmark:
            "<benchmarks>/collect_scores.tsv"
        conda:
            "../../envs/nontrivial.yaml"
        params:
            code=digest_of_code("data", "experiments", "experiments/tasks", "reading"),
        script:
            "../scripts/collect_scores.py"
