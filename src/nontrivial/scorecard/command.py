"""The command ``nontrivial score``."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from nontrivial import terminal
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.layouts import usual_names
from nontrivial.reading.options import BEST_THRESHOLD
from nontrivial.scorecard.estimates.judging import QUESTION_NAMES

_Decorator = Callable[[Callable[..., int]], Callable[..., int]]
FORMAT_OF_ENDING = {".txt": "text", ".json": "json", ".html": "html", ".csv": "csv"}


def _describe_default(*roles: str) -> str:
    """Write the usual names of columns that have a role: [default: score, scores or p]."""
    names = [name for role in roles for name in usual_names(role)]
    return f"[default: {', '.join(names[:-1])} or {names[-1]}]"


def _column_option(option: str, help_text: str, *, multiple: bool = False) -> _Decorator:
    return click.option(option, metavar="COL", multiple=multiple, help=help_text)


def _number_option(option: str, metavar: str, help_text: str) -> _Decorator:
    return click.option(option, type=float, metavar=metavar, help=help_text)


def _parse_number_or_best(context: click.Context, option: click.Parameter, value: str | None) -> float | str | None:
    try:
        return value if value is None or value == BEST_THRESHOLD else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number nor {BEST_THRESHOLD}.", context, option) from None


def _choice_option(option: str, choices: Sequence[str], help_text: str) -> _Decorator:
    return click.option(option, type=click.Choice(choices), help=help_text)


@click.command(cls=terminal.OptionsOnceCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@_column_option("--truth", f"Column of the true labels. {_describe_default('truth', 'truth or prediction')}")
@_column_option(
    "--score", f"Column of the scores; give it once for each model. {_describe_default('score')}", multiple=True
)
@_column_option("--confidence", "Column of confidences in the predicted labels, of two classes.", multiple=True)
@_column_option(
    "--prediction",
    f"Column of predicted labels or numbers, for each model. {_describe_default('prediction')}",
    multiple=True,
)
@_column_option(
    "--by",
    f"Score the rows of each value of this column separately; none: do not. {_describe_default('model')}",
    multiple=True,
)
@_column_option("--weight", "Column of the weights of the cases.")
@_column_option(
    "--group", "Column that says which cases belong together, such as the rows of a patient; none: no cases do."
)
@_column_option("--id", "Column that numbers the cases; row: all files have the same cases in the same order.")
@click.option(
    "--positive",
    metavar="LABEL",
    help="The positive label. [default: the usual one of two, such as 1 of 0 and 1, or yes of no and yes]",
)
@click.option(
    "--threshold",
    metavar=f"NUMBER|{BEST_THRESHOLD}",
    callback=_parse_number_or_best,
    help=f"Predict positive if the score is at least this; {BEST_THRESHOLD}: where it costs least, judged on cases "
    "that the threshold was not chosen on. [default: the file's predictions; without them, 0.5 if all scores lie in "
    "[0, 1], and 0 if they have both signs]",
)
@_number_option(
    "--cost",
    "RATIO",
    "How many false alarms a missed positive costs. Judges the labels under these costs; without --threshold, "
    "probabilities of at least 1 / (1 + RATIO) are positive.",
)
@_choice_option(
    "--question",
    QUESTION_NAMES,
    "Order the models, and apply --require, by the verdict on this question. [default: the first that all answer]",
)
@_choice_option(
    "--require",
    ["better", "not-worse"],
    "Exit with status 1 unless each model, and each subgroup, is better, or is not worse, than trivial.",
)
@_choice_option(
    "--task",
    ["classification", "regression"],
    "Whether classes or numbers are predicted. [default: regression if the truth holds numbers that are not whole, or "
    "more than 50 different numbers]",
)
@_number_option("--quantile", "SHARE", "Judge the predicted numbers as forecasts of this quantile, by its loss.")
@click.option(
    "--separator",
    metavar="CHARACTER",
    help="What separates the columns of a text file. [default: comma, semicolon or tab, the most frequent one in its "
    "first line]",
)
@_choice_option("--decimal", [".", ","], "The decimal mark of numbers in text. [default: as the cells show]")
@click.option("--encoding", help="Encoding of a text file, such as latin-1. [default: utf-8]")
@click.option("--sheet", metavar="NAME", help="The sheet of a workbook. [default: the only one that has cells]")
@_choice_option("--missing", ["refuse", "drop"], "Refuse missing values, or leave out their cases. [default: refuse]")
@click.option("--all", "every", is_flag=True, help="Print every measure, area and loss with its interval.")
@click.option("--explain", is_flag=True, help="Print every test, method, assumption and note.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMAT_OF_ENDING.values()]),
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
        terminal.check_output_path(output, reads="/dev/stdin" if file == STANDARD_INPUT else file, name="--output")
    settings = {**options, "require": require, "format": form, "output": output}
    form = form or terminal.output_format(output, FORMAT_OF_ENDING, name="--output")
    try:
        scored = score_files(files, progress=True, **options)
    except UnsettledError as error:
        chosen = {name: value for name, value in settings.items() if value not in (None, ())}
        raise ValueError(error.with_command(files, chosen)) from None
    if form == "json":
        text = terminal.json_text(scored.to_json())
    elif form == "csv":
        text = scored.to_frame().to_csv(index=False, lineterminator="\n")
    else:
        text = scored.to_html() if form == "html" else scored.to_text(every=every, explain=explain)
    terminal.write_output(output, text)
    failing = [] if require is None else scored.failing(require, options["question"])
    if failing:
        terminal.print_lines([f"--require {require} does not hold: {'; '.join(failing)}."], err=True)
    return int(bool(failing))
