"""Several classes: a row each, the measures of all, and a column of probabilities for each."""

import re

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import class_probabilities, score
from sklearn.metrics import (
    average_precision_score,
    cohen_kappa_score,
    f1_score,
    log_loss,
    matthews_corrcoef,
    precision_score,
    recall_score,
    roc_auc_score,
)

import nontrivial
from nontrivial.measures import p4_score, prediction_advantage_interval, prediction_advantage_score, triviality_test


def test_an_interval_holds_the_value_that_no_draw_reaches():
    """Every prediction is wrong. An imaginary case spread over 150 classes has drawn weights below 1e-70."""
    for n_classes, n_groups in ((3, 5), (4, 5), (150, 3)):
        truth = np.tile(np.arange(n_classes), n_groups).astype(str)
        groups = np.repeat(np.arange(n_groups), n_classes) if n_groups == 5 else np.arange(len(truth))
        data = {"y": truth, "prediction": np.roll(truth, 1), "g": groups}
        kappa = score(data, group="g", task="classification").result.measures["cohen_kappa"]
        assert kappa.low <= kappa.value == pytest.approx(-1 / (n_classes - 1))
        assert np.isfinite(kappa.high)


def test_several_classes_have_an_advantage_and_a_row_each():
    scored = score({"truth": list("aaaabbbc"), "prediction": list("aaaabbca")})
    card = scored.result
    # 2 errors, and 4 of always predicting a
    assert (card.trivial_error, card.error, card.prediction_advantage.value) == (0.5, 0.25, 0.5)
    assert (card.table, card.areas, card.positives) == ({}, {}, None)
    # a: TP 4, FP 1 of 4 others; b: TP 2, FN 1; c: FP 1, FN 1
    rows = [(row.label, row.cases, row.predicted) for row in card.classes]
    assert rows == [("a", 4, 5), ("b", 3, 2), ("c", 1, 1)]
    a, b, c = card.classes
    measures_of_a = {"precision": 0.8, "recall": 1, "specificity": 0.75, "f_beta": 8 / 9, "p4": 48 / 55}
    assert a.measures == pytest.approx(measures_of_a)
    assert [row.prediction_advantage.value for row in card.classes] == pytest.approx([3 / 4, 2 / 3, -1])
    assert (c.measures["precision"], c.measures["p4"]) == (0, 0)
    # right against always predicting "rest": won in TP, lost in FP; against always predicting b: TN 5 against FN 1
    assert b.p_value == pytest.approx(max(1 / 4, 7 / 64))
    row = r"^a +4 +5 +0\.8000 +1\.0000 +0\.7500 +0\.8889 +0\.8727 +0\.7500$"
    assert re.search(row, scored.to_text(every=True), re.MULTILINE)


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("only_predicted", [0, 5, 6])
def test_few_classes_have_a_table_of_counts_and_many_their_mistakes(only_predicted):
    """Three true classes and some that are only predicted; up to eight labels in all make a table."""
    extra_labels = [f"x{place}" for place in range(only_predicted)]
    truth = ["a"] * 4 + ["b"] * 3 + ["c"] * (5 + only_predicted)
    scored = score(pd.DataFrame({"truth": truth, "prediction": [*"aabcbccccccc", *extra_labels]}))
    plain, page, text = scored.to_json()["confusion"], scored.to_html(), scored.to_text(every=True)
    zeros, ones = [0] * only_predicted, [1] * only_predicted
    counts = [[2, 1, 1, *zeros], [0, 1, 2, *zeros], [0, 0, 5, *ones]]
    assert plain["labels"] == [*"abc", *extra_labels]
    assert plain["counts"] == ([] if only_predicted > 5 else counts)
    assert plain["mistakes"][0] == {"truth": "b", "predicted": "c", "cases": 2}
    assert sum(mistake["cases"] for mistake in plain["mistakes"]) == 4 + only_predicted
    assert '<tr><th scope="row">b</th><td>c</td><td class="number">2</td></tr>' in page
    if only_predicted > 5:
        mistakes = "mistakes: 2 of 'b' predicted as 'c', 1 of 'a' predicted as 'b', 1 of 'a' predicted as 'c'"
        assert mistakes in " ".join(text.split())
    else:
        lines = [line.split() for line in text.splitlines()]
        assert all([label, *map(str, row)] in lines for label, row in zip("abc", counts, strict=True))


def test_a_class_is_set_against_the_rest_as_two_classes_are():
    generator = np.random.default_rng(0)
    truth = np.concatenate([np.arange(50), generator.integers(0, 50, 2_000)]).astype(str)
    predicted = np.where(generator.random(2_050) < 0.6, truth, generator.integers(0, 55, 2_050).astype(str))
    for row in score({"y": truth, "prediction": predicted}).result.classes[::20]:
        of_class = truth == row.label, predicted == row.label
        assert row.prediction_advantage.value == prediction_advantage_score(*of_class)
        ends = row.prediction_advantage.low, row.prediction_advantage.high
        assert ends == prediction_advantage_interval(*of_class)
        assert row.p_value == triviality_test(*of_class).pvalue


def test_measures_of_several_classes_are_those_of_scikit_learn():
    generator, labels = np.random.default_rng(3), list("abcd")
    truth = generator.choice(labels, size=300, p=[0.5, 0.3, 0.15, 0.05])
    predicted = np.where(generator.random(300) < 0.6, truth, generator.choice(labels, size=300))
    predicted = np.array(["other"] * 3 + predicted[3:].tolist())
    card = score({"truth": truth, "prediction": predicted}).result
    macro = {"labels": labels, "average": "macro"}
    expected = {
        "accuracy": np.mean(truth == predicted),
        "error_rate": np.mean(truth != predicted),
        "balanced_accuracy": recall_score(truth, predicted, **macro),
        "macro_precision": precision_score(truth, predicted, **macro),
        "macro_f1": f1_score(truth, predicted, **macro),
        "macro_p4": np.mean([p4_score(truth == label, predicted == label) for label in labels]),
        "cohen_kappa": cohen_kappa_score(truth, predicted),
        "matthews_corrcoef": matthews_corrcoef(truth, predicted),
        "prediction_advantage": prediction_advantage_score(truth, predicted, labels=[*labels, "other"]),
    }
    values = {name: estimate.value for name, estimate in card.measures.items()}
    assert values == pytest.approx(expected, rel=1e-12)
    assert all(estimate.low < estimate.value < estimate.high for estimate in card.measures.values())


@pytest.mark.parametrize(
    ("truth", "predicted", "undefined"),
    [
        ("aabbc", "aaaba", {"macro_precision": "it is undefined for c"}),
        ("aabbc", "aaaaa", {"macro_precision": "it is undefined for b, c",
                            "matthews_corrcoef": "all cases are predicted to be of the same class"}),
        # c is told from the rest wrongly in all four cases; a and b rightly where the other is.
        ("abcc", "ccab", {"macro_p4": "it is undefined for c"}),
    ],
)  # fmt: skip
def test_an_undefined_mean_names_the_classes_it_lacks(truth, predicted, undefined):
    measures = score({"truth": list(truth), "prediction": list(predicted)}).result.measures
    reasons = {name: estimate.reason for name, estimate in measures.items() if np.isnan(estimate.value)}
    assert reasons == undefined


def test_a_probability_of_each_class():
    frame, truth = class_probabilities(3)
    chances = frame.drop(columns="y").to_numpy()
    card = score(frame).result
    assert card.error == np.mean(chances.argmax(axis=1) != truth)
    expected = roc_auc_score(truth, chances, multi_class="ovr")
    assert card.areas["macro_roc_auc"].value == pytest.approx(expected)
    for place, row in enumerate(card.classes):
        expected = average_precision_score(truth == place, chances[:, place])
        assert row.areas["average_precision"] == pytest.approx(expected)
    losses = {name: row.loss for name, row in card.losses.items()}
    assert losses["cross_entropy"] == pytest.approx(log_loss(truth, chances))
    assert losses["squared"] == pytest.approx(((chances - np.eye(3)[truth]) ** 2).sum(axis=1).mean())


@pytest.mark.parametrize(
    ("n_classes", "factor", "are_shares"), [(3, 1, True), (3, 1.0009, True), (3, 1.0011, False), (20, 1.06, False)]
)
def test_scores_that_do_not_add_up_to_1_have_no_losses_but_a_note(n_classes, factor, are_shares):
    frame, _ = class_probabilities(n_classes)
    scaled = {f"p_c{place}": frame[f"c{place}"] * factor for place in range(n_classes)}
    scores = pd.DataFrame(scaled).to_numpy()
    card = nontrivial.score(frame["y"], scores, labels=[f"c{place}" for place in range(n_classes)]).result
    assert bool(card.losses) == are_shares
    assert any(f"In {card.cases} of {card.cases} cases" in note for note in card.warnings) != are_shares
