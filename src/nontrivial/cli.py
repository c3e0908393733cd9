"""The command ``nontrivial``."""

from __future__ import annotations

import contextlib
import os
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

import click

from nontrivial.claims.command import claims
from nontrivial.scorecard.command import score
from nontrivial.terminal import (
    OnceEach,
    WholeNumber,
    hide_logins,
    json_text,
    listed,
    naming_extras,
    say,
    shortened,
)

MOST_CHARACTERS = 2000  # of a sentence


class _PlainErrors(click.Group):
    """A group that says what is wrong in one sentence on stderr, and then exits with 2.

    Other packages add commands as entry points of the group ``nontrivial.commands``.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *entry_points(group="nontrivial.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = entry_points(group="nontrivial.commands", name=cmd_name)
        return super().get_command(ctx, cmd_name) or next((each.load() for each in found), None)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            with naming_extras():
                code = super().main(*args, **kwargs)
            if sys.stdout is not None:
                sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            say(error.format_message().splitlines(), err=True)
            sys.exit(2)
        except click.ClickException as error:
            _fail(error.format_message())
        except click.Abort:
            say(["nontrivial: interrupted."], err=True)
            sys.exit(130)
        except ModuleNotFoundError as error:
            _fail(str(error))
        except OSError as error:
            _discard_output()
            name = error.filename or "standard output"
            _fail(f"{name} cannot be used: {error.strerror or error}")
        except ValueError as error:
            _fail(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _fail(text: str) -> NoReturn:
    line = shortened(hide_logins(" ".join(text.split())), MOST_CHARACTERS)
    say([f"nontrivial: {line if line.endswith(('.', '?', '!')) else line + '.'}"], err=True)
    sys.exit(2)


def _discard_output() -> None:
    """Keep Python from writing the rest of the output when it ends, where that has just failed."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=_PlainErrors)
@click.version_option(package_name="nontrivial")
def main() -> None:
    """Is a model, or a published number, better than trivial?"""


main.add_command(claims)
main.add_command(score)


@main.command(cls=OnceEach)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--error",
    metavar="NUMBER",
    help="The error rate as printed, such as 0.273 or 27.3%; trailing zeros count.",
)
@click.option("--accuracy", metavar="NUMBER", help="The accuracy as printed.")
@click.option("--recall", "--sensitivity", metavar="NUMBER", help="The recall, or sensitivity.")
@click.option("--specificity", metavar="NUMBER", help="The specificity.")
@click.option("--precision", "--ppv", metavar="NUMBER", help="The precision, or positive predictive value.")
@click.option("--npv", metavar="NUMBER", help="The negative predictive value.")
@click.option("--f1", metavar="NUMBER", help="The F1 score.")
@click.option("--p4", metavar="NUMBER", help="The P4 metric.")
@click.option("--kappa", metavar="NUMBER", help="Cohen's kappa.")
@click.option("--mcc", metavar="NUMBER", help="The Matthews correlation coefficient.")
@click.option("--balanced-accuracy", metavar="NUMBER", help="The balanced accuracy.")
@click.option("--g-mean", metavar="NUMBER", help="The geometric mean of recall and specificity.")
@click.option("--informedness", "--youden", metavar="NUMBER", help="Informedness, or Youden's J.")
@click.option(
    "--auc", metavar="NUMBER", help="The area under the ROC curve of the scores that became the predictions."
)
@click.option("--positives", type=WholeNumber(), help="How many of the cases are positive.")
@click.option("--n", type=WholeNumber(), help="How many cases there are.")
@click.option(
    "--classes",
    metavar="COUNTS",
    help="The number of cases of each class, such as 50,30,20, instead of --positives and --n. Of two, the "
    "first is positive, and every prediction is one of the two. With more than two, other labels may be predicted, "
    "and only the error, accuracy, balanced accuracy or kappa can be given.",
)
@click.option(
    "--folds",
    type=WholeNumber(),
    help="The number of folds, if the scores are means over the folds of a stratified cross-validation with two "
    "classes.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    help="Format of the output. [default: json if --output ends in .json, else text]",
)
@click.option(
    "--output",
    type=click.Path(),
    help="Write to this file; its folder must exist. [default: standard output]",
)
def published(file: Path | None, form: str | None, output: str | None, **options: Any) -> None:
    """Say what published numbers are worth.

    Finds all confusion tables whose scores round to the numbers, and tests whether each is better than always
    predicting the majority, worse, or not shown to be either. A number that begins with < or > is a limit, and the
    limit itself counts.

    FILE is a CSV file with one classifier per row and columns named like the options, or like other measures, such as
    jaccard or lift. An option fills in a missing column or cell. The text output is then that file with more columns.

    \b
    nontrivial published --error 0.273 --positives 81 --n 306
    nontrivial published --sensitivity 0.75 --specificity 0.92 --positives 81 --n 306
    nontrivial published table.csv --output worth.csv
    """
    from nontrivial.published import (
        describe,
        read_published,
        read_rows,
        to_csv,
        to_json,
        to_json_rows,
        unread_columns,
    )
    from nontrivial.terminal import check_output, format_of, write_output

    check_output(output, reads=file or "", name="--output")
    formats = {".txt" if file is None else ".csv": "text", ".json": "json"}
    form = form or format_of(output, formats, name="--output")
    if file is None:
        numbers = read_published(options, option="--")
        text = json_text(to_json(numbers)) if form == "json" else "\n".join(describe(numbers))
    else:
        rows, papers = read_rows(file, options)
        text = json_text(to_json_rows(rows, papers)) if form == "json" else to_csv(rows, papers)
        if reasons := [each for each in papers if isinstance(each, str)]:
            say([f"nontrivial: not judged: {reason}" for reason in reasons], err=True)
        if unread := unread_columns(rows):
            columns = listed(map(repr, unread))
            line = f"{file.name} has columns that are neither scores nor counts; they are only copied: {columns}."
            say([f"nontrivial: {line}"], err=True)
    if output is None:
        say(text.rstrip("\n").split("\n"))
    else:
        write_output(output, text.rstrip("\n") + "\n")
