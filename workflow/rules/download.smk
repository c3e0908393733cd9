# Downloads. They run on the machine on which the study is started, because a cluster's nodes often have no network.
# The client itself tries again within the time that the configuration allows, and keeps whole documents. So the engine
# does not repeat these jobs; the user repeats the run. Limits of time and rate are not parameters, because results do
# not depend on them.

DOWNLOADED = PLAN.from_source("UCI")
OPENML = {key: config["openml"][key] for key in ("api_url", "data_url")}
ARCHIVE = config["openml"]["archive"]
DOWNLOADS = {chunk: f"download_openml_tasks_{chunk.replace('-', '_')}" for chunk in PLAN.openml}
OPENML_DATA = {chunk: list(map(dataset_name, numbers)) for chunk, numbers in PLAN.openml.items()}


localrules:
    download_uci_data,
    select_archived_runs,
    download_archived_runs,


rule download_uci_data:
    output:
        tables=data_files("parquet", DOWNLOADED),
        records=reported_records(DOWNLOADED),
    log:
        "<logs>/download_uci_data.log",
    retries: 0
    conda:
        "../../envs/nontrivial.yaml"
    params:
        code=digest_of_code("data", "reading"),
        datasets=DOWNLOADED,
        base=config["uci"]["base_url"],
    script:
        "../scripts/download_uci_data.py"


# One rule for each batch, since batches differ in their number of files.
for chunk, numbers in PLAN.openml.items():

    rule:
        name:
            DOWNLOADS[chunk]
        output:
            records=reported_records(OPENML_DATA[chunk]),
            tables=data_files("parquet", OPENML_DATA[chunk]),
            folds=f"<results>/data/{chunk}.folds.parquet",
        log:
            f"<logs>/download_openml_tasks/{chunk}.log",
        retries: 0
        localrule: True
        conda:
            "../../envs/nontrivial.yaml"
        params:
            code=digest_of_code("data", "experiments/tasks"),
            tasks=numbers,
            openml=OPENML,
        script:
            "../scripts/download_openml_tasks.py"


# The selection orders all tasks that can be studied, and a study takes the first of them. So a larger study downloads
# and scores only the new tasks.
rule select_archived_runs:
    output:
        selection="<results>/openml/selection.json",
    log:
        "<logs>/select_archived_runs.log",
    retries: 0
    conda:
        "../../envs/nontrivial.yaml"
    params:
        code=digest_of_code("data", "reading"),
        openml=OPENML,
        archive={key: ARCHIVE[key] for key in ("flows", "run_id_bound", "cutoff_date", "always", "leave_out")},
    script:
        "../scripts/select_archived_runs.py"


rule download_archived_runs:
    input:
        selection=rules.select_archived_runs.output.selection,
    output:
        predictions=update("<results>/predictions/archive-{number}.parquet"),
        record="<results>/openml/archive-{number}.json",
    log:
        "<logs>/download_archived_runs/archive-{number}.log",
    retries: 0
    conda:
        "../../envs/nontrivial.yaml"
    params:
        code=digest_of_code("data", "experiments/tasks", "reading"),
        openml=OPENML,
        positions=lambda wildcards: PLAN.archive[f"archive-{wildcards.number}"],
    script:
        "../scripts/download_archived_runs.py"


DATA = [*BUNDLED, *DOWNLOADED, *OWN_DATA, *(name for names in OPENML_DATA.values() for name in names)]
