# PA paper, Appendix A: the published errors on Haberman's data, and models in repeated cross-validation on it.

REPEATED = config["repeats"]["dataset"]
REPEATS = list(range(config["repeats"]["repeats"])) if REPEATED in PLAN.datasets else []
STEP = config["repeats"]["chunk_repeats"]
REPEAT_CHUNKS = {
    f"repeats-{i:02}": REPEATS[start : start + STEP] for i, start in enumerate(range(0, len(REPEATS), STEP))
}


rule calc_published_errors:
    input:
        code=modules("calc_published_errors"),
    output:
        **table("haberman", "<results>/tables/haberman_published.csv", "PA paper"),
    log:
        "<logs>/calc_published_errors.log",
    benchmark:
        "<benchmarks>/calc_published_errors.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(200),
        runtime=runtime(2),
    params:
        haberman=PUBLISHED["haberman"],
    script:
        "../scripts/calc_published_errors.py"


rule train_repeats:
    input:
        table=f"<results>/data/{REPEATED}.parquet",
        record=f"<results>/data/{REPEATED}.json",
        code=modules("train_repeats"),
    output:
        predictions="<results>/predictions/{chunk}.parquet",
        runs="<results>/predictions/{chunk}-runs.parquet",
    log:
        "<logs>/train_repeats/{chunk}.log",
    benchmark:
        "<benchmarks>/train_repeats/{chunk}.tsv"
    wildcard_constraints:
        chunk="repeats-[0-9]+",
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(400),
        runtime=runtime(60),
    params:
        repeats=lambda wildcards: REPEAT_CHUNKS[wildcards.chunk],
        models=PLAN.models,
        folds=config["repeats"]["folds"],
        seconds=config["model_seconds"],
    script:
        "../scripts/train_repeats.py"


rule calc_repeats:
    input:
        predictions=expand("<results>/predictions/{chunk}.parquet", chunk=REPEAT_CHUNKS),
        runs=expand("<results>/predictions/{chunk}-runs.parquet", chunk=REPEAT_CHUNKS),
        code=modules("calc_repeats"),
    output:
        **table("trained", "<results>/tables/haberman_trained.csv", "PA paper"),
        **table("summary", "<results>/tables/haberman_trained_summary.csv", "PA paper"),
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
        dataset=REPEATED,
    script:
        "../scripts/calc_repeats.py"
