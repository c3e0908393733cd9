"""The command ``nontrivial published``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from nontrivial.terminal import (
    OnceEach,
    check_output,
    format_of,
    json_text,
    listed,
    say,
    write_output,
)

OPTIONS = {
    ("--error",): "The error rate as printed, such as 0.273 or 27.3%; trailing zeros count.",
    ("--accuracy",): "The accuracy as printed.",
    ("--recall", "--sensitivity"): "The recall, or sensitivity.",
    ("--specificity",): "The specificity.",
    ("--precision", "--ppv"): "The precision, or positive predictive value.",
    ("--npv",): "The negative predictive value.",
    ("--f1",): "The F1 score.",
    ("--p4",): "The P4 metric.",
    ("--kappa",): "Cohen's kappa.",
    ("--mcc",): "The Matthews correlation coefficient.",
    ("--balanced-accuracy",): "The balanced accuracy.",
    ("--g-mean",): "The geometric mean of recall and specificity.",
    ("--informedness", "--youden"): "Informedness, or Youden's J.",
    ("--auc",): "The area under the ROC curve of the scores that became the predictions.",
    ("--dataset",): "A well-known data set, such as haberman, instead of its counts.",
    ("--positives",): "How many of the cases are positive, or their share, such as 26.5%.",
    ("--n",): "How many cases there are.",
    (
        "--classes",
    ): "The number of cases of each class, such as 50,30,20, instead of --positives and --n. Of two, the "
    "first is positive, and every prediction is one of the two. With more than two, other labels may be predicted, "
    "and only the error, accuracy, balanced accuracy or kappa can be given.",
    (
        "--folds",
    ): "The number of folds, if the scores are means over the folds of a stratified cross-validation with "
    "two classes.",
}
METAVARS = {"--dataset": "NAME", "--classes": "COUNTS"}


def _with_options(function: Callable[..., None]) -> Callable[..., None]:
    for names, text in reversed(OPTIONS.items()):
        metavar = METAVARS.get(names[0], "NUMBER")
        function = click.option(*names, metavar=metavar, help=text)(function)
    return function


@click.command(cls=OnceEach)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@_with_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json", "html"]),
    help="Format of the output; csv and html are for a FILE. [default: by the ending of --output, else text]",
)
@click.option(
    "--output",
    type=click.Path(),
    help="Write to this file; its folder must exist. [default: standard output]",
)
def published(file: Path | None, form: str | None, output: str | None, **options: Any) -> None:
    """Say what published numbers are worth.

    Finds all confusion tables whose scores round to the numbers, and tests whether each is better than always
    predicting the majority. The verdict is better, worse or inconclusive. A number that begins with < or > is a limit,
    and the limit itself counts. Without the numbers of cases, it says for which data the scores are better.

    FILE is a CSV file with one classifier per row and columns named like the options, like other measures, such as
    jaccard or lift, or as papers head them, such as "Sens. (%)". An option fills in a missing column or cell.

    \b
    nontrivial published --error 0.273 --positives 81 --n 306
    nontrivial published --sensitivity 0.75 --specificity 0.92 --dataset haberman
    nontrivial published table.csv
    nontrivial published table.csv --output worth.csv
    """
    from nontrivial.published import read, render  # slow to import

    check_output(output, reads=file or "", name="--output")
    formats = {".txt": "text", ".json": "json"} | ({} if file is None else {".csv": "csv", ".html": "html"})
    form = form or format_of(output, formats, name="--output")
    if form not in formats.values():
        raise ValueError(f"--format is {form}, which is for a FILE; use text or json.")
    if file is None:
        fields = read.read_published(options, lambda name: f"--{name.replace('_', '-')}")
        text = json_text(fields) if form == "json" else "\n".join(render.describe(fields))
    else:
        table = read.read_table(file, options)
        text = {
            "text": lambda: "\n".join(render.to_text(table)),
            "csv": lambda: render.to_csv(table),
            "json": lambda: json_text(table.rows),
            "html": lambda: render.to_page(table),
        }[form]()
        strange = [name for name in table.unread if form in ("csv", "json") or name != table.label]
        if strange:
            line = (
                f"{file.name} has columns that are neither scores nor counts: {listed(map(repr, strange))}."
            )
            say([f"nontrivial: {line}"], err=True)
    if output is None:
        say(text.rstrip("\n").split("\n"))
    else:
        write_output(output, text.rstrip("\n") + "\n")
