"""Arrays and estimators, scored in Python."""

import re

import numpy as np
import pytest
from odd_estimators import USUAL
from scipy import sparse
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, QuantileRegressor
from sklearn.metrics import brier_score_loss, mean_pinball_loss, roc_auc_score
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import nontrivial
from nontrivial.curves import curve_areas
from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.measures.student import FOLD_ERROR_FACTOR
from nontrivial.scorecard.cross_validation import answer_folds, judge_procedures


def test_arrays_give_what_a_table_gives(cases):
    scored = nontrivial.score(cases["y"], cases["good"], pos_label="ill", sample_weight=cases["w"])
    table = nontrivial.score_predictions(cases, score="good", positive="ill", weight="w")
    assert scored.verdicts == table.verdicts
    class_chances = np.column_stack([1 - cases["good"], cases["good"]])
    arrays = nontrivial.score(cases["y"], class_chances, labels=["well", "ill"], pos_label="ill")
    unweighted = nontrivial.score_predictions(cases, score="good", positive="ill")
    assert arrays.result.areas == unweighted.result.areas
    with pytest.raises(ValueError, match="Neither y_score nor y_pred"):
        nontrivial.score([0, 1])
    with pytest.raises(ValueError, match="y_score has 3 columns, which need"):
        nontrivial.score([0, 1] * 3, np.ones((6, 3)))


def test_the_areas_of_an_estimator_are_the_means_over_its_folds():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scored = nontrivial.evaluate(model, X, y, cv=4)
    of_folds = [
        curve_areas(y[test], model.fit(X[train], y[train]).predict_proba(X[test])[:, 1])
        for train, test in StratifiedKFold(4).split(X, y)
    ]
    for name, area in scored.result.areas.items():
        assert area.value == pytest.approx(np.mean([areas[name] for areas in of_folds])), name
    ranking = scored.verdicts["ranking"]
    assert ranking.low < ranking.value == scored.result.areas["roc_auc"].value <= ranking.high
    assert "the procedure, trained on 427 cases" in scored.result.notes[-1]
    assert repr(scored).startswith("Pipeline: ")
    # Curves of scores of several models would show another ranking.
    captions = re.findall("<figcaption>(.*?)[.]<", scored.to_html())
    assert captions == ["Calibration", "Net benefit by threshold"]


def test_the_ranking_of_several_classes_is_the_mean_of_one_against_the_rest():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000)
    ranking = nontrivial.evaluate(model, X, y, cv=4).verdicts["ranking"]
    assert ranking.value == pytest.approx(cross_val_score(model, X, y, cv=4, scoring="roc_auc_ovr").mean())
    assert (ranking.verdict, ranking.measure, type(ranking.low)) == ("better", "macro_roc_auc", float)
    one_class = nontrivial.evaluate(model, X, y, cv=4, pos_label=1).verdicts["ranking"]
    expected = [
        roc_auc_score(y[test] == 1, model.fit(X[train], y[train]).predict_proba(X[test])[:, 1])
        for train, test in StratifiedKFold(4).split(X, y)
    ]
    assert (one_class.value, one_class.measure) == (pytest.approx(np.mean(expected)), "roc_auc")


def test_a_model_of_priors_is_neither_better_nor_worse():
    """Pooled, its ranking would be worse than chance: folds with more positives are scored lower."""
    X, y = np.zeros((200, 1)), np.arange(200) % 7 == 0
    cv = StratifiedKFold(9)
    scored = nontrivial.evaluate(DummyClassifier(), X, y, cv=cv)
    assert (scored.verdicts["ranking"].value, scored.verdicts["ranking"].verdict) == (0.5, "inconclusive")
    pooled = np.concatenate([np.full(len(test), y[train].mean()) for train, test in cv.split(X, y)])
    assert roc_auc_score(np.concatenate([y[test] for _, test in cv.split(X, y)]), pooled) < 0.5


BALANCED = np.arange(100) % 2
RARE = np.random.default_rng(1).random(2000) < 0.15


@pytest.mark.parametrize(
    ("model", "y", "cv", "question"),
    [
        (DummyClassifier(), RARE, KFold(20), "probabilities"),
        (DummyClassifier(), np.arange(300) % 3, LeaveOneOut(), "probabilities"),
        (DummyRegressor(), np.sin(np.arange(200.0)), LeaveOneOut(), "numbers"),
        (DummyClassifier(strategy="most_frequent"), BALANCED, LeaveOneOut(), "labels"),
    ],
)
def test_what_a_training_set_alone_tells_is_not_worse_than_trivial(model, y, cv, question):
    """Pooled, it does worse than the best constant of all cases, which includes the case that is predicted."""
    scored = nontrivial.evaluate(model, np.zeros((len(y), 1)), y, cv=cv)
    verdict = scored.verdicts[question]
    assert verdict.high < 0
    assert (verdict.verdict, verdict.p_worse) == ("inconclusive", 0.5)
    assert "not shown to be worse than those of the training sets" in scored.result.notes[0]
    assert scored.failing("not-worse", question) == []
    assert scored.to_json()["verdict"].startswith("inconclusive")


class Reversed(LogisticRegression):
    """A classifier that takes each class for the other."""

    def predict_proba(self, X):
        return super().predict_proba(X)[:, ::-1]

    def predict(self, X):
        return 1 - super().predict(X)


@pytest.mark.parametrize("cost", [None, 3])
def test_an_estimator_worse_than_its_training_sets_is_worse(cost):
    X = np.random.default_rng(0).normal(size=(200, 1))
    scored = nontrivial.evaluate(Reversed(), X, (X[:, 0] > 0.2).astype(int), cost=cost)
    assert {verdict.verdict for verdict in scored.verdicts.values()} == {"worse"}


@pytest.mark.parametrize("estimator", [None, LogisticRegression, KMeans()])
def test_what_is_no_classifier_or_regressor_is_refused(estimator):
    with pytest.raises(ValueError, match="it must be a scikit-learn classifier or regressor"):
        nontrivial.evaluate(estimator, np.zeros((20, 1)), BALANCED[:20])


def test_single_cases_as_folds_have_no_ranking():
    X, y = load_breast_cancer(return_X_y=True)
    scored = nontrivial.evaluate(LogisticRegression(max_iter=50), X[:60, :2], y[:60], cv=LeaveOneOut())
    assert set(scored.verdicts) == {"probabilities", "labels"}
    assert scored.result.areas == {}


def test_classes_numbers_and_margins_are_scored():
    of_classes = nontrivial.evaluate(LogisticRegression(max_iter=1000), *load_iris(return_X_y=True))
    assert of_classes.verdicts["probabilities"].verdict == "better"
    of_numbers = nontrivial.evaluate(LinearRegression(), *load_diabetes(return_X_y=True))
    assert of_numbers.verdicts["numbers"].verdict == "better"
    X, y = load_breast_cancer(return_X_y=True)
    margins = nontrivial.evaluate(LinearSVC(), X / X.max(axis=0), y, pos_label=0)
    assert set(margins.verdicts) == {"ranking", "labels"}
    assert margins.verdicts["ranking"].verdict == "better"
    assert margins.result.areas["prg_auc"].value > 0.9  # the margins are those of label 0, too
    neither = VotingClassifier([("one", LogisticRegression(max_iter=1000))])
    assert set(nontrivial.evaluate(neither, *load_iris(return_X_y=True)).verdicts) == {"labels"}
    with pytest.raises(ValueError, match="make it 'ovr'"):  # scores of pairs of classes, as many as classes
        nontrivial.evaluate(SVC(decision_function_shape="ovo"), *load_iris(return_X_y=True))


@pytest.mark.parametrize("odd", USUAL)
@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
def test_the_order_of_the_classes_and_frames_change_nothing(odd, load):
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X[:, :3])
    expected, scored = (nontrivial.evaluate(model, X, y, cv=3) for model in (USUAL[odd](), odd()))
    for question, verdict in scored.verdicts.items():
        assert (question, verdict.value) == (question, pytest.approx(expected.verdicts[question].value))


KINDS = ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"]


@pytest.mark.parametrize("kind", [f"{kind}_{form}" for kind in KINDS for form in ("matrix", "array")])
def test_sparse_features_give_what_dense_ones_give(kind):
    draws = np.random.default_rng(0)
    X = np.where(draws.random((60, 4)) < 0.5, 0, draws.normal(size=(60, 4)))
    y = np.where(X[:, 0] + draws.normal(size=60) / 2 > 0, "ill", "well")
    groups = np.arange(60) // 2
    for model in (LogisticRegression(), LinearSVC()):
        of_dense, of_sparse = (
            nontrivial.evaluate(model, features, y, cv=3, groups=groups, pos_label="ill")
            for features in (X, getattr(sparse, kind)(X))
        )
        values = [[verdict.value for verdict in scored.verdicts.values()] for scored in (of_dense, of_sparse)]
        assert values[1] == pytest.approx(values[0], abs=1e-3)


def test_groups_stay_together():
    """A nearest neighbour in the same group would know every answer."""
    draws = np.random.default_rng(0)
    groups = np.arange(40).repeat(5)
    X, y = draws.normal(size=(40, 2)).repeat(5, axis=0), draws.integers(2, size=40).repeat(5)
    scored = nontrivial.evaluate(KNeighborsClassifier(1), X, y, groups=groups)
    assert scored.verdicts["labels"].value < 0.5
    numbers = nontrivial.evaluate(KNeighborsRegressor(1), X, y + X[:, 0], groups=groups)
    assert numbers.verdicts["numbers"].value < 0.5
    with pytest.raises(ValueError, match="cv divides a group"):
        nontrivial.evaluate(KNeighborsClassifier(1), X, y, groups=groups, cv=[(range(199), [199])])


def test_a_cost_of_numbers_and_a_truth_of_two_columns_are_refused():
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(ValueError, match="cost is for classes"):
        nontrivial.evaluate(LinearRegression(), X, y, cost=2)
    with pytest.raises(ValueError, match="1d array"):
        nontrivial.evaluate(LinearRegression(), X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="cv trains on one class only in fold 1"):
        nontrivial.evaluate(LogisticRegression(), X, np.sort(y > 200), cv=TimeSeriesSplit(3))


X_OF_TWO, Y_OF_TWO = (values[:120] for values in load_breast_cancer(return_X_y=True))
X_OF_TWO = X_OF_TWO[:, :2]


def answers_of(cv, weights=None):
    """Return the tested rows, in the order of the data, and the probabilities of the second class."""
    rows, chances = [], []
    for train, test in cv.split(X_OF_TWO, Y_OF_TWO):
        fit_options = {} if weights is None else {"sample_weight": weights[train]}
        model = GaussianNB().fit(X_OF_TWO[train], Y_OF_TWO[train], **fit_options)
        rows += test.tolist()
        chances += model.predict_proba(X_OF_TWO[test])[:, 1].tolist()
    order = np.argsort(rows, kind="stable")
    return np.array(rows)[order], np.array(chances)[order]


@pytest.mark.parametrize(
    ("cv", "is_repeated", "note"),
    [
        (TimeSeriesSplit(4), False, "No test set has 24 of 120 cases"),
        (ShuffleSplit(6, test_size=0.3, random_state=0), True, "tested several times"),
        (RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0), True, "tested several times"),
    ],
)
def test_only_tested_cases_count_and_a_case_tested_twice_is_one_group(cv, is_repeated, note):
    scored = nontrivial.evaluate(GaussianNB(), X_OF_TWO, Y_OF_TWO, cv=cv)
    rows, chances = answers_of(cv)
    groups = rows if is_repeated else None
    pooled = nontrivial.score(Y_OF_TWO[rows], chances, groups=groups)
    assert scored.result.cases == len(rows)
    assert scored.result.groups == (len(np.unique(rows)) if is_repeated else None)
    for loss, row in scored.result.losses.items():
        assert row.loss == pytest.approx(pooled.result.losses[loss].loss)
    assert any(note in card_note for card_note in scored.result.notes)


def test_one_split_shares_no_training_cases_and_tests_none_of_them():
    cv = ShuffleSplit(1, test_size=0.4, random_state=0)
    scored = nontrivial.evaluate(GaussianNB(), X_OF_TWO, Y_OF_TWO, cv=cv)
    rows, chances = answers_of(cv)
    alone = nontrivial.score(Y_OF_TWO[rows], chances)
    for loss, row in alone.result.losses.items():
        advantage = scored.result.losses[loss].prediction_advantage
        assert advantage.low == pytest.approx(row.prediction_advantage.low)
    with pytest.raises(ValueError, match="tests cases that it trains on"):
        nontrivial.evaluate(GaussianNB(), X_OF_TWO, Y_OF_TWO, cv=[(range(120), range(60, 120))])


def test_weights_count_in_training_and_in_scoring():
    weights = np.where(np.arange(120) % 3 == 0, 0, 1 + np.arange(120) % 5)
    cv = StratifiedKFold(4)
    rows, chances = answers_of(cv, weights)
    expected = brier_score_loss(Y_OF_TWO[rows], chances, sample_weight=weights[rows])
    for model in (GaussianNB(), make_pipeline("passthrough", GaussianNB())):
        card = nontrivial.evaluate(model, X_OF_TWO, Y_OF_TWO, cv=cv, sample_weight=weights).result
        assert card.losses["squared"].loss == pytest.approx(expected)
        assert (card.cases, card.weight) == (np.count_nonzero(weights), weights.sum())
    untrained = nontrivial.evaluate(KNeighborsClassifier(), X_OF_TWO, Y_OF_TWO, sample_weight=weights)
    assert any("trained without weights" in note for note in untrained.result.notes)


def test_a_quantile_is_judged_by_its_own_loss():
    X, y = load_diabetes(return_X_y=True)
    model = QuantileRegressor(quantile=0.8, alpha=0)
    scored = nontrivial.evaluate(model, X, y, quantile=0.8)
    predictions = cross_val_predict(model, X, y)
    assert scored.result.losses["pinball"].loss == pytest.approx(mean_pinball_loss(y, predictions, alpha=0.8))
    assert scored.verdicts["numbers"].verdict == "better"
    worse = nontrivial.evaluate(DummyRegressor(strategy="quantile", quantile=0.1), X, y, quantile=0.8)
    assert worse.verdicts["numbers"].verdict == "worse"


def test_folds_widen_every_interval_and_raise_every_p_value():
    """By one factor, but for prevalence, which no training changes; ends stay within the measures' ranges."""
    X, y = load_breast_cancer(return_X_y=True)
    cv = StratifiedKFold(5)
    scored = nontrivial.evaluate(GaussianNB(), X[:, :2], y, cv=cv, pos_label=1)
    chances = cross_val_predict(GaussianNB(), X[:, :2], y, cv=cv, method="predict_proba")[:, 1]
    pooled = nontrivial.score(y, chances, (chances > 0.5).astype(int), pos_label=1)
    for name, measure in pooled.result.measures.items():
        widened = scored.result.measures[name]
        factor = 1.0 if CATALOGUE[name].better == 0 else FOLD_ERROR_FACTOR
        least, greatest = map(float, CATALOGUE[name].bounds)
        low = max(measure.value - factor * (measure.value - measure.low), least)
        high = min(measure.value + factor * (measure.high - measure.value), greatest)
        assert (widened.low, widened.high) == pytest.approx((low, high))
    for question in ("probabilities", "labels"):
        raised = norm.sf(norm.isf(pooled.verdicts[question].p_better) / FOLD_ERROR_FACTOR)
        assert scored.verdicts[question].p_better == pytest.approx(raised)
    assert scored.result.test == "cross_validated"


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_diabetes])
def test_models_judged_together_have_the_verdicts_of_each_alone_and_one_is_the_best(load):
    X, y = load(return_X_y=True)
    models, splitter, classes = {"good": LinearRegression(), "poor": DummyRegressor()}, KFold, None
    if load is not load_diabetes:
        models = {"good": KNeighborsClassifier(9), "poor": DummyClassifier()}
        splitter, classes = StratifiedKFold, np.unique(y)
    folds = list(splitter(3, shuffle=True, random_state=0).split(X, y))
    answers = {name: answer_folds(model, X, y, folds, None, classes) for name, model in models.items()}
    task = "regression" if classes is None else "classification"
    comparison = judge_procedures(answers, folds, y, task=task).result
    for card in comparison.cards:
        alone = nontrivial.evaluate(models[card.model], X, y, cv=folds).verdicts
        for question in card.verdicts.keys() - {"probabilities"}:
            assert card.verdicts[question].value == alone[question].value
            assert card.verdicts[question].low == alone[question].low
    assert comparison.leads
    assert {(lead.model, lead.worse) for lead in comparison.leads.values()} == {("good", ("poor",))}
