# One's own data and predictions: verdicts and comparisons as `nontrivial score` gives them, and curves.

OWN_BATCHES = [
    *(chunk for chunk, tasks in PLAN.chunks.items() if any(task.dataset in OWN_DATA for task in tasks)),
    *PLAN.own,
    *MADE,
    *MADE_WHOLE,
]


if OWN_BATCHES:

    rule calc_own:
        input:
            predictions=prediction_files(OWN_BATCHES),
        output:
            *add_figures("own_curves"),
            add_table("own_verdicts"),
            add_table("own_measures"),
            add_table("own_comparisons"),
        log:
            "<logs>/calc_own.log",
        benchmark:
            "<benchmarks>/calc_own.tsv"
        conda:
            "../../envs/nontrivial.yaml"
        resources:
            mem_mb=memory(400),
            runtime=runtime(60),
        params:
            function="own.own.calc_own",
            code=digest_of_code(
                "curves",
                "data",
                "displays",
                "experiments",
                "experiments/own",
                "experiments/tasks",
                "measures",
                "reading",
                "scorecard",
                "scorecard/answers",
                "scorecard/estimates",
                "scorecard/rendering",
            ),
            datasets={name: min(entry.get("classes", [""])) for name, entry in OWN_DATA.items()},
        script:
            "../scripts/calc_experiment.py"
