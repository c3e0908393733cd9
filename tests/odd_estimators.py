"""Classifiers that keep scikit-learn's rules, but not its habits."""

import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression


class Usual(ClassifierMixin, BaseEstimator):
    """Sorted classes, and arrays."""

    order = 1  # of the classes: -1 for the last first

    def fit(self, X, y):
        self.model_ = LogisticRegression(max_iter=1000).fit(X, y)
        self.classes_ = self.model_.classes_[:: self.order]
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)[:, :: self.order]


class Descending(Usual):
    """The classes in descending order."""

    order = -1


class Margins(Usual):
    """No probabilities."""

    predict_proba = property()

    def decision_function(self, X):
        values = self.model_.decision_function(X)
        return self.order * values if values.ndim == 1 else values[:, :: self.order]


class DescendingMargins(Margins):
    """The classes in descending order, and no probabilities."""

    order = -1


class Frames(Usual):
    """Answers in pandas, with columns in another order than ``classes_``, but named."""

    order = -1

    def predict(self, X):
        return pd.Series(super().predict(X), index=range(7, 7 + X.shape[0]))

    def predict_proba(self, X):
        chances = pd.DataFrame(super().predict_proba(X), columns=self.classes_)
        return chances.iloc[:, ::-1]


class Nameless(Usual):
    """Without ``classes_``."""

    classes_ = property(lambda self: None, lambda self, classes: None)


class Words(Usual):
    """Predicts words for the labels that it was trained on."""

    def predict(self, X):
        return super().predict(X).astype(str)


USUAL = {Descending: Usual, DescendingMargins: Margins, Frames: Usual}  # with the same scores
