# PA paper, Sections 1 and 5: the exam and the intern's classifier.


rule calc_exam:
    output:
        add_table("exam"),
    log:
        "<logs>/calc_exam.log",
    benchmark:
        "<benchmarks>/calc_exam.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(200),
        runtime=runtime(2),
    params:
        function="exam.exam.calc_exam",
        code=digest_of_code("experiments", "experiments/exam"),
        exam=PUBLISHED["exam"],
    script:
        "../scripts/calc_experiment.py"
