"""Reads the registry of claims from YAML, and names each wrong entry with its line."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from nontrivial.claims.claim import Claim, check_claim
from nontrivial.files import find_files
from nontrivial.schemas import check_schema, read_yaml


def read_registry(path: str | Path) -> tuple[dict[str, Any], list[Claim]]:
    """Return the documents by short name, and the claims in order, of a YAML file or of all such files of a folder."""
    contents = _read_files(Path(path))
    sources, studies = (_collect_declared(contents, key) for key in ("sources", "studies"))
    claims: dict[str, Claim] = {}
    errors = []
    for file, content in contents.items():
        if "sections" not in content:
            continue
        lines = _find_lines(file)
        if content.get("source") not in sources:
            has = f"has the source {content['source']!r}" if "source" in content else "has no 'source'"
            known = ", ".join(sources) or "none yet"
            described = f"name one that 'sources' describes: {known}."
            errors.append(f"{file}, line {lines.source}: it {has}; {described}")
        entries = [(section, entry) for section in content["sections"] for entry in section["claims"]]
        for number, ((section, entry), line) in enumerate(zip(entries, lines.entries, strict=True), start=1):
            name = repr(entry["id"]) if isinstance(entry, dict) and "id" in entry else f"number {number}"
            try:
                _check_entry(entry)
                if entry["id"] in claims:
                    raise ValueError("it has an id that another claim has; each id is allowed once.")
                shared = {key: section[key] for key in section if key != "claims"}
                claims[entry["id"]] = _make_claim({**shared, **entry, "place": number}, content, studies)
            except ValueError as error:
                errors.append(f"{file}, line {line}: claim {name}: {error}")
    if errors:
        raise ValueError("\n".join(errors))
    order = list(sources)
    return sources, sorted(claims.values(), key=lambda claim: (order.index(claim.source), claim.place))


def load_claims(registry: str | Path) -> list[Claim]:
    """Read the claims of a registry, the main claims first."""
    _, claims = read_registry(registry)
    return sorted(claims, key=lambda claim: not claim.main)


def _read_files(registry: Path) -> dict[Path, dict[str, Any]]:
    """Read the files of a registry. Files beside a single file may describe its documents."""
    paths = find_files(registry, "*.yaml") if registry.is_dir() else [registry]
    contents = {path: read_yaml(path, as_written=True) for path in paths}
    if registry.is_file() and "sources" not in contents[registry]:
        contents |= _read_sources_beside(registry)
    for path, content in contents.items():
        check_schema(content, _load_schema(), str(path))
    if not any("sections" in content for content in contents.values()):
        raise ValueError(f"{registry} holds no claims; at least one is needed, under the key sections.")
    return contents


def _read_sources_beside(registry: Path) -> dict[Path, dict[str, Any]]:
    """Read the files beside a registry that describe documents but hold no claims."""
    contents = {}
    for path in find_files(registry.parent, "*.yaml"):
        try:
            content = read_yaml(path, as_written=True)
        except ValueError:  # a file that is not YAML belongs to something else
            continue
        if path != registry and "sections" not in content and "sources" in content:
            contents[path] = content
    return contents


def _collect_declared(contents: Mapping[Path, Mapping[str, Any]], key: str) -> dict[str, Any]:
    """Collect the declarations of all files under a key; raise ValueError if two files declare the same name."""
    declared: dict[str, Any] = {}
    for path, content in contents.items():
        for name, value in content.get(key, {}).items():
            if name in declared:
                raise ValueError(f"{path}: another file has {name!r} under {key}, too; each is allowed once.")
            declared[name] = value
    return declared


def _check_entry(entry: Any) -> None:
    """Raise ValueError if an entry does not have the keys of a claim."""
    if not isinstance(entry, dict):
        raise ValueError(f"it is {entry!r}; it must be a mapping with an id.")
    definitions = _load_schema()["$defs"]
    check_schema(entry, {**definitions["claim"], "$defs": definitions})


def _make_claim(fields: dict[str, Any], content: Mapping[str, Any], studies: Mapping[str, str]) -> Claim:
    """Make the claim of an entry, with the keys that the file gives for all entries, and check the claim."""
    study = fields.pop("study", None)
    if study is not None and study not in studies:
        raise ValueError(f"study is {study!r}; known under 'studies': {', '.join(studies) or 'none'}.")
    places = {text: place for place, texts in content.get("presupposed", {}).items() for text in texts}
    defaults = {
        "locator": fields["section"],
        "command": studies.get(study, ""),
        "source": content.get("source", ""),
        "presupposed": {text: places[text] for text in fields.get("given", ()) if text in places},
    }
    claim = Claim(**defaults | fields)
    check_claim(claim)
    return claim


class _FileLines(NamedTuple):
    """The lines of a file on which its source, or else its sections, and its entries begin."""

    source: int
    entries: list[int]


def _find_lines(path: Path) -> _FileLines:
    def nodes_by_key(mapping: Any) -> dict[str, Any]:
        return {key.value: value for key, value in mapping.value}

    content = nodes_by_key(yaml.compose(path.read_text(encoding="utf-8-sig"), yaml.CSafeLoader))
    sections = content["sections"]
    entries = (entry for section in sections.value for entry in nodes_by_key(section)["claims"].value)
    source = content.get("source", sections).start_mark.line + 1
    return _FileLines(source, [entry.start_mark.line + 1 for entry in entries])


@functools.cache
def _load_schema() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("claims.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
