"""Scorecards as a page of one file: the verdicts, the table and three pictures first, the rest folded."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from sklearn.metrics import RocCurveDisplay

from nontrivial.displays import CostCurveDisplay, HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.pages import policy, style
from nontrivial.scorecard import plots
from nontrivial.scorecard.answers import Forecasts
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, chosen_by
from nontrivial.scorecard.evaluate import Scorecard, header
from nontrivial.scorecard.notes import GLOSSARY, label_of, meaning_of
from nontrivial.scorecard.screen import (
    assumed_words,
    cases_words,
    common_notes,
    comparison_sentences,
    cost_lines,
    differences_of,
    ends,
    false_alarms,
    short,
    subgroup_rows,
    table_labels,
    two,
    use_lines,
    verdict_words,
    word,
)
from nontrivial.scorecard.text import (
    INTERVAL,
    METHODS,
    detail_sentences,
    difference_rows,
    model_rows,
    number,
    p_number,
    picked_by,
    reason_clause,
    span,
    span_by_method,
    tests_sentence,
)
from nontrivial.scorecard.verdicts import QUESTIONS
from nontrivial.terminal import listed, visible

Picture = tuple[str, str]  # its caption, and its address
MOST_DRAWN = 6  # models in one picture
_CURVES = {
    "Precision-Recall-Gain curve": PrecisionRecallGainDisplay,
    "ROC curve": RocCurveDisplay,
    "Cost curve": CostCurveDisplay,
    "Precision-recall curve": HyperbolicPrecisionRecallDisplay,
}
_STYLE = Markup("""nav { display: block; margin: 1rem 0; }
h1 { margin-bottom: 0.5rem; } h2 { margin: 1.5rem 0 0.5rem; } h3 { margin-top: 1rem; }
th, td { white-space: normal; }
td small { display: inline-block; max-width: 9rem; }
thead th { min-width: 4rem; }
thead th::first-letter { text-transform: uppercase; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; max-width: 48rem; }
.scroll { max-height: none; }
[data-verdict="better"] { --verdict: var(--reproduced); }
[data-verdict="worse"] { --verdict: var(--contradicted); }
[data-verdict="inconclusive"] { --verdict: var(--caveat); }
.answer { display: inline-block; padding-left: 0.5rem; border-left: 0.35rem solid var(--verdict); font-weight: 600; }
.short { display: block; max-width: none; margin: 0; white-space: normal; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem 1.5rem; }
figure { margin: 0; max-width: 30rem; } figure img { display: block; width: 100%; height: auto; background: #fff; }
figcaption { font-size: 0.85rem; color: var(--quiet); }
details { margin: 0.4rem 0; } summary { font-weight: 600; cursor: pointer; padding: 0.2rem 0; }
details details { margin-left: 1rem; }
@media (max-width: 40rem) { .short { position: static; width: auto; height: auto; clip-path: none; } }
@media (prefers-color-scheme: dark) { figure img { filter: invert(0.91) hue-rotate(180deg); } }
@media print { figure img { filter: none; } }
""")


def render_page(result: Any, answers: Any, *, head: bool = False) -> str:
    """Render a result as HTML that needs no other file; everything that comes from the data is escaped.

    Parameters
    ----------
    result : Scorecard, Comparison or Subgroups
    answers : Predictions, Forecasts, or a sequence of these
        The answers of each model, in the order of the cards of all cases.
    head : bool
        Render the verdicts and the table alone.
    """
    answers = answers if isinstance(answers, (list, tuple)) else [answers]
    whole = result.whole if isinstance(result, Subgroups) else result
    cards, comparison = cards_of(whole), whole if isinstance(whole, Comparison) else None
    named = _named_cards(result)
    # In their own cards, models have pictures of their own.
    own = {each.model: [each] for each in answers} if isinstance(result, Comparison) and not head else {}
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        loader=PackageLoader("nontrivial.scorecard", ""),
    )
    environment.filters |= {
        "number": number,
        "label": _label,
        "meaning": meaning_of,
        "count": "{:,.10g}".format,
    }
    look = style() + _STYLE
    page = environment.get_template("page.html").render(
        style=look,
        policy=policy(look),
        head=head,
        title=_title(result),
        heading=_heading(whole),
        verdicts=_verdict_table(result),
        sentences=_sentences(result),
        notes=common_notes(comparison) if comparison else cards[0].notes,
        assumed=assumed_words(cards[0]),
        pictures=[] if head else _first_pictures(whole, answers),
        further=[] if head else _further_pictures(whole, answers),
        comparison=comparison,
        tables=[] if comparison is None else _comparison_tables(comparison),
        choices={} if comparison is None else picked_by(comparison),
        files=list({(card.name, card.sha256): card for card in cards}.values()),
        first=cards[0],
        single=isinstance(result, Scorecard),
        cards=[(name, card, _first_pictures(card, own[name]) if own else []) for name, card, _ in named],
        glossary=dict.fromkeys(name for _, card, _ in named for name in _named(card)),
        header=header(),
        method=_method,
        because=reason_clause,
        labels=table_labels,
        details=detail_sentences,
        use=_use,
        ends=ends,
        p_number=p_number,
        span=span,
        span_by_method=span_by_method,
        methods=METHODS,
        level_of_test=LEVEL_OF_TEST,
    )
    return page.strip("\n") + "\n"


# The verdicts.


def _title(result: Any) -> str:
    """Say the answer in a line."""
    if isinstance(result, Subgroups):
        return f"All cases, and {len(result.parts)} subgroups by {listed(result.by)}"
    if isinstance(result, Scorecard):
        return _answer(result)
    n = len(result.cards)
    if result.unpaired:
        return f"{n} models on different cases"
    if len(result.first) > 1:
        return f"{len(result.first)} of {n} models are the best by {result.question}"
    return f"{result.best.model} is the best of {n} models by {result.question}"


def _heading(whole: Any) -> str:
    """Say what the cases are, and from what columns."""
    first, of_one = cards_of(whole)[0], isinstance(whole, Scorecard)
    columns = [f'{what} "{name}"' for what, name in first.columns.items() if of_one or what == "truth"]
    if first.positive is not None:
        assumed = " (assumed; --positive names another)" * first.assumed
        columns.insert(1, f'positive "{first.positive}"{assumed}')
    if not of_one:
        return f"{'Columns' if whole.unpaired else f'The same {cases_words(first)}'}: {', '.join(columns)}."
    model = f"{first.model}: " if first.model not in ("", first.name) else ""
    return f"{model}{cases_words(first)}; {', '.join(columns)}."


def _answer(card: Scorecard) -> str:
    """Say of which questions the answer is better, worse or inconclusive."""
    of: dict[str, list[str]] = {}
    for question, each in card.verdicts.items():
        of.setdefault(each.verdict, []).append(_question(question, [card]))
    if not of.keys() - {"inconclusive"}:
        return "Inconclusive: shown neither better nor worse than trivial"
    said = {"better": "better than trivial", "worse": "worse than trivial", "inconclusive": "inconclusive"}
    by = {
        verdict: f" by {_and(names)}" if card.verdicts.keys() - {"numbers"} else ""
        for verdict, names in of.items()
    }
    return "; ".join(said[verdict] + by[verdict] for verdict in said if verdict in of).capitalize()


def _question(name: str, cards: Iterable[Scorecard]) -> str:
    """Name a question; that of labels with the threshold, if all have the same."""
    thresholds = {card.threshold for card in cards} if name == "labels" else set()
    threshold = thresholds.pop() if len(thresholds) == 1 else None
    return name if threshold is None else f"{name} at {short(threshold)}"


def _verdict_table(result: Any) -> tuple[list[str], list[list[Any]]]:
    """Titles, and rows of a name and of cells: a verdict, its word, its numbers, and the difference from the first.

    One model has a row for each question; several, and subgroups, have a row each.
    """
    if isinstance(result, Scorecard):
        rows = [
            [
                _question(name, [result]),
                (each.verdict, word(each), "", ""),
                ("", "", verdict_words(result, name, each), ""),
            ]
            for name in QUESTIONS
            if (each := result.verdicts.get(name)) is not None
        ]
        return ["Question", "Answer", f"With {INTERVAL}s"], rows
    named = _named_cards(result)
    cards = [card for _, card, _ in named]
    asked = [name for name in QUESTIONS if any(name in card.verdicts for card in cards)]
    titles = [f"{_question(name, cards)}: {_measures(name, cards)}" for name in asked]
    rows = [[name, *(_cell(card, question, more) for question in asked)] for name, card, more in named]
    return ["Subgroup" if isinstance(result, Subgroups) else "Model", *titles], rows


def _named_cards(result: Any) -> list[tuple[str, Scorecard, dict[str, str]]]:
    """The name of each model or subgroup, its card, and its differences from the first model by question."""
    if isinstance(result, Subgroups):
        return subgroup_rows(result)
    differences = isinstance(result, Comparison)
    return [
        (card.model, card, differences_of(result, card) if differences else {}) for card in cards_of(result)
    ]


def _cell(card: Scorecard, question: str, more: dict[str, str]) -> tuple[str, str, str, str]:
    each = card.verdicts.get(question)
    if each is None:
        return "", "none", "", ""
    numbers = f"{two(each.value)}, no interval: {each.reason}" if each.reason else ends(each)
    return each.verdict, word(each), numbers, more.get(question, "")


def _measures(question: str, cards: Sequence[Scorecard]) -> str:
    """Name the measure behind the verdicts on a question."""
    each = next(card.verdicts[question] for card in cards if question in card.verdicts)
    if each.loss is None:
        return "AUC"
    costs = f"where a missed positive costs {false_alarms(cards[0].cost)}" if cards[0].cost else ""
    losses = {"cross_entropy": "log loss", "zero_one": "0/1 loss", "cost": costs}
    loss = "Brier score" if (question, each.loss) == ("probabilities", "squared") else f"{each.loss} loss"
    return f"PA, {losses.get(each.loss, loss)}"


def _sentences(result: Any) -> list[str]:
    """The sentences under the verdicts."""
    if isinstance(result, Scorecard):
        return [" ".join(" ".join(cost_lines(result)).split())]
    whole = result.whole if isinstance(result, Subgroups) else result
    said = []
    if isinstance(whole, Comparison) and whole.differences:
        first = "the first model of the same cases" if whole is not result else whole.best.model
        said = [f"Under each answer stands the difference from {first}."]
    if isinstance(result, Comparison):
        return [*said, " ".join(comparison_sentences(result))]
    names = list(result.parts)
    if names[1:]:
        said.append(f"{_and(names)} hold different cases, so they are not compared.")
    return said + [f"{name} is not scored: {reason}." for name, reason in result.left_out.items()]


def _use(card: Scorecard) -> list[tuple[str, str]]:
    """What calibration, the top tenth and net benefit say, each under its name."""
    found: list[tuple[str, str]] = []
    for line in use_lines(card):
        name, said = line[:14].strip(), line[14:]
        if name:
            found.append((name, said))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {said}")
    return found


def _and(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


# The tables, and the names in them.


def _comparison_tables(comparison: Comparison) -> list[tuple[str, Any, str]]:
    """The titles of the folded tables of a comparison, the tables, and a sentence under each."""
    first = comparison.best.model
    tables = [
        ("Errors, areas and losses", model_rows(comparison), ""),
        (
            f"Differences from {first}, on the same cases",
            difference_rows(comparison),
            tests_sentence(comparison),
        ),
    ]
    return [each for each in tables if each[1][1]]


def _method(card: Scorecard, name: str) -> str:
    """How the interval of a measure or an area was found, or why there is none; empty if the value is undefined."""
    reason = card.no_interval.get(name)
    return METHODS[(card.measures | card.areas)[name].method] or (f"because {reason}" if reason else "")


def _named(card: Scorecard) -> list[str]:
    """The measures of a card, and the methods of their intervals."""
    of_classes = [*card.classes[0].measures, *card.classes[0].areas] if card.classes else []
    estimates = [card.advantage, *card.measures.values(), *card.areas.values()]
    estimates += [row.advantage for row in card.losses]
    methods = (each.method for each in estimates if each.method)
    return ["prediction_advantage", *card.measures, *chosen_by(card), *of_classes, *methods]


def _label(name: str) -> str:
    """What a measure is called; anything else as it is."""
    return label_of(name) if name.removeprefix("macro_") in GLOSSARY or name in GLOSSARY else name


def _shown(value: object) -> object:
    """Show what no page should hold, such as marks that turn the text around; markup is ours, and stays as it is."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


# The pictures.


def _first_pictures(whole: Any, answers: Sequence[Any]) -> list[Picture]:
    """At most three pictures: calibration, PRG and net benefit if there are probabilities, of all models at once."""
    if isinstance(whole, Scorecard) and isinstance(answers[0], Forecasts):
        return [_picture("Predictions against true values", plots.numbers_svg, answers[0])]
    ranked = _ranked(whole, answers)
    if not ranked:
        return _of_measures(whole)
    of_model = {card.model: card.calibration for card in cards_of(whole)}
    chances = [each for each in ranked if of_model[each.model] is not None]
    if not chances:
        return _curves(list(_CURVES)[:3], whole, ranked)
    calibrated = {each.model: of_model[each.model] for each in chances}
    (method, *_) = {row.method for found in calibrated.values() if found for row in found.reliability}
    bars = f", with {INTERVAL}s by {METHODS[method]}" if len(chances) == 1 and method else ""
    of = _of_models(whole, chances)
    return [
        _picture(f"Calibration{of}{bars}", plots.reliability_svg, calibrated),
        *_curves(list(_CURVES)[:1], whole, ranked),
        _picture(f"Net benefit{of} of acting from a threshold on", plots.net_benefit_svg, chances),
    ]


def _further_pictures(whole: Any, answers: Sequence[Any]) -> list[Picture]:
    """The curves that are not among the first pictures, and the measures of one model."""
    if not (ranked := _ranked(whole, answers)):
        return []
    first = 1 if any(card.calibration for card in cards_of(whole)) else 3
    return _curves(list(_CURVES)[first:], whole, ranked) + _of_measures(whole)


def _ranked(whole: Any, answers: Sequence[Any]) -> list[Any]:
    """The answers that rank cases, at most `MOST_DRAWN`; of several models, two or more that have the same cases."""
    ranked = [each for each in answers if getattr(each, "score", None) is not None]
    is_drawn = isinstance(whole, Scorecard) or (whole.pairing is not None and len(ranked) > 1)
    return ranked[:MOST_DRAWN] if is_drawn else []


def _of_models(whole: Any, drawn: Sequence[Any]) -> str:
    """Name the models of a picture, if there are several on the page."""
    if isinstance(whole, Scorecard):
        return ""
    return f" of {'the models' if len(drawn) == len(whole.cards) else listed(each.model for each in drawn)}"


def _curves(texts: Sequence[str], whole: Any, ranked: Sequence[Any]) -> list[Picture]:
    """Curves of the rankings; none where a ranking is not judged, as of folds of single cases."""
    if isinstance(whole, Scorecard) and "ranking" not in whole.verdicts:
        return []
    of = _of_models(whole, ranked)
    return [_picture(text + of, plots.curve_svg, _CURVES[text], ranked) for text in texts]


def _of_measures(whole: Any) -> list[Picture]:
    if not (isinstance(whole, Scorecard) and whole.measures and whole.advantage.method):
        return []
    text = "The Prediction Advantage, and the measures whose intervals lie between -1 and 1"
    return [_picture(text, plots.measures_svg, whole)]


def _picture(text: str, draw: Callable[..., str], *of: Any) -> Picture:
    return text, "data:image/svg+xml;base64," + base64.b64encode(draw(*of).encode()).decode("ascii")
