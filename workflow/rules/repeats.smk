# PA paper, Appendix A: the published errors on Haberman's data, and models in repeated cross-validation on it.

REPEATED = config["repeats"]["dataset"]
REPEATS = list(range(config["repeats"]["repeats"])) if REPEATED in PLAN.datasets else []
STEP = config["repeats"]["chunk_repeats"]
REPEAT_PARTS = {f"{i:02}": REPEATS[start : start + STEP] for i, start in enumerate(range(0, len(REPEATS), STEP))}
INTERMEDIATE += expand("<results>/predictions/repeats-{part}{kind}.parquet", part=REPEAT_PARTS, kind=["", "-runs"])


rule train_repeats:
    input:
        table=f"<results>/data/{REPEATED}.parquet",
        record=f"<results>/data/{REPEATED}.json",
    output:
        predictions="<results>/predictions/repeats-{number}.parquet",
        runs="<results>/predictions/repeats-{number}-runs.parquet",
    log:
        "<logs>/train_repeats/repeats-{number}.log",
    benchmark:
        "<benchmarks>/train_repeats/repeats-{number}.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(400),
        runtime=runtime(60),
    params:
        code=digest_of_code("data", "experiments", "experiments/tasks", "reading"),
        repeats=lambda wildcards: REPEAT_PARTS[wildcards.number],
        models=PLAN.models,
        folds=config["repeats"]["folds"],
        seconds=config["model_seconds"],
    script:
        "../scripts/train_repeats.py"


rule calc_repeats:
    input:
        predictions=expand("<results>/predictions/repeats-{number}.parquet", number=REPEAT_PARTS),
        runs=expand("<results>/predictions/repeats-{number}-runs.parquet", number=REPEAT_PARTS),
    output:
        add_table("haberman_published"),
        add_table("haberman_trained"),
        add_table("haberman_trained_summary"),
    log:
        "<logs>/calc_repeats.log",
    benchmark:
        "<benchmarks>/calc_repeats.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(210),
        runtime=runtime(3),
    params:
        function="repeats.repeats.calc_repeats",
        code=digest_of_code("experiments", "experiments/repeats", "measures", "measures/published"),
        dataset=REPEATED,
        haberman=PUBLISHED["haberman"],
    script:
        "../scripts/calc_experiment.py"
