# Validation, and functions that compute inputs. Nothing else belongs here.

import math
import os
import sys
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

from snakemake.iocontainers import Wildcards
from snakemake.utils import update_config

from nontrivial.data.http.addresses import hide_logins
from nontrivial.digests import SUFFIX
from nontrivial.experiments.ranks.compared import find_compared
from nontrivial.experiments.tasks.binary_tasks import dataset_name
from nontrivial.files import DamagedFile, find_files, sha256_of
from nontrivial.provenance.project import CHECKED, project_files
from nontrivial.records import read_record
from nontrivial.report.assets import page_parts
from nontrivial.report.captions import read_caption
from nontrivial.report.rules import rule_graph
from nontrivial.terminal import visible
from nontrivial_workflow import dependencies, engine
from nontrivial_workflow.configuration import OWN, find_path, load_study, nested
from nontrivial_workflow.dependencies import digest_of_files
from nontrivial_workflow.messages import print_failures, print_page

ENGINE_MB = 350  # what the two Snakemakes of a job on a cluster take beside its script


try:
    PROJECT = engine.project_folder(workflow)
    STUDY = load_study(
        config,
        engine.given_configuration(workflow, config),
        update_config,
        project=PROJECT,
        thorough=engine.is_main_process(workflow) and CHECKED not in os.environ,
    )
except ValueError as error:
    sys.exit(visible(hide_logins(f"The study cannot start. {error}")))
PLAN, PUBLISHED, CLAIMS = STUDY.plan, STUDY.published, STUDY.claims

digest_of_code = partial(dependencies.digest_of_code, PROJECT)
STORED = engine.has_storage(workflow)  # results are in a storage, and here only while a job needs them


def made(paths):
    """Return what other rules make, for a rule to read, as texts, of which the engine goes through tens of thousands.

    Where they name their rules, its time goes with the square of their number; a storage needs them so.
    """
    return list(paths) if STORED else list(map(str, paths))


def project_path(path):
    """Return a path of the project, which need not be the folder of work and is no place for results."""
    return local(os.path.join(PROJECT, path))


def modules(script, *also):
    """Return the modules of the package that a script depends on, for its rule to name them as inputs."""
    return list(map(local, dependencies.modules(PROJECT, script, *also)))


def shown(path, document, caption=None):
    """Give a result its place in Snakemake's report: under its document, by its caption's heading.

    The caption is that of the file's name, or the one named, which serves several files. One label holds all: of two,
    the report makes a switch where it happens to find as many of the one value as of the other.
    """
    stem, ending = Path(path).stem, Path(path).suffix
    kind = {".svg": "figure", ".csv": "table", ".json": stem}[ending]
    label = f"{title_of(caption or stem)} ({kind})"
    return report(
        path, caption=f"../report/{caption or stem}.rst", category=document, labels={"shows": label}
    )


@cache
def title_of(caption):
    text = Path(project_path(f"workflow/report/{caption}.rst")).read_text(encoding="utf-8")
    return read_caption(caption, text).title


def table(name, path, document=None):
    """Return a table for a rule to make, by its name in the rule, with its digest, which is written beside it."""
    return {name: shown(path, document) if document else path, f"{name}_digest": path + SUFFIX}


def tables_of(step, *names):
    """Return tables of a rule for another to read, with the digests that readers compare them with."""
    return {key: step.output[key] for name in names for key in (name, f"{name}_digest")}


def numbers_of(*figures):
    """Return the numbers of figures for a rule to make. They lie beside the figures, under the same names."""
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


def absent(paths):
    return [path for path in paths if not os.path.exists(path)]


def lost(jobs):
    """Return missing files for the engine to make again.

    The engine itself does not miss a file if all that was made from it is there. One file of a job is enough, since
    the engine then makes the others and asks for what the job reads. Naming every result would be correct too, but
    takes the engine minutes in a large study.
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
    """Return the cells of a downloaded data set, 0 if its record is damaged or in a storage."""
    if STORED and not os.path.exists(path):
        return 0
    os.stat(path)  # if the file is not there yet, this names it, and the engine asks again later
    try:
        record = read_record(path)
    except DamagedFile:
        return 0
    return record["rows"] * record["features"]


def largest_first(wildcards, input):
    """Return a priority that lets the longest training start first, so that it does not run alone at the end.

    The engine sets priorities when it plans a run. A batch whose records are not there by then has none.
    """
    there = all(os.path.exists(path) for path in input.records)
    return millions_of_cells(wildcards, input) if there else 0


def memory(peak, per_million_cells=0):
    """Return a function for `mem_mb`, from the peak in MB that a rule's script was measured to have.

    A job asks for half as much again, and for what its two Snakemakes take on the node of a cluster. Its second
    attempt asks for twice as much, its third for three times as much.
    """

    def ask(wildcards, input, attempt):
        data = per_million_cells and per_million_cells * millions_of_cells(wildcards, input)
        return attempt * math.ceil(ENGINE_MB + 1.5 * (peak + data))

    return ask


def runtime(seconds, per_million_cells=0):
    """Return a function for `runtime`, in minutes, from the seconds of one core that a rule was measured to take.

    A job asks for three times as much, and for five minutes to start in. Its second attempt asks for twice as much,
    its third for three times as much.
    """

    def ask(wildcards, input, attempt):
        data = per_million_cells and per_million_cells * millions_of_cells(wildcards, input)
        return attempt * math.ceil(5 + 3 * (seconds + data) / 60)

    return ask
