"""The command ``nontrivial``."""

from __future__ import annotations

import contextlib
import os
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

import click

from nontrivial.extras import naming_extras
from nontrivial.options import Name, Number, WholeNumber
from nontrivial.scorecard.columns import PREDICTION, SCORE, TRUTH
from nontrivial.terminal import json_text, say, shortened

FORMATS = {".txt": "text", ".json": "json", ".html": "html"}
EXIT_CODES = {"good": 0, "mismatch": 1, "incomplete": 2}
MOST_CHARACTERS = 2000  # of a sentence


class _PlainErrors(click.Group):
    """A group that says what is wrong in one sentence on stderr, and then exits with 2."""

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
        except BrokenPipeError:
            _discard_output()
            sys.exit(1)  # as click does: the reader has enough
        except OSError as error:
            _discard_output()
            name = error.filename or "standard output"
            _fail(f"{name} cannot be used: {error.strerror or error}")
        except ValueError as error:
            _fail(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _fail(text: str) -> NoReturn:
    line = shortened(" ".join(text.split()), MOST_CHARACTERS)
    say([f"nontrivial: {line if line.endswith(('.', '?', '!')) else line + '.'}"], err=True)
    sys.exit(2)


def _discard_output() -> None:
    """Keep Python from writing the rest of the output when it ends, where that has just failed."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _known(names: tuple[str, ...]) -> str:
    return f"[default: {', '.join(names[:-1])} or {names[-1]}]"


@click.group(cls=_PlainErrors)
@click.version_option(package_name="nontrivial")
def main() -> None:
    """Is a model, or a published number, better than trivial?"""


@main.command()
@click.option(
    "--error",
    metavar="NUMBER",
    help="The published error rate as printed, such as 0.273 or 27.3%: its digits count.",
)
@click.option("--accuracy", metavar="NUMBER", help="The published accuracy instead, as printed.")
@click.option("--positives", type=WholeNumber(), required=True, help="How many of the cases are positive.")
@click.option("--n", type=WholeNumber(), required=True, help="How many cases there are.")
def published(error: str | None, accuracy: str | None, positives: int, n: int) -> None:
    """Say what a published error rate or accuracy is worth.

    \b
    nontrivial published --error 0.273 --positives 81 --n 306
    """
    from nontrivial.measures.published import published_advantage

    rates = {"error": error, "accuracy": accuracy}
    given = [(name, rate) for name, rate in rates.items() if rate is not None]
    if len(given) != 1:
        raise click.UsageError("Give exactly one of --error and --accuracy.")
    [(name, printed)] = given
    share = _share(printed, name)
    record = published_advantage(
        error=share if name == "error" else None,
        accuracy=share if name == "accuracy" else None,
        positives=positives,
        n=n,
    )
    trivial = min(positives, n - positives)
    rows = {
        f"published {name}": f"{printed}, on {n} cases with {positives} positives",
        "trivial error": f"{record.trivial_error:.4f} (always predicting the majority)",
        "prediction advantage": f"{record.advantage:z.4f} ({record.low:z.4f} to {record.high:z.4f} by its digits)",
        "meaning": _meaning(record, trivial),
        "as one table": _possibility(record, trivial, printed, n),
    }
    width = max(map(len, rows)) + 1
    say(f"{title + ':':{width}}  {text}" for title, text in rows.items())


def _share(printed: str, name: str) -> str:
    """Turn a printed percentage into a share without losing digits; leave any other number in [0, 1] as it is."""
    from nontrivial.measures.printed import read_printed

    text = printed.strip()
    value, _ = read_printed(text.removesuffix("%"), None, f"--{name}")
    share = text
    if text.endswith("%"):
        sign, digits, exponent = Decimal(text[:-1].strip()).as_tuple()
        assert isinstance(exponent, int)  # as the number is finite
        value, share = value / 100, f"{Decimal((sign, digits, exponent - 2)):f}"
    if not 0 <= value <= 1:
        raise ValueError(
            f"--{name} is {printed!r}; it must be a share from 0 to 1, or a percentage with its sign, from 0% to 100%."
        )
    return share


def _meaning(record: Any, trivial: int) -> str:
    """Say what the number is worth, as a mean over folds and as one table, which may be known to be less than that."""
    rule = "always predicting the majority"
    if record.sign_certain:
        return f"{'better' if record.advantage > 0 else 'worse'} than {rule}"
    mean = _possible_words(record.high > 0, record.low < 0, same=True)
    untold = "cannot be told from the printed digits"
    if record.errors is None:
        return f"{untold}: {_listed(mean)} as {rule}"
    fewest, most = record.errors
    table = _possible_words(fewest < trivial, most > trivial, same=fewest <= trivial <= most)
    if table == mean:
        return f"{untold}: {_listed(mean)} as {rule}"
    one = {"better": "better than", "worse": "worse than", "the same": "the same as"}.get(_listed(table))
    as_table = f"as one table, {one or _listed(table) + ' as'} {rule}"
    return f"{as_table}; a mean over folds may differ: whether it is {_listed(mean)} {untold}"


def _possible_words(better: bool, worse: bool, *, same: bool) -> list[str]:
    words = {"better": better, "worse": worse, "the same": same}
    return [word for word, possible in words.items() if possible]


def _listed(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _possibility(record: Any, trivial: int, printed: str, n: int) -> str:
    if record.errors is None:
        return f"impossible: no number of errors among {n} cases prints as {printed}; a mean over folds may"
    fewest, most = record.errors
    rule = "always predicting the majority"
    if fewest == most == trivial:
        return f"possible, only with as many errors as {rule} makes, {trivial}"
    count = f"{most} error{'' if most == 1 else 's'}"
    return f"possible, with {count if fewest == most else f'{fewest} to {count}'}; {rule} makes {trivial}"


@main.command()
@click.argument("results", type=click.Path(path_type=Path), required=False)
@click.option("--deep", is_flag=True, help="Judge all claims again, from the tables as they are.")
@click.option("--claim", metavar="ID", help="Verify this one claim, and the files it rests on.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def verify(results: Path | None, deep: bool, claim: str | None, form: str) -> int:
    """Verify a study: its files, and the verdict of every claim.

    RESULTS is the folder of its results; by default the current folder if it is one, else results.

    Exits with 0 if all is as recorded, with 1 if something is not, and with 2 if something is missing. No option
    computes the tables again: for that, run the study again and compare.
    """
    from nontrivial.provenance.verify import verify as verify_results

    if results is None:
        results = Path() if Path("claims", "verdicts.json").exists() else Path("results")
    outcome = verify_results(results, deep=deep, claim=claim)
    if form == "json":
        report = {
            "outcome": outcome.outcome,
            "files": outcome.files,
            "verdicts": outcome.verdicts,
            "apart": outcome.apart,
            "problems": [vars(problem) for problem in outcome.problems],
        }
        lines = json_text(report).splitlines()
    else:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in outcome.verdicts.items())
        n_claims = sum(outcome.verdicts.values())
        plural = "" if n_claims == 1 else "s"
        apart = ", ".join(f"{group} {count}" for group, count in outcome.apart.items())
        lines = [
            *(f"{problem.kind}: {problem.place} {problem.text}" for problem in outcome.problems),
            f"{outcome.outcome}: {outcome.files} files, {n_claims} claim{plural} ({counts or 'none'})"
            f"{apart and f'; counted apart: {apart}'}.",
        ]
    say(lines)
    return EXIT_CODES[outcome.outcome]


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--truth", type=Name(), metavar="COL", help=f"Column of the true labels. {_known(TRUTH)}")
@click.option("--score", type=Name(), metavar="COL", help=f"Column of the scores. {_known(SCORE)}")
@click.option(
    "--prediction", type=Name(), metavar="COL", help=f"Column of the predicted labels. {_known(PREDICTION)}"
)
@click.option(
    "--positive", type=Name(), metavar="LABEL", help="The positive label. [default: the greater of two]"
)
@click.option(
    "--threshold",
    type=Number(),
    metavar="NUMBER",
    help="Predict positive from this score on. [default: the file's predictions, or else 0.5 if all scores lie in "
    "[0, 1] and 0 if not]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    help="[default: by the ending of --output, .txt, .json or .html; else text]",
)
@click.option(
    "--output",
    type=click.Path(),
    help="Write to this file, in a folder that exists. [default: standard output]",
)
def score(file: Path, form: str | None, output: str | None, **options: Any) -> None:
    """Score a CSV or Parquet FILE of predictions, one row per case.

    Gives every measure with its interval, and says whether the predictions are better than trivial. Commas, semicolons
    or tabs divide the columns of a CSV file. Every row counts once: a column of weights is not used. For three or
    more classes it takes predicted labels, or the score of one class with --score and --positive.

    \b
    nontrivial score predictions.csv --truth y --score p --positive yes
    """
    from nontrivial.outputs import check_output, write_output
    from nontrivial.scorecard.card import make_scorecard
    from nontrivial.scorecard.predictions import read_predictions

    check_output(output, reads=file, name="--output")
    form = form or _format_of(output)
    predictions = read_predictions(file, **options)
    card = make_scorecard(predictions)
    if form == "json":
        text = json_text(card.to_json()) + "\n"
    elif form == "html":
        from nontrivial.scorecard.page import render_page

        text = render_page(card, predictions)
    else:
        from nontrivial.scorecard.text import render_text

        text = render_text(card)
    if output is None:
        say(text.splitlines())
    else:
        write_output(output, text)


def _format_of(output: str | None) -> str:
    """Return the format that the ending of a file stands for."""
    if output is None or not (suffix := Path(output).suffix.lower()) or not _is_regular(output):
        return "text"
    if suffix not in FORMATS:
        raise ValueError(
            f"--output is {output!r}; the ending must be one of {', '.join(FORMATS)}, or --format must say what to "
            "write."
        )
    return FORMATS[suffix]


def _is_regular(path: str) -> bool:
    """Tell whether a path is that of a file, or of one that may be made."""
    return not os.path.exists(path) or os.path.isfile(path)
