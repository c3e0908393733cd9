"""What a result says, for the text and the page alike: sections of sentences and tables, each number written here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.numerals import is_decimal
from nontrivial.scorecard.calibration import Confusion
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, named_cards
from nontrivial.scorecard.estimates import LEVEL
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.verdicts import BETTER, CHANCE, QUESTIONS, QuestionVerdict
from nontrivial.terminal import count_of, cut, joined, listed

# Titles, and rows. The first cell of a row is its name; cells of sentences stand last, without a title.
Table = tuple[list[str], list[list[str]]]


class Section(NamedTuple):
    """Sentences, a table and further sections under a title; `id` tells it from the other sections of a card."""

    id: str
    title: str
    sentences: Sequence[str] = ()
    table: Table | None = None
    parts: Sequence[Section] = ()


# Numbers and names.

INTERVAL = f"{LEVEL * 100:.0f} % interval"
LEAST_P = 0.0001  # as it is printed
LEAST_DRAWN = 0.002  # two-sided, of the 1,000 draws of a comparison
LOSSES = {
    "cross_entropy": "log loss",
    "squared": "squared loss, which is R2",
    "absolute": "absolute loss",
    "pinball": "pinball loss",
    "zero_one": "0/1 loss",
    "cost": "costs",
}
ANSWERS = {"better": "YES", "worse": "NO, WORSE", "inconclusive": "INCONCLUSIVE"}


def number(value: float, decimals: int = 4) -> str:
    """Some decimals; one decimal from a thousand, four significant digits from ten million; NaN as "undefined"."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < 1000:
        return f"{value:z.{decimals}f}"
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.4g}"


def percent(share: float) -> str:
    """A share in percent, with two significant digits below ten."""
    amount = 100 * share
    return f"{amount:.2g} %" if 0 < amount < 9.95 else f"{amount:.0f} %"


def ends(found: Any, trivial: float = math.nan) -> str:
    """A value with its interval, if it has one; an end that is not trivial does not round to what is."""
    value = number(found.value, 2)
    if not found.method or math.isnan(found.value):
        return value
    low, high = (
        number(end, 4 if end != trivial and number(end, 2) == number(trivial, 2) else 2)
        for end in (found.low, found.high)
    )
    return f"{value} ({low} to {high})"


def p_text(p_value: float) -> str:
    """A p-value, or that it is less than the least that is printed."""
    return f"p < {LEAST_P}" if p_value < LEAST_P else f"p = {p_value:.4f}"


# What was scored.


def heading(result: Any) -> list[str]:
    """What was scored, and from what columns."""
    if isinstance(result, Subgroups):
        return heading(result.whole)
    card = result.best if isinstance(result, Comparison) else result
    columns = [f'truth "{cut(card.columns["truth"])}"']
    if card.positive is not None:
        assumed = " (assumed; --positive names another)" if card.assumed else ""
        columns.append(f'positive "{cut(card.positive)}"{assumed}')
    if isinstance(result, Scorecard):
        name = card.model or card.columns.get("score") or card.columns.get("confidence") or ""
        name = f"{cut(name)}, {cut(card.name)}" if name and name != card.name else cut(card.name)
        columns += [f'{what} "{cut(name)}"' for what, name in card.columns.items() if what != "truth"]
        return [f"{name}: {_cases(card)}", ", ".join(columns)]
    files = dict.fromkeys(cut(card.name) for card in result.cards)
    said = f"{len(result.cards)} models of {listed(files)}"
    if result.pairing:
        said += f", on the same {_cases(card)}"
        if len(files) > 1:
            said += f", matched by {result.pairing.replace('_', ' ')}"
    return [said, ", ".join(columns)]


def _cases(card: Scorecard) -> str:
    """The number of cases and of positives, and how they were drawn."""
    said = count_of(card.cases, "case")
    if card.positives is not None:
        said += f", {card.positives:,} {_positive(card)} ({percent(card.positives / card.cases)})"
    elif card.confusion is not None:
        said += f", {len(card.classes)} classes"
    if card.groups is not None:
        said += f", in {card.groups:,} groups"
    return said if card.weight is None else f"{said}, with weights that sum to {card.weight:,.6g}"


def _positive(card: Scorecard) -> str:
    """The positive label where it can stand in a sentence, else the word positive."""
    label = card.positive or ""
    plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if plain or is_decimal(label) or len(label) > 30 else label


def assumed_words(card: Scorecard) -> str:
    """What intervals and tests assume, in a few words."""
    return f"{INTERVAL}s; independent {card.unit}s that were not used for fitting."


# The verdicts.

COMPARED = "difference from the first"


def verdict_sections(result: Any) -> list[Section]:
    """One model: a row for each question. Several models or subgroups: a section for each question, a row for each."""
    if isinstance(result, Scorecard):
        rows = [
            [_asked(name, [result]), ANSWERS[each.verdict], _numbers(result, name, each)]
            for name, each in result.verdicts.items()
        ]
        return [Section("verdicts", "Verdicts", (), (["question", "answer", ""], rows))]
    named, found = named_cards(result), []
    kind = "subgroup" if isinstance(result, Subgroups) else "model"
    for question in QUESTIONS:
        answering = [each for each in named if question in each[1].verdicts]
        rows = []
        for name, card, part in answering:
            counted = f" ({card.cases:,})" if part is not None and part.unpaired else ""
            rows.append([name + counted, *_row(card, card.verdicts[question], part)])
        if rows:
            cards = [card for _, card, _ in answering]
            title = f"{_asked(question, cards)}: {_measure(question, cards[0])}"
            compared = COMPARED if any(part.differences for *_, part in answering if part) else ""
            found.append(Section(question, title, (), ([kind, "answer", "value", compared], rows)))
    return found


def _row(card: Scorecard, each: QuestionVerdict, comparison: Comparison | None) -> list[str]:
    """The answer, the value, and the difference from the first model or why there is no interval."""
    more = f"no interval: {each.reason}" if each.reason else ""
    for difference in () if more or comparison is None else comparison.differences:
        if (difference.model, difference.measure, difference.loss) == (card.model, each.measure, each.loss):
            drawn = difference.test == "exchange_or_bootstrap" and difference.p_value <= LEAST_DRAWN
            more = f"{ends(difference)}, {f'p <= {LEAST_DRAWN}' if drawn else p_text(difference.p_value)}"
    return [ANSWERS[each.verdict], ends(each, 0 if each.loss else CHANCE), more]


def _asked(question: str, cards: Sequence[Scorecard]) -> str:
    """A question; that of labels with the threshold, if all have the same."""
    thresholds = {card.threshold for card in cards} if question == "labels" else set()
    threshold = thresholds.pop() if len(thresholds) == 1 else None
    return question if threshold is None else f"{question} at {threshold:.3g}"


def _measure(question: str, card: Scorecard) -> str:
    """The measure behind the verdicts on a question."""
    loss = card.verdicts[question].loss
    if loss is None:
        return "AUC"
    if loss == "cost":
        return f"PA{_under_costs(card)}"
    return f"PA by {_loss(question, loss)}"


def _loss(question: str, loss: str) -> str:
    return "Brier" if (question, loss) == ("probabilities", "squared") else LOSSES[loss]


def _under_costs(card: Scorecard) -> str:
    return f", where a missed positive costs {count_of(card.cost or 0, 'false alarm')}"


def _numbers(card: Scorecard, question: str, each: QuestionVerdict) -> str:
    """The numbers behind a verdict."""
    if each.reason:
        return f"{'PA' if each.loss else 'AUC'} {number(each.value, 2)}; no interval: {each.reason}"
    if question == "ranking":
        several = each.measure.startswith("macro_")
        mean, prg = (", mean of one class against the rest", "macro_prg_auc") if several else ("", "prg_auc")
        return f"AUC {ends(each, CHANCE)}{mean}; AUPRG {ends(card.areas[prg])}"
    if question == "labels":
        return f"PA {ends(each, 0)}{_errors(card) if card.cost is None else _under_costs(card)}"
    rows = sorted(card.losses, key=lambda row: row.name != each.loss)
    finite = [row for row in rows if math.isfinite(row.advantage.value)]
    said = [f"{ends(row.advantage, 0)} {_loss(question, row.name)}" for row in finite]
    if question == "probabilities" and any(math.isinf(row.loss) for row in card.losses):
        said.append("log loss is infinite: a probability of 0 was wrong")
    return "PA " + "; ".join(said)


def _errors(card: Scorecard) -> str:
    """What the Prediction Advantage of labels compares."""
    error, trivial = card.error or 0.0, card.trivial_error or 0.0
    constant = f'always "{cut(card.constant, 24)}"'
    if card.weight is not None:
        return f": {percent(error)} wrong; {constant}: {percent(trivial)}"
    errors, of_constant = round(error * card.cases), round(trivial * card.cases)
    if errors == of_constant:
        return f": {count_of(errors, 'error')}, as many as {constant}"
    return f": {count_of(errors, 'error')}; {constant} makes {of_constant:,}"


def verdict_sentences(result: Any) -> list[str]:
    """What the verdicts mean: an endless interval, a useless threshold, the order of models, who is not compared."""
    said = _endless(cards_of(result))
    if isinstance(result, Scorecard):
        return said + _cost([result])
    if isinstance(result, Subgroups):
        said += _cost(cards_of(result.whole))
        if len(result.parts) > 1:
            said.append(f"{joined(map(cut, result.parts))} hold different cases, so they are not compared.")
        return said + [f"{cut(name)} is not scored: {reason}." for name, reason in result.left_out.items()]
    said += _cost(result.cards)
    names = [cut(card.model) for card in result.cards]
    if result.unpaired:
        how = f"differ in their {result.unpaired.replace('_', ' ')}"
        if result.unpaired == "divided":
            how = "hold different cases"
        said.append(f"{joined(names)} {how}, so they are not compared.")
    elif len(result.first) > 1:
        said.append(f"Equal by {result.question}: {listed(card.model for card in result.first)}.")
    elif result.is_selected:
        said.append(
            f"{names[0]} is the best of {len(names)} models by {result.question}. On new cases, its lead tends to be "
            "smaller; intervals and p-values do not account for this choice."
        )
    return said


def _endless(cards: Sequence[Scorecard]) -> list[str]:
    """Why an interval on the screen has no lower end."""
    of_log = [row for card in cards for row in card.losses if row.name == "cross_entropy"]
    if len(cards) > 1 and any(math.isinf(row.loss) for row in of_log):
        return ["By Brier: a probability of 0 was wrong, and its log loss is infinite."]
    if any(row.advantage.low == -math.inf < row.advantage.value for row in of_log):
        return ["By Brier: a probability of 0 or 1 may be wrong in another case, whose log loss is infinite."]
    endless = any(each.low == -math.inf for card in cards for each in card.verdicts.values())
    return ["-inf: the cases set no limit."] if endless else []


def _cost(cards: Sequence[Scorecard]) -> list[str]:
    """A cost at which the trivial answers tie, where labels of a good ranking show nothing; of one model, also why."""
    needing = [card for card in cards if card.cost is None and card.table and _only_ranks(card)]
    if not needing:
        return []
    card = needing[0]
    positives, negatives = card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"]
    cost = max(round(negatives / positives), 1)  # at which flagging all costs as much as flagging nobody
    said = f"Say what a missed positive costs, in false alarms: --cost {cost}"
    if len(cards) > 1:
        return [f"{said}."]
    if card.weight is None:
        flags = "These labels flag" if card.threshold is None else f"{card.threshold:.3g} flags"
        said = f"{flags} {count_of(card.table['tp'] + card.table['fp'], 'case')}. {said}"
    sets = "with --threshold"
    if "probabilities" in card.verdicts:
        threshold = 1 / (1 + cost)
        is_short = float(f"{threshold:.3g}") == threshold
        sets = f"sets the threshold {threshold:.3g}" if is_short else f"sets the threshold {threshold:.2g}"
    return [f"{said} (as many as flagging all and flagging nobody cost the same) {sets}."]


def _only_ranks(card: Scorecard) -> bool:
    """Whether the ranking is better than trivial and the labels are not."""
    answers = {question: each.verdict == BETTER for question, each in card.verdicts.items()}
    return answers.get("ranking", False) and not answers["labels"]


def notes_of(result: Any) -> list[str]:
    """The notes of all models, each once; a note names its models unless all have it."""
    cards = cards_of(result.whole if isinstance(result, Subgroups) else result)
    of: dict[str, list[str]] = {}
    for card in cards:
        for note in card.notes:
            of.setdefault(note, []).append(card.model)
    return [
        note if len(models) == len(cards) else f"For {listed(models)}: {note}" for note, models in of.items()
    ]


# The counts, and what the answers are worth in use.

FEWEST_RANKED = 50  # cases whose top tenth says something
COLUMN = 6  # the least width of a class in a table


def counts(card: Scorecard, width: int = 100) -> Section | None:
    """The table of counts, in lines of some width; of many classes the most frequent mistakes."""
    if card.table:
        rows = []
        for label, cells, name in (
            (card.positive or "", ("tp", "fn"), "recall"),
            (card.negative or "all others", ("fp", "tn"), "precision"),
        ):
            row = [cut(label, max(min(width - 42, 24), 5)), *(f"{card.table[cell]:,.6g}" for cell in cells)]
            rows.append([*row, f"{name} {ends(card.measures[name])}"])
        return Section("counts", "Counts", (), (["", "flagged", "not flagged", ""], rows))
    if card.confusion is None:
        return None
    if card.confusion.counts and COLUMN * (len(card.confusion.labels) + 1) <= width:
        said = "True classes in rows, predicted classes in columns:"
        return Section("counts", "Counts", [said], _matrix(card.confusion, width))
    mistakes = [
        f"{each.cases:,.10g} of {cut(each.truth)!r} predicted as {cut(each.predicted)!r}"
        for each in card.confusion.mistakes[:3]
    ]
    return Section("counts", "Counts", [f"Most frequent mistakes: {', '.join(mistakes) or 'none'}."])


def _matrix(found: Confusion, width: int) -> Table:
    most = max(width // (len(found.labels) + 1) - 3, COLUMN - 2)
    labels = [cut(label, most) for label in found.labels]
    rows = zip(labels, found.counts, strict=False)  # labels that are only predicted have no row
    return ["", *labels], [[label, *(f"{count:,.10g}" for count in row)] for label, row in rows]


def _top(cases: int, of: int) -> str:
    """Name the cases with the highest scores, which equal scores may make more or fewer than a tenth."""
    is_tenth = abs(cases - of / 10) <= max(1, of / 200)
    return "top tenth" if is_tenth else f"top {percent(cases / of)}"


def in_use(card: Scorecard) -> Section | None:
    """What calibration, the top tenth and net benefit say, each with its name."""
    rows, found, top = [], card.calibration, card.top
    if found is not None:
        said = [f"predicted {percent(found.mean)}, {_positive(card)} {percent(found.share)}"]
        said.append(f"slope {ends(found.slope)}" if found.slope.method else f"no slope: {found.slope.reason}")
        if len(found.reliability) > 1 and card.cases >= FEWEST_RANKED:
            last = found.reliability[-1]
            name = _top(last.cases, card.cases)
            name += ":" if name.endswith("%") else ""
            said.append(f"{name} {percent(last.mean)} against {percent(last.share)}")
        rows.append(["Calibration", "; ".join(said)])
    # If all scores are equal, nothing is at the top.
    if top is not None and card.positives is not None and FEWEST_RANKED <= card.cases > top.cases:
        holding = f"{count_of(top.cases, 'case')} {'holds' if top.cases == 1 else 'hold'}"
        of = f"{top.positives:,} of the {count_of(card.positives, 'positive')}"
        rows.append([_top(top.cases, card.cases).capitalize(), f"{holding} {of}"])
    if found is not None:
        spans = [
            f"from {percent(low)} to {percent(high)}" if low < high else f"at {percent(low)}"
            for low, high in found.beneficial
        ]
        where = f'above "all" and "none" {listed(spans, 3)}' if spans else 'nowhere above "all" and "none"'
        rows.append(["Net benefit", f"{where} (without interval)"])
    return Section("use", "In use", (), (["", ""], rows)) if rows else None


# Every measure, and how it was found.

EXPLAINED = "tests"  # the id of sections that say how the others were found
AS_COUNTED = ("cases", "predicted", "threshold")  # columns whose numbers are not rounded
NOT_SHOWN = ("high", "reason", "assumes", "test_assumes")  # columns that others tell
NET_BENEFIT = (
    "The net benefit of acting on the cases at or above a threshold: true positives minus false positives times the "
    "odds of the threshold, per case. Acting on nobody is worth 0."
)
ONE_SIDED = f"Each class against the rest; one-sided p <= {LEVEL_OF_TEST} is better than trivial."
TWO_SIDED = "The p-values are two-sided and not corrected for the number of comparisons."


def detail_sections(result: Any) -> list[Section]:
    """Every measure and test of one model; or of several, or of subgroups, beside a section for each."""
    if isinstance(result, Scorecard):
        return _of_card(result)
    parts = {"all": result.whole, **result.parts} if isinstance(result, Subgroups) else {"": result}
    found = []
    for name, part in parts.items():
        if isinstance(part, Comparison):
            found += _of_models(part, f" ({name})" if name else "")
    for place, (name, card, _) in enumerate(named_cards(result), 1):
        (verdicts,) = verdict_sections(card)
        answers = verdicts._replace(sentences=verdict_sentences(card))
        shown = [each for each in (answers, counts(card), in_use(card)) if each]
        found.append(Section(f"card-{place}", name, (), None, [*shown, *_of_card(card)]))
    return found


def terms_of(result: Any) -> list[str]:
    """The names of the methods, tests and assumptions behind a result; the glossary has their meanings."""
    tests = [test for card in cards_of(result) for _, test, _ in _tested(card)]
    return list(dict.fromkeys([*tests, *_named(result.to_json())]))


def _named(plain: Any) -> Iterator[str]:
    """The methods, tests and assumptions that plain data names."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key not in ("method", "test", "assumes", "test_assumes"):
                yield from _named(value)
            elif value:
                yield value
    elif isinstance(plain, list):
        for value in plain:
            yield from _named(value)


def _table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """A table of plain fields, whose names are its titles."""
    flat = [_flat(row) for row in rows]
    return list(flat[0]), [list(row.values()) for row in flat]


def _flat(fields: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a row as text: nested ones beside the others, and both ends of an interval together."""
    found: dict[str, str] = {}
    for name, value in fields.items():
        if isinstance(value, Mapping):
            found |= _flat({name if inner == "value" else inner: each for inner, each in value.items()})
        elif name == "low":
            ends_of = [number(float(end)) for end in (value, fields["high"]) if end is not None]
            found[INTERVAL] = " to ".join(ends_of) or "none"
        elif name == "method":
            reason = f"none: {fields['reason']}" if "reason" in fields else "none"
            found[name] = value or reason
        elif name not in NOT_SHOWN:
            found[name] = _cell(name, value)
    return found


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if name.startswith("p_"):
        return p_text(value)
    return f"{value:,.10g}" if name in AS_COUNTED else number(value)


def _of_models(comparison: Comparison, name: str) -> list[Section]:
    plain, rows = comparison.to_json(), []
    for each in plain["models"]:
        row = {key: each[key] for key in ("model", "cases", "error", "trivial_error", "prediction_advantage")}
        row |= {area: found["value"] for area, found in each["areas"].items()}
        rows.append(row | {loss: found["loss"] for loss, found in each["losses"].items()})
    found = [Section("models", f"Errors, areas and losses{name}", (), _table(rows))]
    if comparison.differences:
        title = f"Differences from {comparison.best.model}, on the same cases{name}"
        found.append(Section("differences", title, [TWO_SIDED], _table(plain["differences"])))
    picked: dict[str, list[str]] = {}
    for measure, models in comparison.picks.items():
        for model in models:
            picked.setdefault(model, []).append(measure)
    said = [f"{model} is picked by {', '.join(measures)}." for model, measures in picked.items()]
    return [*found, Section(EXPLAINED, f"Choice of the model{name}", said)] if said else found


def _of_card(card: Scorecard) -> list[Section]:
    plain = card.to_json()
    calibration, confusion = plain["calibration"] or {}, plain["confusion"] or {}
    losses = [
        {
            "loss": name,
            "mean": each["loss"],
            "trivial": each["trivial"],
            "prediction_advantage": each["prediction_advantage"],
        }
        for name, each in plain["losses"].items()
    ]
    tables = (
        ("measures", "Measures", "", [{"measure": name, **each} for name, each in plain["measures"].items()]),
        ("areas", "Areas", "", [{"area": name, **each} for name, each in plain["areas"].items()]),
        ("losses", "Losses beside the best constant", "", losses),
        ("calibration", "Calibration", "", calibration.get("reliability")),
        ("net-benefit", "Net benefit", NET_BENEFIT, calibration.get("net_benefit")),
        ("classes", "Classes", ONE_SIDED, plain["classes"]),
        ("mistakes", "Mistakes", "", confusion.get("mistakes")),
    )
    found = [
        Section(name, title, [said] if said else (), _table(rows))
        for name, title, said, rows in tables
        if rows
    ]
    return [*found, _tests(card)]


def _tested(card: Scorecard) -> list[tuple[str, str, Any]]:
    """What was tested, by which test, and what has the p-values."""
    found: list[tuple[str, str, Any]] = []
    if card.cost is None:
        found.append((f"PA by {LOSSES[card.loss]}", card.test, card.judgement))
    for question, test in (("probabilities", "paired_t"), ("ranking", "mann_whitney")):
        if question in card.verdicts:
            found.append((question, test, card.verdicts[question]))
    return [(name, test, each) for name, test, each in found if not math.isnan(each.p_better)]


def _tests(card: Scorecard) -> Section:
    """The tests of one model, the rule behind its labels, its columns and notes."""
    rows = [
        {"question": name, "test": test, "p_better": each.p_better, "p_worse": each.p_worse}
        for name, test, each in _tested(card)
    ]
    said = [f"One-sided p <= {LEVEL_OF_TEST} is significant."]
    if card.cost is not None:
        said.append("Labels under costs are judged by their interval.")
    elif not rows:
        said = [f"There is no test: {card.advantage.reason}."]
    needed = None if card.cost is not None else card.judgement.cases_needed
    if needed is not None and card.error is not None and card.trivial_error is not None:
        side = "better" if card.error < card.trivial_error else "worse"
        said.append(f"At these error rates, about {needed:,} cases would be needed to show it is {side}.")
    if card.rule:
        other = "" if card.positive is None else "; --threshold sets another threshold"
        said.append(f"The predictions are made from the scores: {card.rule}{other}.")
    said.append(f"Columns: {', '.join(f'{what} from {name!r}' for what, name in card.columns.items())}.")
    said += [f"Note: {note}" for note in card.warnings]
    return Section(EXPLAINED, "Tests", said, _table(rows) if rows else None)
