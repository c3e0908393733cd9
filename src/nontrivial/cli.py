"""The command ``nontrivial``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from nontrivial.scorecard.columns import PREDICTION, SCORE, TRUTH

EXIT_CODES = {"good": 0, "mismatch": 1, "incomplete": 2}


class _PlainErrors(click.Group):
    """A group that says what is wrong in one sentence on stderr, and then exits with 2."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(2)
        except click.ClickException as error:
            click.echo(f"nontrivial: {_sentence(error.format_message())}", err=True)
            sys.exit(2)
        except click.Abort:
            click.echo("nontrivial: interrupted.", err=True)
            sys.exit(130)
        except OSError as error:
            click.echo(f"nontrivial: {error.filename} cannot be used: {error.strerror}.", err=True)
            sys.exit(2)
        except ValueError as error:
            click.echo(f"nontrivial: {_sentence(str(error))}", err=True)
            sys.exit(2)
        sys.exit(code if isinstance(code, int) else 0)


def _sentence(text: str) -> str:
    line = " ".join(text.split())
    return line if line.endswith((".", "?", "!")) else f"{line}."


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
@click.option("--positives", type=int, required=True, help="How many of the cases are positive.")
@click.option("--n", type=int, required=True, help="How many cases there are.")
def published(error: str | None, accuracy: str | None, positives: int, n: int) -> None:
    """Say what a published error rate or accuracy is worth.

    \b
    nontrivial published --error 0.273 --positives 81 --n 306
    """
    from nontrivial.measures.published import published_advantage

    if (error is None) == (accuracy is None):
        raise click.UsageError("Give exactly one of --error and --accuracy.")
    name, printed = ("error", error) if accuracy is None else ("accuracy", accuracy)
    record = published_advantage(**{name: _share(printed, name)}, positives=positives, n=n)
    trivial = min(positives, n - positives)
    rows = {
        f"published {name}": f"{printed}, on {n} cases with {positives} positives",
        "trivial error": f"{record.trivial_error:.4f} (always predicting the majority)",
        "prediction advantage": f"{record.advantage:z.4f} ({record.low:z.4f} to {record.high:z.4f} by its digits)",
        "meaning": _meaning(record, trivial),
        "as one table": _possibility(record, trivial, printed, n),
    }
    width = max(map(len, rows)) + 1
    for title, text in rows.items():
        click.echo(f"{title + ':':{width}}  {text}")


def _share(printed: str, name: str) -> str:
    """Turn a printed percentage into a share without losing digits; leave any other number in [0, 1] as it is."""
    from nontrivial.audit.stated import Printed
    from nontrivial.measures.printed import read_printed

    share = printed
    if printed.rstrip().endswith("%"):
        number = Printed.parse(printed)
        decimals = len(str(number.unit.denominator)) - 1
        share = f"{float(number.value):.{decimals}f}"
    value, _ = read_printed(share, None, f"--{name}")
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
@click.option("--deep", is_flag=True, help="Do the tests of the claims again, on the tables as they stand.")
@click.option("--claim", metavar="ID", help="Verify this one claim, and the files it rests on.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def verify(results: Path | None, deep: bool, claim: str | None, form: str) -> int:
    """Verify a study: its files, and the verdict of every claim.

    RESULTS is the folder of its results; by default the current folder if it is one, else results.

    Exits with 0 if all is as recorded, with 1 if something is not, and with 2 if something is missing. The tables
    themselves are not computed again, whatever the options: for that, run the study again and compare.
    """
    from nontrivial.audit.verify import verify as verify_results

    if results is None:
        results = Path() if Path("claims", "verdicts.json").exists() else Path("results")
    outcome = verify_results(results, deep=deep, claim=claim)
    if form == "json":
        report = {
            "outcome": outcome.outcome,
            "files": outcome.files,
            "verdicts": outcome.verdicts,
            "beyond": outcome.beyond,
            "problems": [vars(problem) for problem in outcome.problems],
        }
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        for problem in outcome.problems:
            click.echo(f"{problem.kind}: {problem.place} {problem.text}")
        counts = ", ".join(f"{count} {verdict}" for verdict, count in outcome.verdicts.items())
        n_claims = sum(outcome.verdicts.values())
        plural = "" if n_claims == 1 else "s"
        beyond = f"; and {outcome.beyond} beyond the documents" if outcome.beyond else ""
        click.echo(
            f"{outcome.outcome}: {outcome.files} files, {n_claims} claim{plural} ({counts or 'none'}){beyond}."
        )
    return EXIT_CODES[outcome.outcome]


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--truth", metavar="COL", help=f"Column of the true labels. {_known(TRUTH)}")
@click.option("--score", metavar="COL", help=f"Column of the scores. {_known(SCORE)}")
@click.option("--prediction", metavar="COL", help=f"Column of the predicted labels. {_known(PREDICTION)}")
@click.option("--positive", metavar="LABEL", help="The positive label. [default: the greater of two]")
@click.option(
    "--threshold",
    type=float,
    metavar="NUMBER",
    help="Predict positive from this score on. [default: the file's predictions, or else 0.5 if all scores lie in "
    "[0, 1] and 0 if not]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    help="[default: json or html where --output ends in .json or .html, else text]",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file, in a folder that exists. [default: standard output]",
)
def score(file: Path, form: str | None, output: Path | None, **options: Any) -> None:
    """Score a CSV or Parquet FILE of predictions, one row per case.

    Gives every measure with its interval, and says whether the predictions are better than trivial. Commas, semicolons
    or tabs divide the columns of a CSV file. Every row counts once: a column of weights is not used. Of three or more
    classes it takes predicted labels, or the score of one class, with --score and --positive.

    \b
    nontrivial score predictions.csv --truth y --score p --positive yes
    """
    from nontrivial.files import write_text
    from nontrivial.scorecard.card import make_scorecard
    from nontrivial.scorecard.predictions import read_predictions

    if output is not None and not output.parent.is_dir():
        raise ValueError(f"--output is {output}, but there is no folder {output.parent}; make it first.")
    form = form or _format_of(output)
    predictions = read_predictions(file, **options)
    card = make_scorecard(predictions)
    if form == "json":
        text = json.dumps(card.to_json(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    elif form == "html":
        from nontrivial.scorecard.page import render_page

        text = render_page(card, predictions)
    else:
        from nontrivial.scorecard.text import render_text

        text = render_text(card)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)


def _format_of(output: Path | None) -> str:
    """Return the format that the ending of a file stands for."""
    return {".json": "json", ".html": "html"}.get("" if output is None else output.suffix.lower(), "text")
