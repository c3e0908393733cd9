# Figures, each as vector and bitmap, with the plotted numbers beside them.


rule plot_imbalance:
    input:
        **tables_of(rules.calc_imbalance, "sweep"),
        code=modules("plot_imbalance"),
    output:
        **table("numbers", "<results>/figures/pa_figure_1.csv"),
        pdf="<results>/figures/pa_figure_1.pdf",
        png="<results>/figures/pa_figure_1.png",
        svg=shown("<results>/figures/pa_figure_1.svg", "PA paper"),
    log:
        "<logs>/plot_imbalance.log",
    benchmark:
        "<benchmarks>/plot_imbalance.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(200),
        runtime=runtime(3),
    params:
        dataset=config["imbalance"]["dataset"],
        model=config["imbalance"]["model"],
    script:
        "../scripts/plot_imbalance.py"
