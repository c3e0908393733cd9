"""Models are built as described, and what is wrong with a description is said in one sentence."""

import numpy as np
import pytest
from odd_estimators import USUAL, Nameless, Words
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from nontrivial_study.experiments.tasks.models import build_model, positive_scores, predicted_positive

X = np.array([[0.0], [1.0], [2.0], [3.0]])
Y = np.array([False, False, True, True])


def test_parameters_seed_and_scaling_arrive():
    model = build_model("m", {"estimator": "LogisticRegression", "parameters": {"C": 2.5}, "scale": "standard"}, seed=7)
    assert isinstance(model, Pipeline)
    assert (model[-1].C, model[-1].random_state) == (2.5, 7)


def test_scores_are_the_decision_function_or_the_positive_probability():
    logistic = LogisticRegression().fit(X, Y)
    np.testing.assert_array_equal(positive_scores(logistic, X), logistic.decision_function(X))
    neighbours = KNeighborsClassifier(3).fit(X, Y)
    np.testing.assert_array_equal(positive_scores(neighbours, X), neighbours.predict_proba(X)[:, 1])
    assert positive_scores(DummyClassifier(strategy="prior").fit(X, Y), X).tolist() == [0.5] * 4


@pytest.mark.parametrize("odd", USUAL)
def test_scores_are_of_the_class_true_whatever_the_order_of_the_columns(odd):
    usual, model = (estimator().fit(X, Y) for estimator in (USUAL[odd], odd))
    np.testing.assert_array_equal(positive_scores(model, X), positive_scores(usual, X))
    np.testing.assert_array_equal(predicted_positive(model, X), Y)


def test_columns_and_labels_that_name_no_class_are_refused():
    with pytest.raises(ValueError, match="Nameless has no classes_"):
        positive_scores(Nameless().fit(X, Y), X)
    with pytest.raises(ValueError, match="Some labels are strings"):
        predicted_positive(Words().fit(X, Y), X)


def test_scores_that_are_not_finite_are_refused():
    class Broken:
        classes_ = (False, True)

        def decision_function(self, features):
            return np.array([np.nan, 1.0])

    with pytest.raises(ValueError, match="1 of 2 scores are not finite"):
        positive_scores(Broken(), X)


def test_an_estimator_of_any_package_is_built_with_its_parameters(tmp_path, monkeypatch):
    (tmp_path / "mypackage").mkdir()
    (tmp_path / "mypackage" / "__init__.py").touch()
    (tmp_path / "mypackage" / "boosted.py").write_text(
        "from sklearn.base import BaseEstimator\n"
        "class Boosted(BaseEstimator):\n"
        "    def __init__(self, depth=3, random_state=None, n_jobs=None):\n"
        "        self.depth, self.random_state, self.n_jobs = depth, random_state, n_jobs\n"
        "    def fit(self, X, y):\n        return self\n"
        "    def predict(self, X):\n        return X[:, 0] > 1\n"
        "    def predict_proba(self, X):\n        return X\n"
        "def function():\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    specification = {"estimator": "mypackage.boosted:Boosted", "parameters": {"depth": 4}, "version": "1"}
    model = build_model("m", specification, seed=5)
    assert type(model).__module__ == "mypackage.boosted"
    assert (model.depth, model.random_state, model.n_jobs) == (4, 5, 1)
    for wrong, refusal in (
        ({"parameters": {"deep": 4}}, "Boosted has no parameter 'deep'; it has depth"),
        ({"estimator": "mypackage.boosted:Bosted"}, "'mypackage.boosted:Bosted' cannot be imported"),
        ({"estimator": "mypackage.boosted:function"}, "is not a class with fit"),
        ({"estimator": "sklearn.linear_model:LinearRegression", "parameters": {}}, "gives no scores"),
        ({"estimator": "VotingClassifier"}, "Model 'm': "),
        ({"estimator": "Forest"}, "Model 'm': unknown estimator 'Forest'; the known ones are AdaBoost"),
        ({"estimator": "GaussianNB", "parameters": {"smooth": 1}}, "has no parameter 'smooth'; it has"),
        ({"estimator": "DecisionTreeClassifier", "parameters": {"max_depth": 0}}, "'max_depth' parameter"),
    ):
        with pytest.raises(ValueError, match=refusal):
            build_model("m", specification | wrong)
