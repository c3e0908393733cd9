# Validation, and functions that compute inputs. Nothing else belongs here.

import math
import os
import shlex
import sys
from functools import cache
from pathlib import Path

from snakemake.utils import update_config

from nontrivial.files import find_files, read_json, sha256_of
from nontrivial_study.config import OWN, find_path, find_project, load_study
from nontrivial_study.declarations import experiment_of, load_experiments
from nontrivial_study.experiments.additions import external_settings
from nontrivial_study.experiments.tasks.tasks import dataset_name
from nontrivial_study.provenance.run import project_files
from nontrivial_study.report.figures import display_name, read_caption
from nontrivial_study.workflow import describe_outputs, digest_of, digest_of_files, failures

ENGINE_MB = 350  # what the two Snakemakes of a job on a cluster take beside its script

# Snakemake hands the interpreter's path to a shell without quotes, so that one with a blank would not be found.
if os.path.exists(sys.executable):
    sys.executable = shlex.quote(sys.executable)

try:
    PROJECT = find_project(workflow.current_basedir)
    STUDY = load_study(config, PROJECT, update_config, thorough=workflow.is_main_process)
except ValueError as error:
    sys.exit(f"The study cannot start. {error}")
PLAN, PUBLISHED, CLAIMS = STUDY.plan, STUDY.published, STUDY.claims
# Those that need no listing come first, since the others read what they make.
EXPERIMENTS = [name for name, experiment in load_experiments().items() if not experiment.listed]
EXPERIMENTS += [name for name in config["experiments"] if name != "claims"]


def project_path(path):
    """Return a path of the project, which need not be the folder of work and is no place for results."""
    return local(os.path.join(PROJECT, path))


def shown(path, document, caption):
    """Give a result its place in Snakemake's report: under its document, by the heading of its caption, a file.

    One label holds all: of two, the report makes a switch where it happens to find as many of the one value as of the
    other.
    """
    stem, ending = Path(path).stem, Path(path).suffix
    kind = {".svg": "figure", ".csv": "table", ".json": stem}[ending]
    return report(
        path,
        caption=f"../../{caption}",
        category=display_name(document),
        labels={"shows": f"{title_of(caption)} ({kind})"},
    )


@cache
def title_of(caption):
    return read_caption(caption, Path(project_path(caption)).read_text(encoding="utf-8")).title


def records(names):
    """Return the records of data sets, for a rule to make, each in Snakemake's report."""
    return [shown(path, "Data", "workflow/report/data_set.rst") for path in data("json", names)]


def data(kind, names):
    """Return the files of one kind of data sets."""
    return [f"<results>/data/{name}.{kind}" for name in names]


def predictions(batches):
    """Return the files of the predictions of batches, or of the batches that tasks are in."""
    return [f"<results>/predictions/{batch}.parquet" for batch in batches]


# All that rules make, for others to read. As texts: where a rule names thousands of other rules' outputs as such, the
# engine's time goes with the square of their number.
TABLES, FIGURES = [], []
DRAWN = {}  # the figures of each experiment
INTERMEDIATE = []  # what an experiment makes on the way


def caption_of(result):
    """Return the caption of a table or figure, a file of the project."""
    return f"src/nontrivial_study/experiments/{experiment_of(result).name}/captions/{result}.rst"


def table(name):
    """Return a table that an experiment declares, for a rule to make, in Snakemake's report."""
    path = f"<results>/tables/{name}.csv"
    TABLES.append(path)
    return shown(path, experiment_of(name).document_of(name), caption_of(name))


def numbers_of(*figures):
    """Return the numbers of figures that an experiment declares, for a rule to make. The figures are then drawn.

    The numbers lie beside the figures, under the same names.
    """
    for name in figures:
        FIGURES.extend(f"<results>/figures/{name}.{ending}" for ending in ("csv", "svg", "pdf", "png"))
        DRAWN.setdefault(experiment_of(name).name, []).append(name)
    return [f"<results>/figures/{name}.csv" for name in figures]


def chunk_data(kind):
    """Return a function that names the files of one kind of a chunk's data sets."""
    return lambda wildcards: data(kind, sorted({task.dataset for task in PLAN.tasks_of(wildcards.chunk)}))


def millions_of_cells(wildcards, input):
    """Return how much there is to train on in a chunk. A task costs as much as 30,000 cells do, and its cells.

    Of OpenML's tasks the records tell. If one is not there yet, the error names it, and Snakemake asks again later.
    """
    cells = [task.cells for task in PLAN.tasks_of(wildcards.chunk)]
    if wildcards.chunk in PLAN.openml:
        cells = [record["rows"] * record["features"] for record in map(read_json, input.records)]
    return sum(size + 30_000 for size in cells) / 1e6


def largest_first(wildcards, input):
    """Return a priority that lets the longest training start first, so that it does not run alone at the end.

    Snakemake sets priorities when it plans a run. A batch whose records are not there by then has none.
    """
    there = wildcards.chunk not in PLAN.openml or all(map(os.path.exists, input.records))
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
