"""The command ``nontrivial published``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from nontrivial import terminal
from nontrivial.published.names import NAMES_IN_RESULTS, OPTION_HELP


def _normalize_option(word: str) -> str:
    """Return the main name of an option for any of its names; return other words unchanged."""
    name = NAMES_IN_RESULTS.get(word.replace("-", "_"))
    return word if name is None else name.replace("_", "-")


class _SpellingCommand(terminal.OptionsOnceCommand):
    """A command that remembers how the user spelled each option, so that errors repeat this spelling."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = [option.partition("=")[0] for option in args if option.startswith("--")]
        ctx.obj = {_normalize_option(option[2:]).replace("-", "_"): option for option in options}
        return super().parse_args(ctx, args)


def _add_number_options(function: Callable[..., None]) -> Callable[..., None]:
    for names, text in reversed(OPTION_HELP.items()):
        options = [f"--{name.replace('_', '-')}" for name in names]
        function = click.option(*options, metavar="VALUE", help=text)(function)
    return function


@click.command(cls=_SpellingCommand, context_settings={"token_normalize_func": _normalize_option})
@click.argument("file", type=click.Path(path_type=Path), required=False)
@_add_number_options
@click.option(
    "--stratified",
    is_flag=True,
    help="The folds are stratified as scikit-learn does it; otherwise other even folds are allowed, too.",
)
@click.option("--explain", is_flag=True, help="Add the tests, p-values, bounds and assumptions to a text.")
@click.option("--separator", metavar="CHARACTER", help="What separates the columns of a text FILE.")
@click.option("--encoding", metavar="NAME", help="Encoding of a text FILE, such as latin-1.")
@click.option("--sheet", metavar="NAME", help="Sheet of a workbook.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json", "html"]),
    help="Format of the output; csv and html are for a FILE. [default: by the ending of --output, else text]",
)
@click.option(
    "--output", type=click.Path(), help="Write to this file; its folder must exist. [default: standard output]"
)
@click.pass_obj
def published(
    spelling: dict[str, str],
    /,
    file: Path | None,
    stratified: bool,
    explain: bool,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Say what published numbers are worth.

    Finds all confusion tables whose scores round to the numbers, and tests whether each is better than always
    predicting the majority. The verdict is better, worse, inconclusive or impossible. A number that begins with < or >
    is a limit, and the limit itself counts; 85-91 is a range, and 62/68 a count. Without the numbers of cases, the sign
    of the Prediction Advantage decides, if the scores bound it.

    FILE is a table, such as CSV or XLSX, with one classifier per row. Its columns have names of options, names of other
    measures, such as jaccard or lift, or headings of papers, such as "Sens. (%)" or "Malignant". An option fills in a
    missing column or cell. Column headings used in papers also work as options, such as --sens.

    \b
    nontrivial published --error 0.273 --positives 81 --n 306
    nontrivial published --sensitivity 0.75 --specificity 0.92 --dataset haberman
    nontrivial published --tp 62 --fp 18 --fn 6 --tn 45
    nontrivial published table.csv
    nontrivial published table.csv --output worth.csv
    """
    from nontrivial.published import judging, render, rows  # slow to import

    terminal.check_output_path(output, reads=file or "", name="--output")
    formats = {".txt": "text", ".json": "json"} | ({".csv": "csv", ".html": "html"} if file else {})
    form = form or terminal.output_format(output, formats, name="--output")
    if form not in formats.values():
        raise ValueError(f"--format is {form}, which is for a FILE; use text or json.")
    how = {name: options.pop(name) for name in ("separator", "encoding", "sheet")}
    if file is None:
        names = {name: f"--{name.replace('_', '-')}" for name in options} | spelling
        fields = judging.judge_numbers(options, names, stratified=stratified)
        text = terminal.json_text(fields) if form == "json" else render.describe_classifier(fields, explain=explain)
    else:
        with terminal.naming_extras():
            table = rows.judge_file(file, options, how, stratified=stratified)
        if form == "text":
            text = render.to_text(table, explain=explain)
        elif form == "json":
            text = terminal.json_text(table.rows)
        else:
            text = render.to_csv(table) if form == "csv" else render.to_page(table)
        unread = [name for name in table.unread if form in ("csv", "json") or name != table.label]
        if unread:
            columns = f"columns that are neither scores nor counts: {terminal.listed(map(repr, unread))}"
            terminal.print_lines([f"nontrivial: {file.name} has {columns}."], err=True)
    terminal.write_output(output, text)
