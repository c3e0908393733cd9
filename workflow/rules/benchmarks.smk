# The table of speed, which compares the package and the workflow with others. Only the rule `benchmarks` makes it.

SPEED = [
    "curves",
    "confusion_tables",
    "files",
    "study",
]


# What is measured is the machine on which the study was started.
localrules:
    measure_speed,
    collect_speed,


rule measure_speed:
    input:
        benchmark=project_path("benchmarks/{part}.py"),
        turns=project_path("benchmarks/turns.py"),
    output:
        rows="<benchmarks>/speed/{part}.csv",
    log:
        "<logs>/measure_speed/{part}.log",
    conda:
        "../../envs/nontrivial.yaml"
    threads: lambda wildcards: workflow.cores  # so that nothing else runs beside it
    params:
        code=digest_of_code(
            "curves",
            "experiments/tasks",
            "measures",
            "scorecard",
            "scorecard/answers",
            "scorecard/estimates",
            "scorecard/rendering",
            "reading",
        ),
    script:
        "../scripts/measure_speed.py"


rule collect_speed:
    input:
        parts=expand("<benchmarks>/speed/{part}.csv", part=SPEED),
    output:
        speed="<benchmarks>/speed.csv",
    log:
        "<logs>/collect_speed.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        code=digest_of_code(),
    script:
        "../scripts/collect_speed.py"
