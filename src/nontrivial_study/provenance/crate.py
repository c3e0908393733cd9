"""The RO-Crate 1.1 of a study: all files of the results, and the run that made them, with parameters and sources."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from rocrate.model import ContextEntity, Entity
from rocrate.rocrate import ROCrate

from nontrivial.files import read_json
from nontrivial_study.provenance.run import CODE, README, RUN

_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_LICENCE_ADDRESSES = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause",
}
_MEDIA_TYPES = {"csv": "text/csv", "html": "text/html", "md": "text/markdown", "svg": "image/svg+xml"}
_MEDIA_TYPES |= {"png": "image/png", "json": "application/json", "pdf": "application/pdf"}
_MEDIA_TYPES |= {"parquet": "application/vnd.apache.parquet", "zip": "application/zip"}


def make_crate(results: Path, made: Sequence[str]) -> dict[str, Any]:
    """Return ``ro-crate-metadata.json`` of a folder of results that has ``run.json`` and ``code.zip``.

    `made` has the paths in this folder of the files that the study made. Raise FileNotFoundError if one does not exist.
    """
    crate, run = ROCrate(version="1.1"), read_json(results / RUN)
    developers = _find_or_add(crate, "#developers", "Organization", name="the nontrivial developers")
    nobody = "Not named: these results contain no name of a person."
    operator = _find_or_add(crate, "#operator", "Person", name="Whoever ran the study", description=nobody)
    files = _add_files(crate, results, made, run["packages"]["snakemake"])
    workflow, root = files[CODE], crate.root_dataset
    parameters = _describe_workflow(crate, workflow, run)
    workflow["creator"], workflow["sdPublisher"] = developers, operator
    root["name"] = "Results of the nontrivial study"
    root["description"] = (
        "Measures, curves and experiments on which a worthless model scores nothing, and a verdict on each claim "
        "of the documents behind them, with the data, the code and the parameters that they follow from."
    )
    root["datePublished"], root["license"] = run["finished"], workflow["license"]
    root["author"] = developers
    root["conformsTo"] = [
        _find_or_add(crate, address, "CreativeWork", name=name, version=PurePosixPath(address).name)
        for address, name in _PROFILES.items()
    ]
    root["mentions"] = _find_or_add(
        crate,
        "#run",
        "CreateAction",
        name="Run of the study",
        description="All jobs of the workflow, with the configuration as it stands in its parameters.",
        instrument=workflow,
        object=[*parameters, *_add_sources(crate, results, files)],
        result=[files[name] for name in made],
        startTime=run["started"],
        endTime=run["finished"],
        actionStatus="http://schema.org/CompletedActionStatus",
        agent=operator,
    )
    metadata: dict[str, Any] = crate.metadata.generate()
    return metadata


def _add_files(crate: ROCrate, results: Path, made: Sequence[str], engine: str) -> dict[str, Entity]:
    """Add the files that the study made, its code, and the files that describe it. Return the entities by path."""
    files = {}
    for name in [*made, *(name for name in (README, RUN, CODE) if (results / name).is_file())]:
        path = results / name
        properties = {"name": name, "contentSize": str(path.stat().st_size)}
        properties["encodingFormat"] = _MEDIA_TYPES.get(path.suffix[1:], "application/octet-stream")
        if name == CODE:
            language = {"lang": "snakemake", "lang_version": engine}
            files[name] = crate.add_workflow(path, name, main=True, properties=properties, **language)
        else:
            files[name] = crate.add_file(path, name, properties=properties)
    if README in files:
        files[README]["about"] = crate.root_dataset
    return files


def _add_sources(crate: ROCrate, results: Path, files: Mapping[str, Entity]) -> list[Entity]:
    """Add the sources of the data sets. Link the files to their sources and licences. Return the sources."""
    sources = {}
    for name in files:
        content = read_json(results / name) if re.match(r"(data|openml)/.*\.json$", name) else None
        for record in content.get("tasks", [content]) if isinstance(content, dict) else ():
            if "address" not in record:
                continue
            licence, title = _licence_entity(crate, record["licence"]), record["title"]
            source = _find_or_add(crate, record["address"], "CreativeWork", name=title, license=licence)
            sources[source.id] = source
            for path in (f"data/{record['name']}.parquet", f"data/{record['name']}.json"):
                if path in files:
                    files[path]["license"], files[path]["isBasedOn"] = licence, source
    return list(sources.values())


def _describe_workflow(crate: ROCrate, workflow: Entity, run: Mapping[str, Any]) -> list[Entity]:
    """Describe the code and its parameters. Return an entity for the value of each parameter."""
    workflow["name"], workflow["version"] = "nontrivial", run["packages"]["nontrivial"]
    workflow["license"], workflow["url"] = _licence_entity(crate, "BSD-3-Clause"), workflow
    workflow["conformsTo"] = {"@id": "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"}
    workflow["description"] = "The workflow, in the file Snakefile, with the package and the configuration."
    workflow["dateCreated"] = run["finished"]
    if commit := run["commit"]:
        name = "commit, with changes" if commit["altered"] else "commit"
        properties = {"name": name, "value": commit["id"]}
        workflow["identifier"] = _find_or_add(crate, "#commit", "PropertyValue", **properties)
    values = []
    for key, value in run["config"].items():
        parameter = crate.add_formal_parameter(key, "Text", f"#parameter/{key}")
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        properties = {"name": key, "value": text, "exampleOfWork": parameter}
        values.append(_find_or_add(crate, f"#value/{key}", "PropertyValue", **properties))
        parameter["workExample"] = values[-1]
        workflow.append_to("input", parameter)
    return values


def _find_or_add(crate: ROCrate, identifier: str, kind: str, **properties: Any) -> Entity:
    """Return the entity with this identifier. Add it first if the crate does not have it."""
    entity = crate.get(identifier)
    return entity or crate.add(ContextEntity(crate, identifier, {"@type": kind, **properties}))


def _licence_entity(crate: ROCrate, text: str) -> Entity | str:
    """Return the entity of a licence, or the text of the licence if we know no address for it."""
    if text not in _LICENCE_ADDRESSES:
        return text
    address, description = _LICENCE_ADDRESSES[text], f"The licence {text}."
    return _find_or_add(crate, address, "CreativeWork", name=text, description=description)
