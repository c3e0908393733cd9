# Downloads. They run on the machine that the study is started on, since a cluster's nodes often have no network.
# The client itself tries again within the time that the configuration allows, and keeps whole documents. So the engine
# does not repeat these jobs; the user repeats the run. Limits of time and rate are no parameters, since results do not
# depend on them.

DOWNLOADED = PLAN.from_source("UCI")
OPENML = {key: nested(config, ["openml", key]) for key in ("api_url", "data_url")}
ARCHIVE = nested(config, ["openml", "archive"]) or {}
OPENML_RECORDS = [
    f"<results>/data/{dataset_name(number)}.json" for numbers in PLAN.openml.values() for number in numbers
]


localrules:
    download_uci_data,
    select_archived_runs,
    download_archived_runs,


rule download_uci_data:
    input:
        code=modules("download_uci_data"),
    output:
        tables=expand("<results>/data/{name}.parquet", name=DOWNLOADED),
        records=[shown(f"<results>/data/{name}.json", "Data", "data_set") for name in DOWNLOADED],
    log:
        "<logs>/download_uci_data.log",
    retries: 0
    conda:
        "../../envs/nontrivial.yaml"
    params:
        datasets=DOWNLOADED,
        base=nested(config, ["uci", "base_url"]),
    script:
        "../scripts/download_uci_data.py"


# One rule for each batch, since batches differ in their number of files.
for chunk, numbers in PLAN.openml.items():

    rule:
        name:
            f"download_openml_tasks_{chunk.replace('-', '_')}"
        output:
            # Most jobs ask for records, and the engine tries a rule's outputs in their order.
            records=[
                shown(f"<results>/data/{dataset_name(number)}.json", "Data", "data_set")
                for number in numbers
            ],
            tables=[f"<results>/data/{dataset_name(number)}.parquet" for number in numbers],
            folds=f"<results>/data/{chunk}.folds.parquet",
        log:
            f"<logs>/download_openml_tasks/{chunk}.log",
        retries: 0
        localrule: True
        conda:
            "../../envs/nontrivial.yaml"
        params:
            code=digest_of_code("download_openml_tasks"),
            tasks=numbers,
            openml=OPENML,
        script:
            "../scripts/download_openml_tasks.py"


# The selection orders all tasks that can be studied. A study takes the first of them, so a larger one downloads and
# scores only the tasks that are new.
rule select_archived_runs:
    input:
        code=modules("select_archived_runs"),
    output:
        selection="<results>/openml/selection.json",
    log:
        "<logs>/select_archived_runs.log",
    retries: 0
    conda:
        "../../envs/nontrivial.yaml"
    params:
        openml=OPENML,
        archive={
            key: ARCHIVE.get(key) for key in ("flows", "run_id_bound", "cutoff_date", "always", "leave_out")
        },
    script:
        "../scripts/select_archived_runs.py"


rule download_archived_runs:
    input:
        selection=rules.select_archived_runs.output.selection,
        code=modules("download_archived_runs"),
    output:
        predictions=update("<results>/predictions/{batch}.parquet"),
        record="<results>/openml/{batch}.json",
    log:
        "<logs>/download_archived_runs/{batch}.log",
    wildcard_constraints:
        batch="archive-[0-9]+",
    retries: 0
    conda:
        "../../envs/nontrivial.yaml"
    params:
        openml=OPENML,
        places=lambda wildcards: PLAN.archive[wildcards.batch],
    script:
        "../scripts/download_archived_runs.py"


# Texts, since the engine is slow with thousands of outputs of other rules among the inputs of one.
RECORDS = [
    *expand("<results>/data/{name}.json", name=[*BUNDLED, *COMMON, *DOWNLOADED, *OWN_DATA]),
    *OPENML_RECORDS,
]
