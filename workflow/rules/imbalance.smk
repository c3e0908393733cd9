# PA paper, Section 5: measures over class imbalance and label noise, in the test set and in training. Figure 1 shows
# where each measure first says "trivial". Figure 2 shows what one classifier gets right on a harder test set.

FIRST = config["imbalance"]["dataset"]
MULTIPLES = config["imbalance"]["small_multiples"]
TRACED = [FIRST, *config["imbalance"]["further_datasets"]]
SWEPT = {"pa_figure_1": FIRST}  # the figure of a data set
if len(TRACED) > 1:
    SWEPT["pa_figure_1_other_data"] = TRACED[-1]


rule calc_imbalance:
    input:
        predictions=prediction_files(map(PLAN.chunk_of, TRACED)),
        records=data_files("json", TRACED),
    output:
        *add_figures(*SWEPT, "pa_crossings", "pa_figure_2"),
        add_table("imbalance_noise"),
        add_table("crossings"),
    log:
        "<logs>/calc_imbalance.log",
    benchmark:
        "<benchmarks>/calc_imbalance.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(360),
        runtime=runtime(24),
    params:
        function="imbalance.imbalance.calc_imbalance",
        code=digest_of_code("curves", "displays", "experiments", "experiments/imbalance", "measures"),
        imbalance=config["imbalance"],
        swept=SWEPT,
        venn=config["venn"],
    script:
        "../scripts/calc_experiment.py"


rule calc_multiples:
    input:
        predictions=prediction_files(map(PLAN.chunk_of, MULTIPLES)),
        records=data_files("json", MULTIPLES),
    output:
        *add_figures("pa_figure_1_many_data"),
        add_table("crossings_by_data_set"),
        add_table("crossings_summary"),
    log:
        "<logs>/calc_multiples.log",
    benchmark:
        "<benchmarks>/calc_multiples.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(360),
        runtime=runtime(20),
    params:
        function="imbalance.imbalance.calc_multiples",
        code=digest_of_code("curves", "displays", "experiments", "experiments/imbalance", "measures"),
        imbalance=config["imbalance"],
    script:
        "../scripts/calc_experiment.py"


rule calc_training_noise:
    input:
        table=f"<results>/data/{config['training_noise']['dataset']}.parquet",
        record=f"<results>/data/{config['training_noise']['dataset']}.json",
    output:
        *add_figures("pa_training_noise"),
        add_table("training_noise"),
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
        function="imbalance.training_noise.calc_training_noise",
        code=digest_of_code(
            *"curves data displays experiments experiments/imbalance experiments/tasks measures reading".split()
        ),
        settings=config["training_noise"],
        noises=config["imbalance"]["noises"],
        models={name: PLAN.models[name] for name in config["training_noise"]["models"]},
    script:
        "../scripts/calc_experiment.py"
