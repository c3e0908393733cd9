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
        predictions=[f"<results>/predictions/{PLAN.chunk_of(name)}.parquet" for name in TRACED],
        records=expand("<results>/data/{name}.json", name=TRACED),
        code=modules("calc_imbalance"),
    output:
        **table("sweep", "<results>/tables/imbalance_noise.csv", "PA paper"),
        **table("crossings", "<results>/tables/crossings.csv", "PA paper"),
        **numbers_of(*SWEPT, "pa_crossings"),
    log:
        "<logs>/calc_imbalance.log",
    benchmark:
        "<benchmarks>/calc_imbalance.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(360),
        runtime=runtime(20),
    params:
        imbalance=config["imbalance"],
        swept=SWEPT,
    script:
        "../scripts/calc_imbalance.py"


rule calc_multiples:
    input:
        predictions=[f"<results>/predictions/{PLAN.chunk_of(name)}.parquet" for name in MULTIPLES],
        records=expand("<results>/data/{name}.json", name=MULTIPLES),
        code=modules("calc_multiples"),
    output:
        **table("crossings", "<results>/tables/crossings_by_data_set.csv", "PA paper"),
        **table("summary", "<results>/tables/crossings_summary.csv", "PA paper"),
        **numbers_of("pa_figure_1_many_data"),
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
        imbalance=config["imbalance"],
    script:
        "../scripts/calc_multiples.py"


rule calc_regions:
    input:
        predictions=f"<results>/predictions/{PLAN.chunk_of(FIRST)}.parquet",
        code=modules("calc_regions"),
    output:
        **numbers_of("pa_figure_2"),
    log:
        "<logs>/calc_regions.log",
    benchmark:
        "<benchmarks>/calc_regions.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(240),
        runtime=runtime(4),
    params:
        task=FIRST,
        model=config["imbalance"]["model"],
        venn=config["venn"],
    script:
        "../scripts/calc_regions.py"


rule calc_training_noise:
    input:
        table=f"<results>/data/{config['training_noise']['dataset']}.parquet",
        record=f"<results>/data/{config['training_noise']['dataset']}.json",
        code=modules("calc_training_noise"),
    output:
        **table("noise", "<results>/tables/training_noise.csv", "PA paper"),
        **numbers_of("pa_training_noise"),
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


draw(
    "imbalance",
    "PA paper",
    {name: "plot_sweep.plot_imbalance" for name in SWEPT}
    | {
        "pa_figure_2": "plot_regions.plot_regions",
        "pa_figure_1_many_data": "plot_multiples.plot_multiples",
        "pa_crossings": "plot_crossings.plot_crossings",
        "pa_training_noise": "plot_training_noise.plot_training_noise",
    },
)
