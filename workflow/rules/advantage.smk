# The rest of the PA paper, the P4 article and the tutorial: what Figure 1 says in numbers, noise in training, all
# losses, repeated cross-validation, selective prediction, and the examples on real data.

FIRST = config["imbalance"]["dataset"]
REPEATED = config["repeats"]["dataset"]
REPEATS = list(range(config["repeats"]["repeats"])) if REPEATED in PLAN.datasets else []
STEP = config["repeats"]["chunk_repeats"]
REPEAT_CHUNKS = {
    f"repeats-{i:02}": REPEATS[start : start + STEP] for i, start in enumerate(range(0, len(REPEATS), STEP))
}
LOSS_DATA = [*config["losses"]["classification"], *config["losses"]["regression"]]


rule calc_crossings:
    input:
        predictions=rules.calc_imbalance.input.predictions,
        records=rules.calc_imbalance.input.records,
        code=modules("calc_crossings"),
    output:
        **table("crossings", "<results>/tables/crossings.csv", "PA paper"),
    log:
        "<logs>/calc_crossings.log",
    benchmark:
        "<benchmarks>/calc_crossings.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(360),
        runtime=runtime(12),
    params:
        imbalance=config["imbalance"],
    script:
        "../scripts/calc_crossings.py"


rule calc_training_noise:
    input:
        table=f"<results>/data/{config['training_noise']['dataset']}.parquet",
        record=f"<results>/data/{config['training_noise']['dataset']}.json",
        code=modules("calc_training_noise"),
    output:
        **table("noise", "<results>/tables/training_noise.csv", "PA paper"),
    log:
        "<logs>/calc_training_noise.log",
    benchmark:
        "<benchmarks>/calc_training_noise.tsv"
    priority: 1  # the longest job beside training, on which the verdicts wait
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(270),
        runtime=runtime(40),
    params:
        settings=config["training_noise"],
        noises=config["imbalance"]["noises"],
        models={name: PLAN.models[name] for name in config["training_noise"]["models"]},
    script:
        "../scripts/calc_training_noise.py"


rule calc_losses:
    input:
        data=expand("<results>/data/{name}.parquet", name=LOSS_DATA),
        records=expand("<results>/data/{name}.json", name=LOSS_DATA),
        code=modules("calc_losses"),
    output:
        **table("losses", "<results>/tables/losses.csv", "PA paper"),
        **table("reversals", "<results>/tables/loss_reversals.csv", "PA paper"),
    log:
        "<logs>/calc_losses.log",
    benchmark:
        "<benchmarks>/calc_losses.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(290),
        runtime=runtime(35),
    params:
        losses=config["losses"],
        classifiers={name: PLAN.models[name] for name in config["losses"]["classifiers"]},
        folds=config["folds"],
    script:
        "../scripts/calc_losses.py"


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


rule calc_illustrations:
    input:
        figure_1=f"<results>/predictions/{PLAN.chunk_of(FIRST)}.parquet",
        record=f"<results>/data/{FIRST}.json",
        selective=f"<results>/predictions/{PLAN.chunk_of(config['selective']['task'])}.parquet",
        tutorial=f"<results>/predictions/{PLAN.chunk_of(config['tutorial']['task'])}.parquet",
        code=modules("calc_illustrations"),
    output:
        **table("pair", "<results>/tables/selective_prediction.csv", "PA paper"),
        **table("integers", "<results>/tables/p4_examples_integer.csv", "P4 article"),
        **table("dependencies", "<results>/tables/p4_dependencies.csv", "P4 article"),
        **table("averages", "<results>/tables/fold_averages.csv", "Tutorial"),
        **table("curves", "<results>/figures/pa_selective.csv"),
        **table("regions", "<results>/figures/pa_figure_2.csv"),
        **table("plane", "<results>/figures/p4_plane.csv"),
        **table("recall", "<results>/figures/tutorial_precision_recall.csv"),
        **table("roc", "<results>/figures/tutorial_roc.csv"),
        **table("costs", "<results>/figures/tutorial_cost_curve.csv"),
    log:
        "<logs>/calc_illustrations.log",
    benchmark:
        "<benchmarks>/calc_illustrations.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(260),
        runtime=runtime(4),
    params:
        config={key: config[key] for key in ("imbalance", "venn", "selective", "tutorial")},
        published=PUBLISHED,
    script:
        "../scripts/calc_illustrations.py"


rule plot_advantage:
    input:
        **tables_of(rules.calc_crossings, "crossings"),
        **tables_of(rules.calc_losses, "losses"),
        **tables_of(rules.calc_training_noise, "noise"),
        **tables_of(rules.calc_illustrations, "regions", "curves", "pair"),
        code=modules("plot_advantage"),
    output:
        **table("numbers_crossings", "<results>/figures/pa_crossings.csv"),
        **table("numbers_losses", "<results>/figures/pa_losses.csv"),
        **table("numbers_noise", "<results>/figures/pa_training_noise.csv"),
        crossings=shown("<results>/figures/pa_crossings.svg", "PA paper"),
        venn=shown("<results>/figures/pa_figure_2.svg", "PA paper"),
        losses=shown("<results>/figures/pa_losses.svg", "PA paper"),
        noise=shown("<results>/figures/pa_training_noise.svg", "PA paper"),
        selective=shown("<results>/figures/pa_selective.svg", "PA paper"),
        pdf_crossings="<results>/figures/pa_crossings.pdf",
        png_crossings="<results>/figures/pa_crossings.png",
        pdf_venn="<results>/figures/pa_figure_2.pdf",
        png_venn="<results>/figures/pa_figure_2.png",
        pdf_losses="<results>/figures/pa_losses.pdf",
        png_losses="<results>/figures/pa_losses.png",
        pdf_noise="<results>/figures/pa_training_noise.pdf",
        png_noise="<results>/figures/pa_training_noise.png",
        pdf_selective="<results>/figures/pa_selective.pdf",
        png_selective="<results>/figures/pa_selective.png",
    log:
        "<logs>/plot_advantage.log",
    benchmark:
        "<benchmarks>/plot_advantage.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(290),
        runtime=runtime(9),
    script:
        "../scripts/plot_advantage.py"


rule plot_illustrations:
    input:
        **tables_of(rules.calc_illustrations, "plane", "recall", "roc", "costs", "averages"),
        code=modules("plot_illustrations"),
    output:
        **table("numbers_averages", "<results>/figures/tutorial_averages.csv"),
        plane=shown("<results>/figures/p4_plane.svg", "P4 article"),
        recall=shown("<results>/figures/tutorial_precision_recall.svg", "Tutorial"),
        roc=shown("<results>/figures/tutorial_roc.svg", "Tutorial"),
        cost=shown("<results>/figures/tutorial_cost_curve.svg", "Tutorial"),
        averages=shown("<results>/figures/tutorial_averages.svg", "Tutorial"),
        pdf_plane="<results>/figures/p4_plane.pdf",
        png_plane="<results>/figures/p4_plane.png",
        pdf_recall="<results>/figures/tutorial_precision_recall.pdf",
        png_recall="<results>/figures/tutorial_precision_recall.png",
        pdf_roc="<results>/figures/tutorial_roc.pdf",
        png_roc="<results>/figures/tutorial_roc.png",
        pdf_cost="<results>/figures/tutorial_cost_curve.pdf",
        png_cost="<results>/figures/tutorial_cost_curve.png",
        pdf_averages="<results>/figures/tutorial_averages.pdf",
        png_averages="<results>/figures/tutorial_averages.png",
    log:
        "<logs>/plot_illustrations.log",
    benchmark:
        "<benchmarks>/plot_illustrations.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(210),
        runtime=runtime(9),
    script:
        "../scripts/plot_illustrations.py"


rule plot_other_imbalance:
    input:
        **tables_of(rules.calc_imbalance, "sweep"),
        code=modules("plot_other_imbalance"),
    output:
        **table("numbers", "<results>/figures/pa_figure_1_other_data.csv"),
        svg=shown("<results>/figures/pa_figure_1_other_data.svg", "PA paper"),
        pdf="<results>/figures/pa_figure_1_other_data.pdf",
        png="<results>/figures/pa_figure_1_other_data.png",
    log:
        "<logs>/plot_other_imbalance.log",
    benchmark:
        "<benchmarks>/plot_other_imbalance.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(200),
        runtime=runtime(3),
    params:
        dataset=TRACED[-1],
        model=config["imbalance"]["model"],
    script:
        "../scripts/plot_other_imbalance.py"


ADVANTAGE_TABLES = [
    *rules.calc_crossings.output,
    *rules.calc_training_noise.output,
    *rules.calc_losses.output,
    *rules.calc_repeats.output,
    *tables_of(rules.calc_illustrations, "pair", "integers", "dependencies", "averages").values(),
]
ADVANTAGE_FIGURES = [
    *rules.plot_advantage.output,
    *rules.plot_illustrations.output,
    *tables_of(rules.calc_illustrations, "curves", "regions", "plane", "recall", "roc", "costs").values(),
    *(rules.plot_other_imbalance.output if len(TRACED) > 1 else []),
]
