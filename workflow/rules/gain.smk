# The PRG paper: its running example, how far areas disagree when they rank models, which area picks the better model, and
# its figures.

# The batch of predictions that holds the two models of Figure 5, or why the study does not have them.
COMPARED, WHY_NOT_COMPARED = find_compared(config, PLAN)

# Where the study has OpenML's tasks, as the paper did, other tasks are no part of what stands beside its figures.
NOT_RANKED = [
    task.name
    for chunk, tasks in PLAN.chunks.items()
    if chunk not in PLAN.openml and (PLAN.openml or PLAN.archive)
    for task in tasks
]


rule calc_running_example:
    input:
        code=modules("calc_running_example"),
    output:
        **table("example", "<results>/tables/running_example.csv", "PRG paper"),
    log:
        "<logs>/calc_running_example.log",
    benchmark:
        "<benchmarks>/calc_running_example.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(120),
        runtime=runtime(4),
    params:
        labels=PUBLISHED["running_example"],
    script:
        "../scripts/calc_running_example.py"


rule plot_running_example:
    input:
        **tables_of(rules.calc_running_example, "example"),
        code=modules("plot_running_example"),
    output:
        **table("numbers_1", "<results>/figures/prg_figure_1.csv"),
        **table("numbers_2", "<results>/figures/prg_figure_2.csv"),
        **table("numbers_3", "<results>/figures/prg_figure_3.csv"),
        svg_1=shown("<results>/figures/prg_figure_1.svg", "PRG paper"),
        pdf_1="<results>/figures/prg_figure_1.pdf",
        png_1="<results>/figures/prg_figure_1.png",
        svg_2=shown("<results>/figures/prg_figure_2.svg", "PRG paper"),
        pdf_2="<results>/figures/prg_figure_2.pdf",
        png_2="<results>/figures/prg_figure_2.png",
        svg_3=shown("<results>/figures/prg_figure_3.svg", "PRG paper"),
        pdf_3="<results>/figures/prg_figure_3.pdf",
        png_3="<results>/figures/prg_figure_3.png",
    log:
        "<logs>/plot_running_example.log",
    benchmark:
        "<benchmarks>/plot_running_example.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(280),
        runtime=runtime(14),
    script:
        "../scripts/plot_running_example.py"


rule calc_rank_disagreement:
    input:
        **tables_of(rules.collect_curve_areas, "areas"),
        code=modules("calc_rank_disagreement"),
    output:
        **table("disagreement", "<results>/tables/rank_disagreement.csv", "PRG paper"),
        **table("groups", "<results>/tables/rank_disagreement_by_imbalance.csv", "PRG paper"),
        **table("ranks", "<results>/figures/prg_figure_4.csv"),
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


rule plot_ranks:
    input:
        **tables_of(rules.calc_rank_disagreement, "ranks"),
        code=modules("plot_ranks"),
    output:
        svg=shown("<results>/figures/prg_figure_4.svg", "PRG paper"),
        pdf="<results>/figures/prg_figure_4.pdf",
        png="<results>/figures/prg_figure_4.png",
    log:
        "<logs>/plot_ranks.log",
    benchmark:
        "<benchmarks>/plot_ranks.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(180),
        runtime=runtime(6),
    script:
        "../scripts/plot_ranks.py"


rule calc_model_choice:
    input:
        **tables_of(rules.collect_curve_areas, "areas"),
        code=modules("calc_model_choice"),
    output:
        **table("choice", "<results>/tables/model_choice.csv", "PRG paper"),
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


rule plot_model_choice:
    input:
        **tables_of(rules.calc_model_choice, "choice"),
        code=modules("plot_model_choice"),
    output:
        **table("numbers", "<results>/figures/prg_model_choice.csv"),
        svg=shown("<results>/figures/prg_model_choice.svg", "PRG paper"),
        pdf="<results>/figures/prg_model_choice.pdf",
        png="<results>/figures/prg_model_choice.png",
    log:
        "<logs>/plot_model_choice.log",
    benchmark:
        "<benchmarks>/plot_model_choice.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(180),
        runtime=runtime(5),
    script:
        "../scripts/plot_model_choice.py"


rule plot_compared_models:
    input:
        predictions=[f"<results>/predictions/{COMPARED}.parquet"] if COMPARED else [],
        code=modules("plot_compared_models"),
    output:
        **table("numbers", "<results>/figures/prg_figure_5.csv"),
        svg=shown("<results>/figures/prg_figure_5.svg", "PRG paper"),
        pdf="<results>/figures/prg_figure_5.pdf",
        png="<results>/figures/prg_figure_5.png",
    log:
        "<logs>/plot_compared_models.log",
    benchmark:
        "<benchmarks>/plot_compared_models.tsv"
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
        "../scripts/plot_compared_models.py"


GAIN_TABLES = [
    *rules.calc_running_example.output,
    *tables_of(rules.calc_rank_disagreement, "disagreement", "groups").values(),
    *rules.calc_model_choice.output,
]
GAIN_FIGURES = [
    *rules.plot_running_example.output,
    *tables_of(rules.calc_rank_disagreement, "ranks").values(),
    *rules.plot_ranks.output,
    *rules.plot_model_choice.output,
    *rules.plot_compared_models.output,
]
