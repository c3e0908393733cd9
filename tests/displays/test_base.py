"""Displays of curves: the same conventions in all of them, and the right numbers in each."""

from functools import partial

import numpy as np
import pytest
from displays.rankings import MODEL, RANKINGS, SCORES, X, y
from matplotlib import pyplot as plt
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.displays import (
    CostCurveDisplay,
    HyperbolicPrecisionRecallDisplay,
    PrecisionRecallGainDisplay,
    VennDisplay,
)

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
CURVES = [PrecisionRecallGainDisplay, HyperbolicPrecisionRecallDisplay, CostCurveDisplay]
AREAS = {display: (CURVE_AREAS[display._area.name].score, display._area.name) for display in CURVES}


def folds_of(model, X, y, cv=3):
    return cross_validate(model, X, y, cv=cv, return_estimator=True, return_indices=True)


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


@pytest.mark.parametrize("display_class", CURVES)
class TestEveryDisplayOfCurves:
    def test_predictions_and_estimator_give_one_curve_with_its_area(self, display_class):
        score, attribute = AREAS[display_class]
        one = display_class.from_predictions(y, SCORES, name="model")
        other = display_class.from_estimator(MODEL, X, y)
        assert getattr(one, attribute) == getattr(other, attribute) == score(y, SCORES)
        np.testing.assert_array_equal(one.line_.get_xydata(), other.line_.get_xydata())
        assert one.line_.get_label() == f"model ({display_class._area.label} = {score(y, SCORES):.3f})"
        assert other.line_.get_label().startswith("LogisticRegression (")
        weights = np.random.default_rng(0).random(300)
        weighted = display_class.from_predictions(y, SCORES, sample_weight=weights, ax=one.ax_)
        assert getattr(weighted, attribute) == score(y, SCORES, sample_weight=weights)
        assert weighted.ax_.figure is one.figure_
        assert one.pos_label == 1
        assert "positive label: 1" in one.ax_.get_xlabel()

    def test_what_is_stored_can_be_drawn_again_in_another_look(self, display_class):
        display = display_class.from_predictions(y, SCORES)
        before = display.line_.get_xydata()
        display.plot(name="again", curve_kwargs={"color": "red", "linewidth": 3})
        np.testing.assert_array_equal(display.line_.get_xydata(), before)
        assert display.line_.get_color() == "red"
        assert display.line_.get_label().startswith("again (")
        display.plot(curve_kwargs={"c": "green", "lw": 2})  # matplotlib's short names
        assert (display.line_.get_color(), display.line_.get_linewidth()) == ("green", 2)

    @pytest.mark.parametrize("weights", [None, np.random.default_rng(0).random(len(y))], ids=["cases", "weights"])
    def test_two_on_the_same_axes_are_told_apart_and_share_what_is_common(self, display_class, weights):
        ax = plt.figure().subplots()
        one = display_class.from_predictions(y, SCORES, sample_weight=weights, name="one", ax=ax)
        around, numbers = len(ax.lines), len(ax.texts)
        other = display_class.from_predictions(
            y, SCORES**2 + SCORES * X[:, 0], sample_weight=weights, name="other", ax=ax
        )
        assert len(ax.lines) == around + 1
        assert len(ax.texts) == numbers
        assert one.line_.get_color() != other.line_.get_color()
        texts = legend(other)
        assert len(texts) == len(set(texts)) == 3  # the baseline and the two
        assert [text.split(" ")[0] for text in texts].count("other") == 1

    def test_classes_that_are_strings_need_no_positive_label_with_an_estimator(self, display_class):
        names = np.array(["ill", "well"])[y]
        model = LogisticRegression().fit(X, names)
        _, attribute = AREAS[display_class]
        display = display_class.from_estimator(model, X, names)
        assert display.pos_label == "well"
        expected = display_class.from_predictions(names, model.predict_proba(X)[:, 1], pos_label="well")
        assert getattr(display, attribute) == getattr(expected, attribute)
        with pytest.raises(ValueError, match="pos_label must say"):
            display_class.from_predictions(names, SCORES)
        assert display_class.from_cv_results(folds_of(model, X, names), X, names).pos_label == "well"

    def test_folds_make_one_curve_each_and_one_entry_in_the_legend_unless_they_have_names(self, display_class):
        score, attribute = AREAS[display_class]
        cv = folds_of(LogisticRegression(), X, y)
        display = display_class.from_cv_results(cv, X, y, name="folds")
        areas = [
            score(y[test], model.predict_proba(X[test])[:, 1])
            for model, test in zip(cv["estimator"], cv["indices"]["test"], strict=True)
        ]
        assert getattr(display, attribute) == areas
        assert len(display.line_) == 3
        (text,) = (text for text in legend(display) if "folds" in text)
        assert f"{np.mean(areas):.3f} \u00b1 {np.std(areas):.3f}" in text
        display.plot(name=("a", "b", "c"))
        assert [text[0] for text in legend(display) if "(" in text and text[0] in "abc"] == ["a", "b", "c"]
        assert len({line.get_color() for line in display.line_}) == 3
        with pytest.raises(ValueError, match="inconsistent"):
            display.plot(name=["a", "b"])
        setattr(display, attribute, [0.5])
        with pytest.raises(ValueError, match="inconsistent"):
            display.plot()

    @pytest.mark.parametrize("model", [LogisticRegression(), make_pipeline(StandardScaler(), LinearSVC())])
    def test_the_lesser_label_can_be_positive(self, display_class, model):
        score, attribute = AREAS[display_class]
        labels = np.where(y, "a", "b")  # the positives of `y` are the lesser label
        model.fit(X, labels)
        display = display_class.from_estimator(model, X, labels, pos_label="a")
        has_shares = hasattr(model, "predict_proba")
        scores = model.predict_proba(X)[:, 0] if has_shares else -model.decision_function(X)
        assert getattr(display, attribute) == pytest.approx(score(y, scores), rel=1e-12)
        assert display.pos_label == "a"

    @pytest.mark.parametrize(("labels", "pos_label"), [(np.zeros(5), None), (["ill"] * 5, "well")])
    def test_cases_of_one_class_have_no_curve_but_hide_no_other(self, display_class, labels, pos_label):
        ax = plt.figure().subplots()
        with pytest.warns(UndefinedMetricWarning, match="one class only"):
            display = display_class.from_predictions(labels, np.arange(5), pos_label=pos_label, ax=ax)
        assert np.isnan(getattr(display, AREAS[display_class][1]))
        assert np.isnan(display.line_.get_ydata()).all()
        other, alone = (display_class.from_predictions(y, SCORES, ax=axes) for axes in (ax, None))
        np.testing.assert_array_equal(other.line_.get_xydata(), alone.line_.get_xydata())

    def test_folds_of_one_class_are_left_out_and_counted(self, display_class):
        test_sets = [np.arange(100), np.arange(100, 200), np.flatnonzero(y)]
        models = {"estimator": [MODEL] * 3, "indices": {"test": test_sets}}
        with pytest.warns(UndefinedMetricWarning, match=r"one class only \(1\)"):
            display = display_class.from_cv_results(models, X, y, name="folds")
        first, second, last = getattr(display, AREAS[display_class][1])
        texts = legend(display)
        assert not any("nan" in text for text in texts)
        assert np.isnan(last)
        (text,) = (text for text in texts if "folds" in text)
        assert all(part in text for part in (f"{(first + second) / 2:.3f}", "2 of 3"))

    def test_it_says_what_is_wrong(self, display_class):
        with pytest.raises(ValueError, match="not a fitted classifier"):
            display_class.from_estimator(LogisticRegression(), X, y)
        with pytest.raises(ValueError, match="response_method"):
            display_class.from_estimator(MODEL, X, y, response_method="predict")
        with pytest.raises(ValueError, match="pos_label"):
            display_class.from_estimator(MODEL, X, y, pos_label=7)
        folds = {"estimator": [MODEL], "indices": {"test": [np.arange(len(X))]}}
        for display in (
            partial(display_class.from_cv_results, folds),
            partial(display_class.from_estimator, MODEL),
            partial(VennDisplay.from_estimator, MODEL),
        ):
            with pytest.raises(ValueError, match="label 2 is none of the classes 0, 1"):
                display(X, 2 * y)
        with pytest.raises(ValueError, match="return_estimator"):
            display_class.from_cv_results(cross_validate(MODEL, X, y), X, y)
        with pytest.raises(ValueError, match="inconsistent"):
            display_class.from_cv_results(folds, np.vstack([X, X]), y)
        with pytest.raises(ValueError, match="beyond the 200 of X and y"):
            display_class.from_cv_results(folds, X[:200], y[:200])
        for model in (LinearRegression().fit(X, y), DecisionTreeClassifier().fit(X, np.ones(len(X)))):
            for make in (display_class.from_estimator, VennDisplay.from_estimator):
                with pytest.raises(ValueError, match="fitted classifier of two classes"):
                    make(model, X, y)
            folds = {"estimator": [model], "indices": {"test": [np.arange(len(X))]}}
            with pytest.raises(ValueError, match="fitted classifier of two classes"):
                display_class.from_cv_results(folds, X, y)


@pytest.mark.parametrize("display_class", [PrecisionRecallGainDisplay, HyperbolicPrecisionRecallDisplay])
def test_the_legend_keeps_away_from_the_curve(display_class):
    for ranking in ("good", "below zero"):
        display = display_class.from_predictions(*RANKINGS[ranking], ax=plt.figure(figsize=(6, 6)).subplots())
        display.figure_.draw_without_rendering()
        box = display.ax_.get_legend().get_window_extent()
        path = display.line_.get_transform().transform_path(display.line_.get_path())
        assert not path.intersects_bbox(box, filled=False)


@pytest.mark.parametrize("display_class", [PrecisionRecallGainDisplay, HyperbolicPrecisionRecallDisplay])
def test_values_of_isometrics_stand_on_them(display_class):
    display = display_class.from_predictions(*RANKINGS["good"])
    for text, path in zip(display.ax_.texts, display.isometrics_.get_paths(), strict=True):
        place, value = text.get_position(), float(text.get_text())
        assert place == pytest.approx((value, value), abs=0.01)
        assert np.abs(path.vertices - place).max(axis=1).min() < 0.01
