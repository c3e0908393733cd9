"""Columns of probabilities, one for each class."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student_t
from scorecard.valid import said_of_classes, score
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

from nontrivial.measures import prediction_advantage_interval
from nontrivial.scorecard.answers import no_shares


def test_probabilities_without_a_mistake_are_not_known_to_be_perfect():
    """One more case of 101 loses 1, as all marginal losses are 1/4: the mean and Student's interval by hand."""
    frame = pd.DataFrame({"y": [0, 1] * 50, "p": [0.0, 1.0] * 50})
    brier, log_loss = score(frame, score="p").result.losses
    # Of one 1 among 101: the variance is 101/100 (1/101)(100/101).
    mean, spread = 1 / 101, np.sqrt(1 / 101**2)
    assert brier.advantage.value == brier.advantage.high == 1
    assert brier.advantage.low == pytest.approx(1 - 4 * (mean + student_t.isf(0.025, 100) * spread), rel=1e-9)
    assert (log_loss.advantage.value, log_loss.advantage.low) == (1, -np.inf)
    assert brier.constant == log_loss.constant == 0.5
    unsure = score(frame.assign(p=0.01 + 0.98 * frame["p"]), score="p").result.losses[1]
    assert -np.inf < unsure.advantage.low < unsure.advantage.value


@pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
@pytest.mark.parametrize(
    "options", [{}, {"weight": "w"}, {"group": "patient"}, {"weight": "w", "group": "patient"}]
)
def test_a_loss_has_the_same_interval_in_the_package(cases, options):
    of_card = {
        row.name: row.advantage for row in score(cases, score="good", positive="ill", **options).result.losses
    }
    ill, chance = np.array(cases["y"] == "ill", dtype=int), cases["good"]
    units = {"sample_weight": cases.get(options.get("weight")), "groups": cases.get(options.get("group"))}
    for loss in ("squared", "cross_entropy"):
        for truth in (ill, ill.reshape(-1, 1)) if loss == "squared" else (ill,):
            said = np.reshape(chance, truth.shape)
            found = prediction_advantage_interval(truth, said, loss=loss, **units)
            assert found == pytest.approx((of_card[loss].low, of_card[loss].high), rel=1e-9)


@pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("known", [0.5, 0.0])
def test_a_loss_of_several_classes_has_the_same_interval_in_the_package(weight, known):
    draw = np.random.default_rng(1)
    truth = np.arange(90) % 3
    chances = draw.dirichlet([2, 2, 2] if known else [200, 300, 200], 90) * (1 - known)
    chances += known * np.eye(3)[truth]
    frame = pd.DataFrame(chances, columns=["p_a", "p_b", "p_c"])
    frame = frame.assign(y=np.array(list("abc"))[truth], w=draw.random(90) + 0.1)
    of_card = {row.name: row.advantage for row in score(frame, weight=weight).result.losses}
    weights = None if weight is None else frame["w"]
    for loss, labels in (("squared", np.eye(3)[truth]), ("cross_entropy", truth)):
        found = prediction_advantage_interval(labels, chances, loss=loss, sample_weight=weights)
        assert found == pytest.approx((of_card[loss].low, of_card[loss].high), rel=1e-9)


def test_a_probability_of_each_class(cases):
    draw = np.random.default_rng(1)
    truth = np.arange(90) % 3
    chances = draw.dirichlet([2, 2, 2], 90) * 0.5 + 0.5 * np.eye(3)[truth]
    frame = pd.DataFrame(chances, columns=["p_a", "p_b", "p_c"]).assign(y=np.array(list("abc"))[truth])
    card = score(frame).result
    assert card.error == np.mean(chances.argmax(axis=1) != truth)
    assert card.areas["macro_roc_auc"].value == pytest.approx(
        roc_auc_score(truth, chances, multi_class="ovr")
    )
    for place, row in enumerate(card.classes):
        assert row.areas["average_precision"] == pytest.approx(
            average_precision_score(truth == place, chances[:, place])
        )
    losses = {row.name: row for row in card.losses}
    assert losses["cross_entropy"].loss == pytest.approx(log_loss(truth, chances))
    assert losses["squared"].loss == pytest.approx(((chances - np.eye(3)[truth]) ** 2).sum(axis=1).mean())
    two = frame[frame["y"] != "c"].drop(columns="p_c")
    assert score(two, positive="a").result.columns["score"] == "p_a"


@pytest.mark.parametrize(("classes", "off", "wrong"), [(2, 0.01, False), (2, 0.011, True), (20, 0.06, True)])
def test_each_probability_may_be_off_by_half_a_hundredth_and_all_by_a_twentieth(classes, off, wrong):
    said = np.full((1, classes), 1 / classes)
    said[0, 0] += off
    assert no_shares(said).all() == wrong


@pytest.mark.parametrize("factor", [1, 3])
def test_scores_of_classes_that_do_not_add_up_to_1_have_no_losses_but_a_note(factor):
    frame, _ = said_of_classes(3)
    card = score({f"p_{name}" if name != "y" else "y": frame[name] * (factor if name == "c0" else 1)
                  for name in frame}).result  # fmt: skip
    assert bool(card.losses) == (factor == 1)
    assert any(f"In {card.cases} of {card.cases} cases" in note for note in card.warnings) == (factor != 1)
