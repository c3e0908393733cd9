"""A small study: a project with code and configuration, and its results from the data to the manifest."""

import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path

import pandas as pd
import yaml

from nontrivial.claims.judge import judge_claims
from nontrivial.claims.registry import load_claims, read_sources
from nontrivial.files import write_json, write_text
from nontrivial_study.data.canonical import canonical_sha256, canonical_table, dataset_record, write_dataset
from nontrivial_study.documents.evidence import write_evidence
from nontrivial_study.experiments.tasks.batches import TaskPredictions, write_batch
from nontrivial_study.experiments.tasks.binary_tasks import expand_tasks
from nontrivial_study.experiments.tasks.training import train_task
from nontrivial_study.provenance.crate import write_crate
from nontrivial_study.provenance.manifest import UNRECORDED, write_manifest
from nontrivial_study.provenance.project import copy_files, project_files
from nontrivial_study.report.page import render_page

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
     given: &minority [1 <= positives <= negatives], claim: f1 <= balanced_accuracy}
  - {id: order-repaired, statement: "F1, then balanced accuracy, where tp <= tn.", kind: inequality,
     repairs: order, over: tables, given: [1 <= positives <= negatives, tp <= tn], claim: f1 <= balanced_accuracy}
  - {id: order-holds, statement: "Beyond the paper: kappa, then F1.", kind: inequality, beyond: true, over: tables,
     given: *minority, claim: cohen_kappa <= f1}
  - {id: sometimes, statement: Kappa can miss it., kind: inequality, over: tables, given: *minority,
     claim: sometimes(prediction_advantage < 0 < cohen_kappa)}
- section: Table 1
  claims:
  - {id: measured, statement: They disagree in 24 %., kind: experiment, study: small,
     over: {row: {table: tables/ranks.csv, where: {pair: a/b}, ends: {top1: &ends [top1_low, top1_high]}}},
     claim: top1 == 0.24}
  - {id: out-of-scope, statement: Of 886 tasks., kind: experiment, study: large,
     over: {row: {table: tables/ranks.csv, where: {pair: a/b}, about: {tasks: "886"}, ends: {top1: *ends}}},
     claim: top1 == 0.24}
  - {id: surveyed, statement: They disagree in a tenth at least., kind: experiment, study: small,
     over: {walks: {table: tables/ranks.csv, where: {tasks: "17"}}}, claim: top1 >= 0.1}
  - {id: absent, statement: Something large., kind: experiment, study: large,
     over: {row: {table: tables/large.csv, where: {pair: a/b}}}, claim: top1 == 0.24}
- section: Section 6
  claims:
  - {id: view, statement: It is the best., kind: opinion, because: what is best depends on the purpose.}
"""
TABLE = """pair,tasks,top1,top1_low,top1_high,held,at,moves,measure,crossing,low,high,outcome
a/b,17,0.25,0.2,0.3,pair,1,noise,top1,0.25,0.2,0.3,crosses
a/c,17,0.5,0.4,0.6,pair,2,noise,top1,0.5,0.4,0.6,crosses
"""


TRACES = {
    "benchmarks/train/a.tsv": "s\th:m:s\tmax_rss\n1\t0:00:01\t2\n3.5\t0:00:03\t-\n",
    "benchmarks/calc_ranks.tsv": "s\th:m:s\tmax_rss\n2\t0:00:02\t64.5\n",
    "logs/train/a.log": "10 s\n",
    "logs/calc_ranks.log": "",
    "logs/describe_results.log": "",
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
MODELS = {"bayes": {"estimator": "GaussianNB"}, "tree": {"estimator": "DecisionTreeClassifier"}}
BATCHES = {"a": ["toy-a", "toy-b"], "b": ["toy-c"]}  # of tasks, by the name of their file
VERSION = "0.0.1"  # of the small study's own code
CONFIG = {
    "folds": 3,
    "models": "all",
    "noise": {"shares": [0.1, 0.2], "last": 0.5, "shuffle": False},
    "datasets": ["toy"],
    "tasks": ["toy"],
    "model_seconds": 60,
    "files": {"datasets": "config/datasets.yaml", "models": "config/models.yaml", "claims": "config/claims"},
}
RUN = {
    "started": "2026-01-02T03:03:59+00:00",
    "finished": "2026-01-02T03:04:05+00:00",
    "config": CONFIG,
    "python": "3.11.7",
    "machine": "Linux x86_64",
    "packages": {"nontrivial": VERSION, "numpy": "2.4.6", "snakemake": "9.27.1"},
    "pages": {"numpy": "https://numpy.org", "snakemake": "https://snakemake.github.io"},
    "jobs": {
        "train/a": {"started": "2026-01-02T03:03:59+00:00", "finished": "2026-01-02T03:04:01+00:00"},
        "calc_ranks": {"started": "2026-01-02T03:04:01+00:00", "finished": "2026-01-02T03:04:03+00:00"},
    },
    "traces": {
        name: sha256(text.encode()).hexdigest() for name, text in TRACES.items() if name not in UNRECORDED
    },
    "commit": {"id": "0123456789abcdef0123456789abcdef01234567", "altered": False},
    "executable": ["code/workflow/profiles/submit.sh"],
}

RULES = ("calc_ranks", "judge_claims", "prepare_data", "render_report", "train")


def made_in(results: Path) -> list[str]:
    """What the small study's jobs made."""
    names = ["data/toy.parquet", "data/toy.json", "predictions/a.parquet", "predictions/b.parquet"]
    names += ["tables/ranks.csv", "figures/one.svg", "figures/two.svg"]
    names += [f"claims/{path.name}" for path in sorted((results / "claims").glob("*.json"))]
    names += [f"claims/{path.name}" for path in sorted((results / "claims").glob("verdicts.csv*"))]
    return [*names, "report/index.html"]


def build_study(root: Path) -> Path:
    """Write a project and its results below `root` and return the results folder."""
    results = root / "results"
    for name, text in {
        "Snakefile": "rule all:\n",
        "LICENSE": "BSD\n",
        "README.md": "# A project\n",
        "pyproject.toml": "[project]\n",
        "config/claims/paper.yaml": REGISTRY,
        "src/package/module.py": "one = 1\n",
        "src/package/__pycache__/module.cpython-311.pyc": "compiled",
        "src/package.egg-info/PKG-INFO": "made by the installer",
        "workflow/rules/a.smk": "rule a:\n",
        "workflow/report/ranks.rst": "Ranks of\nmodels.\n",
        "workflow/report/results.md": "# Results\n",
        "envs/constraints.txt": "numpy==2\n",
        "workflow/profiles/submit.sh": "sbatch\n",
        "config/datasets.yaml": yaml.safe_dump({"toy": TOY}),
        "config/models.yaml": yaml.safe_dump(MODELS),
        "own.yaml": "folds: 3\n",
        "results/README.md": "# Results\n",
        "results/tables/ranks.csv": TABLE,
        "results/figures/one.svg": picture("blue"),
        "results/figures/two.svg": picture("red"),
        **{f"results/{name}": text for name, text in TRACES.items()},
        "notes.txt": "not part of it\n",
        **{f"workflow/scripts/{rule}.py": f'"""Do {rule}."""\n' for rule in RULES},
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "workflow" / "profiles" / "submit.sh").chmod(0o755)
    write_dataset(results / "data" / "toy.parquet", ROWS, dataset_record("toy", ROWS, TOY))
    for name, content in predictions().items():
        path = results / "predictions" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    write_json(results / "run.json", RUN)
    records = judge_claims(load_claims(root / "config" / "claims"), results)
    write_evidence(records, results / "claims")
    render(results)
    describe(results)
    return results


def picture(color: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="{color}"/></svg>\n'


@cache
def predictions() -> dict[str, bytes]:
    """The files of predictions, made once."""
    with tempfile.TemporaryDirectory() as folder:
        tasks = {task.name: task for task in expand_tasks(["toy"], {"toy": TOY})}
        for batch, names in BATCHES.items():
            write_batch(
                Path(folder, "predictions", f"{batch}.parquet"),
                {name: name for name in names},
                lambda names: (
                    TaskPredictions(tasks[name], *train_task(tasks[name], ROWS, MODELS, 3)) for name in names
                ),
            )
        return {path.name: path.read_bytes() for path in Path(folder, "predictions").iterdir()}


def render(results: Path) -> None:
    """Write the page, or renew it after a change."""
    render_from(results.parent, results)


def render_from(project: Path, results: Path) -> None:
    captions = {path.stem: path.read_text() for path in (project / "workflow" / "report").glob("*.rst")}
    page = render_page(results, captions, read_sources(project / "config" / "claims"))
    write_text(results / "report" / "index.html", page)


def describe(results: Path) -> None:
    """Write, or renew after a change, what describes the results: the copy of the project, the crate, the manifest."""
    copy_files(project_files(results.parent, ["own.yaml"]), results / "code")
    write_crate(results, made_in(results))
    write_manifest(results, project_files(results.parent, ["own.yaml"]))
