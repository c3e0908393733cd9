# The checked configuration, and functions that the rules call.

import math
import os
import shlex
import sys
from functools import cache
from pathlib import Path

from snakemake.utils import update_config

from nontrivial.files import find_files, read_json, sha256_of
from nontrivial_study.config import USER_SETTINGS, find_path, find_project, load_study
from nontrivial_study.declarations import experiment_of, load_experiments
from nontrivial_study.experiments.additions import external_settings
from nontrivial_study.experiments.tasks.tasks import dataset_name
from nontrivial_study.provenance.run import project_files
from nontrivial_study.report.figures import display_name, read_caption
from nontrivial_study.workflow import describe_outputs, digest_of_code, digest_of_files, describe_failures

ENGINE_MB = 350  # the memory of the two Snakemakes of a job on a cluster

# Snakemake passes the interpreter's path to a shell without quotes, so a path with a blank would fail.
if os.path.exists(sys.executable):
    sys.executable = shlex.quote(sys.executable)

try:
    PROJECT = find_project(workflow.current_basedir)
    STUDY = load_study(config, PROJECT, update_config, thorough=workflow.is_main_process)
except ValueError as error:
    sys.exit(f"The study cannot start. {error}")
PLAN, PUBLISHED, CLAIMS = STUDY.plan, STUDY.published, STUDY.claims
# Experiments that the configuration need not list come first, because the others read their results.
EXPERIMENTS = [name for name, experiment in load_experiments().items() if not experiment.listed]
EXPERIMENTS += [name for name in config["experiments"] if name != "claims"]


def project_path(path):
    """Return a path of the project as a local file, even if a storage holds the results."""
    return local(os.path.join(PROJECT, path))


def in_report(path, document, caption):
    """Show a result in Snakemake's report, under its document and the heading of its caption.

    Heading and kind of file are one label. From two labels the report would sometimes make a switch.
    """
    stem, ending = Path(path).stem, Path(path).suffix
    kind = {".svg": "figure", ".csv": "table", ".json": stem}[ending]
    return report(
        path,
        caption=f"../../{caption}",
        category=display_name(document),
        labels={"shows": f"{caption_title(caption)} ({kind})"},
    )


@cache
def caption_title(caption):
    return read_caption(caption, Path(project_path(caption)).read_text(encoding="utf-8")).title


def reported_records(names):
    """Return the records of data sets as outputs of a rule that Snakemake's report shows."""
    return [in_report(path, "Data", "workflow/report/data_set.rst") for path in data_files("json", names)]


def data_files(kind, names):
    """Return the files of one kind of data sets."""
    return [f"<results>/data/{name}.{kind}" for name in names]


def prediction_files(batches):
    """Return the files with the predictions of batches."""
    return [f"<results>/predictions/{batch}.parquet" for batch in batches]


# The outputs of all rules, for other rules to read. The paths are texts: with thousands of outputs named as
# `rules.x.output`, the engine's time would grow with the square of their number.
TABLES, FIGURES = [], []
DRAWN = {}  # the figures of each experiment, which draw.smk reads
INTERMEDIATE = []  # files that an experiment makes for its own rules


def caption_path(result):
    """Return the caption of a table or figure, a file of the project."""
    return f"src/nontrivial_study/experiments/{experiment_of(result).name}/captions/{result}.rst"


def add_table(name):
    """Add a declared table to TABLES, and return its path as an output of a rule that Snakemake's report shows."""
    path = f"<results>/tables/{name}.csv"
    TABLES.append(path)
    return in_report(path, experiment_of(name).document_of(name), caption_path(name))


def add_figures(*figures):
    """Add declared figures to FIGURES and to DRAWN, so that draw.smk draws them; return the paths of their numbers.

    The numbers are in the folder of the figures, under the same names.
    """
    for name in figures:
        FIGURES.extend(f"<results>/figures/{name}.{ending}" for ending in ("csv", "svg", "pdf", "png"))
        DRAWN.setdefault(experiment_of(name).name, []).append(name)
    return [f"<results>/figures/{name}.csv" for name in figures]


def data_files_of_chunk(kind):
    """Return a function of the wildcards that names the files of one kind of a chunk's data sets."""
    return lambda wildcards: data_files(kind, sorted({task.dataset for task in PLAN.tasks_of(wildcards.chunk)}))


def millions_of_cells(wildcards, input):
    """Return the number of cells to train on in a chunk, in millions, with 30,000 more for each task.

    The records of OpenML's tasks state their cells. If a record is missing, the error makes Snakemake ask again later.
    """
    cells = [task.cells for task in PLAN.tasks_of(wildcards.chunk)]
    if wildcards.chunk in PLAN.openml:
        cells = [record["rows"] * record["features"] for record in map(read_json, input.records)]
    return sum(size + 30_000 for size in cells) / 1e6


def largest_first(wildcards, input):
    """Return a priority by size, so that the longest training starts first and does not run alone at the end.

    Snakemake sets priorities when it plans a run. A batch whose records do not exist by then gets the priority 0.
    """
    has_records = wildcards.chunk not in PLAN.openml or all(map(os.path.exists, input.records))
    return millions_of_cells(wildcards, input) if has_records else 0


def memory(peak, per_million_cells=0):
    """Return a function for `mem_mb`, from the measured peak of a rule's script in MB.

    A job asks for 1.5 times the peak, and for the memory of its two Snakemakes on the node of a cluster. Its second
    attempt asks for twice as much, and its third for three times as much.
    """

    def megabytes(wildcards, input, attempt):
        data = per_million_cells and per_million_cells * millions_of_cells(wildcards, input)
        return attempt * math.ceil(ENGINE_MB + 1.5 * (peak + data))

    return megabytes


def runtime(seconds, per_million_cells=0):
    """Return a function for `runtime` in minutes, from the measured seconds of a rule's script on one core.

    A job asks for three times this time, and for five minutes to start. Its second attempt asks for twice as much, and
    its third for three times as much.
    """

    def minutes(wildcards, input, attempt):
        data = per_million_cells and per_million_cells * millions_of_cells(wildcards, input)
        return attempt * math.ceil(5 + 3 * (seconds + data) / 60)

    return minutes
