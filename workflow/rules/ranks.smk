# PRG paper, Section 4: how far areas disagree when they rank models (Figure 4), which area picks the better model, and
# the curves of two models on one task (Figure 5).

from nontrivial_study.experiments.ranks.compared import find_compared

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


rule calc_ranks:
    input:
        areas=rules.collect_scores.output.areas,
    output:
        *add_figures("prg_figure_4", "prg_model_choice", "prg_disagreement_by_share"),
        add_table("rank_disagreement"),
        add_table("rank_disagreement_by_imbalance"),
        add_table("model_choice"),
        add_table("area_finding"),
        add_table("model_choice_by_share"),
    log:
        "<logs>/calc_ranks.log",
    benchmark:
        "<benchmarks>/calc_ranks.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(250),
        runtime=runtime(26),
    params:
        function="ranks.ranks.calc_ranks",
        code=digest_of_code("curves", "experiments", "experiments/ranks"),
        published=PUBLISHED["rank_disagreement"],
        ranking=config["ranking"],
        left_out=NOT_RANKED,
        models=max(len(PLAN.models), config["openml"]["archive"]["flows"] if PLAN.archive else 0),
    script:
        "../scripts/calc_experiment.py"


rule calc_compared_models:
    input:
        areas=rules.collect_scores.output.areas,
        compared=prediction_files([COMPARED] if COMPARED else []),
        own=prediction_files(TRAINED_TASKS),
    output:
        *add_figures("prg_figure_5", "prg_figure_5_own_data"),
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
        function="ranks.compared.calc_compared_models",
        code=digest_of_code(
            "curves",
            "data",
            "experiments",
            "experiments/ranks",
            "experiments/tasks",
            "reading",
            "scorecard",
            "scorecard/answers",
        ),
        settings=config["compared"],
        archived=COMPARED in PLAN.archive,
        why_not=WHY_NOT_COMPARED,
        tasks=TRAINED_TASKS,
    script:
        "../scripts/calc_experiment.py"
