"""Write the verdicts on published numbers as text, as CSV or as a page."""

import csv
import io
from collections import Counter
from collections.abc import Mapping
from importlib import resources
from textwrap import wrap
from typing import Any

from nontrivial.files import escape_formula
from nontrivial.measures.published.folds import FOLD_RULES
from nontrivial.measures.published.tables import SCORE_NAMES
from nontrivial.measures.sign_verdict import MIN_P_PRINTED, SIGNIFICANCE_LEVEL
from nontrivial.published.cells import parse_score
from nontrivial.published.judging import IMPOSSIBLE_VERDICT
from nontrivial.published.rows import NOT_JUDGED, RESULT_COLUMNS, PublishedRows
from nontrivial.published.sentences import TRIVIAL_GUESS, capitalize, ranking_sentence, score_label, span_text
from nontrivial.terminal import count_of, printable, shorten

MAX_LABEL_LENGTH = 28
LINE_WIDTH = 100
VERDICT_ORDER = ("better", "inconclusive", "worse", IMPOSSIBLE_VERDICT, NOT_JUDGED)
RULE_OF_TABLE = (
    "Better or worse: for every confusion table whose scores would be printed so, an exact sign test against "
    f"{TRIVIAL_GUESS} has p <= {SIGNIFICANCE_LEVEL}; without the numbers of cases, the sign of the Prediction "
    "Advantage decides. Impossible: no table has such scores."
)


def describe_classifier(fields: Mapping[str, Any], *, explain: bool = False) -> str:
    """Return the text on one classifier: a sentence, the numbers and the notes; `explain` adds the tests."""
    titled: dict[str, str] = {}
    for name, text in fields["published"].items():
        titled[f"published {name}"] = text
        if text in ("0", "1", "-1"):  # few readers expect these digits to stand for a range
            interval = parse_score(text, SCORE_NAMES[name], name)
            ends = f"{float(interval.low):g} to {float(interval.high):g}"
            titled[f"published {name}"] += f" ({ends} by its digits)"
    titled["verdict"] = fields["verdict"]
    if fields["by_digits"]:
        form = "{advantage:z.4f} ({low:z.4f} to {high:z.4f} by its digits)"
        titled["prediction advantage"] = form.format(**fields["by_digits"])
    elif fields.get("advantage"):
        titled["prediction advantage"] = span_text(
            fields["advantage"], lambda number: "-infinity" if number is None else f"{number:z.4f}"
        )
    titled |= {f"note {number}": text for number, text in enumerate(classifier_notes(fields), start=1)}
    if explain:
        titled |= explanations_by_title(fields)
    width = max(map(len, titled)) + 1
    lines = [f"{title + ':':{width}}  {text}" for title, text in titled.items()]
    more = [] if explain else ["More: --explain (tests, p-values, bounds, assumptions)"]
    return "\n".join([*wrap(fields["sentence"], LINE_WIDTH), "", *lines, *more])


def classifier_notes(fields: Mapping[str, Any]) -> list[str]:
    """Return notes: which scores differ from the counts, if the ranking beats chance, and how the numbers were read."""
    notes = []
    for departure in fields.get("departures", []):
        printed = f"{score_label(departure['score'])} {departure['printed']}"
        notes.append(capitalize(f"{printed} is {departure['how']}; the counts give {departure['value']}"))
    if "ranking" in fields and "question" not in fields:
        notes.append(ranking_sentence(fields["ranking"]).rstrip("."))
    notes += fields.get("judged_as", [])
    if fields.get("fold_rule"):
        notes.append(FOLD_RULES[fields["fold_rule"]])
    return notes


def explanations_by_title(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return explanations of a verdict (the test, its p-values, the bounds, the rule), each by its title."""
    if "points" in fields:
        tight = "reached within 0.002" if fields["is_tight"] else "but the true bounds may be narrower"
        titled = {
            "rule": "the sign of the Prediction Advantage, without a test; the bounds are proved, "
            f"{'and ' * fields['is_tight']}{tight}"
        }
        if fields["prevalence"]:
            titled["share of positives"] = span_text(fields["prevalence"], "{:.4f}".format)
        for name, point in fields["points"].items():
            numbers = ", ".join(f"{key} {value:z.4f}" for key, value in point.items())
            titled[f"at {name.replace('_', ' ')}"] = numbers
        return titled
    if "trivial_errors" not in fields:
        return {}
    errors, trivial = fields["errors"], fields["trivial_errors"]
    rate = span_text(trivial, lambda number: f"{number / fields['n']:.4f}")
    titled = {"trivial error": f"{rate} ({TRIVIAL_GUESS})"}
    if errors is None:
        return titled | {"tables that fit": "none with such means" if "folds" in fields else "none"}
    tables = f"{'' if fields['exact'] else 'at most '}{fields['tables'] or 0:,}"
    if fields["tables"] is None:
        tables = "some" if fields["exact"] else "some or none"
    independent = "; cases of several folds count as independent" if "folds" in fields else ""
    titled |= {
        "tables that fit": f"{tables}, with {span_text(errors)} error{'s' * (errors[1] != 1)}; {TRIVIAL_GUESS} makes "
        f"{span_text(trivial)}",
        "p-values": f"better {_p_value_range_text(fields['p_better'])}, worse {_p_value_range_text(fields['p_worse'])}",
        "rule": f"an exact sign test must have p <= {SIGNIFICANCE_LEVEL} for every table that fits{independent}",
    }
    if fields["verdict"] == "inconclusive":
        needed = "no number of cases: the tables that fit are neither all better than trivial nor all worse"
        if fields["cases_needed"] is not None:
            needed = f"about {fields['cases_needed']:,} cases with exactly the same rates"
        elif errors[0] == errors[1] and trivial == errors:
            needed = f"no number of cases: every table that fits makes as many errors as {TRIVIAL_GUESS}"
        titled["would be shown by"] = needed
    return titled


def _p_value_range_text(p_values: tuple[float, float]) -> str:
    if p_values[0] < MIN_P_PRINTED <= p_values[1]:
        return f"up to {p_values[1]:.4f}"
    return span_text(p_values, lambda p: f"below {MIN_P_PRINTED}" if p < MIN_P_PRINTED else f"{p:.4f}")


def to_csv(table: PublishedRows) -> str:
    """Return the rows and their results as CSV; cells that a spreadsheet could take for formulas are escaped."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*map(escape_formula, table.rows[0]["row"]), *RESULT_COLUMNS])
    for fields in table.rows:
        results = dict(fields)
        results["fewest_errors"], results["most_errors"] = fields.get("errors") or (None, None)
        for name in ("advantage", "p_better", "p_worse", "prevalence"):
            results[f"{name}_low"], results[f"{name}_high"] = fields.get(name) or (None, None)
        results["fits_without"] = " or ".join(fields.get("fits_without") or [])
        results["judged_as"] = "; ".join(fields.get("judged_as", []))
        texts = ["{score} {how} ({value})".format(**departure) for departure in fields.get("departures", [])]
        results["departures"] = "; ".join(texts)
        ranking = fields.get("ranking", {})
        results |= {"ranking": ranking.get("verdict")}
        results |= {"ranking_low": ranking.get("low"), "ranking_high": ranking.get("high")}
        cells = [results.get(name) for name in RESULT_COLUMNS]
        cells = [f"{cell:.12g}" if isinstance(cell, float) else cell for cell in cells]
        writer.writerow([*map(escape_formula, fields["row"].values()), *cells])
    return stream.getvalue()


def _summarize_verdicts(table: PublishedRows) -> str:
    """Return a sentence that counts the verdicts."""
    counts = Counter(fields["verdict"] for fields in table.rows)
    parts = [f"{counts[word]:,} {word}" for word in VERDICT_ORDER if counts[word]]
    return f"{table.name}, {count_of(len(table.rows), 'row')}: {', '.join(parts)}."


def _row_label(table: PublishedRows, fields: Mapping[str, Any]) -> str:
    """Return the label of a row: its cell in the column of labels, or else its scores."""
    label = fields["row"][table.label].strip() if table.label else ""
    label = label or ", ".join(f"{name} {text}" for name, text in fields.get("published", {}).items())
    return shorten(printable(label), MAX_LABEL_LENGTH)


def _row_sentences(fields: Mapping[str, Any]) -> list[str]:
    """Return the sentence and the notes of a row, or the reason why the row is not judged."""
    if "not_judged" in fields:
        return [fields["not_judged"]]
    return [fields["sentence"], *(f"{note}." for note in classifier_notes(fields))]


def to_text(table: PublishedRows, *, explain: bool = False) -> str:
    """Return a text: a summary, then the verdict and the sentences of each row; `explain` adds the tests."""
    lines = [_summarize_verdicts(table), ""]
    for number, fields in enumerate(table.rows, start=1):
        lines.append(f"{number}  {_row_label(table, fields)}: {fields['verdict']}")
        texts = _row_sentences(fields)
        if explain and "not_judged" not in fields:
            texts += [f"{title}: {text}" for title, text in explanations_by_title(fields).items()]
        for text in texts:
            lines += wrap(printable(text), LINE_WIDTH, initial_indent="   ", subsequent_indent="     ")
    lines += ["", *wrap(RULE_OF_TABLE, LINE_WIDTH)]
    more = "More: --explain (tests, p-values, bounds, assumptions), --format csv (every column), json or html."
    return "\n".join(lines if explain else [*lines, *wrap(more, LINE_WIDTH)])


def to_page(table: PublishedRows) -> str:
    """Return the verdicts as one page of HTML that needs no other file."""
    from nontrivial.pages import load_style, load_templates, security_policy  # needs the extra `cards`

    look = load_style() + resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    escaped = load_templates(
        "nontrivial.published", finalize=lambda value: printable(value) if type(value) is str else value
    )
    return escaped.get_template("page.html").render(
        name=table.name,
        style=look,
        policy=security_policy(look),
        summary=_summarize_verdicts(table),
        label=table.label or "Scores",
        rows=[(_row_label(table, fields), fields["verdict"], _row_sentences(fields)) for fields in table.rows],
        rule=RULE_OF_TABLE,
    )
