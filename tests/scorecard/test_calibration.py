"""Whether probabilities are what they say."""

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score
from sklearn.metrics import brier_score_loss, log_loss

from nontrivial.measures import net_benefit_score


def test_probabilities_are_judged_as_such(cases):
    card = score(cases, score="good", positive="ill").result
    truth, chance = cases["y"] == "ill", cases["good"]
    losses = {row.name: row for row in card.losses}
    assert losses["squared"].loss == pytest.approx(brier_score_loss(truth, chance))
    assert losses["cross_entropy"].loss == pytest.approx(log_loss(truth, chance))
    share = truth.mean()
    assert losses["squared"].trivial == pytest.approx(share * (1 - share))
    assert sum(row.cases for row in card.calibration.reliability) == 200
    assert sum(row.cases * row.mean for row in card.calibration.reliability) == pytest.approx(chance.sum())
    for row in card.calibration.net_benefit:
        assert row.model == pytest.approx(net_benefit_score(truth, chance, threshold=row.threshold)), row
        assert row.everybody == pytest.approx(share - (1 - share) * row.threshold / (1 - row.threshold))


@pytest.mark.parametrize(("positives", "group"), [(9, None), (10, None), (27, "g")])
def test_losses_of_probabilities_have_an_interval_from_ten_of_each_class_on(positives, group):
    truth = np.arange(200) < positives
    frame = pd.DataFrame({"y": truth.astype(int), "p": 0.2 + 0.6 * truth, "g": np.arange(200) // 3})
    card = score(frame, score="p", positive="1", group=group).result
    offered = positives == 10
    assert [row.advantage.method != "" for row in card.losses] == [offered, offered]
    assert [np.isfinite(row.advantage.low) for row in card.losses] == [offered, offered]
    few = {
        None: "a class has fewer than 10 cases",
        "g": "the effective sample size of a class is below 10 groups",
    }
    reason = "" if offered else few[group]
    assert [row.no_interval for row in card.losses] == [reason, reason]


def test_scores_that_are_no_probabilities_are_not_calibrated(cases):
    card = score(cases.assign(good=cases["good"] * 9), score="good", positive="ill", threshold=4).result
    assert (card.losses, card.calibration) == ((), None)
