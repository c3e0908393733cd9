# The PRG paper's running example, reconstructed from the labels of its Figure 3, and Figures 1 to 3.


rule calc_prg_example:
    output:
        *add_figures("prg_figure_1", "prg_figure_2", "prg_figure_3"),
        add_table("running_example"),
    log:
        "<logs>/calc_prg_example.log",
    benchmark:
        "<benchmarks>/calc_prg_example.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(280),
        runtime=runtime(6),
    params:
        function="prg_example.prg_example.calc_prg_example",
        code=digest_of_code("curves", "experiments", "experiments/prg_example"),
        labels=PUBLISHED["running_example"],
    script:
        "../scripts/calc_experiment.py"
