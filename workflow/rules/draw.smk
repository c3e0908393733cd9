# The figures of each experiment, as SVG, PDF and PNG, from the numbers beside them.

for experiment, figures in DRAWN.items():

    rule:
        name:
            f"draw_{experiment}"
        input:
            numbers=[f"<results>/figures/{name}.csv" for name in figures],
            tables=[f"<results>/tables/{name}.csv" for name in load_experiments()[experiment].drawn_with],
        output:
            svg=[
                in_report(
                    f"<results>/figures/{name}.svg",
                    load_experiments()[experiment].document,
                    caption_path(name),
                )
                for name in figures
            ],
            pdf=[f"<results>/figures/{name}.pdf" for name in figures],
            png=[f"<results>/figures/{name}.png" for name in figures],
        log:
            f"<logs>/draw_{experiment}.log",
        benchmark:
            f"<benchmarks>/draw_{experiment}.tsv"
        conda:
            "../../envs/nontrivial.yaml"
        resources:
            mem_mb=memory(300),
            runtime=runtime(20),
        params:
            code=digest_of_code(
                "curves",
                "displays",
                "experiments",
                f"experiments/{experiment}",
                "measures",
            ),
            experiment=experiment,
            functions=[load_experiments()[experiment].figures[name]["draw"] for name in figures],
        script:
            "../scripts/draw_figures.py"
