# What comes over the network. These jobs stay on the machine that the study is started on, since the nodes of a
# cluster often have no network. Their client tries again by itself, with growing pauses and within the time that the
# configuration allows, and keeps what has come whole: so the engine does not repeat a job, the user repeats the run.
# How patiently they ask is no parameter of theirs: what they make does not depend on it.

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


# One rule for each batch: how many files it makes is known only batch by batch.
for chunk, numbers in PLAN.openml.items():

    rule:
        name:
            f"download_openml_tasks_{chunk.replace('-', '_')}"
        output:
            # First what most jobs ask for: the engine tries a rule's outputs one after another.
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


# What is selected does not depend on how many tasks are studied: these are the first of all that can be, and when more
# are asked for, only what is new is downloaded and scored.
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


# As texts: for each output of another rule that stands among the inputs of one, the engine goes through all of them.
RECORDS = [
    *map(str, rules.prepare_bundled_data.output.records),
    *map(str, rules.download_uci_data.output.records),
    *OPENML_RECORDS,
]
