# The verdict on each claim, the page, the record of the run, the archive of the code, and the digests of all files.

CLAIM_FILES = [local(str(path)) for path in find_files(find_path(config["files"]["claims"], PROJECT), "*.yaml")]
# Only the data sets that claims read are inputs: with all of thousands, the engine would take much longer.
FILES_READ_BY_CLAIMS = {Path(path).name for claim in CLAIMS for path in claim.data if path.startswith("data/")}
CLAIM_DATA = [
    path for kind in ("json", "parquet") for path in data_files(kind, DATA) if Path(path).name in FILES_READ_BY_CLAIMS
]
VERDICTS = "<results>/claims/verdicts.csv"
EVIDENCE = expand(
    "<results>/claims/{claim}.json",  # an opinion has no evidence
    claim=["verdicts", *(claim.id for claim in CLAIMS if claim.claim)] if CLAIMS else [],
)
CAPTIONS = [
    local(str(path))
    for folder, pattern in {
        "workflow/report": "*.rst",
        "src/nontrivial_study/experiments": "*/captions/*.rst",
    }.items()
    for path in find_files(os.path.join(PROJECT, folder), pattern)
]
SELECTION = ["<results>/openml/selection.json"] if PLAN.archive else []


# These jobs take no time. On a cluster they run on the machine on which the study was started.
localrules:
    archive_code,
    describe_results,


if CLAIMS:

    rule judge_claims:
        input:
            claims=CLAIM_FILES,
            tables=TABLES,
            data=CLAIM_DATA,
            selection=SELECTION,
        output:
            verdicts=in_report(VERDICTS, "Claims", "workflow/report/verdicts.rst"),
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
        params:
            code=digest_of_code(
                *"claims claims/domains claims/language claims/rankings".split(),
                *"documents measures measures/published".split(),
            ),
        script:
            "../scripts/judge_claims.py"


# The engine's report does not show this page: Chromium does not open an address of over 2 MB, which the page would be.
rule render_report:
    input:
        claims=CLAIM_FILES,
        tables=TABLES,
        figures=FIGURES,
        data=data_files("json", DATA),
        evidence=EVIDENCE,
        captions=CAPTIONS,
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
        project=PROJECT or os.curdir,
        configfiles=list(map(os.path.relpath, workflow.configfiles)),
        code=digest_of_code(
            *"claims claims/domains claims/language claims/rankings".split(),
            *"documents curves data experiments experiments/ranks".split(),
            *"experiments/selective experiments/tasks measures measures/published provenance".split(),
            *"reading report report/sections".split(),
        ),
    script:
        "../scripts/render_report.py"


# The configuration, the files of the project, and all files that the study makes.
CONFIGURATION = [USER_SETTINGS, *map(os.path.relpath, workflow.configfiles), *config["files"].values()]
PROJECT_FILES = dict(sorted(project_files(PROJECT or os.curdir, CONFIGURATION, os.curdir).items()))
CODE_FILES = ["<results>/code.zip"]
# Git tracks this page in the project's own folder of results.
README = os.path.join("results", "README.md")
if README in PROJECT_FILES and os.path.realpath(config["results"]) != os.path.realpath(project_path("results")):
    CODE_FILES.append("<results>/README.md")
MADE_FILES = [
    *(path for kind in ("json", "parquet") for path in data_files(kind, DATA)),
    *expand("<results>/data/{batch}.folds.parquet", batch=PLAN.openml),
    *SELECTION,
    *expand("<results>/openml/{batch}.json", batch=PLAN.archive),
    *prediction_files([*BATCHES, *PLAN.own, *MADE_WHOLE]),
    *INTERMEDIATE,
    *expand("<results>/scores/{kind}/{batch}.parquet", kind=["curve_areas", "measures"], batch=SCORED),
    *TABLES,
    *FIGURES,
    *([VERDICTS] if CLAIMS else []),
    *EVIDENCE,
    *("<results>/report/index.html", "<results>/report/about.json"),
]


# The project's files are not inputs: the engine would store the digest of each with each output.
rule archive_code:
    output:
        CODE_FILES,
    log:
        "<logs>/archive_code.log",
    benchmark:
        "<benchmarks>/archive_code.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    params:
        code=digest_of_code("provenance"),
        project=PROJECT or os.curdir,
        configuration=CONFIGURATION,
        digest=lambda wildcards: digest_of_files(PROJECT_FILES.values()),
    script:
        "../scripts/archive_code.py"


# This rule describes the folder as it is, with the benchmarks of all jobs before it.
rule describe_results:
    input:
        made=MADE_FILES,
        code=CODE_FILES,
    output:
        run="<results>/run.json",
        crate="<results>/ro-crate-metadata.json",
        manifest="<results>/manifest-sha256.txt",
    log:
        "<logs>/describe_results.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        code=digest_of_code("provenance"),
        config=config,
        project=PROJECT or os.curdir,
    script:
        "../scripts/describe_results.py"
