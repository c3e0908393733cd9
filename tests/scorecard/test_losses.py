"""What predicted numbers, and probabilities, lose beside the best constant."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student_t
from scorecard.valid import score
from sklearn.metrics import r2_score

from nontrivial.measures import (
    compare_models,
    prediction_advantage_interval,
    prediction_advantage_score,
    triviality_test,
)


def test_numbers_are_compared_with_the_best_constant():
    draw = np.random.default_rng(2)
    truth = draw.normal(size=1500) * 10
    frame = pd.DataFrame({"y": truth, "pred": truth + draw.normal(size=1500) * 5, "w": draw.random(1500) + 0.1})
    card = score(frame, quantile=0.9).result
    assert card.task == "regression"
    losses = card.losses
    assert losses["squared"].prediction_advantage.value == pytest.approx(r2_score(truth, frame["pred"]))
    assert losses["squared"].constant == pytest.approx(truth.mean())
    assert losses["absolute"].constant == pytest.approx(np.median(truth))
    expected = prediction_advantage_score(truth, frame["pred"], loss="pinball", quantile=0.9)
    assert losses["pinball"].prediction_advantage.value == pytest.approx(expected)
    judged = score(frame).result.verdicts["numbers"]
    assert judged.verdict == "better"
    assert judged.p_better == pytest.approx(triviality_test(truth, frame["pred"], loss="squared").pvalue)
    bad = score(frame.assign(pred=-truth)).result
    assert bad.verdicts["numbers"].verdict == "worse"
    weighted = score(frame, weight="w").result
    assert weighted.prediction_advantage.value == pytest.approx(
        r2_score(truth, frame["pred"], sample_weight=frame["w"])
    )


@pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
def test_forecasts_of_a_quantile_are_judged_by_its_loss():
    """Forecasts of a high quantile lie far above the mean: worse than it in square, and better than the quantile."""
    draw = np.random.default_rng(4)
    mean = draw.normal(size=1000)
    truth = mean + draw.normal(size=1000)
    frame = pd.DataFrame({"y": truth, "pred": mean + 2.3, "trivial": np.quantile(truth, 0.99)})
    card = score(frame, prediction="pred", quantile=0.99).result
    assert (card.loss, card.verdicts["numbers"].verdict) == ("pinball", "better")
    assert card.prediction_advantage == card.losses["pinball"].prediction_advantage
    test = triviality_test(truth, frame["pred"], loss="pinball", quantile=0.99)
    assert card.verdicts["numbers"].p_better == pytest.approx(test.pvalue)
    assert score(frame, prediction="pred", task="regression").result.verdicts["numbers"].verdict == "worse"
    comparison = score(frame, prediction=["pred", "trivial"], quantile=0.99).result
    assert comparison.best.model == "pred"
    expected = compare_models(truth, frame["trivial"], frame["pred"], loss="pinball", quantile=0.99)
    (difference,) = comparison.differences
    assert (difference.value, difference.low, difference.high, difference.p_value) == tuple(expected)


@pytest.mark.parametrize(
    ("n", "quantile", "reason"),
    [(20, None, ""), (99, 0.9, "fewer than 10 cases are expected beyond the quantile"), (100, 0.1, "")],
)
def test_few_cases_beyond_a_quantile_have_no_interval_but_a_reason_in_every_format(n, quantile, reason):
    truth = np.random.default_rng(3).normal(size=n)
    frame = pd.DataFrame({"y": truth, "far": truth + 10 * (-1) ** np.arange(n), "perfect": truth})
    options = {"quantile": quantile, "task": "regression"}
    scored = score(frame, prediction="far", **options)
    card, plain = scored.result, scored.to_json()
    assert np.isfinite(card.prediction_advantage.low) == (not reason)
    assert plain["quantile"] == quantile
    for fields in (plain, plain["losses"][card.loss]):
        assert fields["prediction_advantage"].get("reason", "") == reason
    for output in (scored.to_text(every=True, explain=True), scored.to_html()):
        assert (f"no interval: {reason}" in " ".join(output.split())) == bool(reason)
    # Forecasts that are far off are worse, and perfect ones better, but few cases beyond a quantile do not show it.
    compared = score(frame, prediction=["far", "perfect"], **options)
    verdicts = [compared.verdicts[name]["numbers"].verdict for name in ("far", "perfect")]
    assert verdicts == (["inconclusive", "inconclusive"] if reason else ["worse", "better"])
    assert len(compared.result.differences) == (not reason)


def test_probabilities_without_a_mistake_are_not_known_to_be_perfect():
    """One more case of 101 loses 1, as all marginal losses are 1/4: the mean and Student's interval by hand."""
    frame = pd.DataFrame({"y": [0, 1] * 50, "p": [0.0, 1.0] * 50})
    brier, log_loss = score(frame, score="p").result.losses.values()
    # Of one 1 among 101: the variance is 101/100 (1/101)(100/101).
    mean, spread = 1 / 101, np.sqrt(1 / 101**2)
    assert brier.prediction_advantage.value == brier.prediction_advantage.high == 1
    assert brier.prediction_advantage.assumes == log_loss.prediction_advantage.assumes == "one_possible_case"
    assert brier.prediction_advantage.low == pytest.approx(
        1 - 4 * (mean + student_t.isf(0.025, 100) * spread), rel=1e-9
    )
    assert (log_loss.prediction_advantage.value, log_loss.prediction_advantage.low) == (1, -np.inf)
    assert brier.constant == log_loss.constant == 0.5
    unsure = score(frame.assign(p=0.01 + 0.98 * frame["p"]), score="p").result.losses["cross_entropy"]
    assert -np.inf < unsure.prediction_advantage.low < unsure.prediction_advantage.value


@pytest.mark.parametrize(("right", "loss", "verdict"), [(97, "squared", "better"), (60, "cross_entropy", "worse")])
def test_a_probability_of_1_leaves_the_verdict_to_brier_unless_log_loss_shows_worse(right, loss, verdict):
    """Of 100 cases of each class, some are predicted rightly; one of these has the probability 1."""
    of_positives = [1.0] + [0.99] * (right - 1) + [0.01] * (100 - right)
    of_negatives = [0.01] * right + [0.99] * (100 - right)
    scored = score({"y": [1] * 100 + [0] * 100, "p": of_positives + of_negatives})
    assert scored.result.losses["cross_entropy"].prediction_advantage.low == -np.inf
    verdict_on_probabilities = scored.verdicts["probabilities"]
    assert (verdict_on_probabilities.loss, verdict_on_probabilities.verdict) == (loss, verdict)
    assert ("By Brier" in str(scored)) == (loss == "squared")


def test_one_loss_judges_the_probabilities_of_all_subgroups():
    """In the one site log loss shows the model to be worse; in the other a probability of 1 leaves Brier."""
    draws = np.random.default_rng(0)
    y = draws.integers(2, size=400)
    p = np.where(np.arange(400) < 200, draws.choice([0.001, 0.999], 400), np.clip(0.1 + 0.8 * y, 0, 1))
    p[300 + y[300:].argmax()] = 1
    frame = pd.DataFrame({"y": y, "p": p, "site": np.repeat(["a", "b"], 200)})
    verdicts = score(frame, by="site").verdicts
    assert {of_subgroup["probabilities"].loss for of_subgroup in verdicts.values()} == {"squared"}
    assert [verdicts[name]["probabilities"].verdict for name in "ab"] == ["worse", "better"]


@pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
@pytest.mark.parametrize("options", [{}, {"weight": "w"}, {"group": "clinic"}, {"weight": "w", "group": "clinic"}])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_loss_has_the_same_interval_in_the_package(cases, n_classes, options):
    truth, chances = np.array(cases["y"] == "ill", dtype=int), cases["good"].to_numpy()
    scored = score(cases, score="good", positive="ill", **options)
    one_hot = truth.reshape(-1, 1)
    if n_classes == 3:
        truth = np.arange(200) % 3
        chances, one_hot = np.random.default_rng(1).dirichlet([2, 3, 2], 200), np.eye(3)[truth]
        frame = pd.DataFrame(chances, columns=["p_a", "p_b", "p_c"]).assign(y=np.take(list("abc"), truth))
        scored = score(frame.join(cases[["w", "clinic"]]), **options)
    of_card = {
        name: (row.prediction_advantage.low, row.prediction_advantage.high)
        for name, row in scored.result.losses.items()
    }
    units = {"sample_weight": cases.get(options.get("weight")), "groups": cases.get(options.get("group"))}
    for loss, labels in (("squared", one_hot), ("cross_entropy", truth)):
        predicted = chances.reshape(labels.shape) if n_classes == 2 else chances
        assert prediction_advantage_interval(labels, predicted, loss=loss, **units) == pytest.approx(
            of_card[loss], rel=1e-9
        )
