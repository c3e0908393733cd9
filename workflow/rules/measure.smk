# Tables of measures, from predictions and from published figures. What is computed of each model is computed one batch of
# predictions at a time; only rows of small tables are ever brought together.

BATCHES = [*PLAN.chunks, *PLAN.archive]

wildcard_constraints:
    batch="chunk-[0-9]+|openml-[0-9]+|archive-[0-9]+",


# Joining files takes no time; on a cluster it stays where the study was started.
localrules:
    collect_curve_areas,
    collect_measures,


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


TRACED = [config["imbalance"]["dataset"], *config["imbalance"]["further_datasets"]]


rule calc_imbalance:
    input:
        predictions=[f"<results>/predictions/{PLAN.chunk_of(name)}.parquet" for name in TRACED],
        records=expand("<results>/data/{name}.json", name=TRACED),
        code=modules("calc_imbalance"),
    output:
        **table("sweep", "<results>/tables/imbalance_noise.csv", "PA paper"),
    log:
        "<logs>/calc_imbalance.log",
    benchmark:
        "<benchmarks>/calc_imbalance.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(240),
        runtime=runtime(8),
    params:
        imbalance=config["imbalance"],
    script:
        "../scripts/calc_imbalance.py"


rule calc_examples:
    input:
        code=modules("calc_examples"),
    output:
        **table("exam", "<results>/tables/exam.csv", "PA paper"),
        **table("p4", "<results>/tables/p4_examples.csv", "P4 article"),
        **table("haberman", "<results>/tables/haberman_published.csv", "PA paper"),
    log:
        "<logs>/calc_examples.log",
    benchmark:
        "<benchmarks>/calc_examples.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(200),
        runtime=runtime(2),
    params:
        published=PUBLISHED,
    script:
        "../scripts/calc_examples.py"
