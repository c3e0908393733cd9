"""A small study: a project with code and configuration, and its results from the data to the manifest."""

from pathlib import Path

import pandas as pd
import yaml

from nontrivial.claims.judge import judge_claims
from nontrivial.claims.registry import load_claims
from nontrivial.files import read_json, write_json
from nontrivial_study.data.canonical import canonical_sha256, canonical_table, dataset_record, write_dataset
from nontrivial_study.documents.evidence import write_evidence
from nontrivial_study.provenance.crate import make_crate
from nontrivial_study.provenance.run import CRATE, archive_code, listed_files, project_files, write_manifest

REGISTRY = """\
sources: {paper: {title: A paper, address: https://example.org/paper}}
studies: {small: make small, large: make large}
source: paper
sections:
- section: Section 1
  claims:
  - {id: guess, statement: A guess among three., kind: number, over: {numbers: {options: 3}},
     claim: 1 / options == 0.3333}
  - {id: exam, anchor: "Alice", statement: Alice is better., kind: order,
     over: {numbers: {bob: "0.46", alice: "0.52"}}, claim: bob < alice}
- section: Section 2
  claims:
  - {id: order, statement: "F1, then balanced accuracy.", kind: inequality, main: true, over: tables,
     given: &minority [1 <= positives <= negatives], claim: f1 <= balanced_accuracy,
     holds_if: {statement: "F1, then balanced accuracy, where tp <= tn.",
       given: [1 <= positives <= negatives, tp <= tn]}}
  - {id: order-holds, statement: "Beyond the paper: kappa, then F1.", kind: inequality, beyond: true, over: tables,
     given: *minority, claim: cohen_kappa <= f1}
  - {id: sometimes, statement: Kappa can miss it., kind: inequality, over: tables, given: *minority,
     claim: sometimes(prediction_advantage < 0 < cohen_kappa)}
- section: Table 1
  claims:
  - {id: measured, statement: They disagree in 24 %., kind: experiment, study: small,
     over: {row: {table: tables/ranks.csv, where: {pair: a/b}, ends: [top1]}},
     claim: top1 == 0.24}
  - {id: out-of-scope, statement: Of 886 tasks., kind: experiment, study: large,
     over: {row: {table: tables/ranks.csv, where: {pair: a/b}, about: {tasks: "886"}, ends: [top1]}},
     claim: top1 == 0.24}
  - {id: surveyed, statement: They disagree in a tenth at least., kind: experiment, study: small,
     over: {row: {table: tables/ranks.csv, where: {tasks: "17"}, by: [pair], ends: [top1]}},
     claim: top1 >= 0.1}
  - {id: absent, statement: Something large., kind: experiment, study: large,
     over: {row: {table: tables/large.csv, where: {pair: a/b}}}, claim: top1 == 0.24}
- section: Section 6
  claims:
  - {id: view, statement: It is the best., kind: opinion, because: what is best depends on the purpose.}
"""
TABLE = """pair,tasks,top1,top1_low,top1_high
a/b,17,0.25,0.2,0.3
a/c,17,0.5,0.4,0.6
"""


TRACES = {
    "benchmarks/train/a.tsv": "s\th:m:s\tmax_rss\n1\t0:00:01\t2\n3.5\t0:00:03\t-\n",
    "benchmarks/calc_ranks.tsv": "s\th:m:s\tmax_rss\n2\t0:00:02\t64.5\n",
    "logs/train/a.log": "10 s\n",
}
ROWS = canonical_table(
    pd.DataFrame({"x": [1, 2, 3, 4, 5, 6, 7, 8, 9], "y": [3, 1, 2] * 3}),
    list("aaabbbccc"),
    dict(zip("abc", "abc", strict=True)),
)
TOY = {
    "title": "Toy",
    "source": "UCI",
    "uci_id": 1,
    "address": "https://example.org/toy",
    "licence": "CC BY 4.0",
    "rows": 9,
    "features": 2,
    "classes": {"a": 3, "b": 3, "c": 3},
    "sha256": canonical_sha256(ROWS),
}
CONFIG = {
    "folds": 3,
    "models": "all",
    "experiments": ["claims"],
    "noise": {"shares": [0.1, 0.2], "last": 0.5, "shuffle": False},
    "datasets": ["toy"],
    "files": {
        "datasets": "config/datasets.yaml",
        "common_datasets": "config/common_datasets.yaml",
        "models": "config/models.yaml",
        "claims": "./config/claims",
    },
}
RUN = {
    "started": "2026-01-02T03:03:59+00:00",
    "finished": "2026-01-02T03:04:05+00:00",
    "config": CONFIG,
    "seeds": {"intervals": 1},
    "python": "3.11.7",
    "machine": "Linux x86_64",
    "packages": {"nontrivial": "0.0.1", "numpy": "2.4.6", "snakemake": "9.27.1"},
    "jobs": {"train/a": {"started": "2026-01-02T03:03:59+00:00", "seconds": 2.0}},
    "commit": {"id": "0123456789abcdef0123456789abcdef01234567", "altered": False},
}


def build_study(root: Path) -> Path:
    """Write a project and its results below `root` and return the results folder."""
    results = root / "results"
    for name, text in {
        "Snakefile": "rule all:\n",
        "README.md": "# A project\n",
        "config/claims/paper.yaml": REGISTRY,
        "config/datasets.yaml": yaml.safe_dump({"toy": TOY}),
        "config/common_datasets.yaml": "{}\n",
        "config/models.yaml": "{}\n",
        "src/package/module.py": "one = 1\n",
        "src/package/__pycache__/module.cpython-311.pyc": "compiled",
        "src/package.egg-info/PKG-INFO": "made by the installer",
        "workflow/rules/a.smk": "rule a:\n",
        "own.yaml": "folds: 3\n",
        "notes.txt": "not part of it\n",
        "results/README.md": "# Results\n",
        "results/tables/ranks.csv": TABLE,
        "results/figures/one.svg": "<svg/>\n",
        "results/report/index.html": "<p>The page</p>\n",
        **{f"results/{name}": text for name, text in TRACES.items()},
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    write_dataset(results / "data" / "toy.parquet", ROWS, dataset_record("toy", ROWS, TOY))
    write_json(results / "run.json", RUN)
    write_evidence(judge_claims(load_claims(root / "config" / "claims"), results), results / "claims")
    describe(results)
    return results


def made_in(results: Path) -> list[str]:
    """What the small study's jobs made."""
    apart = {"README.md", "run.json", "code.zip", "ro-crate-metadata.json"}
    return [name for name in listed_files(results) if name not in apart]


def describe(results: Path) -> None:
    """Write, or renew after a change, what describes the results: the code, the crate, the manifest."""
    archive_code(project_files(results.parent, ["own.yaml"]), results / "code.zip")
    write_json(results / CRATE, make_crate(results, made_in(results)))
    write_manifest(results)


def edit(results: Path, name: str, change) -> None:
    """Change what a JSON file of the results holds, and renew all that describes it."""
    content = read_json(results / name)
    change(content)
    write_json(results / name, content)
    describe(results)
