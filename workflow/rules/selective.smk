# PA paper, Section 6: two selective classifiers of equal coverage and risk.


rule calc_selective:
    input:
        predictions=f"<results>/predictions/{PLAN.chunk_of(config['selective']['task'])}.parquet",
    output:
        *add_figures("pa_selective"),
        add_table("selective_prediction"),
    log:
        "<logs>/calc_selective.log",
    benchmark:
        "<benchmarks>/calc_selective.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(260),
        runtime=runtime(4),
    params:
        function="selective.selective.calc_selective",
        code=digest_of_code("curves", "experiments", "experiments/selective", "measures"),
        selective=config["selective"],
    script:
        "../scripts/calc_experiment.py"
