"""The study's main findings: sentences computed from its tables, each with a pointer to where it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from nontrivial.experiments.ranks.model_choice import SUBSETS
from nontrivial.experiments.selective.selection import REJECTS, WORKED_EXAMPLE
from nontrivial.experiments.status import OK
from nontrivial.figure_style import LOOKS
from nontrivial.report.numbers import percent

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Finding:
    """A sentence or two, and the figure or table of the page that shows it."""

    text: str
    figure: str
    table: str


def find_findings(tables: Tables) -> list[Finding]:
    """Compute the findings that the tables at hand allow.

    Parameters
    ----------
    tables : mapping of str to DataFrame of str
        As `nontrivial.csv_tables.read_texts` reads them.

    Returns
    -------
    list of Finding
        A table that is not there, or that says of itself that it was not evaluated, has none.
    """
    findings = []
    for table, figure, sentence in _SENTENCES:
        text = sentence(tables[table]) if table in tables else ""
        if text:
            findings.append(Finding(text, figure, table))
    return findings


def _say_crossings(crossings: pd.DataFrame) -> str:
    """Where the measures of the first classifier stop to praise it, at the greatest noise."""
    first = crossings.iloc[:1]
    noises = crossings.loc[crossings["held"] == "noise", "at"]
    if noises.empty:
        return ""
    noise = max(noises, key=float)
    there = crossings[
        (crossings[["dataset", "model", "positive"]] == first[["dataset", "model", "positive"]].iloc[0]).all(
            axis=1
        )
        & (crossings["held"] == "noise")
        & (crossings["at"] == noise)
    ]
    here = there[there["reading"] == "zero"].set_index("measure")
    compared = there[there["reading"] == "best_constant"].set_index("measure")
    advantage, kappa = here.loc["prediction_advantage"], here.loc["cohen_kappa"]
    if not advantage["crossing"]:
        return ""
    silent = [LOOKS[name].name for name in here.index[here["outcome"] == "never"] if name in LOOKS]
    return (
        f"With {percent(float(noise))} of the labels wrong, {_words(advantage['model'])} on {advantage['dataset']} is "
        f"worth less than always naming the majority as soon as {advantage['positive']} cases are rarer than "
        f"{percent(float(advantage['crossing']))} (95 % interval {percent(float(advantage['low']))} to "
        f"{percent(float(advantage['high']))}): there the Prediction Advantage reaches 0. "
        + (
            f"Cohen's kappa does so only at {percent(float(kappa['crossing']))}. "
            if kappa["crossing"]
            else "Cohen's kappa never does so. "
        )
        + (f"{_listed(silent)} stay above 0 throughout. " if len(silent) > 1 else "")
        + _say_compared(compared["crossing"].get("accuracy", ""), advantage["crossing"])
    ).strip()


def _say_compared(accuracy: str, advantage: str) -> str:
    """Where accuracy warns, if it is compared with what the best constant answer attains."""
    if not accuracy:
        return ""
    place = (
        "where the Prediction Advantage does" if accuracy == advantage else f"at {percent(float(accuracy))}"
    )
    return f"Compared with the best constant answer's, instead of with 0, accuracy crosses {place}."


def _say_reversals(reversals: pd.DataFrame) -> str:
    """How often raw risk misleads between problems."""
    pairs, reversed_ = reversals["pairs"].astype(int).sum(), reversals["reversed"].astype(int).sum()
    if not pairs:
        return ""
    return (
        f"Of {pairs:,} pairs of models that were trained on different problems, {reversed_:,} "
        f"({percent(reversed_ / pairs)}) are ordered one way by their raw risk and the other way by their "
        "Prediction Advantage, because the constant answers of the two problems are not equally good."
    )


def _say_published(published: pd.DataFrame) -> str:
    """What published error rates are worth."""
    certain = published["sign_certain"] == "True"
    worse = int((certain & (published["high"].astype(float) <= 0)).sum())
    better = int((certain & (published["low"].astype(float) > 0)).sum())
    open_ = len(published) - worse - better
    return (
        f"{len(published)} published error rates on Haberman's survival data, compared with always naming the "
        f"majority: {worse} no better, however they were rounded; {better} better; {open_} undecided by the rounding."
    )


def _say_trained(summary: pd.DataFrame) -> str:
    """How many trained models are better than trivial, where they were trained."""
    row = summary.iloc[0]
    if row["outcome"] != OK:
        return ""
    return (
        f"Of {row['models']} models trained on Haberman's survival data in repeated cross-validation, "
        f"{row['advantage_above_0']} have a positive Prediction Advantage, and {row['better_than_trivial']} are better "
        "than trivial by a test that allows for the number of models."
    )


def _say_ranks(disagreement: pd.DataFrame) -> str:
    """How often the areas under PR and PRG curves disagree, beside the paper's figures."""
    chosen = disagreement[
        (disagreement["pair"] == "pr_auc/prg_auc") & (disagreement["rank_correlation"] != "")
    ]
    if chosen.empty:
        return ""
    row = chosen.iloc[0]

    def beside(name: str) -> str:
        return f"{percent(float(row[name]))} of the tasks (PRG paper: {percent(float(row[f'paper_{name}']))})"

    correlation, published = (float(row[f"{of}rank_correlation"]) for of in ("", "paper_"))
    return (
        f"Over {row['tasks']} tasks (made of {row['datasets']} data sets) with {row['models']} models each, the areas "
        "under the precision-recall and the precision-recall-gain curve name different best models in "
        f"{beside('top1_disagreement')} and order the first three differently in {beside('top3_disagreement')}; "
        f"how ties are broken decides the one in {row['top1_decided_by_ties']} and the other in "
        f"{row['top3_decided_by_ties']} of the tasks. Their ranks correlate with {correlation:.2f} (PRG paper: "
        f"{published:.2f})."
    )


def _say_choice(choice: pd.DataFrame) -> str:
    """Which of AUPR and AUPRG picks the better model where they differ."""
    rows = choice[(choice["of"] == SUBSETS[1]) & (choice["pairs"] != "0")]
    by_yardstick = {
        area: rows[rows["area"] == area].set_index("yardstick").to_dict("index")
        for area in ("pr_auc", "prg_auc")
    }
    if not {"held_out_f1", "expected_f1_gain"} <= by_yardstick["pr_auc"].keys():
        return ""
    held_out = by_yardstick["pr_auc"]["held_out_f1"]
    expected = by_yardstick["prg_auc"]["expected_f1_gain"]
    interval = (
        f" (95 % interval {percent(float(held_out['agreement_low']))} to {percent(float(held_out['agreement_high']))})"
        if held_out["agreement_low"]
        else ""
    )
    return (
        f"Where the areas under the precision-recall and the precision-recall-gain curve order two models differently "
        f"({int(held_out['pairs']):,} pairs on {held_out['tasks']} tasks, made of {held_out['datasets']} data sets), "
        f"the former picks the one with the greater F1 on held-out folds in {percent(float(held_out['agreement']))} of "
        f"the pairs{interval}, the latter in the others. The expected F1 gain, which is made from the latter, is on its"
        f" side in {percent(float(expected['agreement']))}."
    )


def _say_selection(pair: pd.DataFrame) -> str:
    """Two selective classifiers that only their advantages tell apart."""
    found = pair[(pair["task"] != WORKED_EXAMPLE) & (pair["outcome"] == OK)]
    real = found.set_index("rejects").to_dict("index")
    if not set(REJECTS) <= real.keys():
        return ""
    good, bad = (real[rejects] for rejects in REJECTS)
    worth, worthless = float(good["advantage"]), float(bad["advantage"])
    coverages, risks = (_both(good[column], bad[column]) for column in ("coverage", "risk"))
    return (
        f"Two selective classifiers answer {coverages} of the cases of {good['task']} with {risks} of errors. "
        "The one that rejects what it is unsure of has a Prediction "
        f"Advantage of {worth:.2f}; the one that rejects the minority has {worthless:.2f}."
    )


def _both(one: str, other: str) -> str:
    """Two shares as percentages, once if they read the same."""
    first, second = percent(float(one)), percent(float(other))
    return first if first == second else f"{first} and {second}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _listed(names: list[str]) -> str:
    """Join names as a sentence that begins with them does; abbreviations keep their capitals."""
    first, *others = names
    others = [name if name[1:2].isdigit() else name[:1].lower() + name[1:] for name in others]
    return ", ".join([first, *others[:-1]]) + f" and {others[-1]}"


_SENTENCES: list[tuple[str, str, Callable[[pd.DataFrame], str]]] = [
    ("crossings", "pa_figure_1", _say_crossings),
    ("loss_reversals", "pa_losses", _say_reversals),
    ("haberman_published", "", _say_published),
    ("haberman_trained_summary", "", _say_trained),
    ("selective_prediction", "pa_selective", _say_selection),
    ("rank_disagreement", "prg_figure_4", _say_ranks),
    ("model_choice", "prg_model_choice", _say_choice),
]
