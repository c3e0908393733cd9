# PRG paper, Section 4: how far areas disagree when they rank models (Figure 4), which area picks the better model, and
# the curves of two models on one task (Figure 5).

# The batch of predictions that holds the two models of Figure 5, or why the study does not have them.
COMPARED, WHY_NOT_COMPARED = find_compared(config, PLAN)

# The paper ranked models on OpenML's tasks. If the study has such tasks, it ranks models on these alone.
NOT_RANKED = [
    task.name
    for chunk, tasks in PLAN.chunks.items()
    if chunk not in PLAN.openml and (PLAN.openml or PLAN.archive)
    for task in tasks
]

# The tasks that are not OpenML's, by batch.
TRAINED_TASKS = {
    chunk: [task.name for task in tasks] for chunk, tasks in PLAN.chunks.items() if chunk not in PLAN.openml
}


rule calc_rank_disagreement:
    input:
        **tables_of(rules.collect_curve_areas, "areas"),
        code=modules("calc_rank_disagreement"),
    output:
        **table("disagreement", "<results>/tables/rank_disagreement.csv", "PRG paper"),
        **table("groups", "<results>/tables/rank_disagreement_by_imbalance.csv", "PRG paper"),
        **numbers_of("prg_figure_4"),
    log:
        "<logs>/calc_rank_disagreement.log",
    benchmark:
        "<benchmarks>/calc_rank_disagreement.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(230),
        runtime=runtime(10),
    params:
        published=PUBLISHED["rank_disagreement"],
        ranking=config["ranking"],
        left_out=NOT_RANKED,
        models=max(len(PLAN.models), config["openml"]["archive"]["flows"] if PLAN.archive else 0),
    script:
        "../scripts/calc_rank_disagreement.py"


rule calc_model_choice:
    input:
        **tables_of(rules.collect_curve_areas, "areas"),
        code=modules("calc_model_choice"),
    output:
        **table("choice", "<results>/tables/model_choice.csv", "PRG paper"),
        **numbers_of("prg_model_choice"),
    log:
        "<logs>/calc_model_choice.log",
    benchmark:
        "<benchmarks>/calc_model_choice.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(250),
        runtime=runtime(6),
    params:
        resamples=config["ranking"]["resamples"],
        left_out=NOT_RANKED,
    script:
        "../scripts/calc_model_choice.py"


rule calc_area_finding:
    input:
        **tables_of(rules.collect_curve_areas, "areas"),
        code=modules("calc_area_finding"),
    output:
        **table("finding", "<results>/tables/area_finding.csv", "PRG paper"),
        **table("by_share", "<results>/tables/model_choice_by_share.csv", "PRG paper"),
        **numbers_of("prg_disagreement_by_share"),
    log:
        "<logs>/calc_area_finding.log",
    benchmark:
        "<benchmarks>/calc_area_finding.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(250),
        runtime=runtime(10),
    params:
        ranking=config["ranking"],
        left_out=NOT_RANKED,
    script:
        "../scripts/calc_area_finding.py"


rule calc_compared_models:
    input:
        predictions=[f"<results>/predictions/{COMPARED}.parquet"] if COMPARED else [],
        code=modules("calc_compared_models"),
    output:
        **numbers_of("prg_figure_5"),
    log:
        "<logs>/calc_compared_models.log",
    benchmark:
        "<benchmarks>/calc_compared_models.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(300),
        runtime=runtime(8),
    params:
        compared=config["compared"],
        archived=COMPARED in PLAN.archive,
        why_not=WHY_NOT_COMPARED,
    script:
        "../scripts/calc_compared_models.py"


rule calc_opposed_models:
    input:
        **tables_of(rules.collect_curve_areas, "areas"),
        predictions=expand("<results>/predictions/{batch}.parquet", batch=TRAINED_TASKS),
        code=modules("calc_opposed_models"),
    output:
        **numbers_of("prg_figure_5_own_data"),
    log:
        "<logs>/calc_opposed_models.log",
    benchmark:
        "<benchmarks>/calc_opposed_models.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(300),
        runtime=runtime(8),
    params:
        tasks=TRAINED_TASKS,
    script:
        "../scripts/calc_opposed_models.py"


draw(
    "ranks",
    "PRG paper",
    {
        "prg_figure_4": "plot_ranks.plot_ranks",
        "prg_model_choice": "plot_model_choice.plot_model_choice",
        "prg_disagreement_by_share": "plot_share_curve.plot_share_curve",
        "prg_figure_5": "plot_compared.plot_compared",
        "prg_figure_5_own_data": "plot_compared.plot_compared",
    },
)
