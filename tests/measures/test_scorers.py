"""Scorers by name in scikit-learn's model selection."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import d2_log_loss_score, make_scorer, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from nontrivial.curves import pr_auc_score, prg_auc_score
from nontrivial.measures import SCORERS, get_scorer, p4_score, prediction_advantage_score

REGRESSION = {"prediction_advantage_squared", "prediction_advantage_absolute"}
CLASSIFICATION = sorted(SCORERS.keys() - REGRESSION)


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_classification_scorers_cross_validate_and_beat_chance(name):
    features, truth = load_breast_cancer(return_X_y=True)
    scores = cross_val_score(GaussianNB(), features, truth, scoring=get_scorer(name), error_score="raise")
    assert np.isfinite(scores).all()
    most, trivial = {"lift": (np.inf, 1), "neg_cost_curve_area": (0, -0.25)}.get(name, (1, 0))
    assert (scores <= most).all()
    if name != "mcfadden_r2" and "cross_entropy" not in name:  # naive Bayes is sure of its mistakes
        assert (scores > trivial).all()


class Answers(ClassifierMixin, BaseEstimator):
    """A classifier that gives the first column as its answer."""

    classes_ = np.array([0, 1])

    def predict(self, X):
        return X[:, 0]


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("p4", [1, 1, 0, 0]),
        ("markedness", [1, 1, 1, 1]),
        ("markedness", [0, 0, 0, 0]),
        ("lift", [0, 0, 0, 0]),
    ],
)
@pytest.mark.filterwarnings("error")
def test_undefined_scores_are_not_the_best_of_a_search(name, answers):
    """NumPy's argmax, with which scikit-learn chooses a threshold, takes NaN for the greatest."""
    for scorer in (SCORERS[name], get_scorer(name, pos_label=1)):
        assert scorer(Answers(), np.array(answers)[:, None], [0, 0, 1, 1]) == 0


@pytest.mark.parametrize("name", sorted(REGRESSION))
def test_regression_scorers_cross_validate(name):
    features, target = load_diabetes(return_X_y=True)
    tree = cross_val_score(
        DecisionTreeRegressor(max_depth=2, random_state=0), features, target, scoring=SCORERS[name]
    )
    trivial = cross_val_score(DummyRegressor(), features, target, scoring=SCORERS[name])
    assert (tree > trivial).all()
    assert (trivial < 0.05).all()


def test_all_at_once_and_weights_of_the_tuning():
    features, truth = load_breast_cancer(return_X_y=True)
    scoring = {name: SCORERS[name] for name in CLASSIFICATION}
    results = cross_validate(GaussianNB(), features, truth, scoring=scoring, error_score="raise")
    assert {f"test_{name}" for name in CLASSIFICATION} <= results.keys()
    search = GridSearchCV(
        GaussianNB(),
        {"var_smoothing": [1e-9, 1e3]},
        scoring=get_scorer("prediction_advantage"),
        error_score="raise",
    ).fit(features, truth)
    assert search.best_params_ == {"var_smoothing": 1e-9}


@pytest.mark.parametrize("name", [name for name in CLASSIFICATION if "advantage" not in name])
@pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
def test_several_classes_are_averaged_each_against_the_rest(name):
    features, truth = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000).fit(features[::2], truth[::2])
    if name.endswith("r2"):  # of all classes at once
        shares, chances = np.full(3, 1 / 3), model.predict_proba(features)
        square, log = (
            np.square(chances - np.eye(3)[truth]).sum(),
            -np.log(chances[np.arange(150), truth]).sum(),
        )
        trivial = {"efron_r2": 150 * (1 - shares @ shares), "mcfadden_r2": 150 * np.log(3)}[name]
        expected = 1 - {"efron_r2": square, "mcfadden_r2": log}[name] / trivial
        assert SCORERS[name](model, features, truth) == pytest.approx(expected, rel=1e-9)
        with pytest.raises(ValueError, match="has no average"):
            get_scorer(name, average="macro")
        return
    scorer = clone(pickle.loads(pickle.dumps(get_scorer(name, average="macro"))), safe=False)
    function, sign, options = scorer._score_func, scorer._sign, dict(scorer._kwargs)
    del options["average"]
    labels = scorer._response_method == "predict"
    weights = np.arange(150) % 3 + 1
    found = model.predict(features) if labels else model.predict_proba(features)
    of_classes = [
        sign
        * function(
            truth == place, found == place if labels else found[:, place], sample_weight=weights, **options
        )
        for place in range(3)
    ]
    with sklearn.config_context(enable_metadata_routing=True):
        asking = scorer.set_score_request(sample_weight=True)
        mean = asking(model, features, truth, sample_weight=weights)
    assert mean == pytest.approx(np.mean(of_classes), rel=1e-9)
    assert np.ptp(of_classes) > 0
    share = get_scorer(name, average="weighted")(model, features, truth, sample_weight=weights)
    assert share == pytest.approx(np.average(of_classes, weights=np.bincount(truth, weights)), rel=1e-9)
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e3]}, scoring=scorer, error_score="raise")
    assert search.fit(features, truth).best_params_ == {"var_smoothing": 1e-9}
    if labels:
        with pytest.raises(ValueError, match='average="macro"'):
            SCORERS[name](model, features, truth)
    else:
        assert SCORERS[name](model, features, truth) == scorer(model, features, truth)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("p4", {"average": "mean"}),
        ("prg_auc", {"average": "binary"}),
        ("p4", {"average": "macro", "pos_label": 1}),
        ("prediction_advantage", {"average": "macro"}),
    ],
)
def test_an_average_that_does_not_fit_is_refused_at_once(name, options):
    with pytest.raises(ValueError, match="average"):
        get_scorer(name, **options)


@pytest.mark.parametrize("name", [name for name in CLASSIFICATION if name != "prediction_advantage"])
def test_labels_that_the_model_does_not_know_are_named(name):
    features, truth = load_breast_cancer(return_X_y=True)
    model = GaussianNB().fit(features, truth)
    with pytest.raises(ValueError, match=r"the label 2, but GaussianNB|a label that y_true does not have"):
        SCORERS[name](model, features, 2 * truth)


@pytest.mark.parametrize("name", ["prg_auc", "pr_auc"])
def test_detectors_of_outliers_have_no_classes_and_can_be_scored(name):
    features, truth = load_breast_cancer(return_X_y=True)
    forest = IsolationForest(n_estimators=5, random_state=0).fit(features)
    of_scores = {"prg_auc": prg_auc_score, "pr_auc": pr_auc_score}[name]
    assert SCORERS[name](forest, features, truth) == of_scores(truth, forest.decision_function(features))


def test_scorers_are_their_functions():
    features, truth = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000).fit(features, truth)
    assert SCORERS["prediction_advantage"](model, features, truth) == prediction_advantage_score(
        truth, model.predict(features)
    )
    assert SCORERS["prediction_advantage_cross_entropy"](model, features, truth) == pytest.approx(
        d2_log_loss_score(truth, model.predict_proba(features)), rel=1e-12
    )
    features, truth = features[50:], truth[50:]
    model = LogisticRegression(max_iter=1000).fit(features, truth)
    assert SCORERS["p4"](model, features, truth) == p4_score(truth, model.predict(features))
    features, target = load_diabetes(return_X_y=True)
    model = DecisionTreeRegressor(random_state=0).fit(features[:300], target[:300])
    expected = r2_score(target[300:], model.predict(features[300:]))
    assert SCORERS["prediction_advantage_squared"](model, features[300:], target[300:]) == pytest.approx(
        expected
    )


@pytest.mark.parametrize("name", SCORERS)
def test_weights_are_repetitions(name):
    features, truth = load_breast_cancer(return_X_y=True)
    weights = np.arange(len(truth)) % 3
    model = GaussianNB(var_smoothing=0.1).fit(features, truth)
    weighted = SCORERS[name](model, features, truth, sample_weight=weights)
    repeated = SCORERS[name](model, features.repeat(weights, axis=0), truth.repeat(weights))
    assert weighted == pytest.approx(repeated, rel=1e-9)


@pytest.mark.parametrize("name", ["prg_auc", "pr_auc"])
@pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
def test_areas_of_several_classes_score_models(name):
    model = GaussianNB()
    features, truth = load_iris(return_X_y=True)
    species = np.array(["setosa", "versicolor", "virginica"])[truth]
    by_number = cross_val_score(model, features, truth, scoring=get_scorer(name), error_score="raise")
    by_name = cross_val_score(model, features, species, scoring=get_scorer(name), error_score="raise")
    assert list(by_number) == list(by_name)
    assert (by_number > 0.5).all()
    with pytest.warns(UndefinedMetricWarning, match="virginica"):
        score = get_scorer(name)(model.fit(features, species), features[:100], species[:100])
    assert np.isnan(score)


def test_a_fold_without_one_of_the_classes_still_has_a_cross_entropy():
    features, truth = load_iris(return_X_y=True)
    everything, two_classes = np.arange(150), np.arange(100)
    (score,) = cross_val_score(
        LogisticRegression(max_iter=1000),
        features,
        truth,
        scoring=get_scorer("prediction_advantage_cross_entropy"),
        cv=[(everything, two_classes)],
        error_score="raise",
    )
    assert 0.5 < score < 1


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_travel_to_other_processes(name):
    assert pickle.loads(pickle.dumps(SCORERS[name])) is not None


@pytest.mark.parametrize("name", [name for name in SCORERS if not name.startswith("prediction_advantage")])
@pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
def test_strings_are_scored_with_a_positive_label(name):
    features, truth = load_breast_cancer(return_X_y=True)
    model = GaussianNB(var_smoothing=0.1).fit(features[::2], truth[::2])
    expected = get_scorer(name, pos_label=0)(model, features, truth)
    model.fit(features[::2], np.array(["ill", "well"])[truth[::2]])
    assert get_scorer(name, pos_label="ill")(model, features, np.array(["ill", "well"])[truth]) == expected
    assert get_scorer(name)(model.fit(features[::2], 1 - truth[::2]), features, 1 - truth) == expected


def test_a_scorer_without_a_positive_class_takes_none():
    with pytest.raises(ValueError, match="has no positive class"):
        get_scorer("prediction_advantage", pos_label=1)


@pytest.mark.parametrize("name", ["auc", ["p4"]])
def test_an_unknown_name_lists_the_known(name):
    with pytest.raises(ValueError, match="is unknown; known are prediction_advantage"):
        get_scorer(name)


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_weights_are_routed_to_scorers_that_ask_for_them(name):
    features, truth = load_breast_cancer(return_X_y=True)
    weights = np.arange(len(truth)) % 3
    rows = np.arange(len(truth))
    fold = [(rows[::2], rows[1::2])]
    model = GaussianNB(var_smoothing=0.1)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = get_scorer(name).set_score_request(sample_weight=True)
        results = cross_validate(
            model.set_fit_request(sample_weight=False),
            features,
            truth,
            scoring={"one": asking},
            cv=fold,
            params={"sample_weight": weights},
            error_score="raise",
        )
    model.fit(features[::2], truth[::2])
    expected = SCORERS[name](model, features[1::2], truth[1::2], sample_weight=weights[1::2])
    assert results["test_one"].tolist() == [pytest.approx(expected, rel=1e-12)]
    assert expected != pytest.approx(SCORERS[name](model, features[1::2], truth[1::2]), rel=1e-6)


def test_classes_that_are_asked_for_by_routing_are_those_of_the_columns():
    features, truth = load_iris(return_X_y=True)
    model = GaussianNB(var_smoothing=0.1).fit(features, truth)
    with sklearn.config_context(enable_metadata_routing=True):
        found = get_scorer("prg_auc").set_score_request(labels=True)(model, features, truth, labels=[2, 1, 0])
        with pytest.warns(UndefinedMetricWarning):  # the third class is known from the model
            assert np.isnan(get_scorer("prg_auc")(model, features[:100], truth[:100], labels=None))
    columns = model.predict_proba(features)
    assert found == prg_auc_score(truth, columns[:, ::-1])
    assert found != prg_auc_score(truth, columns)


def test_a_scorer_is_ones_own():
    with sklearn.config_context(enable_metadata_routing=True):
        get_scorer("p4").set_score_request(sample_weight=True)
        assert get_scorer("p4").get_metadata_routing().score.requests.get("sample_weight") is None


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_are_those_of_scikit_learn(name):
    assert isinstance(SCORERS[name], type(make_scorer(p4_score)))
    assert repr(SCORERS[name]).startswith("make_scorer(")


@pytest.mark.parametrize(("name", "score"), [("prg_auc", prg_auc_score), ("pr_auc", pr_auc_score)])
def test_two_classes_are_ranked_by_decisions_which_do_not_round_to_one(name, score):
    features, truth = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(max_iter=5000).fit(features, truth)
    model.coef_, model.intercept_ = 50 * model.coef_, 50 * model.intercept_
    found = SCORERS[name](model, features, truth)
    assert found == score(truth, model.decision_function(features))
    assert found != score(truth, model.predict_proba(features)[:, 1])


@pytest.mark.parametrize("name", ["prg_auc", "pr_auc"])
def test_decisions_between_pairs_of_classes_are_no_scores_of_classes(name):
    features, truth = load_iris(return_X_y=True)
    for model in (SVC(), make_pipeline(StandardScaler(), SVC())):
        assert SCORERS[name](model.fit(features, truth), features, truth) > 0.9
    pairs = SVC(decision_function_shape="ovo")
    shapes = {"decision_function_shape": ["ovo"]}
    for model in (pairs, make_pipeline(StandardScaler(), pairs), GridSearchCV(SVC(), shapes)):
        with pytest.raises(ValueError, match="each pair"):
            SCORERS[name](model.fit(features, truth), features, truth)
    shapes = {"decision_function_shape": ["ovr"]}
    for model in (OneVsRestClassifier(pairs), OneVsOneClassifier(pairs), GridSearchCV(pairs, shapes)):
        assert SCORERS[name](model.fit(features, truth), features, truth) > 0.9
