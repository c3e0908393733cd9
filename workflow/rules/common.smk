# Validation, and functions that compute inputs. Nothing else belongs here.

import ast
import math
import os
import re
import sys
from functools import cache, reduce
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

from snakemake.iocontainers import Wildcards
from snakemake.settings.enums import Quietness
from snakemake.utils import update_config

from nontrivial.claims.registry import load_claims
from nontrivial.config import SettingError, check, find_omission, read_yaml, require_folder
from nontrivial.digests import SUFFIX
from nontrivial.files import DamagedFile, find_files, sha256_of
from nontrivial.plain_yaml import parse_yaml
from nontrivial.provenance.jobs import Job
from nontrivial.provenance.project import project_files
from nontrivial.records import read_record
from nontrivial.report.captions import read_caption
from nontrivial.experiments.ranks.compared import find_compared
from nontrivial.experiments.plan import make_plan
from nontrivial.experiments.tasks.binary_tasks import dataset_name
from nontrivial.terminal import say, visible

ENGINE_MB = 350  # what the two Snakemakes of a job on a cluster take beside its script


def read_checked(kind, path):
    """Read a configuration file of a kind that has a schema."""
    value = read_yaml(path)
    check(value, read_yaml(f"workflow/schemas/{kind}.schema.yaml"), path)
    return value


def nested(value, keys):
    """Return what stands under a path of keys, None if nothing does."""
    return reduce(lambda inner, key: inner.get(key) if isinstance(inner, dict) else None, keys, value)


def load_study():
    """Check every configuration file and turn them into a plan, before the first job."""
    schema = read_yaml("workflow/schemas/config.schema.yaml")
    overrides = {os.path.relpath(path): read_yaml(path) for path in workflow.configfiles}
    for path, override in overrides.items():
        check(override, schema, path, partial=True)
    # What the engine has read is replaced: it takes 1_0 for 10, 1:30 for 90, and what is in braces for texts.
    usual = () if workflow.config_settings.replace_workflow_config else ("config/config.yaml",)
    config.clear()
    for path in (*usual, *map(os.path.relpath, workflow.overwrite_configfiles)):
        update_config(config, overrides.get(path, {}))
    for entry in workflow.config_settings.config_args or ():
        key, _, text = entry.partition("=")
        update_config(config, {key: parse_yaml(text, f"--config {key}")})
    check(config, schema, "--config")
    if workflow.is_main_process:
        require_folder(config["results"], "results")
    files = config["files"]
    claims = load_claims(files["claims"])
    datasets, models = read_checked("datasets", files["datasets"]), read_checked("models", files["models"])
    if workflow.is_main_process:  # the estimators' own checks are slow to import: once is enough
        from nontrivial.experiments.tasks.models import check_models

        check_models(models, files["models"])
        check_models(config["losses"]["regressors"], "losses.regressors", kind="regressor")
    try:
        plan = make_plan(config, datasets, models)
    except SettingError as error:
        keys = error.setting.split(".")
        setters = [
            path for path, override in overrides.items() if nested(override, keys) == nested(config, keys)
        ]
        usual = dict(overrides.get("config/config.yaml", {}))
        if usual.get("models") == "all":
            usual["models"] = list(models)
        others = {path: override for path, override in overrides.items() if path != "config/config.yaml"}
        omission = find_omission(error, usual, others) if setters and setters[-1] not in others else ""
        sentence = f"{str(error).removesuffix('.')}; {omission}." if omission else error
        raise ValueError(f"{setters[-1] if setters else '--config'}: {sentence}") from None
    return plan, read_checked("published", files["published"]), claims


try:
    PLAN, PUBLISHED, CLAIMS = load_study()
except ValueError as error:
    sys.exit(visible(f"The study cannot start. {error}"))


def shown(path, document, caption=None):
    """Give a result its place in Snakemake's report: under its document, by its caption's heading.

    The caption is that of the file's name, or the one named, which serves several files. One label holds all: of two,
    the report makes a switch where it happens to find as many of the one value as of the other.
    """
    stem, ending = Path(path).stem, Path(path).suffix
    text = Path(f"workflow/report/{caption or stem}.rst").read_text(encoding="utf-8")
    kind = {".svg": "figure", ".csv": "table", ".json": stem}[ending]
    label = f"{read_caption(stem, text).title} ({kind})"
    return report(
        path, caption=f"../report/{caption or stem}.rst", category=document, labels={"shows": label}
    )


def table(name, path, document=None):
    """Return a table for a rule to make, by its name in the rule, with its digest, which is written beside it."""
    return {name: shown(path, document) if document else path, f"{name}_digest": path + SUFFIX}


def tables_of(step, *names):
    """Return tables of a rule for another to read, with their digests, which are compared before a table is believed."""
    return {key: step.output[key] for name in names for key in (name, f"{name}_digest")}


def numbers_of(*figures):
    """Return the numbers of figures for a rule to make: they lie beside the figures, under the same names."""
    tables = [table(name, f"<results>/figures/{name}.csv") for name in figures]
    return {key: path for numbers in tables for key, path in numbers.items()}


DRAWINGS = {}  # of each experiment that has figures


def draw(experiment, document, figures, tables=()):
    """Let an experiment's figures be drawn, each from its numbers and the tables that all of them need.

    The figures are a mapping to what draws them: `module.function`, in the experiment's own folder.
    """
    drawn_in = sorted({function.partition(".")[0] for function in figures.values()})
    code = [f"src/nontrivial/experiments/{experiment}/{module}.py" for module in drawn_in]
    DRAWINGS[experiment] = SimpleNamespace(document=document, figures=figures, tables=dict(tables), code=code)


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
    stems = [Path("src", *name.split(".")) for name in names if name.startswith("nontrivial.")]
    files = [file for stem in stems for file in (stem.with_suffix(".py"), stem / "__init__.py")]
    return [str(file) for file in files if file.is_file()]


@cache
def modules(script, *also):
    """Return every module of the package that a script depends on, so that a change in one reruns its rule.

    A module reached through another counts. The packages' own __init__ files gather names for users; they name no
    modules, so the package and the scripts import from the modules themselves.
    """
    found, waiting = set(also), [f"workflow/scripts/{script}.py", *also]
    while waiting:
        new = set(imported(waiting.pop())) - found
        found |= new
        waiting += new
    return sorted(found)


@cache
def digest_of_code(script):
    """Return what changes with any module that a script depends on: for a rule of so many jobs that its modules as inputs
    of each would be most of what the engine plans with.
    """
    return sha256("".join(map(sha256_of, modules(script))).encode("ascii")).hexdigest()


def chunk_datasets(suffix):
    """Return a function that names the files of one kind of a chunk's data sets."""
    return lambda wildcards: [
        f"<results>/data/{name}.{suffix}"
        for name in sorted({task.dataset for task in PLAN.chunks[wildcards.chunk]})
    ]


def chunk_openml(suffix):
    """Return a function that names the files of one kind of a chunk's OpenML tasks."""
    return lambda wildcards: [
        f"<results>/data/{dataset_name(number)}.{suffix}" for number in PLAN.openml.get(wildcards.chunk, ())
    ]


def jobs_behind(targets):
    """Return the jobs that it takes to make the targets, rule by rule in the order of the rule files."""
    steps = dict(enumerate(workflow.rules, start=1))
    patterns = {place: step for place, step in steps.items() if step.wildcard_names}
    makers = {str(path): place for place in steps.keys() - patterns.keys() for path in steps[place].output}
    jobs, waiting, seen = {}, list(targets), set()
    while waiting:
        target = waiting.pop()
        if target in seen:
            continue
        seen.add(target)
        place = makers.get(target) or next(
            (i for i, step in patterns.items() if step.is_producer(target)), None
        )
        if place is None:
            continue  # a file of the project
        step, wildcards, inputs, makes = steps[place], Wildcards(), steps[place].input, steps[place].output
        if place in patterns:
            wildcards = Wildcards(fromdict=step.get_wildcards(target))
        key = (place, *wildcards)
        if key not in jobs:
            if place in patterns:
                inputs, makes = step.expand_input(wildcards)[0], step.expand_output(wildcards)[0]
            reads = dict.fromkeys([*map(str, inputs), *modules(Path(step.script).stem)])
            jobs[key] = Job(
                "/".join([step.name, *wildcards]),
                step.name,
                f"workflow/scripts/{Path(step.script).name}",
                reads=tuple(reads),
                makes=tuple(map(str, makes)),
                parameters={
                    name: value(wildcards) if callable(value) else value
                    for name, value in step.params.items()
                    if name != "code"  # which is among what it reads
                },
            )
            waiting += jobs[key].reads
    return [jobs[key] for key in sorted(jobs)]


def absent(paths):
    return [path for path in paths if not os.path.exists(path)]


def lost(jobs):
    """Return files that are not there, of which the engine would not notice as long as what was made of them is.

    One file makes a job run, and that job asks for all that it reads: so there are few of them before a study's first
    job, and none when it is whole. To name every result takes the engine minutes where there are many.
    """
    missing = [(job, absent(job.makes)) for job in jobs]
    asked_for = {path for job, files in missing if files for path in job.reads}
    return [files[0] for _, files in missing if files and asked_for.isdisjoint(files)]


def millions_of_cells(wildcards, input):
    """Return how much there is to train on in a chunk. A task costs as much as 30,000 cells do, and its cells."""
    downloaded = map(cells_recorded, input.records)  # not in the plan, which has 0 there
    cells = [task.cells for task in PLAN.chunks[wildcards.chunk]]
    return sum(size + 30_000 for size in [*cells, *downloaded] if size) / 1e6


def cells_recorded(path):
    """Return the cells of a downloaded data set; 0 where its record is damaged, which the job that reads it says."""
    os.stat(path)  # fails where there is none yet, and names it: then the engine asks again later
    try:
        record = read_record(path)
    except DamagedFile:
        return 0
    return record["rows"] * record["features"]


def largest_first(wildcards, input):
    """Return a priority that lets the longest training start first, so that none of them is left over at the end.

    Priorities are set when the run is planned: what is not there by then has none throughout.
    """
    there = all(os.path.exists(path) for path in input.records)
    return millions_of_cells(wildcards, input) if there else 0


def memory(peak, per_million_cells=0):
    """Return a function for `mem_mb`, from the peak in MB that a rule's script was measured to have.

    A job asks for half as much again, and for what its two Snakemakes take on the node of a cluster; at each
    attempt for as much more.
    """

    def ask(wildcards, input, attempt):
        data = per_million_cells and per_million_cells * millions_of_cells(wildcards, input)
        return attempt * math.ceil(ENGINE_MB + 1.5 * (peak + data))

    return ask


def runtime(seconds, per_million_cells=0):
    """Return a function for `runtime`, in minutes, from the seconds of one core that a rule was measured to take.

    A job asks for three times as much, and five minutes to start in; at each attempt for as much more.
    """

    def ask(wildcards, input, attempt):
        data = per_million_cells and per_million_cells * millions_of_cells(wildcards, input)
        return attempt * math.ceil(5 + 3 * (seconds + data) / 60)

    return ask


def print_failures(logs):
    """Repeat the reason of each failed job, so that it is the last thing on the screen; or how to go on."""
    text = "".join(Path(path).read_text(encoding="utf-8", errors="replace") for path in logs)
    interrupted = "Terminating processes on user request" in text
    failures = re.findall(r"^Error in rule\s(\w+):\n(?:    .*\n)*?    log: (\S+)", text, flags=re.MULTILINE)
    if not failures:  # with --quiet the engine does not write of them
        failed = [job for job in workflow.scheduler.failed if not job.is_group() and job.log]
        failures = sorted((job.rule.name, str(job.log[0])) for job in failed)
    for rule, path in dict.fromkeys(failures):
        written = Path(path).read_text(encoding="utf-8", errors="replace") if Path(path).exists() else ""
        reason = written.strip().rpartition("\n")[2]
        if interrupted and reason in ("", "KeyboardInterrupt"):
            continue  # it was stopped, and did not fail
        reason = re.sub(
            r"^(nontrivial[\w.]*|ValueError): ", "", reason or "it left no message"
        )  # sentences that need no name of an error
        say([f"{rule} failed: {reason} (whole log: {path})"], err=True)
    if interrupted:
        say(
            ["interrupted; go on with: snakemake --unlock, then the same command with --rerun-incomplete"],
            err=True,
        )


def print_page():
    """Name the page that a whole study ends in, so that it is the last thing on the screen."""
    page = Path(config["results"], "report", "index.html")
    if page.is_file() and Quietness.ALL not in (workflow.output_settings.quiet or ()):
        say([f"The study's page: {page}"], err=True)
