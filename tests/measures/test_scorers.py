"""Scorers by name in scikit-learn's model selection."""

import pickle

import numpy as np
import pytest
import sklearn
from odd_estimators import USUAL, Descending, DescendingMargins, Usual
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_validate
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from nontrivial import curves, measures
from nontrivial.curves import pr_auc_score, prg_auc_score
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.measures import SCORERS, get_scorer
from nontrivial.measures.label_scores import LABEL_SCORES

REGRESSION = ["prediction_advantage_squared", "prediction_advantage_absolute"]
CLASSIFICATION = sorted(SCORERS.keys() - set(REGRESSION))
WITH_CLASSES = [name for name in CLASSIFICATION if not name.startswith("prediction_advantage")]
OF_LABELS = [name for name in SCORERS if name.removeprefix("neg_") in LABEL_SCORES]
WITH_AVERAGES = [name for name in WITH_CLASSES if not name.endswith("r2")]
AREAS = {"prg_auc": prg_auc_score, "pr_auc": pr_auc_score}
every_area = pytest.mark.parametrize(("name", "score"), AREAS.items())
quiet = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")

X, Y = load_breast_cancer(return_X_y=True)
SPECIES_X, SPECIES = load_iris(return_X_y=True)
BAYES = GaussianNB(var_smoothing=0.1).fit(X[::2], Y[::2])


@pytest.mark.parametrize("average", [None, "macro", "weighted"])
@pytest.mark.parametrize("name", SCORERS)
@quiet
def test_a_scorer_is_its_function_in_other_processes_too(name, average):
    if average and name not in WITH_AVERAGES:
        pytest.skip("has no average")
    measure, sign, options = name.removeprefix("neg_"), -1 if name.startswith("neg_") else 1, {}
    if name.startswith("prediction_advantage_"):
        measure, options["loss"] = "prediction_advantage", name.removeprefix("prediction_advantage_")
    elif average:
        options["average"] = average
    area = CURVE_AREAS.get(measure)
    module = curves if hasattr(curves, f"{measure}_score") else measures
    function = area.score if area else LABEL_SCORES.get(measure) or getattr(module, f"{measure}_score")
    features, labels = (SPECIES_X, SPECIES) if average else (X, Y)
    model = LogisticRegression(max_iter=1000) if average else GaussianNB(var_smoothing=0.1)
    model.fit(features[::2], labels[::2])  # of several classes, not its decisions rank one against the rest
    takes_predictions = name in OF_LABELS or name in ("prediction_advantage", *REGRESSION)
    chances = model.predict_proba(features)
    prediction = model.predict(features) if takes_predictions else chances if average else chances[:, 1]
    weights = np.arange(len(labels)) % 3
    expected = sign * function(labels, prediction, sample_weight=weights, **options)
    scorer = clone(pickle.loads(pickle.dumps(get_scorer(name, average=average))), safe=False)
    assert scorer(model, features, labels, sample_weight=weights) == expected
    if average == "macro" and not takes_predictions:  # is the default
        assert SCORERS[name](model, features, labels, sample_weight=weights) == expected


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_weights_are_routed_to_scorers_that_ask_for_them(name):
    weights, rows = np.arange(len(Y)) % 3, np.arange(len(Y))
    with sklearn.config_context(enable_metadata_routing=True):
        asking = get_scorer(name).set_score_request(sample_weight=True)
        assert get_scorer(name).get_metadata_routing().score.requests.get("sample_weight") is None
        results = cross_validate(
            GaussianNB(var_smoothing=0.1).set_fit_request(sample_weight=False),
            X,
            Y,
            scoring={"one": asking},
            cv=[(rows[::2], rows[1::2])],
            params={"sample_weight": weights},
            error_score="raise",
        )
    expected = SCORERS[name](BAYES, X[1::2], Y[1::2], sample_weight=weights[1::2])
    assert results["test_one"].tolist() == [pytest.approx(expected, rel=1e-12)]


class Answers(ClassifierMixin, BaseEstimator):
    """A classifier that gives the first column as its answer."""

    classes_ = np.array([0, 1])

    def predict(self, X):
        return X[:, 0]


@pytest.mark.parametrize(
    ("name", "answers"),
    [("p4", [1, 1, 0, 0]), ("markedness", [1, 1, 1, 1]), ("markedness", [0] * 4), ("lift", [0] * 4)],
)
@pytest.mark.filterwarnings("error")
def test_undefined_scores_are_not_the_best_of_a_search(name, answers):
    """NumPy's argmax, with which scikit-learn chooses a threshold, takes NaN for the greatest."""
    for scorer in (SCORERS[name], get_scorer(name, pos_label=1)):
        assert scorer(Answers(), np.array(answers)[:, None], [0, 0, 1, 1]) == 0


# More than two classes.


@every_area
@quiet
def test_a_fold_may_lack_a_class(name, score):
    species = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
    model = GaussianNB().fit(SPECIES_X, species)
    with pytest.warns(UndefinedMetricWarning, match="virginica"):
        assert np.isnan(SCORERS[name](model, SPECIES_X[:100], species[:100]))
    result = get_scorer("prediction_advantage_cross_entropy")(model, SPECIES_X[:100], species[:100])
    assert 0.5 < result < 1
    with sklearn.config_context(enable_metadata_routing=True):
        asking = get_scorer(name).set_score_request(labels=True)
        result = asking(model.fit(SPECIES_X, SPECIES), SPECIES_X, SPECIES, labels=[2, 1, 0])
    columns = model.predict_proba(SPECIES_X)
    assert result == score(SPECIES, columns[:, ::-1]) != score(SPECIES, columns)


@every_area
def test_decisions_between_pairs_of_classes_are_no_scores_of_classes(name, score):
    pairs, shapes = SVC(decision_function_shape="ovo"), {"decision_function_shape": ["ovo"]}
    for model in (pairs, make_pipeline(StandardScaler(), pairs), GridSearchCV(SVC(), shapes)):
        with pytest.raises(ValueError, match="each pair"):
            SCORERS[name](model.fit(SPECIES_X, SPECIES), SPECIES_X, SPECIES)
    searched = GridSearchCV(pairs, {"decision_function_shape": ["ovr"]})
    for model in (SVC(), OneVsRestClassifier(pairs), OneVsOneClassifier(pairs), searched):
        assert SCORERS[name](model.fit(SPECIES_X, SPECIES), SPECIES_X, SPECIES) > 0.9


# Two classes.


@every_area
def test_two_classes_are_ranked_by_decisions_which_do_not_round_to_one(name, score):
    model = LogisticRegression(max_iter=5000).fit(X, Y)
    model.coef_, model.intercept_ = 50 * model.coef_, 50 * model.intercept_
    result = SCORERS[name](model, X, Y)
    assert result == score(Y, model.decision_function(X)) != score(Y, model.predict_proba(X)[:, 1])
    forest = IsolationForest(n_estimators=5, random_state=0).fit(X)  # a detector of outliers has no classes
    assert SCORERS[name](forest, X, Y) == score(Y, forest.decision_function(X))


@pytest.mark.parametrize("name", WITH_CLASSES)
@quiet
def test_strings_are_scored_with_a_positive_label(name):
    model, words = GaussianNB(var_smoothing=0.1), np.array(["ill", "well"])[Y]
    expected = get_scorer(name, pos_label=0)(BAYES, X, Y)
    assert get_scorer(name, pos_label="ill")(model.fit(X[::2], words[::2]), X, words) == expected
    assert get_scorer(name)(model.fit(X[::2], 1 - Y[::2]), X, 1 - Y) == expected


@pytest.mark.parametrize("name", [name for name in CLASSIFICATION if name != "prediction_advantage"])
def test_labels_that_the_model_does_not_know_are_named(name):
    with pytest.raises(ValueError, match=r"label 2 is none of|a label that y_true does not have"):
        SCORERS[name](BAYES, X, 2 * Y)


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("xyz", {}, "is unknown; known are prediction_advantage"),
        ("p4", {"average": "mean"}, "average"),
        ("p4", {"average": "macro", "pos_label": 1}, "give one of them"),
        ("efron_r2", {"average": "macro"}, "has no average"),
        ("prediction_advantage", {"pos_label": 1}, "has no positive class"),
        ("p4", {"cost": 2}, 'cost is for the scorer "cost"'),
        ("cost", {}, "which needs it"),
        ("cost", {"cost": -1}, "above 0"),
        ("cost", {"cost": "a"}, "a number above 0"),
    ],
)
def test_what_does_not_fit_is_refused_at_once(name, options, reason):
    with pytest.raises(ValueError, match=reason):
        get_scorer(name, **options)


@pytest.mark.parametrize("name", [name for name in CLASSIFICATION if name not in ("lift", "markedness")])
@pytest.mark.parametrize("odd", [Descending, DescendingMargins])
@quiet
def test_the_order_of_the_classes_changes_nothing(name, odd):
    usual, model = (each().fit(X[:, :3], Y) for each in (USUAL[odd], odd))
    if odd is DescendingMargins and SCORERS[name]._response_method == "predict_proba":
        pytest.skip("has no probabilities")
    assert SCORERS[name](model, X[:, :3], Y) == SCORERS[name](usual, X[:, :3], Y)


def test_losses_of_probabilities_need_no_positive_label():
    words = np.array(["ill", "well"])[Y]
    for name in ("prediction_advantage_cross_entropy", "efron_r2", "mcfadden_r2"):
        result = SCORERS[name](Usual().fit(X[:, :3], words), X[:, :3], words)
        assert result == pytest.approx(SCORERS[name](Usual().fit(X[:, :3], Y), X[:, :3], Y))


@pytest.mark.parametrize("pos_label", [0, 1])
def test_a_cost_finds_the_threshold_that_costs_least(pos_label):
    scorer = pickle.loads(pickle.dumps(get_scorer("cost", cost=9, pos_label=pos_label)))
    weights = np.arange(len(Y)) % 3
    is_positive, predicted = (labels == pos_label for labels in (Y, BAYES.predict(X)))
    lost = (weights * (9 * (is_positive & ~predicted) + (~is_positive & predicted))).sum()
    least = min(9 * weights[is_positive].sum(), weights[~is_positive].sum())
    assert scorer(BAYES, X, Y, sample_weight=weights) == pytest.approx(1 - lost / least)
    tuned = TunedThresholdClassifierCV(GaussianNB(var_smoothing=0.1), scoring=scorer, cv=3).fit(X, Y)
    assert tuned.best_score_ > 0
