# What comes over the network. These jobs stay on the machine that the study is started on, since the nodes of a
# cluster often have no network. Their client tries again by itself, with growing pauses and within the time that the
# configuration allows, and keeps what has come whole: so the engine does not repeat a job, the user repeats the run.

DOWNLOADED = PLAN.from_source("UCI")
OPENML_RECORDS = [
    f"<results>/data/{dataset_name(number)}.json" for numbers in PLAN.openml.values() for number in numbers
]


localrules:
    download_uci_data,


rule download_uci_data:
    input:
        code=modules("download_uci_data"),
    output:
        tables=expand("<results>/data/{name}.parquet", name=DOWNLOADED),
        records=report(
            expand("<results>/data/{name}.json", name=DOWNLOADED),
            category="Data",
        ),
    log:
        "<logs>/download_uci_data.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        datasets=DOWNLOADED,
        downloads=config.get("downloads"),
        base=nested(config, ["uci", "base_url"]),
    script:
        "../scripts/download_uci_data.py"


# One rule for each batch: how many files it makes is known only batch by batch.
for chunk, numbers in PLAN.openml.items():

    rule:
        name:
            f"download_openml_tasks_{chunk.replace('-', '_')}"
        input:
            code=modules("download_openml_tasks"),
        output:
            tables=[f"<results>/data/{dataset_name(number)}.parquet" for number in numbers],
            folds=[f"<results>/data/{dataset_name(number)}.folds.parquet" for number in numbers],
            records=report(
                [f"<results>/data/{dataset_name(number)}.json" for number in numbers],
                category="Data",
            ),
        log:
            f"<logs>/download_openml_tasks/{chunk}.log",
        localrule: True
        conda:
            "../../envs/nontrivial.yaml"
        params:
            tasks=numbers,
            downloads=config.get("downloads"),
            openml={key: config["openml"][key] for key in ("api_url", "data_url")},
        script:
            "../scripts/download_openml_tasks.py"


RECORDS = [
    *rules.prepare_bundled_data.output.records,
    *rules.download_uci_data.output.records,
    *OPENML_RECORDS,
]
