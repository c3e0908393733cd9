# Validation, and functions that compute inputs. Nothing else belongs here.

import ast
import re
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

from nontrivial.config import check, read_yaml
from nontrivial.study.plan import make_plan


def read_checked(kind, path):
    """Read a configuration file of a kind that has a schema."""
    value = read_yaml(path)
    check(value, read_yaml(f"workflow/schemas/{kind}.schema.yaml"), path)
    return value


def load_study():
    """Check every configuration file and turn them into a plan, before the first job."""
    schema = read_yaml("workflow/schemas/config.schema.yaml")
    for path in workflow.configfiles:
        check(read_yaml(path), schema, path, partial=True)
    check(config, schema, "--config")
    files = config["files"]
    datasets, models = read_checked("datasets", files["datasets"]), read_checked(
        "models", files["models"]
    )
    if (
        workflow.is_main_process
    ):  # the estimators' own checks are slow to import: once is enough
        from nontrivial.study.models import build_model

        for name, specification in models.items():
            try:
                build_model(name, specification)
            except ValueError as error:
                raise ValueError(f"{files['models']}: {error}") from None
    return make_plan(config, datasets, models), read_checked(
        "published", files["published"]
    )


try:
    PLAN, PUBLISHED = load_study()
except ValueError as error:
    raise WorkflowError(str(error)) from None

RESULTS = config["results"].rstrip("/")


@cache
def imported(path):
    """Return the package's modules that a Python file imports, as paths below src."""
    names = set()
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    stems = [
        Path("src", *name.split("."))
        for name in names
        if name.startswith("nontrivial.")
    ]
    files = [
        file
        for stem in stems
        for file in (stem.with_suffix(".py"), stem / "__init__.py")
    ]
    return [str(file) for file in files if file.is_file()]


def modules(script):
    """Return every module of the package that a script depends on, so that a change in one reruns its rule.

    A module reached through another counts; the packages' own __init__ files, which gather names for users,
    count only where they are imported from.
    """
    found, waiting = set(), [f"workflow/scripts/{script}.py"]
    while waiting:
        new = set(imported(waiting.pop())) - found
        found |= new
        waiting += new
    return sorted(found)


def chunk_datasets(wildcards):
    names = {task.dataset for task in PLAN.chunks[wildcards.chunk]}
    return [f"{RESULTS}/data/{name}.parquet" for name in sorted(names)]


def print_failures(log):
    """Repeat the reason of each failed job, so that it is the last thing on the screen."""
    text = Path(log).read_text(encoding="utf-8", errors="replace")
    failed = re.findall(
        r"rule (\w+):.*?\n(?:    .*\n)*?    log: (\S+)",
        text[text.find("Error in rule") :],
    )
    for rule, path in dict.fromkeys(failed):
        lines = (
            Path(path)
            .read_text(encoding="utf-8", errors="replace")
            .strip()
            .splitlines()
            if Path(path).exists()
            else []
        )
        print(
            f"\n{rule} failed: {lines[-1] if lines else 'it left no message'}\n  (whole log: {path})",
            file=sys.stderr,
        )
