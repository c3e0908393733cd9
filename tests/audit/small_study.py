"""A small study: a project with code and configuration, and its results with evidence and manifest."""

from pathlib import Path

from nontrivial.audit.evaluate import evaluate_claims
from nontrivial.audit.evidence import write_evidence
from nontrivial.audit.manifest import write_manifest
from nontrivial.audit.registry import load_claims

REGISTRY = """\
sources: {paper: A paper}
studies: {small: make small, large: make large}
claims:
  - {id: guess, source: paper, locator: Section 1, statement: A guess among three., kind: number,
     stated: 33.33%, test: guess_rate, parameters: {options: 3}}
  - {id: exam, source: paper, locator: Section 5, statement: Alice is better., kind: order, stated: bob < alice,
     test: exam_advantages, parameters: {right: 60, questions: 100, options: {bob: 3, alice: 4}}}
  - {id: order, source: paper, locator: Section 2, statement: "F1, then balanced accuracy.", kind: inequality,
     stated: f1 <= balanced_accuracy, test: confusion_tables,
     parameters: {where: [1 <= positives <= negatives], cells: 3}}
  - {id: order-holds, source: paper, locator: Section 2, statement: "Kappa, then F1.", kind: inequality,
     stated: cohen_kappa <= f1, test: confusion_tables,
     parameters: {where: [1 <= positives <= negatives], cells: 3}}
  - {id: sometimes, source: paper, locator: Section 2, statement: Kappa can miss it., kind: inequality,
     stated: sometimes prediction_advantage < 0 < cohen_kappa, test: confusion_tables,
     parameters: {where: [1 <= positives <= negatives], cells: 3}}
  - {id: measured, source: paper, locator: Table 1, statement: They disagree in 24 %., kind: experiment,
     stated: 24%, tolerance: interval, test: table_number, data: [tables/ranks.csv], study: small,
     parameters: {table: tables/ranks.csv, row: {pair: a/b}, column: top1, interval: true}}
  - {id: out-of-scope, source: paper, locator: Table 1, statement: Of 886 tasks., kind: experiment,
     stated: 24%, tolerance: interval, test: table_number, data: [tables/ranks.csv], study: large,
     parameters: {table: tables/ranks.csv, row: {pair: a/b}, column: top1, scope: {tasks: "886"}}}
  - {id: absent, source: paper, locator: Table 2, statement: Something large., kind: experiment,
     stated: 24%, test: table_number, data: [tables/large.csv], study: large,
     parameters: {table: tables/large.csv, row: {pair: a/b}, column: top1}}
  - {id: view, source: paper, locator: Section 6, statement: It is the best., kind: opinion}
"""
TABLE = "pair,tasks,top1,top1_low,top1_high\na/b,17,0.25,0.2,0.3\na/c,17,0.5,0.4,0.6\n"


def build_study(root: Path) -> Path:
    """Write a project and its results below `root` and return the results folder."""
    for name, text in {
        "Snakefile": "rule all:\n",
        "pyproject.toml": "[project]\n",
        "config/claims/paper.yaml": REGISTRY,
        "src/package/module.py": "one = 1\n",
        "src/package/__pycache__/module.cpython-311.pyc": "compiled",
        "src/package.egg-info/PKG-INFO": "made by the installer",
        "workflow/rules/a.smk": "rule a:\n",
        "envs/constraints.txt": "numpy==2\n",
        "results/tables/ranks.csv": TABLE,
        "results/figures/one.svg": "<svg/>\n",
        "results/run.json": "{}\n",
        "results/logs/a.log": "10 s\n",
        "results/benchmarks/a.tsv": "10\n",
        "notes.txt": "not part of it\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    results = root / "results"
    records = evaluate_claims(load_claims(root / "config" / "claims"), results)
    write_evidence(records, results / "claims")
    write_manifest(results, root)
    return results
