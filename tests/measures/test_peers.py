"""Every public function beside its peers (scikit-learn, pycm, mlscorecheck), and under what must not matter."""

import contextlib
import inspect
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from mlscorecheck.scores import calculate_scores
from pycm import ConfusionMatrix
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial import curves, measures
from nontrivial.measures import confusion_measures, goodman_kruskal_lambda_score, no_information_rate
from nontrivial.measures.label_scores import LABEL_SCORES
from nontrivial.seeds import generator_for

TABLES = generator_for("peers").integers(1, 60, size=(30, 4))  # TP, FP, FN, TN
MEASURED = confusion_measures(*TABLES.T)


def on_gain_scale(score):
    """Return a score on the harmonic scale from the prevalence to 1."""

    def gain(truth, predicted):
        value, prevalence = score(truth, predicted), truth.mean()
        return (value - prevalence) / ((1 - prevalence) * value)

    return gain


SCIKIT_LEARN = {
    "prediction_advantage": lambda y, p: 1 - (y != p).mean() / min(y.mean(), 1 - y.mean()),
    "precision_gain": on_gain_scale(metrics.precision_score),
    "recall_gain": on_gain_scale(metrics.recall_score),
    "f_beta_gain": on_gain_scale(metrics.f1_score),
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=0),
    "negative_predictive_value": lambda y, p: metrics.precision_score(y, p, pos_label=0),
    "f_beta": metrics.f1_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "fowlkes_mallows": lambda y, p: np.sqrt(metrics.precision_score(y, p) * metrics.recall_score(y, p)),
    "jaccard": metrics.jaccard_score,
    "informedness": lambda y, p: metrics.balanced_accuracy_score(y, p, adjusted=True),
    "positive_likelihood_ratio": lambda y, p: metrics.class_likelihood_ratios(y, p)[0],
    "negative_likelihood_ratio": lambda y, p: metrics.class_likelihood_ratios(y, p)[1],
    "cohen_kappa": metrics.cohen_kappa_score,
}
PYCM = {
    "accuracy": "ACC",
    "error_rate": "ERR",
    "precision": "PPV",
    "recall": "TPR",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_positive_rate": "FPR",
    "false_negative_rate": "FNR",
    "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR",
    "f_beta": "F1",
    "matthews_corrcoef": "MCC",
    "fowlkes_mallows": "G",
    "jaccard": "J",
    "informedness": "BM",
    "markedness": "MK",
    "prevalence": "PRE",
    "positive_likelihood_ratio": "PLR",
    "negative_likelihood_ratio": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "cohen_kappa": "Kappa",
    "no_information_rate": "NIR",
    "goodman_kruskal_lambda": "Lambda A",
}
MLSCORECHECK = {
    "accuracy": "acc",
    "balanced_accuracy": "bacc",
    "precision": "ppv",
    "recall": "sens",
    "specificity": "spec",
    "negative_predictive_value": "npv",
    "f_beta": "f1p",
    "p4": "upm",
    "matthews_corrcoef": "mcc",
    "fowlkes_mallows": "fm",
    "jaccard": "ji",
    "informedness": "bm",
    "markedness": "mk",
    "prevalence_threshold": "pt",
    "positive_likelihood_ratio": "lrp",
    "negative_likelihood_ratio": "lrn",
    "diagnostic_odds_ratio": "dor",
    "cohen_kappa": "kappa",
}


def labels_of(tp, fp, fn, tn):
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


@pytest.fixture(scope="module")
def pycm_statistics():
    statistics = []
    for tp, fp, fn, tn in TABLES.tolist():
        with contextlib.redirect_stdout(None):
            matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
        by_class = {name: values[1] for name, values in matrix.class_stat.items()}
        statistics.append(matrix.overall_stat | by_class)
    return statistics


@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_scikit_learn(name):
    theirs = [SCIKIT_LEARN[name](*labels_of(*table)) for table in TABLES]
    np.testing.assert_allclose(MEASURED[name], theirs, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("name", PYCM)
def test_pycm(name, pycm_statistics):
    theirs = [statistics[PYCM[name]] for statistics in pycm_statistics]
    np.testing.assert_allclose(MEASURED[name], theirs, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize(("name", "short"), MLSCORECHECK.items())
def test_mlscorecheck(name, short):
    theirs = [
        calculate_scores({"p": tp + fn, "n": fp + tn, "tp": tp, "tn": tn}, subset=[short])[short]
        for tp, fp, fn, tn in TABLES.tolist()
    ]
    np.testing.assert_allclose(MEASURED[name], theirs, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("beta", [0.0, 0.5, 2.0, np.inf])
def test_f_beta_of_scikit_learn(beta):
    theirs = [metrics.fbeta_score(*labels_of(*table), beta=beta) for table in TABLES]
    np.testing.assert_allclose(confusion_measures(*TABLES.T, beta=beta)["f_beta"], theirs, rtol=1e-12)


def test_lambda_and_no_information_rate_of_pycm_for_many_classes():
    draw = generator_for("peers", "many classes")
    for _ in range(10):
        truth = draw.integers(0, 4, 80)
        prediction = np.where(draw.random(80) < 0.5, truth, draw.integers(0, 4, 80))
        with contextlib.redirect_stdout(None):
            theirs = ConfusionMatrix(truth, prediction).overall_stat
        assert goodman_kruskal_lambda_score(truth, prediction) == pytest.approx(theirs["Lambda A"], rel=1e-12)
        assert no_information_rate(truth) == pytest.approx(theirs["NIR"], rel=1e-15)


# What must not matter, for every public function at once.

LABELS = LABEL_SCORES | {
    "advantage": lambda y, p, **k: measures.prediction_advantage_score(y, p, **without(k, "pos_label")),
    "lambda": lambda y, p, **k: measures.goodman_kruskal_lambda_score(y, p, **without(k, "pos_label")),
}
RANKINGS = {
    "efron_r2": measures.efron_r2_score,
    "mcfadden_r2": measures.mcfadden_r2_score,
    "net_benefit": partial(measures.net_benefit_score, threshold=0.3),
    "areas": lambda *a, **k: list(curves.curve_areas(*a, **k).values()),
    "cost_curve": lambda *a, **k: np.concatenate(curves.cost_curve(*a, **k)),
    "gain_curve": lambda *a, **k: np.concatenate(curves.precision_recall_gain_curve(*a, **k)),
    "gain_hull": lambda *a, **k: np.concatenate(curves.prg_convex_hull(*a, **k)),
    "roc_hull": lambda *a, **k: np.concatenate(curves.roc_convex_hull(*a, **k)),
    **{name: getattr(curves, name) for name in curves.__all__ if name.endswith("_score")},
}
OTHERS = {
    "no_information_rate": lambda y, p, **k: measures.no_information_rate(y, **without(k, "pos_label")),
    "marginal_risk": lambda y, p, **k: measures.bayesian_marginal_prediction(y, **without(k, "pos_label"))[1],
    "selective": lambda y, p, **k: np.concatenate(
        list(measures.selective_advantage_curve(y, y[::-1], p, **without(k, "pos_label")))
    ),
}
EVERY = LABELS | RANKINGS | OTHERS
every_function = pytest.mark.parametrize("name", EVERY)
quiet = pytest.mark.filterwarnings("ignore")
RNG = generator_for("peers", "invariances")
TRUTH = RNG.integers(0, 2, 60)
GUESS = np.where(RNG.random(60) < 0.7, TRUTH, 1 - TRUTH)
SCORE = ((2 * TRUTH + 5 * RNG.random(60)) / 7).round(2)
WEIGHTS = RNG.integers(0, 4, 60)


def without(settings, name):
    return {key: value for key, value in settings.items() if key != name}


def second(name):
    return GUESS if name in LABELS else SCORE


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@every_function
def test_the_order_of_cases_and_weights_as_repeats(name):
    function, values = EVERY[name], second(name)
    expected = function(TRUTH, values, sample_weight=WEIGHTS)
    if name != "selective":  # its predictions are the truth in reverse order
        order = RNG.permutation(60)
        same(function(TRUTH[order], values[order], sample_weight=WEIGHTS[order]), expected)
        same(function(TRUTH.repeat(WEIGHTS), values.repeat(WEIGHTS)), expected)
        kept = WEIGHTS > 0
        same(function(TRUTH[kept], values[kept], sample_weight=WEIGHTS[kept]), expected)
    same(function(TRUTH, values, sample_weight=WEIGHTS * 0.1), expected)


def read_only(values):
    values = values.copy()
    values.flags.writeable = False
    return values


CODINGS = {
    "lists": lambda y: y.tolist(),
    "tuple": lambda y: tuple(y.tolist()),
    "repeated index": lambda y: pd.Series(y, index=[7] * len(y)),
    "text": lambda y: pd.Series(np.where(y, "y", "n"), dtype="string"),
    "nullable booleans": lambda y: pd.Series(y == 1, dtype="boolean"),
    "-1 and 1": lambda y: 2 * y - 1,
    "bytes": lambda y: y.astype(np.uint8) + 3,
    "floats": lambda y: y.astype(np.float32),
    "booleans": lambda y: y.astype(bool),
    "objects": lambda y: y.astype(object),
    "strided": lambda y: np.repeat(y, 2)[::2],
    "read-only": read_only,
    "nothing masked": np.ma.array,
    "strings": lambda y: np.where(y, "sick", "healthy"),
    "Series": lambda y: pd.Series(y, index=np.arange(len(y))[::-1] * 7),
    "nullable": lambda y: pd.array(y, dtype="Int64"),
    "Arrow": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "category": lambda y: pd.Series(np.where(y, "b", "a"), dtype="category"),
    "polars": lambda y: pytest.importorskip("polars").Series(y),
}


@every_function
@pytest.mark.parametrize("code", CODINGS.values(), ids=CODINGS)
def test_the_coding_of_labels(name, code):
    coded, values = code(TRUTH), second(name)
    positive = {"pos_label": max(coded)} if isinstance(max(coded), str) else {}
    found = EVERY[name](coded, code(GUESS) if name in LABELS else values, **positive)
    same(found, EVERY[name](TRUTH, values))


@pytest.mark.parametrize("name", [*RANKINGS, "selective"])
@pytest.mark.parametrize("form", [list, pd.Series, lambda s: pd.array(s, dtype="Float64"), np.flip])
def test_the_form_of_scores(name, form):
    truth = TRUTH[::-1] if form is np.flip and name != "selective" else TRUTH
    if form is np.flip and name == "selective":
        pytest.skip("its predictions are the truth in reverse order")
    same(EVERY[name](truth, form(SCORE)), EVERY[name](TRUTH, SCORE))


@pytest.mark.parametrize("name", [*LABEL_SCORES, *RANKINGS])
def test_the_other_positive_class_is_the_other_table(name):
    values = second(name)
    turned = values if name in LABELS else 1 - values
    same(
        EVERY[name](TRUTH, turned, pos_label=0),
        EVERY[name](1 - TRUTH, 1 - values if name in LABELS else turned),
    )


@every_function
@quiet
def test_one_class_is_nan_with_a_warning_in_the_users_name(name):
    if name in ("no_information_rate", "marginal_risk"):
        pytest.skip("is defined for one class")
    with pytest.warns(UndefinedMetricWarning) as caught:
        found = EVERY[name](np.ones(4, int), np.array([1, 1, 0, 1]) if name in LABELS else SCORE[:4])
    assert {each.filename for each in caught} == {__file__}
    assert np.isnan(np.asarray(found, float)).any() or np.isneginf(np.asarray(found, float)).any()


BAD = {
    "lengths": ([0, 1, 1], [0, 1]),
    "missing truth": ([0, 1, None], [0, 1, 1]),
    "NaN": ([0, np.nan, 1], [0, 1, 1]),
    "empty": ([], []),
    "mixed": (["a", 1, 0], [0, 1, 1]),
    "ragged": ([[1], [1, 2]], [0, 1]),
    "weights": ([0, 1, 1], [0, 1, 1], [1, -1, 1]),
    "no weight": ([0, 1, 1], [0, 1, 1], [0, 0, 0]),
    "few weights": ([0, 1, 1], [0, 1, 1], [1, 1]),
}


@every_function
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence(name, bad):
    if name in ("no_information_rate", "marginal_risk") and bad is BAD["lengths"]:
        pytest.skip("takes no predictions")
    with pytest.raises(ValueError, match=r"^[^\n]+\.$"):
        EVERY[name](*bad[:2], **({"sample_weight": bad[2]} if len(bad) > 2 else {}))


@pytest.mark.parametrize("module", [measures, curves])
def test_every_public_name_pickles_and_explains_itself(module):
    for name in module.__all__:
        thing = getattr(module, name)
        if isinstance(thing, dict):
            continue
        assert pickle.loads(pickle.dumps(thing)) is thing
        assert thing.__doc__, name
        if inspect.isfunction(thing):
            sections = {"Parameters", "Returns", "Examples"}
            assert sections <= set(thing.__doc__.replace(" ", "").splitlines()), name
            for parameter in inspect.signature(thing).parameters:
                assert parameter in thing.__doc__, (name, parameter)


# scikit-learn's functions of the same definition, with weights.

SAME = {
    "roc_auc": (lambda **k: curves.curve_areas(TRUTH, SCORE, **k)["roc_auc"], metrics.roc_auc_score, SCORE),
    "average_precision": (
        lambda **k: curves.curve_areas(TRUTH, SCORE, **k)["average_precision"],
        metrics.average_precision_score,
        SCORE,
    ),
    "step": (
        partial(curves.pr_auc_score, TRUTH, SCORE, interpolation="step"),
        metrics.average_precision_score,
        SCORE,
    ),
    "efron_r2": (partial(measures.efron_r2_score, TRUTH, SCORE), metrics.r2_score, SCORE),
    "mcfadden_r2": (
        partial(measures.mcfadden_r2_score, TRUTH, SCORE.clip(0.01, 0.99)),
        metrics.d2_log_loss_score,
        SCORE.clip(0.01, 0.99),
    ),
    "informedness": (
        partial(measures.informedness_score, TRUTH, GUESS),
        partial(metrics.balanced_accuracy_score, adjusted=True),
        GUESS,
    ),
    "squared": (
        partial(measures.prediction_advantage_score, TRUTH, SCORE, loss="squared"),
        metrics.r2_score,
        SCORE,
    ),
    "absolute": (
        partial(measures.prediction_advantage_score, TRUTH * 1.0, SCORE, loss="absolute"),
        metrics.d2_absolute_error_score,
        SCORE,
    ),
}


@pytest.mark.parametrize(("ours", "theirs", "values"), SAME.values(), ids=SAME)
@pytest.mark.parametrize("weights", [None, WEIGHTS + 0.5], ids=["equal", "weighted"])
def test_scikit_learn_of_probabilities_and_numbers(ours, theirs, values, weights):
    same(ours(sample_weight=weights), theirs(TRUTH, values, sample_weight=weights))


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_gain_is_the_harmonic_scale_of_f_beta(beta):
    expected = on_gain_scale(partial(metrics.fbeta_score, beta=beta))(TRUTH, GUESS)
    assert measures.f_gain_score(TRUTH, GUESS, beta=beta) == pytest.approx(expected, rel=1e-13)
