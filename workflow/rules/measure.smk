# Tables of measures, from predictions and from published figures.

PREDICTIONS = expand(RESULTS + "/predictions/{chunk}.parquet", chunk=PLAN.chunks)
RUNS = expand(RESULTS + "/predictions/{chunk}-runs.csv", chunk=PLAN.chunks)


rule calc_curve_areas:
    input:
        predictions=PREDICTIONS,
        runs=RUNS,
        code=modules("calc_curve_areas"),
    output:
        areas=report(
            RESULTS + "/tables/curve_areas.csv",
            caption="../report/curve_areas.rst",
            category="Tables",
        ),
    log:
        RESULTS + "/logs/calc_curve_areas.log",
    benchmark:
        RESULTS + "/benchmarks/calc_curve_areas.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/calc_curve_areas.py"


rule calc_measures:
    input:
        predictions=PREDICTIONS,
        code=modules("calc_measures"),
    output:
        measures=report(
            RESULTS + "/tables/measures.csv",
            caption="../report/measures.rst",
            category="Tables",
        ),
    log:
        RESULTS + "/logs/calc_measures.log",
    benchmark:
        RESULTS + "/benchmarks/calc_measures.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        tasks=[task for tasks in PLAN.chunks.values() for task in tasks],
    script:
        "../scripts/calc_measures.py"


rule calc_rank_disagreement:
    input:
        areas=rules.calc_curve_areas.output.areas,
        code=modules("calc_rank_disagreement"),
    output:
        disagreement=report(
            RESULTS + "/tables/rank_disagreement.csv",
            caption="../report/rank_disagreement.rst",
            category="Tables",
        ),
        counts=RESULTS + "/figures/prg_figure_4.csv",
    log:
        RESULTS + "/logs/calc_rank_disagreement.log",
    benchmark:
        RESULTS + "/benchmarks/calc_rank_disagreement.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        published=PUBLISHED["rank_disagreement"],
        resamples=config["ranking"]["resamples"],
        models=len(PLAN.models),
    script:
        "../scripts/calc_rank_disagreement.py"


rule calc_imbalance:
    input:
        predictions=f"{RESULTS}/predictions/{PLAN.chunk_of(config['imbalance']['dataset'])}.parquet",
        record=f"{RESULTS}/data/{config['imbalance']['dataset']}.json",
        code=modules("calc_imbalance"),
    output:
        sweep=report(
            RESULTS + "/tables/imbalance_noise.csv",
            caption="../report/imbalance_noise.rst",
            category="Tables",
        ),
    log:
        RESULTS + "/logs/calc_imbalance.log",
    benchmark:
        RESULTS + "/benchmarks/calc_imbalance.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        imbalance=config["imbalance"],
    script:
        "../scripts/calc_imbalance.py"


rule calc_examples:
    input:
        code=modules("calc_examples"),
    output:
        exam=report(
            RESULTS + "/tables/exam.csv",
            caption="../report/exam.rst",
            category="Tables",
        ),
        p4=report(
            RESULTS + "/tables/p4_examples.csv",
            caption="../report/p4_examples.rst",
            category="Tables",
        ),
        haberman=report(
            RESULTS + "/tables/haberman_published.csv",
            caption="../report/haberman_published.rst",
            category="Tables",
        ),
    log:
        RESULTS + "/logs/calc_examples.log",
    benchmark:
        RESULTS + "/benchmarks/calc_examples.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        published=PUBLISHED,
    script:
        "../scripts/calc_examples.py"
