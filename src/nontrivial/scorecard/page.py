"""Scorecards as a page of one file: the verdicts, the table and three pictures first, the rest folded."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from sklearn.metrics import RocCurveDisplay

from nontrivial.displays import CostCurveDisplay, HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.pages import policy, style
from nontrivial.scorecard import plots
from nontrivial.scorecard.answers import Forecasts, drop_uncounted
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of
from nontrivial.scorecard.evaluate import Scorecard, header
from nontrivial.scorecard.notes import GLOSSARY, label_of
from nontrivial.scorecard.screen import (
    Row,
    assumed_words,
    common_notes,
    comparison_heading,
    comparison_sentences,
    cost_sentence,
    differences_of,
    ends,
    heading,
    joined,
    measure_words,
    question_name,
    subgroup_rows,
    subgroup_sentences,
    table_labels,
    use_rows,
    verdict_words,
    word,
)
from nontrivial.scorecard.text import (
    INTERVAL,
    METHODS,
    Table,
    benefit_table,
    class_table,
    difference_table,
    explanation,
    loss_table,
    model_table,
    number,
    reliability_table,
    spanned,
    tests_sentence,
)
from nontrivial.scorecard.verdicts import QUESTIONS
from nontrivial.terminal import listed, visible

Picture = tuple[str, str]  # its caption, and its address
MOST_DRAWN = 6  # models in one picture, and subgroups with pictures of their own
_CURVES = {
    "Precision-Recall-Gain curve": PrecisionRecallGainDisplay,
    "ROC curve": RocCurveDisplay,
    "Cost curve": CostCurveDisplay,
    "Precision-recall curve": HyperbolicPrecisionRecallDisplay,
}
_NUMBER = re.compile(r"-?([\d.,]+(e[+-]?\d+)?%?|inf)|< [\d.]+|undefined")
_STYLE = Markup("""nav { display: block; margin: 1rem 0; }
h1 { margin-bottom: 0.5rem; } h2 { margin: 1.5rem 0 0.5rem; } h3 { margin-top: 1rem; }
th, td { white-space: normal; }
td { max-width: 42rem; } thead th { min-width: 4rem; }
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


class Fold(NamedTuple):
    """A part of the page that is folded: pictures, a table, sentences and further parts."""

    id: str
    title: str
    table: Table | None = None
    sentences: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    parts: Sequence[Any] = ()


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
    rows, cards = _rows(result), cards_of(whole)
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        loader=PackageLoader("nontrivial.scorecard", ""),
    )
    environment.filters |= {"label": _label, "count": "{:,.10g}".format}
    environment.tests["numeric"] = _NUMBER.fullmatch
    look = style() + _STYLE
    page = environment.get_template("page.html").render(
        style=look,
        policy=policy(look),
        head=head,
        title=_title(result),
        heading=heading(whole) if isinstance(whole, Scorecard) else comparison_heading(whole),
        verdicts=_verdict_table(result, rows),
        sentences=_sentences(result),
        counted=cards[0] if isinstance(result, Scorecard) else None,
        notes=common_notes(whole) if isinstance(whole, Comparison) else whole.notes,
        assumed=assumed_words(cards[0]),
        pictures=[] if head else _first_pictures(whole, answers),
        folds=[] if head else _folds(result, rows, answers),
        glossary={} if head else {name: GLOSSARY[_plain(name)][1] for name in _names(rows)},
        files=list({(card.name, card.sha256): card for card in cards}.values()),
        header=header(),
        labels=table_labels,
        use=use_rows,
        ends=ends,
    )
    return page.strip("\n") + "\n"


# The verdicts.


def _title(result: Any) -> str:
    """Say the answer in a line."""
    if isinstance(result, Subgroups):
        return f"All cases, and {len(result.parts)} subgroup{'s' * (len(result.parts) > 1)} by {listed(result.by)}"
    if isinstance(result, Scorecard):
        return _answer(result)
    n = len(result.cards)
    if result.unpaired:
        return f"{n} models on different cases"
    if len(result.first) > 1:
        return f"{len(result.first)} of {n} models are the best by {result.question}"
    return f"{result.best.model} is the best of {n} models by {result.question}"


def _answer(card: Scorecard) -> str:
    """Say of which questions the answer is better, worse or inconclusive."""
    of: dict[str, list[str]] = {}
    for question, each in card.verdicts.items():
        of.setdefault(each.verdict, []).append(question_name(question, [card]))
    if of.keys() == {"inconclusive"}:
        return "Inconclusive: shown neither better nor worse than trivial"
    said = {"better": "better than trivial", "worse": "worse than trivial", "inconclusive": "inconclusive"}
    parts = [
        words + (f" by {joined(of[verdict])}" if "numbers" not in card.verdicts else "")
        for verdict, words in said.items()
        if verdict in of
    ]
    return "; ".join(parts).capitalize()


def _rows(result: Any) -> list[Row]:
    """The name of each model or subgroup, its card, and its differences from the first model by question."""
    if isinstance(result, Subgroups):
        return subgroup_rows(result)
    if isinstance(result, Comparison):
        return [(card.model, card, differences_of(result, card)) for card in result.cards]
    return [(result.model or result.name, result, {})]


def _verdict_table(result: Any, rows: Sequence[Row]) -> tuple[list[str], list[list[Any]]]:
    """Titles, and rows of a name and of cells: a verdict, its word, its numbers, and the difference from the first.

    One model has a row for each question; several, and subgroups, have a row each.
    """
    cards = [card for _, card, _ in rows]
    asked = [name for name in QUESTIONS if any(name in card.verdicts for card in cards)]
    if not isinstance(result, Scorecard):
        kind = "Subgroup" if isinstance(result, Subgroups) else "Model"
        return [kind, *(measure_words(name, cards) for name in asked)], [
            [name, *(_cell(card, question, more) for question in asked)] for name, card, more in rows
        ]
    found = []
    for name in asked:
        each = result.verdicts[name]
        numbers = ("", "", verdict_words(result, name, each), "")
        found.append([question_name(name, cards), (each.verdict, word(each), "", ""), numbers])
    return ["Question", "Answer", f"With {INTERVAL}s"], found


def _cell(card: Scorecard, question: str, more: dict[str, str]) -> tuple[str, str, str, str]:
    each = card.verdicts.get(question)
    if each is None:
        return "", "none", "", ""
    because = f", no interval: {each.reason}" if each.reason else ""
    return each.verdict, word(each), ends(each) + because, more.get(question, "")


def _sentences(result: Any) -> list[str]:
    """The sentences under the verdicts."""
    if isinstance(result, Scorecard):
        return [cost_sentence(result)]
    whole = result.whole if isinstance(result, Subgroups) else result
    said = comparison_sentences(result) if whole is result else subgroup_sentences(result)
    if isinstance(whole, Comparison) and whole.differences:
        first = "the first model of the same cases" if whole is not result else whole.best.model
        said.insert(0, f"Under each answer stands the difference from {first}.")
    return said


# What is folded.


def _folds(result: Any, rows: Sequence[Row], answers: Sequence[Any]) -> list[Fold]:
    """The further pictures, the tables of several models, and the parts of each card."""
    whole = result.whole if isinstance(result, Subgroups) else result
    folds = []
    if further := _further_pictures(whole, answers):
        folds.append(Fold("further", "More figures", pictures=further))
    if isinstance(result, Scorecard):
        return folds + _parts(result, "card-1")
    if isinstance(whole, Comparison):
        folds.append(Fold("models", "Errors, areas and losses", model_table(whole)))
    if isinstance(whole, Comparison) and whole.differences:
        title = f"Differences from {whole.best.model}, on the same cases"
        folds.append(Fold("differences", title, difference_table(whole), [tests_sentence(whole)]))
    for place, ((name, card, _), of) in enumerate(zip(rows, _own_answers(result, answers), strict=True), 1):
        is_above = place == 1 and isinstance(whole, Scorecard)  # its figures are those of the page
        is_drawn = not is_above and (place <= MOST_DRAWN + 1 or isinstance(result, Comparison))
        pictures = _first_pictures(card, of) if is_drawn else []
        said = ["For figures, score a file of these cases alone."] if not is_above and card.areas else []
        said = said if not pictures else []
        id = f"card-{place}"
        folds.append(Fold(id, name, None, said, pictures, _parts(card, id)))
    return folds


def _own_answers(result: Any, answers: Sequence[Any]) -> list[list[Any]]:
    """The answers behind each row of several models or of subgroups."""
    of_rows = [[each] for each in answers]
    if isinstance(result, Subgroups):
        for place, name in enumerate(answers[0].part_names):
            if name in result.parts:
                chosen = [each.only(each.parts == place, parts=None) for each in answers]
                of_rows += [[drop_uncounted(each)] for each in chosen]
    return of_rows


def _parts(card: Scorecard, prefix: str) -> list[Fold]:
    """Every measure of a card, and what its tests assume."""
    parts = []
    for id, title, estimates in (("measures", "Measures", card.measures), ("areas", "Areas", card.areas)):
        rows = [
            [label_of(name), number(each.value), _spanned(card, name)] for name, each in estimates.items()
        ]
        parts.append(Fold(id, title, (["name", "value", INTERVAL], rows)))
    if card.losses:
        titles, rows = loss_table(card)
        named = [[label_of(name), *more] for name, *more in rows]
        parts.append(Fold("losses", "Losses beside the best constant", (titles, named)))
    if card.calibration is not None:
        mean, share = number(card.calibration.mean), number(card.calibration.share)
        said = [f"The mean probability is {mean}, and the share of positives is {share}."]
        parts.append(Fold("calibration", "Calibration", reliability_table(card.calibration), said))
        said = [
            "The net benefit of acting on the cases at or above a threshold: true positives minus false positives "
            "times the odds of the threshold, per case. Acting on nobody is worth 0."
        ]
        parts.append(Fold("net-benefit", "Net benefit", benefit_table(card.calibration), said))
    if card.classes:
        parts.append(
            Fold("classes", "Classes", class_table(card), ["Each class against the rest; p is one-sided."])
        )
    parts.append(Fold("tests", "Tests and assumptions", None, explanation(card)))
    return [part._replace(id=f"{prefix}-{part.id}") for part in parts if not part.table or part.table[1]]


def _spanned(card: Scorecard, name: str) -> str:
    """The interval of a measure or an area and its method, or why there is none; nothing more if it is undefined."""
    return ", ".join(filter(None, [spanned(card, name), METHODS[(card.measures | card.areas)[name].method]]))


def _names(rows: Sequence[Row]) -> dict[str, None]:
    """The names of measures, losses and methods on a page that the glossary explains."""
    names = ["prediction_advantage"]
    for _, card, _ in rows:
        names += [*card.measures, *card.areas, *(row.name for row in card.losses)]
        names += [*card.classes[0].measures, *card.classes[0].areas] if card.classes else []
        names += [each.method for each in (card.measures | card.areas).values() if each.method]
        names += [row.advantage.method for row in card.losses if row.advantage.method]
    return dict.fromkeys(names)


def _plain(name: str) -> str:
    return name if name in GLOSSARY else name.removeprefix("macro_")


def _label(name: str) -> str:
    """What a measure is called, whatever stands in brackets behind it; anything else as it is."""
    measure, bracket, more = name.partition(" (")
    return label_of(measure) + bracket + more if _plain(measure) in GLOSSARY else name


def _shown(value: object) -> object:
    """Show what no page should hold, such as marks that turn the text around; markup is ours, and stays as it is."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


# The pictures.


def _first_pictures(whole: Any, answers: Sequence[Any]) -> list[Picture]:
    """At most three pictures: calibration, PRG and net benefit if there are probabilities, of all models at once."""
    if isinstance(whole, Scorecard) and isinstance(answers[0], Forecasts):
        return [_picture("Predictions against true values", plots.numbers_svg, answers[0])]
    ranked, chances = _ranked(whole, answers)
    if not chances:
        return _curves(list(_CURVES)[:3], whole, ranked)
    of_model = {card.model: card.calibration for card in cards_of(whole)}
    calibrated = {each.model: of_model[each.model] for each in chances}
    (method, *_) = {row.method for found in calibrated.values() if found for row in found.reliability}
    of = _of_models(whole, chances)
    bars = f", with {INTERVAL}s by {METHODS[method]}" if len(chances) == 1 and method else ""
    return [
        _picture(f"Calibration{of}{bars}", plots.reliability_svg, calibrated),
        *_curves(list(_CURVES)[:1], whole, ranked),
        _picture(f"Net benefit{of} of acting from a threshold on", plots.net_benefit_svg, chances),
    ]


def _further_pictures(whole: Any, answers: Sequence[Any]) -> list[Picture]:
    """The curves that are not among the first pictures."""
    ranked, chances = _ranked(whole, answers)
    return _curves(list(_CURVES)[1 if chances else 3 :], whole, ranked)


def _ranked(whole: Any, answers: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The answers that rank cases, at most `MOST_DRAWN`, and those with probabilities; models have the same cases."""
    ranked = [each for each in answers if getattr(each, "score", None) is not None][:MOST_DRAWN]
    if not isinstance(whole, Scorecard) and (whole.pairing is None or len(ranked) < 2):
        return [], []
    with_chances = {card.model for card in cards_of(whole) if card.calibration}
    return ranked, [each for each in ranked if each.model in with_chances]


def _of_models(whole: Any, drawn: Sequence[Any]) -> str:
    """Name the models of a picture, if there are several on the page."""
    if isinstance(whole, Scorecard):
        return ""
    return f" of {'the models' if len(drawn) == len(whole.cards) else listed(each.model for each in drawn)}"


def _curves(texts: Sequence[str], whole: Any, ranked: Sequence[Any]) -> list[Picture]:
    """Curves of the rankings; none where a ranking is not judged, as of folds of single cases."""
    if not ranked or (isinstance(whole, Scorecard) and "ranking" not in whole.verdicts):
        return []
    of = _of_models(whole, ranked)
    return [_picture(text + of, plots.curve_svg, _CURVES[text], ranked) for text in texts]


def _picture(text: str, draw: Callable[..., str], *of: Any) -> Picture:
    return text, "data:image/svg+xml;base64," + base64.b64encode(draw(*of).encode()).decode("ascii")
