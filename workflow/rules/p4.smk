# The P4 article: its examples, and which of the four probabilities each measure notices.


rule calc_p4:
    input:
        predictions=f"<results>/predictions/{PLAN.chunk_of(config['imbalance']['dataset'])}.parquet",
    output:
        *add_figures("p4_plane"),
        add_table("p4_examples"),
        add_table("p4_examples_integer"),
        add_table("p4_dependencies"),
    log:
        "<logs>/calc_p4.log",
    benchmark:
        "<benchmarks>/calc_p4.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(260),
        runtime=runtime(4),
    params:
        function="p4.p4.calc_p4",
        code=digest_of_code("curves", "displays", "experiments", "experiments/imbalance", "experiments/p4", "measures"),
        task=config["imbalance"]["dataset"],
        model=config["imbalance"]["model"],
        published=PUBLISHED,
    script:
        "../scripts/calc_experiment.py"
