"""What a reader asks first of each data set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nontrivial.files import find_files, read_json
from nontrivial_study.experiments.tasks.tasks import find_duplicates

_FIELDS = ("name", "title", "rows", "features", "classes", "positive", "licence", "source", "dated", "sha256")
_NUMBERS = {"uci_id": "UCI", "openml_task": "task", "openml_data": "data"}  # the distributor's own


def read_datasets(results: Path) -> list[dict[str, str]]:
    """Read the records of the data sets by name, as texts, each with the ``path`` of its file."""
    datasets = []
    paths = find_files(results / "data", "*.json")
    records = list(map(read_json, paths))
    same = find_duplicates(records)
    for path, record in zip(paths, records, strict=True):
        shown = {field: _text(record.get(field)) for field in _FIELDS}
        numbers = [f"{name} {record[key]}" for key, name in _NUMBERS.items() if record.get(key) is not None]
        also = [f"the same rows as {same[record['name']]}"] if record["name"] in same else []
        also += [f"made of {record['original']}: {record['citation']}"] if "original" in record else []
        shown["source"] = ", ".join([shown["source"], *numbers, *also])
        datasets.append(shown | {"path": f"data/{path.name}"})
    return datasets


def _text(value: Any) -> str:
    """Say a field in plain text: the counts of the classes as ``class: count``, null as nothing."""
    if isinstance(value, dict):
        return ", ".join(f"{label}: {count}" for label, count in value.items())
    return "" if value is None else str(value)
