"""A copy of the project that a test may run, break and edit, with a study small enough for seconds."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import yaml
from engines import Engines

ROOT = Path(__file__).parents[1]
PARTS = ["Snakefile", "pyproject.toml", "LICENSE", "README.md"]
PARTS += ["profiles", "workflow", "config", "src", "envs"]
USER = "somebody-of-this-machine"
# What differs from run to run: times, and what quotes them.
UNSTABLE = ("logs/", "benchmarks/", "run.json", "ro-crate-metadata.json", "manifest-sha256.txt")
FAILING = "nearest_5_neighbours"  # which asks for more neighbours than there are rows
TINY = {
    "datasets": ["wdbc", "iris", "diabetes", "haberman"],
    "tasks": ["wdbc", "iris"],
    "models": ["logistic_regression", "decision_tree", "gaussian_naive_bayes", "chance_stratified", FAILING],
    "folds": 3,
    "chunk_cells": 18000,
    "ranking": {"resamples": 100},
    "imbalance": {
        "model": "decision_tree",
        "small_multiples": ["wdbc"],
        "further_models": ["logistic_regression", FAILING],
        "shares": {"first": 0.05, "last": 0.5, "count": 4},
        "test_size": 200,
        "replicates": 50,
        "crossing_shares": [0.2],
    },
    "training_noise": {"models": ["decision_tree", FAILING], "shares": [0.05, 0.3], "folds": 2},
    "losses": {"classification": ["wdbc", "iris"], "classifiers": ["logistic_regression", FAILING], "resamples": 100},
    "repeats": {"dataset": "wdbc", "folds": 2, "repeats": 3, "chunk_repeats": 2},
    "tutorial": {"models": ["logistic_regression", FAILING]},
}
# Of each kind of claim and of test some that are quickly judged; `claims/` judges them all.
CLAIMS = {
    "p4-cats-not-all-notice",  # an inequality of printed numbers
    "p4-definition",  # undefined somewhere
    "pa-exam-60-told-apart",  # an order
    "pa-exam-alice-60-decimal",  # a number
    "pa-figure-1-order",  # an experiment, of a model that the tiny study leaves out
    "pa-haberman-all-nine",  # an inequality of rounded numbers
    "pa-haberman-trivial-error-data",  # from a record of data
    "pa-figure-1-strictly-lowest",  # another experiment
    "pa-lower-bounds-informedness",  # a theorem of our own
    "pa-recommended-everywhere",  # an opinion
    "pa-order-chain",  # a search of tables, with a counterexample and where it holds
    "prg-models-count",  # a misprint
    "prg-aupr-favours-lower-expected-f1",  # a search of pairs of rankings
    "prg-tasks-count",  # needs the archive
    "prg-top1-pr-prg",  # about another study
    "tutorial-auc-one",  # a search of rankings
    "tutorial-micro-precision",  # an identity
}


@dataclass
class Project:
    """A copy of the project in a folder of its own."""

    folder: Path
    engines: Engines | None = None

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "snakemake", "--configfile", "tiny.yaml", *arguments]

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {
            "PYTHONPATH": str(self.folder / "src"),
            **dict.fromkeys(("USER", "LOGNAME", "USERNAME"), USER),
        }

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        """Run the study and return what it printed (both streams in `stdout`)."""
        command = self.command(*arguments)
        if self.engines:
            return self.engines.run(command[3:], self.folder, self.environment)
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1800,
        )

    def verify(self, *arguments: str) -> subprocess.CompletedProcess:
        """Run `nontrivial verify` on the results."""
        command = [sys.executable, "-m", "nontrivial", "verify", "results", *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def would_rerun(self) -> set[str]:
        """Return the rules that a dry run would run again."""
        printed = self.run("-n", "--quiet", "rules").stdout
        stats = printed.partition("Job stats:")[2].partition("total")[0]
        return set(re.findall(r"^(\w+) +\d+$", stats, flags=re.MULTILINE)) - {"all"}

    def contents(self, *folders: str, but: tuple[str, ...] = ()) -> dict[str, bytes]:
        """Return the bytes of all result files in the named folders, but for those whose names start so."""
        results = self.folder / "results"
        files = [path for folder in folders for path in (results / folder).rglob("*") if path.is_file()]
        named = {str(path.relative_to(results)): path for path in sorted(files)}
        return {name: path.read_bytes() for name, path in named.items() if not name.startswith(but)}

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that must be there."""
        target = self.folder / path
        text = target.read_text(encoding="utf-8")
        assert old in text
        target.write_text(text.replace(old, new, 1), encoding="utf-8")


def copy_project(
    folder: Path, source: Path = ROOT, parts: list[str] = PARTS, engines: Engines | None = None
) -> Project:
    """Copy the named parts of a project and add the tiny study to them, which judges few of the claims."""
    folder.mkdir(parents=True, exist_ok=True)
    # Times are kept: the engine compares those of modules with those of results, and Python with those of what it
    # compiled.
    if source == ROOT:
        for part in parts:
            if (source / part).is_dir():
                ignore = shutil.ignore_patterns("*.pyc.*", "*.egg-info")
                shutil.copytree(source / part, folder / part, ignore=ignore, dirs_exist_ok=True)
            else:
                shutil.copy2(source / part, folder / part)
    else:  # in a third of the time
        subprocess.run(["cp", "-pR", *(source / part for part in parts), folder], check=True)
    (folder / "results").mkdir(exist_ok=True)
    shutil.copy2(source / "results" / "README.md", folder / "results" / "README.md")
    project = Project(folder, engines)
    if "tiny.yaml" not in parts:
        (folder / "tiny.yaml").write_text(yaml.safe_dump(TINY), encoding="utf-8")
        thin_claims(folder / "config" / "claims")
        project.edit("config/models.yaml", "parameters: {n_neighbors: 5}", "parameters: {n_neighbors: 5000}")
    return project


def thin_claims(folder: Path) -> None:
    """Leave only `CLAIMS` in a registry."""
    left = set()
    for path in folder.glob("*.yaml"):
        registry = yaml.safe_load(path.read_text(encoding="utf-8"))
        for section in registry.get("sections", ()):
            section["claims"] = [claim for claim in section["claims"] if claim["id"] in CLAIMS]
            left |= {claim["id"] for claim in section["claims"]}
        if "sections" in registry:
            registry["sections"] = [section for section in registry["sections"] if section["claims"]]
            path.write_text(yaml.safe_dump(registry, sort_keys=False), encoding="utf-8")
    assert left == CLAIMS, f"the registry does not have {CLAIMS - left}"
