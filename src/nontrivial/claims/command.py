"""The command ``nontrivial claims``: the verdicts on a registry of one's own, without a study."""

from pathlib import Path

import click

from nontrivial import terminal

CLAIMS_FORMATS = {".txt": "text", ".json": "json", ".html": "html"}


@click.command(cls=terminal.OptionsOnceCommand)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--names", is_flag=True, help="List the names that a claim may use, and what each of them is.")
@click.option("--results", type=click.Path(path_type=Path), metavar="DIR", help="Results of a study.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*CLAIMS_FORMATS.values()]),
    help="[default: by the ending of --output, .txt, .json or .html; else text]",
)
@click.option("--output", type=click.Path(), help="Write to this file. [default: standard output]")
def claims(file: Path | None, names: bool, results: Path | None, form: str | None, output: str | None) -> int:
    """Judge the claims of a YAML FILE, or of a folder of such files.

    A claim is about confusion tables, pairs of them, forecasts of labels, rankings, or printed numbers. Each gets
    its verdict with a proof or the smallest counterexample. A claim that fails gets the condition under which it holds,
    if one is found. Claims about a study's tables are not evaluated without the study's --results.

    Exits with 0 if all claims were judged, whatever the verdicts, and with 2 if an entry is wrong. A sentence names
    each wrong entry with its line.

    \b
    nontrivial claims claims.yaml
    nontrivial claims claims.yaml --output claims.html
    nontrivial claims config/claims --results results
    nontrivial claims --names
    """
    if names:
        from nontrivial.claims.claim import known_names

        for over, lines in known_names().items():
            width = max(map(len, lines))
            terminal.print_lines([f"{over}:", *(f"  {name:{width}}  {line}" for name, line in lines.items()), ""])
        return 0
    if file is None:
        raise click.UsageError("Name a FILE or a folder of claims, or ask for --names.")
    from nontrivial.claims.judge import judge_registry
    from nontrivial.claims.rendering import render_verdict_page, render_verdict_text

    terminal.check_output_path(output, reads=file, name="--output")
    form = form or terminal.output_format(output, CLAIMS_FORMATS, name="--output")
    try:
        judged = judge_registry(file, results)
    except ValueError as error:
        wrong = terminal.hide_logins(str(error)).splitlines()
        if len(wrong) == 1:
            raise
        terminal.print_lines(wrong, err=True)
        return 2
    if form == "json":
        text = terminal.json_text(judged.to_json())
    else:
        text = render_verdict_page(judged) if form == "html" else render_verdict_text(judged)
    terminal.write_output(output, text)
    return 0
