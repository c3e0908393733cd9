# The audit trail: a verdict for each claim, the page, what it was made with, and the digest of every file.

CLAIM_FILES = [
    local(str(path)) for path in find_files(find_path(config["files"]["claims"], PROJECT), "*.yaml")
]
CALCULATED = [
    path
    for step in (
        rules.collect_curve_areas,
        rules.collect_measures,
        rules.calc_imbalance,
        rules.calc_multiples,
        rules.calc_regions,
        rules.calc_training_noise,
        rules.calc_losses,
        rules.calc_selective,
        rules.calc_published_errors,
        rules.calc_repeats,
        rules.calc_exam,
        rules.calc_rank_disagreement,
        rules.calc_model_choice,
        rules.calc_area_finding,
        rules.calc_compared_models,
        rules.calc_prg_example,
        rules.calc_p4,
        rules.calc_tutorial,
    )
    for path in made(step.output)
]
TABLES = [path for path in CALCULATED if "/tables/" in path]
FIGURES = [path for path in CALCULATED if "/figures/" in path]
FIGURES += [path for experiment in DRAWINGS for path in made(getattr(rules, f"draw_{experiment}").output)]
# Of what is downloaded and prepared only what claims read: with thousands of data sets the engine's time goes with these.
NAMED = {path for claim in CLAIMS for path in claim.data}
CLAIM_DATA = [
    path
    for path in [
        *RECORDS,
        *expand("<results>/data/{name}.parquet", name=[*BUNDLED, *COMMON, *DOWNLOADED, *OWN_DATA]),
    ]
    if f"data/{Path(path).name}" in NAMED
]
EVIDENCE = expand("<results>/claims/{claim}.json", claim=[claim.id for claim in CLAIMS])


# Copying and listing files takes no time. On a cluster these jobs run where the study was started.
localrules:
    copy_code,
    record_run,
    write_crate,
    write_manifest,
    write_bag,


rule judge_claims:
    input:
        claims=CLAIM_FILES,
        tables=TABLES,
        data=CLAIM_DATA,
        selection=made([rules.select_archived_runs.output.selection]) if PLAN.archive else [],
        code=modules("judge_claims"),
    output:
        **table("verdicts", "<results>/claims/verdicts.csv", "Claims"),
        records="<results>/claims/verdicts.json",
        evidence=EVIDENCE,
    log:
        "<logs>/judge_claims.log",
    benchmark:
        "<benchmarks>/judge_claims.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(440),
        runtime=runtime(40),
    script:
        "../scripts/judge_claims.py"


# The engine's report leaves this page out. It would hold the page as one address, and Chromium opens none over 2 MB.
rule render_report:
    input:
        claims=CLAIM_FILES,
        tables=TABLES,
        figures=FIGURES,
        data=RECORDS,
        verdicts=made([rules.judge_claims.output.records]),
        evidence=EVIDENCE,
        captions=[local(str(path)) for path in find_files(project_path("workflow/report"), "*.rst")],
        template=[local(str(path)) for path in page_parts(project_path("src/nontrivial/report"))],
        code=modules("render_report"),
    output:
        page="<results>/report/index.html",
        about="<results>/report/about.json",
    log:
        "<logs>/render_report.log",
    benchmark:
        "<benchmarks>/render_report.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    resources:
        mem_mb=memory(260),
        runtime=runtime(6),
    params:
        rules=lambda wildcards: rule_graph(JOBS),
    script:
        "../scripts/render_report.py"


# What the study was run with.
CONFIGURATION = [OWN, *engine.given_configuration(workflow, config).files, *config["files"].values()]
PROJECT_FILES = dict(sorted(project_files(PROJECT or os.curdir, CONFIGURATION, os.curdir).items()))
JOBS = engine.jobs_behind(
    rules, [rules.render_report.output.page, *TABLES, *FIGURES], modules, Wildcards, PROJECT
)
# From a storage a job gets only the files that its rule names. In a folder it has all of them, and `lost` asks for few.
FOLDER = Path(rules.render_report.output.page).parents[1]
ALL_MADE = [f"<results>/{Path(path).relative_to(FOLDER)}" for job in JOBS for path in job.makes if STORED]
ALL_LEFT = [f"<results>/{Path(path).relative_to(FOLDER)}" for job in JOBS for path in job.leaves if STORED]


# Each file is an output, so that a missing one is copied again. A folder as output would hold a marker of the engine.
rule copy_code:
    input:
        page=rules.render_report.output.page,
        readme=project_path("workflow/report/results.md"),
        code=modules("copy_code"),
    output:
        workflow="<results>/code/Snakefile",
        readme="<results>/README.md",
        others=[f"<results>/code/{name}" for name in PROJECT_FILES if name != "Snakefile"],
    log:
        "<logs>/copy_code.log",
    benchmark:
        "<benchmarks>/copy_code.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        project=PROJECT or os.curdir,
        configuration=CONFIGURATION,
        # As inputs, each file would be read again for each output, which the engine keeps the inputs' digests with.
        digest=lambda wildcards: digest_of_files(PROJECT_FILES.values()),
    script:
        "../scripts/copy_code.py"


# This records the logs of all jobs before it. Jobs after it leave a log that nothing records, and no benchmark.
rule record_run:
    input:
        made=ALL_MADE,
        left=[*ALL_LEFT, "<logs>/copy_code.log", "<benchmarks>/copy_code.tsv"] if STORED else [],
        project=rules.copy_code.output,
        code=modules("record_run"),
    output:
        run="<results>/run.json",
    log:
        "<logs>/record_run.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        config=config,
        jobs=JOBS,
        project=PROJECT or os.curdir,
    script:
        "../scripts/record_run.py"


rule write_crate:
    input:
        made=ALL_MADE,
        project=rules.copy_code.output,
        run=rules.record_run.output.run,
        code=modules("write_crate"),
    output:
        crate="<results>/ro-crate-metadata.json",
    log:
        "<logs>/write_crate.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        jobs=JOBS,
    script:
        "../scripts/write_crate.py"


rule write_manifest:
    input:
        made=ALL_MADE,
        copied=rules.copy_code.output,
        crate=rules.write_crate.output.crate,
        project=[local(str(path)) for path in PROJECT_FILES.values()],
        code=modules("write_manifest"),
    output:
        manifest="<results>/manifest-sha256.txt",
    log:
        "<logs>/write_manifest.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        names=list(PROJECT_FILES),
    script:
        "../scripts/write_manifest.py"


# The results as one bag to hand on. A plain run does not make it.
rule write_bag:
    input:
        manifest=rules.write_manifest.output.manifest,
        code=modules("write_bag"),
    output:
        declaration="<results>-bag/bagit.txt",
        last="<results>-bag/tagmanifest-sha256.txt",
    log:
        "<logs>/write_bag.log",
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/write_bag.py"
