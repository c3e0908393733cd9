# The tutorial: curves on real data, and averages over folds.


rule calc_tutorial:
    input:
        predictions=f"<results>/predictions/{PLAN.chunk_of(config['tutorial']['task'])}.parquet",
    output:
        *add_figures("tutorial_precision_recall", "tutorial_roc", "tutorial_cost_curve", "tutorial_averages"),
        add_table("fold_averages"),
    log:
        "<logs>/calc_tutorial.log",
    benchmark:
        "<benchmarks>/calc_tutorial.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(260),
        runtime=runtime(4),
    params:
        function="tutorial.tutorial.calc_tutorial",
        code=digest_of_code(
            "curves",
            "data",
            "experiments",
            "experiments/tasks",
            "experiments/tutorial",
            "measures",
            "reading",
        ),
        tutorial=config["tutorial"],
    script:
        "../scripts/calc_experiment.py"
