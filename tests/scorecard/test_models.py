"""Several models, weights, groups, numbers and probabilities of each class."""

import json
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student_t
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, r2_score, roc_auc_score

import nontrivial
from nontrivial._blocks import MOST_UNITS
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import (
    compare_models,
    confusion_measures,
    net_benefit_score,
    prediction_advantage_score,
    triviality_test,
)
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.scorecard.comparison import Comparison
from nontrivial.scorecard.estimates import SEED

SCHEMA = json.loads(resources.files("nontrivial.scorecard").joinpath("score.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture(scope="module")
def cases():
    """200 cases of 40 patients, with scores of a good and of a weak model."""
    draw = np.random.default_rng(5)
    truth = np.arange(200) % 3 == 0
    good, weak = (np.clip(draw.normal(0.4 + d * truth, 0.2), 0.01, 0.99) for d in (0.35, 0.1))
    return pd.DataFrame(
        {
            "y": np.where(truth, "ill", "well"),
            "good": good,
            "weak": weak,
            "w": draw.integers(1, 5, 200),
            "patient": np.arange(200) // 5,
        }
    )


def test_the_schema_is_one():
    VALIDATOR.check_schema(SCHEMA)


def score(data, **options):
    found = nontrivial.score_predictions(data, **options)
    plain = json.loads(json.dumps(found.to_json(), allow_nan=False))
    VALIDATOR.validate(plain)
    return found


def test_several_columns_are_compared_case_by_case(cases):
    found = score(cases, score=["weak", "good"], positive="ill").result
    assert isinstance(found, Comparison)
    assert [card.model for card in found.cards] == ["good", "weak"]
    truth = cases["y"] == "ill"
    differences = {each.measure: each for each in found.differences}
    assert {each.model for each in found.differences} == {"weak"}
    guesses = [cases[name] >= 0.5 for name in ("weak", "good")]
    expected = compare_models(truth, *guesses, random_state=SEED)
    assert (differences["prediction_advantage"].value, differences["prediction_advantage"].p_value) == (
        expected.difference,
        expected.pvalue,
    )
    areas = bootstrap_curve_areas(truth, cases["weak"], compared_with=cases["good"], random_state=SEED)
    assert differences["roc_auc"].low == areas.loc["low", "roc_auc"]
    assert found.picks["roc_auc"] == found.picks["brier_score"] == ("good",)


@pytest.mark.parametrize("equal", [True, False])
def test_models_of_one_advantage_are_equal_in_first_place(equal):
    """The two err in as many cases, but in others; a third one errs in more."""
    truth = [1] * 20 + [0] * 20
    one, two, three = ([abs(y - (place in wrong)) for place, y in enumerate(truth)]
                       for wrong in ([0, 1], [2, 30] if equal else [2, 3, 4], range(15)))  # fmt: skip
    found = score({"y": truth, "one": one, "two": two, "three": three}, prediction=["one", "two", "three"])
    assert [card.model for card in found.result.first] == (["one", "two"] if equal else ["one"])
    for output in (found.to_text(), found.to_html()):
        assert ("equal in first place" in output) == equal
        assert ("the best of" in output or "the greatest" in output) != equal


def test_blocks_of_a_comparison_without_picks_are_a_line_apart(cases):
    text = score(cases.assign(site=np.arange(200) % 2), score="good", by="site").to_text()
    assert "is picked by" not in text
    assert "\n\n\n" not in text


def test_measures_that_pick_different_models_are_said_to(tmp_path):
    """One is right more often; the other ranks perfectly but its threshold calls everything negative."""
    truth = [1] * 5 + [0] * 15
    frame = pd.DataFrame({"y": truth, "a": [0.9] * 4 + [0.1] * 16, "b": np.linspace(0.4, 0.1, 20)})
    found = score(frame, score=["a", "b"])
    assert not found.result.agree
    assert found.result.picks["accuracy"] == ("a",)
    assert found.result.picks["roc_auc"] == ("b",)
    assert "disagree" in found.to_text()


def test_files_with_the_same_cases_are_paired_and_others_not(cases, tmp_path):
    for name in ("good", "weak"):
        cases[["y", name]].to_csv(tmp_path / f"{name}.csv", index=False, header=["y", "p"])
    found = score([tmp_path / "good.csv", tmp_path / "weak.csv"], positive="ill").result
    assert [card.model for card in found.cards] == ["good.csv", "weak.csv"]
    assert found.unpaired == ""
    cases[["y", "weak"]].iloc[::-1].to_csv(tmp_path / "weak.csv", index=False, header=["y", "p"])
    found = score([tmp_path / "good.csv", tmp_path / "weak.csv"], positive="ill").result
    assert found.unpaired
    assert (found.differences, found.picks) == ((), {})


@pytest.fixture(scope="module")
def long(cases):
    """The same in rows of task, model and fold."""
    parts = [
        cases[["y"]].assign(p=cases[name], model=name, fold=np.arange(200) % 2, row_id=np.arange(200))
        for name in ("good", "weak")
    ]
    return pd.concat([parts[0], parts[1].iloc[::-1]])


def test_rows_of_models_are_scored_apart_and_paired_by_the_numbers_of_cases(cases, long):
    found = score(long, positive="ill").result
    assert [card.model for card in found.cards] == ["good", "weak"]
    assert any("'model'" in note for note in found.cards[0].warnings)
    assert any("'fold'" in note for note in found.cards[0].warnings)
    other = score(cases, score=["good", "weak"], positive="ill").result
    assert [vars(each) for each in found.differences] == [vars(each) for each in other.differences]


def test_rows_of_a_model_are_pooled_with_a_note_only(long):
    found = score(long[long["model"] == "good"].drop(columns="model"), positive="ill").result
    assert any("pooled" in note and "'fold'" in note for note in found.warnings)
    unequal = score(long.iloc[:-1], positive="ill").result
    assert any("pooled" in note and "'model'" in note for note in unequal.warnings)


def test_parts_by_a_column_are_not_paired_and_one_class_alone_is_noted(cases):
    frame = cases.assign(site=np.where(np.arange(200) < 100, "a", "b"))
    found = score(frame, score="good", by="site", positive="ill").result
    assert {card.cases for card in found.cards} == {100}
    assert found.unpaired
    frame.loc[frame["y"] == "ill", "site"] = "a"
    found = score(frame[frame["site"] != "c"], score="good", by="site", positive="ill").result
    assert any("one class: b" in note for note in found.warnings)


def test_whole_weights_count_like_rows(cases):
    weighted = score(cases, score="good", weight="w", positive="ill").result
    repeated = score(cases.loc[cases.index.repeat(cases["w"])], score="good", positive="ill").result
    assert weighted.table == repeated.table
    for name, estimate in repeated.measures.items():
        assert weighted.measures[name].value == pytest.approx(estimate.value), name
    for name, estimate in repeated.areas.items():
        assert weighted.areas[name].value == pytest.approx(estimate.value), name
    assert [row.loss for row in weighted.losses] == pytest.approx([row.loss for row in repeated.losses])
    # Fewer cases than rows: the intervals are wider.
    widths = [each.measures["f_beta"].high - each.measures["f_beta"].low for each in (weighted, repeated)]
    assert widths[0] > 1.2 * widths[1]
    assert (weighted.test, repeated.test) == ("bootstrap", "sign")


def test_groups_that_repeat_a_case_count_once(cases):
    once = score(cases, score="good", positive="ill").result
    five = pd.concat([cases.assign(unit=np.arange(200))] * 5)
    grouped = score(five, score="good", group="unit", positive="ill").result
    assert grouped.groups == 200
    for name in ("f_beta", "matthews_corrcoef", "accuracy"):
        width = [each.measures[name].high - each.measures[name].low for each in (grouped, once)]
        assert width[0] == pytest.approx(width[1], rel=0.15), name


@pytest.mark.parametrize("how", [{"weight": "w"}, {"group": "g"}, {"weight": "w", "group": "g"}])
@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_a_verdict_is_that_of_the_interval_beside_it(how, kind):
    verdicts = set()
    for right in (0.2, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8):
        draw = np.random.default_rng(round(100 * right))
        truth = draw.integers({"two classes": 2, "three classes": 3, "numbers": 9}[kind], size=120)
        drift = draw.permutation(truth)
        guess = np.where(draw.random(120) < right, truth, drift)
        frame = pd.DataFrame({"y": truth, "p": guess, "w": 10 ** draw.random(120), "g": np.arange(120) // 4})
        options = {"prediction": "p", "positive": "1"} if kind == "two classes" else {"prediction": "p"}
        options["task"] = "regression" if kind == "numbers" else "classification"
        card = score(frame, **options, **how).result
        low, high = card.advantage.low, card.advantage.high
        assert low < card.advantage.value < high
        assert (card.judgement.p_better <= LEVEL) == (low > 0)
        assert (card.judgement.p_worse <= LEVEL) == (high < 0)
        verdicts.add(card.judgement.verdict)
        for row in card.classes:
            assert (row.p_value <= LEVEL) == (row.advantage.low > 0)
    assert {"better", "not shown"} <= verdicts


@pytest.mark.parametrize(("labels", "how"), [("y", {"weight": "heavy"}), ("grade", {"group": "ward"})])
def test_fewer_than_five_units_have_no_interval_but_a_reason(cases, labels, how):
    """Four wards; or four cases that weigh as much as ten thousand others each, and so as four of one weight."""
    ward, grade = np.arange(200) % 4, np.array(["low", "mid", "high"])[np.arange(200) % 3]
    frame = cases.assign(ward=ward, grade=grade, heavy=np.where(np.arange(200) < 4, 1e6, 1.0), p=grade)
    said = {"score": "good", "positive": "ill"} if labels == "y" else {"prediction": "p"}
    found = score(frame, truth=labels, **said, **how)
    card, plain = found.result, found.to_json()
    assert card.judgement.verdict == "not shown"
    assert (card.advantage.method, np.isnan(card.advantage.low)) == ("", True)
    named = {name for name, each in (card.measures | card.areas).items() if each.value == each.value}
    assert {name for name in named if not (card.measures | card.areas)[name].method} == named
    assert named == set(card.no_interval)
    assert plain["measures"]["accuracy"]["reason"] == card.no_interval["accuracy"]
    assert card.no_interval["accuracy"] in found.to_text()
    frame["ward"] = np.arange(200) % 5
    assert score(frame, truth=labels, **said, group="ward").result.measures["accuracy"].method


def test_probabilities_without_a_mistake_are_not_known_to_be_perfect():
    """One more case of 101 loses 1, as all marginal losses are 1/4: the mean and Student's interval by hand."""
    frame = pd.DataFrame({"y": [0, 1] * 50, "p": [0.0, 1.0] * 50})
    brier, log_loss = score(frame, score="p").result.losses
    mean, spread = (
        1 / 101,
        np.sqrt(1 / 101**2),
    )  # of one 1 among 101: the variance is 101/100 (1/101)(100/101)
    assert brier.advantage.value == brier.advantage.high == 1
    assert brier.advantage.low == pytest.approx(1 - 4 * (mean + student_t.isf(0.025, 100) * spread), rel=1e-9)
    assert (log_loss.advantage.value, log_loss.advantage.low) == (1, -np.inf)
    unsure = score(frame.assign(p=0.01 + 0.98 * frame["p"]), score="p").result.losses[1]
    assert -np.inf < unsure.advantage.low < unsure.advantage.value


def test_a_class_whose_cases_have_no_weight_has_no_advantage():
    frame = pd.DataFrame({"y": [0, 1, 2] * 20, "p": [0, 1, 2, 0, 0, 1] * 10, "w": [1.0, 2.0, 0.0] * 20})
    *others, absent = score(frame, prediction="p", weight="w").result.classes
    assert np.isnan(absent.advantage.value)
    assert (absent.advantage.method, absent.p_value) == ("", 1)
    assert all(row.advantage.low < row.advantage.value < row.advantage.high for row in others)


def test_cases_without_weight_are_none_and_equal_weights_are_no_weights(cases):
    frame = cases.assign(w=[0] * 50 + [2] * 150)
    some, alone = (score(each, score="good", positive="ill", **options).result for each, options in
                   ((frame, {"weight": "w"}), (cases.iloc[50:], {})))  # fmt: skip
    assert (some.cases, some.weight) == (150, None)
    assert repr(some.measures) == repr(alone.measures)
    with pytest.raises(ValueError, match="'w' of the table has negative"):
        score(cases.assign(w=-1), score="good", weight="w")


@pytest.mark.parametrize("how", [{"weight": "w"}, {"group": "g"}])
def test_of_two_classes_of_one_size_either_may_be_the_greater(how):
    frame = pd.DataFrame(
        {"y": [0, 1] * 100, "p": [0, 1, 1, 0] * 50, "w": [1, 1, 3, 3] * 50, "g": np.arange(200)}
    )
    measures = score(frame, prediction="p", positive="1", **how).result.measures
    assert measures["no_information_rate"].value == measures["no_information_rate"].low == 0.5
    advantage = measures["prediction_advantage"]
    assert advantage.low < advantage.value < advantage.high
    assert measures["goodman_kruskal_lambda"].high >= advantage.high
    assert advantage.value == (0 if "group" in how else -0.5)


@pytest.mark.parametrize("how", [{"weight": "w"}, {"group": "patient"}])
@pytest.mark.parametrize("threshold", [0.5, 0.7])
def test_lambda_has_the_interval_of_the_advantage_where_it_is_the_advantage(cases, how, threshold):
    card = score(cases, score="good", positive="ill", threshold=threshold, **how).result
    assert card.measures["goodman_kruskal_lambda"] == card.advantage._replace(low=max(card.advantage.low, 0))


def test_probabilities_are_judged_as_such(cases):
    card = score(cases, score="good", positive="ill").result
    truth, chance = cases["y"] == "ill", cases["good"]
    losses = {row.name: row for row in card.losses}
    assert losses["brier_score"].loss == pytest.approx(brier_score_loss(truth, chance))
    assert losses["log_loss"].loss == pytest.approx(log_loss(truth, chance))
    share = truth.mean()
    assert losses["brier_score"].trivial == pytest.approx(share * (1 - share))
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
    reason = "" if offered else f"a class has fewer than 10 {'cases' if group is None else 'groups'}"
    assert [row.no_interval for row in card.losses] == [reason, reason]


def test_scores_that_are_no_probabilities_are_not_calibrated(cases):
    card = score(cases.assign(good=cases["good"] * 9), score="good", positive="ill", threshold=4).result
    assert (card.losses, card.calibration) == ((), None)


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
    assert losses["log_loss"].loss == pytest.approx(log_loss(truth, chances))
    assert losses["brier_score"].loss == pytest.approx(((chances - np.eye(3)[truth]) ** 2).sum(axis=1).mean())
    two = frame[frame["y"] != "c"].drop(columns="p_c")
    assert score(two, positive="a").result.columns["score"] == "p_a"


@pytest.mark.parametrize("factor", [1, 1.1])
def test_scores_of_classes_that_do_not_add_up_to_1_have_no_losses_but_a_note(factor):
    frame, _ = said_of_classes(3)
    card = score({f"p_{name}" if name != "y" else "y": frame[name] * (factor if name == "c0" else 1)
                  for name in frame}).result  # fmt: skip
    assert bool(card.losses) == (factor == 1)
    assert any("Brier score" in note for note in card.warnings) == (factor != 1)


def said_of_classes(n_classes):
    draw = np.random.default_rng(6)
    names = [f"c{place}" for place in range(n_classes)]
    truth = np.arange(12 * n_classes) % n_classes
    chances = draw.dirichlet(np.ones(n_classes), len(truth)) * 0.7 + 0.3 * np.eye(n_classes)[truth]
    return pd.DataFrame(chances, columns=names).assign(y=np.array(names)[truth]), truth


def test_each_interval_of_losses_classes_and_reliability_names_its_method(cases):
    of_classes, of_two = score(said_of_classes(3)[0]), score(cases, score="good", positive="ill")
    for output in (of_classes.to_text(), of_classes.to_html()):
        assert (output.count(", Fieller"), output.count(", exact"), output.count("one-sided")) == (2, 3, 1)
    page = of_two.to_html()
    assert (page.count(", Fieller"), page.count(", Clopper-Pearson")) == (
        2,
        len(of_two.result.calibration.reliability),
    )


def test_means_of_areas_lie_between_the_means_of_the_ends_of_the_classes():
    frame, truth = said_of_classes(3)
    card = score(frame).result
    tables = [
        bootstrap_curve_areas(truth == place, frame[f"c{place}"], random_state=SEED) for place in range(3)
    ]
    for name in ("roc_auc", "prg_auc", "average_precision"):
        expected = [
            np.mean([table.loc[end, name] for table in tables]) for end in ("estimate", "low", "high")
        ]
        assert card.areas[f"macro_{name}"] == (*map(pytest.approx, expected), "mean_of_intervals"), name
    assert list(card.no_interval) == ["macro_cost_curve_area"]


def test_a_class_that_a_part_lacks_leaves_the_means_of_areas_undefined():
    frame, truth = said_of_classes(3)
    frame["site"] = np.where(np.arange(len(frame)) % 2 + truth == 2, "a", "b")
    frame.loc[truth == 1, "site"] = "b"
    frame.loc[:3, "site"] = ["a", "b", "a", "a"]
    card = next(card for card in score(frame, by="site").result.cards if card.model == "a")
    assert np.isnan(card.areas["macro_roc_auc"].value)
    assert card.undefined["macro_roc_auc"] == "it is undefined for c1"


def test_means_of_areas_of_many_classes_have_no_interval_but_a_reason():
    found = score(said_of_classes(9)[0])
    plain = found.to_json()["areas"]
    assert plain["macro_roc_auc"]["method"] == ""
    reason = plain["macro_roc_auc"]["reason"]
    assert "more than 8 classes" in reason
    for output in (found.to_text(), found.to_html()):
        assert reason in output


def test_numbers_are_compared_with_the_best_constant():
    draw = np.random.default_rng(2)
    truth = draw.normal(size=1500) * 10
    frame = pd.DataFrame(
        {"y": truth, "pred": truth + draw.normal(size=1500) * 5, "w": draw.random(1500) + 0.1}
    )
    card = score(frame, quantile=0.9).result
    assert card.task == "regression"
    losses = {row.name: row for row in card.losses}
    assert losses["squared"].advantage.value == pytest.approx(r2_score(truth, frame["pred"]))
    assert losses["squared"].constant == pytest.approx(truth.mean())
    assert losses["absolute"].constant == pytest.approx(np.median(truth))
    assert losses["quantile"].advantage.value == prediction_advantage_score(
        truth, frame["pred"], loss="pinball", quantile=0.9
    )
    assert score(frame).result.judgement.verdict == "better"
    bad = score(frame.assign(pred=-truth)).result
    assert bad.judgement.verdict == "worse"
    weighted = score(frame, weight="w").result
    assert weighted.advantage.value == pytest.approx(r2_score(truth, frame["pred"], sample_weight=frame["w"]))


@pytest.mark.filterwarnings("ignore:This loss may be any number")
def test_forecasts_of_a_quantile_are_judged_by_its_loss():
    """Forecasts of a high quantile lie far above the mean: worse than it in square, and better than the quantile."""
    draw = np.random.default_rng(4)
    mean = draw.normal(size=1000)
    truth = mean + draw.normal(size=1000)
    frame = pd.DataFrame({"y": truth, "pred": mean + 2.3, "trivial": np.quantile(truth, 0.99)})
    card = score(frame, prediction="pred", quantile=0.99).result
    assert (card.loss, card.judgement.verdict) == ("quantile", "better")
    assert card.advantage == next(row.advantage for row in card.losses if row.name == "quantile")
    test = triviality_test(truth, frame["pred"], loss="pinball", quantile=0.99)
    assert card.judgement.p_better == test.pvalue
    assert score(frame, prediction="pred", task="regression").result.judgement.verdict == "worse"
    found = score(frame, prediction=["pred", "trivial"], quantile=0.99).result
    assert found.best.model == "pred"
    expected = compare_models(
        truth, frame["trivial"], frame["pred"], loss="pinball", quantile=0.99, random_state=SEED
    )
    assert tuple(vars(found.differences[0]).values())[2:] == (*expected, "fieller")


@pytest.mark.parametrize(
    ("n", "quantile", "reason"),
    [
        (20, None, ""),
        (99, 0.9, "fewer than 10 cases are expected beyond the quantile"),
        (100, 0.1, ""),
    ],
)
def test_few_cases_beyond_a_quantile_have_no_interval_but_a_reason_in_every_format(n, quantile, reason):
    truth = np.random.default_rng(3).normal(size=n)
    frame = pd.DataFrame({"y": truth, "pred": truth + 10 * (-1) ** np.arange(n)})
    found = score(frame, quantile=quantile, task="regression")
    card, plain = found.result, found.to_json()
    assert np.isfinite(card.advantage.low) == (not reason)
    assert (card.reason, plain["prediction_advantage"].get("reason", "")) == (reason, reason)
    assert plain["losses"][card.loss]["prediction_advantage"].get("reason", "") == reason
    for output in (found.to_text(), found.to_html()):
        assert (f"as {reason or 'there are'}" in output) == bool(reason)
    # Forecasts that are far off are worse, and perfect ones better, but few cases beyond a quantile do not show it.
    perfect = score(frame.assign(pred=truth), quantile=quantile, task="regression").result
    verdicts = card.judgement.verdict, perfect.judgement.verdict
    assert verdicts == (("not shown", "not shown") if reason else ("worse", "better"))


@pytest.mark.parametrize(("top", "task"), [(40, "regression"), (10, "classification")])
def test_whole_numbers_are_classes_unless_predictions_are_others(top, task):
    truth = np.arange(300) % top
    frame = pd.DataFrame({"y": truth, "pred": truth})
    assert score(frame).result.task == "classification"
    frame["pred"] = np.where(np.arange(300) < 3, truth + (0.5 if task == "regression" else 0), truth)
    assert score(frame).result.task == task
    assert score(frame, task="regression").result.task == "regression"


def test_numbers_to_be_predicted_are_never_listed(tmp_path):
    frame = pd.DataFrame({"y": np.arange(5000) / 7, "pred": ["low", "high"] * 2500})
    with pytest.raises(ValueError, match="'pred'") as error:
        score(frame)
    assert len(str(error.value)) < 300


def test_an_assumed_label_is_said_to_be(cases):
    card = score(cases, score="good").result
    assert (card.positive, card.assumed) == ("well", True)
    assert any("'well'" in note and "assumed" in note for note in card.warnings)
    named = score(cases, score="good", positive="ill").result
    assert not named.assumed
    assert not any("assumed" in note for note in named.warnings)


def test_python_gives_what_the_command_gives(cases, tmp_path):
    path = tmp_path / "a.csv"
    cases.to_csv(path, index=False)
    of_file = score(path, score="good", positive="ill")
    of_frame = score(cases, score="good", positive="ill")
    assert of_file.to_json() | {"file": "", "sha256": ""} == of_frame.to_json() | {"file": "", "sha256": ""}
    assert str(of_frame).startswith("the table: 200 cases")
    assert of_frame._repr_html_().startswith("<iframe")


@pytest.mark.parametrize("score_columns", [["good"], ["good", "weak"]])
def test_pages_explain_their_names_and_hold_the_digest(cases, tmp_path, score_columns):
    path = tmp_path / "<b>.csv"
    cases.to_csv(path, index=False)
    found = score(path, score=score_columns, positive="ill")
    page = found.to_html()
    assert "<b>.csv" not in page
    assert found.answers[0].sha256 in page
    assert "<dt>Matthews correlation (MCC)</dt>" in page
    assert "matthews_corrcoef" not in page


def test_more_cases_are_drawn_in_blocks_with_intervals_as_wide():
    draw = np.random.default_rng(3)
    n = MOST_UNITS + 1
    frame = pd.DataFrame({"y": draw.random(n) < 0.1, "w": draw.integers(1, 3, n)})
    frame["p"] = np.clip(draw.normal(0.3 + 0.3 * frame["y"], 0.15), 0, 1)
    one, blocks = (score(frame.iloc[:size], weight="w").result for size in (n - 1, n))
    for name in ("f_beta", "matthews_corrcoef", "prediction_advantage"):
        widths = [card.measures[name].high - card.measures[name].low for card in (one, blocks)]
        assert widths[0] == pytest.approx(widths[1], rel=0.15), name
    widths = [card.areas["roc_auc"].high - card.areas["roc_auc"].low for card in (one, blocks)]
    assert widths[0] == pytest.approx(widths[1], rel=0.2)


def test_measures_with_weights_are_those_of_the_weighted_table(cases):
    card = score(cases, score="good", weight="w", group="patient", positive="ill").result
    expected = confusion_measures(**card.table).iloc[0]
    for name, estimate in card.measures.items():
        assert estimate.value == pytest.approx(expected[name], nan_ok=True), name
        assert estimate.low <= estimate.value <= estimate.high, name
