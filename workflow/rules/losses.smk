# PA paper, Section 2: the Prediction Advantage of models under every loss.

LOSS_DATA = [*config["losses"]["classification"], *config["losses"]["regression"]]


rule calc_losses:
    input:
        data=data_files("parquet", LOSS_DATA),
    output:
        *add_figures("pa_losses"),
        add_table("losses"),
        add_table("loss_reversals"),
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
        function="losses.losses.calc_losses",
        code=digest_of_code(
            "curves", "data", "experiments", "experiments/losses", "experiments/tasks", "measures", "reading"
        ),
        losses=config["losses"],
        rarest=config["scores"]["cost_of_rarest"],
        classifiers={name: PLAN.models[name] for name in config["losses"]["classifiers"]},
        folds=config["folds"],
    script:
        "../scripts/calc_experiment.py"
