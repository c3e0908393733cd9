# The figures of each experiment, as SVG, PDF and PNG, from the numbers beside them.

for experiment, drawing in DRAWINGS.items():

    rule:
        name:
            f"draw_{experiment}"
        input:
            **drawing.tables,
            numbers=[f"<results>/figures/{name}.csv" for name in drawing.figures],
        output:
            svg=[shown(f"<results>/figures/{name}.svg", drawing.document) for name in drawing.figures],
            pdf=[f"<results>/figures/{name}.pdf" for name in drawing.figures],
            png=[f"<results>/figures/{name}.png" for name in drawing.figures],
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
            code=digest_of(
                "curves",
                "displays",
                "experiments",
                "experiments/losses",
                f"experiments/{experiment}",
                "measures",
            ),
            experiment=experiment,
            figures=drawing.figures,
            tables=list(drawing.tables),
        script:
            "../scripts/draw_figures.py"
