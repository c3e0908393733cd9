"""The command ``nontrivial score``."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.layouts import usual_names
from nontrivial.reading.options import BEST_THRESHOLD
from nontrivial.scorecard.estimates.verdicts import QUESTION_NAMES
from nontrivial.terminal import OnceEach, check_output, format_of, json_text, say, write_output

_Option = Callable[[Callable[..., int]], Callable[..., int]]
FORMATS = {".txt": "text", ".json": "json", ".html": "html", ".csv": "csv"}


def _known(*roles: str) -> str:
    names = [name for role in roles for name in usual_names(role)]
    return f"[default: {', '.join(names[:-1])} or {names[-1]}]"


def _column(option: str, says: str, *, multiple: bool = False) -> _Option:
    return click.option(option, metavar="COL", multiple=multiple, help=says)


def _number(option: str, metavar: str, says: str) -> _Option:
    return click.option(option, type=float, metavar=metavar, help=says)


def _number_or_best(context: click.Context, option: click.Parameter, value: str | None) -> float | str | None:
    try:
        return value if value is None or value == BEST_THRESHOLD else float(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is neither a number nor {BEST_THRESHOLD}.", context, option
        ) from None


def _choice(option: str, choices: Sequence[str], says: str) -> _Option:
    return click.option(option, type=click.Choice(choices), help=says)


@click.command(cls=OnceEach)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@_column("--truth", f"Column of the true labels. {_known('truth', 'truth or prediction')}")
@_column("--score", f"Column of the scores; give it once for each model. {_known('score')}", multiple=True)
@_column("--confidence", "Column of confidences in the predicted labels, of two classes.", multiple=True)
@_column(
    "--prediction",
    f"Column of predicted labels or numbers, for each model. {_known('prediction')}",
    multiple=True,
)
@_column(
    "--by",
    f"Score the rows of each value of this column separately; none: do not. {_known('model')}",
    multiple=True,
)
@_column("--weight", "Column of the weights of the cases.")
@_column(
    "--group",
    "Column that says which cases belong together, such as the rows of a patient; none: no cases do.",
)
@_column("--id", "Column that numbers the cases; row: all files have the same cases in the same order.")
@click.option(
    "--positive",
    metavar="LABEL",
    help="The positive label. [default: the usual one of two, such as 1 of 0 and 1, or yes of no and yes]",
)
@click.option(
    "--threshold",
    metavar=f"NUMBER|{BEST_THRESHOLD}",
    callback=_number_or_best,
    help=f"Predict positive if the score is at least this; {BEST_THRESHOLD}: where it costs least, judged on cases "
    "that the threshold was not chosen on. [default: the file's predictions; without them, 0.5 if all scores lie in "
    "[0, 1], and 0 if they have both signs]",
)
@_number(
    "--cost",
    "RATIO",
    "How many false alarms a missed positive costs. Judges the labels under these costs; without --threshold, "
    "probabilities of at least 1 / (1 + RATIO) are positive.",
)
@_choice(
    "--question",
    QUESTION_NAMES,
    "Order the models, and apply --require, by the verdict on this question. [default: the first that all answer]",
)
@_choice(
    "--require",
    ["better", "not-worse"],
    "Exit with status 1 unless each model, and each subgroup, is better, or is not worse, than trivial.",
)
@_choice(
    "--task",
    ["classification", "regression"],
    "Whether classes or numbers are predicted. [default: regression if the truth holds numbers that are not whole, or "
    "more than 50 different numbers]",
)
@_number("--quantile", "SHARE", "Judge the predicted numbers as forecasts of this quantile, by its loss.")
@click.option(
    "--separator",
    metavar="CHARACTER",
    help="What separates the columns of a text file. [default: comma, semicolon or tab, the most frequent one in its "
    "first line]",
)
@_choice("--decimal", [".", ","], "The decimal mark of numbers in text. [default: as the cells show]")
@click.option("--encoding", help="Encoding of a text file, such as latin-1. [default: utf-8]")
@click.option(
    "--sheet", metavar="NAME", help="The sheet of a workbook. [default: the only one that has cells]"
)
@_choice(
    "--missing", ["refuse", "drop"], "Refuse missing values, or leave out their cases. [default: refuse]"
)
@click.option("--all", "every", is_flag=True, help="Print every measure, area and loss with its interval.")
@click.option("--explain", is_flag=True, help="Print every test, method, assumption and note.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS.values()]),
    help="Format of the output; csv: a row for each model and measure. [default: by the ending of --output (.txt, "
    ".json, .html or .csv), else text]",
)
@click.option("--output", type=click.Path(), help="Write to this file. [default: standard output]")
def score(
    files: tuple[str, ...],
    form: str | None,
    output: str | None,
    require: str | None,
    every: bool,
    explain: bool,
    **options: Any,
) -> int:
    """Score files of predictions, one row per case.

    Says whether the probabilities, the ranking and the labels are better than trivial. Compares several models: give
    several FILEs with the same cases, several columns of one FILE, or a column that tells its rows apart.

    FILE is CSV, Parquet, Feather, ARFF, JSON lines or XLSX, plain or compressed by gzip, bzip2, xz, zstd or zip; its
    first bytes say which. A minus sign is standard input. Every row counts once unless --weight names a column.

    For three or more classes, FILE needs predicted labels, a column of probabilities for each class, named CLASS,
    p_CLASS or prob_CLASS, or the scores of one class, with --score and --positive.

    \b
    nontrivial score predictions.csv --truth y --score p --positive yes
    nontrivial score predictions.csv --positive yes --cost 24 --require better
    nontrivial score predictions.csv --score p_new --score p_old --positive yes
    nontrivial score new.csv.gz old.csv.gz --group patient --output card.html
    """
    from nontrivial.reading.files import STANDARD_INPUT
    from nontrivial.scorecard.scored import score_files

    for file in files:
        check_output(output, reads="/dev/stdin" if file == STANDARD_INPUT else file, name="--output")
    asked_form, form = form, form or format_of(output, FORMATS, name="--output")
    try:
        scored = score_files(files, progress=True, **options)
    except UnsettledError as error:
        others = {"require": require, "format": asked_form, "output": output}
        given = {name: value for name, value in {**options, **others}.items() if value not in (None, ())}
        raise ValueError(error.with_command(files, given)) from None
    if form == "json":
        text = json_text(scored.to_json())
    elif form == "csv":
        text = scored.to_frame().to_csv(index=False, lineterminator="\n")
    else:
        text = scored.to_html() if form == "html" else scored.to_text(every=every, explain=explain)
    write_output(output, text)
    failing = [] if require is None else scored.failing(require, options["question"])
    if failing:
        say([f"--require {require} does not hold: {'; '.join(failing)}."], err=True)
    return int(bool(failing))
