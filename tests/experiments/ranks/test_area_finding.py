"""The study's own finding, on tasks whose answers are known."""

import numpy as np
import pandas as pd
import pytest
from experiments.ranks.ranked_tasks import PAIRS

from nontrivial_study.experiments.ranks.area_finding import area_finding, share_curve
from nontrivial_study.experiments.ranks.model_choice import CHOOSING_AREAS, YARDSTICKS, choice_by_share

VALUES = list(dict.fromkeys([*CHOOSING_AREAS, *YARDSTICKS]))


def study(*tasks):
    """Tasks of two models: ``positives`` of 1,000, the source, and whether AUPRG turns AUPR's order around."""
    parts = []
    for number, (positives, source, turned, right) in enumerate(tasks):
        values = {name: [0.9, 0.1] for name in VALUES}
        values["prg_auc"] = [0.1, 0.9] if turned else [0.9, 0.1]
        values["held_out_f1"] = values[right]
        about = {"task": f"t{number}", "rows_of": source, "status": "ok", "extrapolated": False}
        parts.append(pd.DataFrame(about | values | {"positives": positives, "negatives": 1000 - positives}))
    return pd.concat(parts, ignore_index=True).assign(model="m")


def find(areas, edges=(0.1,)):
    return area_finding(areas, PAIRS, choice_by_share(areas, edges, 500), 500).set_index(["question", "of"])


SHARES = [2**power for power in range(3, 9)]
RARE = study(*((p, f"s{p}{copy}", p < 50, "prg_auc") for p in SHARES for copy in range(4)))


def test_disagreement_that_rises_with_rarity_is_reported():
    rising = find(RARE).loc["rarity", "pr_auc/prg_auc top1"]
    x, y = np.log2(np.repeat(SHARES, 4)), np.repeat([1, 1, 1, 0, 0, 0], 4)
    assert rising["estimate"] == pytest.approx(-np.polyfit(x, y, 1)[0])
    assert rising["low"] > 0
    assert (rising["answer"], rising["tasks"], rising["datasets"]) == ("more", 24, 24)
    turned = study(*((p, f"s{p}{copy}", p > 50, "prg_auc") for p in SHARES for copy in range(4)))
    assert find(turned).loc[("rarity", "pr_auc/prg_auc top1"), "answer"] == "less"
    never = find(RARE).loc["rarity", "pr_auc/roc_auc top1"]
    assert (never["estimate"], never["answer"]) == (0, "not shown")


def test_tasks_of_one_source_weigh_as_one():
    tasks = [(p, f"s{p}{copy}", p < 50, "prg_auc") for p in SHARES for copy in range(4)]
    doubled = study(*tasks, *[tasks[0]] * 9)
    single, repeated = (find(areas).loc[("rarity", "pr_auc/prg_auc top1"), "estimate"] for areas in (RARE, doubled))
    assert single == pytest.approx(repeated)


@pytest.mark.parametrize(("right", "share"), [("prg_auc", 1), ("pr_auc", 0)])
def test_the_area_that_is_right_is_the_one_to_use(right, share):
    areas = study(*((p, f"s{p}{copy}", True, right) for p in SHARES for copy in range(5)))
    answers = find(areas).loc[("choice", "held_out_f1")]
    assert answers["answer"].tolist() == [right] * 3
    assert answers["estimate"].tolist() == [share] * 3
    assert answers["tasks"].tolist() == [30, 20, 10]


def test_few_sources_give_no_answer():
    areas = study(*((p, f"s{copy}", True, "pr_auc") for p in SHARES for copy in range(9)))
    assert set(find(areas)["answer"]) == {"too few data sets"}


def test_the_curve_follows_the_tasks_and_counts_sources():
    curve = share_curve(RARE, PAIRS)
    rows = curve[(curve["pair"] == "pr_auc/prg_auc") & (curve["figure"] == "top1")]
    tasks, line = (rows[rows["kind"] == kind] for kind in ("task", "curve"))
    assert tasks["disagreement"].tolist() == [1] * 12 + [0] * 12
    assert line["disagreement"].iloc[0] > 0.95
    assert line["disagreement"].iloc[-1] < 0.05
    assert (line["low"] < line["disagreement"]).iloc[1:-1].all()
    assert line["datasets"].between(4, 24).all()
    of_one_source = share_curve(RARE.assign(rows_of="one"), PAIRS)
    counts = of_one_source.loc[of_one_source["kind"] == "curve", "datasets"]
    assert counts.tolist() == pytest.approx([1.0] * len(counts))
