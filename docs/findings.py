"""Puts the results of the default study into the sentences of the pages: ``python docs/findings.py results``.

With ``--check`` it writes nothing, and fails if a page says something else.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from counts import fill_in

_SENTENCES = {
    "README.md": [
        "Of the {main} main claims, {reproduced} are proved or computed, {not_refuted} hold in every case searched, "
        "{caveat} holds with a caveat, and {contradicted} are contradicted, all of the PA paper",
        "AUPRG picks the one with the better F1 on held-out folds in {f1} % of the pairs "
        "(95 % interval {f1_low} to {f1_high}): use AUPR. By costs, neither is shown to be better, "
        "at {cost} % ({cost_low} to {cost_high})",
    ],
    "docs/area-finding.md": [
        "AUPRG picks the better F1 in {f1} % of the pairs ({f1_low} to {f1_high}): use AUPR. It picks the better "
        "cost in {cost} % ({cost_low} to {cost_high}) and the better Prediction Advantage in "
        "{pa} % ({pa_low} to {pa_high}): neither area is shown to be better. The two areas name different best "
        "models in {top1} % of the tasks ({top1_low} to {top1_high})"
    ],
}
# The sentences stand only as long as the study answers so.
_CONTRADICTED = {"pa-zero-others-positive", "pa-kappa-strict-when-imbalanced", "pa-order-chain"}
_CRITERIA = {
    "f1": ("held_out_f1", "pr_auc"),
    "cost": ("held_out_cost_advantage", "not shown"),
    "pa": ("prediction_advantage", "not shown"),
}


def read_numbers(results: Path) -> dict[str, int]:
    """Read what the sentences name from the results of a default study; shares become whole percentages."""
    verdicts = pd.read_csv(results / "claims" / "verdicts.csv")
    main = verdicts[verdicts["main"] & (verdicts["group"] == "claim")]
    contradicted = set(main.loc[main["verdict"] == "contradicted", "id"])
    if contradicted != _CONTRADICTED:
        raise ValueError(f"the README explains other contradicted claims than {sorted(contradicted)}")
    numbers = {"main": len(main), **main["verdict"].value_counts()}
    choices = pd.read_csv(results / "tables" / "area_finding.csv")
    choices = choices[choices["at_least"].isna() & choices["below"].isna()].set_index("of")
    for name, (criterion, answer) in _CRITERIA.items():
        choice = choices.loc[criterion]
        if choice["answer"] != answer:
            raise ValueError(f"the pages answer {answer} for {criterion}, and the study {choice['answer']}")
        numbers |= as_percentages(name, choice["estimate"], choice["low"], choice["high"])
    ranks = pd.read_csv(results / "tables" / "rank_disagreement.csv").set_index("pair").loc["pr_auc/prg_auc"]
    top1 = (ranks[f"top1_disagreement{end}"] for end in ("", "_low", "_high"))
    return numbers | as_percentages("top1", *top1)


def as_percentages(name: str, estimate: float, low: float, high: float) -> dict[str, int]:
    return {name: round(100 * estimate), f"{name}_low": round(100 * low), f"{name}_high": round(100 * high)}


def main(results: Path, check: bool) -> None:
    numbers = read_numbers(results)
    for name, sentences in _SENTENCES.items():
        path = Path(name)
        text = page = path.read_text(encoding="utf-8")
        for sentence in sentences:
            page = fill_in(page, sentence, numbers)
        if check and page != text:
            sys.exit(f"{name} has other numbers than {results}: python docs/findings.py {results}")
        if not check:
            path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--check" in sys.argv)
