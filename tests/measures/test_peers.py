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
from scipy import sparse
from sklearn import metrics
from sklearn.exceptions import DataConversionWarning, UndefinedMetricWarning

from nontrivial import curves, measures
from nontrivial.measures.label_scores import LABEL_SCORES
from nontrivial.seeds import generator_for

# The names of the measures in pycm and in mlscorecheck.
TABLE_PEERS = {
    "accuracy": ("ACC", "acc"),
    "error_rate": ("ERR", None),
    "balanced_accuracy": (None, "bacc"),
    "precision": ("PPV", "ppv"),
    "recall": ("TPR", "sens"),
    "specificity": ("TNR", "spec"),
    "negative_predictive_value": ("NPV", "npv"),
    "false_positive_rate": ("FPR", None),
    "false_negative_rate": ("FNR", None),
    "false_discovery_rate": ("FDR", None),
    "false_omission_rate": ("FOR", None),
    "f_beta": ("F1", "f1p"),
    "p4": (None, "upm"),
    "matthews_corrcoef": ("MCC", "mcc"),
    "fowlkes_mallows": ("G", "fm"),
    "jaccard": ("J", "ji"),
    "informedness": ("BM", "bm"),
    "markedness": ("MK", "mk"),
    "prevalence": ("PRE", None),
    "prevalence_threshold": (None, "pt"),
    "positive_likelihood_ratio": ("PLR", "lrp"),
    "negative_likelihood_ratio": ("NLR", "lrn"),
    "diagnostic_odds_ratio": ("DOR", "dor"),
    "cohen_kappa": ("Kappa", "kappa"),
    "no_information_rate": ("NIR", None),
    "goodman_kruskal_lambda": ("Lambda A", None),
}


def test_tables_of_pycm_and_mlscorecheck():
    for tp, fp, fn, tn in generator_for("peers").integers(1, 60, size=(30, 4)).tolist():
        with contextlib.redirect_stdout(None):
            matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
        of_pycm = matrix.overall_stat | {name: values[1] for name, values in matrix.class_stat.items()}
        names = [name for _, name in TABLE_PEERS.values() if name]
        of_mlscorecheck = calculate_scores({"p": tp + fn, "n": fp + tn, "tp": tp, "tn": tn}, subset=names)
        result = measures.confusion_measures(tp, fp, fn, tn).iloc[0]
        for name, (pycm, mlscorecheck) in TABLE_PEERS.items():
            pairs = (of_pycm, pycm), (of_mlscorecheck, mlscorecheck)
            theirs = [peer[short] for peer, short in pairs if short]
            np.testing.assert_allclose(theirs, result[name], rtol=1e-10, atol=1e-14, err_msg=name)


def test_lambda_and_no_information_rate_of_pycm_for_many_classes():
    draw = generator_for("peers", "many classes")
    for _ in range(10):
        truth = draw.integers(0, 4, 80)
        prediction = np.where(draw.random(80) < 0.5, truth, draw.integers(0, 4, 80))
        with contextlib.redirect_stdout(None):
            theirs = ConfusionMatrix(truth, prediction).overall_stat
        result = measures.goodman_kruskal_lambda_score(truth, prediction)
        assert result == pytest.approx(theirs["Lambda A"], rel=1e-12)
        assert measures.no_information_rate(truth) == pytest.approx(theirs["NIR"], rel=1e-15)


# What must not matter, for every public function at once.


def symmetric(function):
    """Return a function that takes `pos_label` and does not mind it."""
    return lambda *arguments, pos_label=None, **options: function(*arguments, **options)


LABELS = LABEL_SCORES | {
    "advantage": symmetric(measures.prediction_advantage_score),
    "lambda": symmetric(measures.goodman_kruskal_lambda_score),
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
    "no_information_rate": symmetric(lambda y, p, **k: measures.no_information_rate(y, **k)),
    "marginal_risk": symmetric(lambda y, p, **k: measures.bayesian_marginal_prediction(y, **k)[1]),
    "selective": symmetric(lambda y, p, **k: np.concatenate(list(measures.selective_advantage_curve(y, y, p, **k)))),
}
EVERY = LABELS | RANKINGS | OTHERS
CHECKED = EVERY | {"interval": measures.prediction_advantage_interval, "test": measures.triviality_test}
WITHOUT_PREDICTIONS = ("no_information_rate", "marginal_risk")
every_function = pytest.mark.parametrize("name", EVERY)
quiet = pytest.mark.filterwarnings("ignore")
RNG = generator_for("peers", "invariances")
TRUTH = RNG.integers(0, 2, 60)
GUESS = np.where(RNG.random(60) < 0.7, TRUTH, 1 - TRUTH)
SCORE = ((2 * TRUTH + 5 * RNG.random(60)) / 7).round(2)
WEIGHTS = RNG.integers(0, 4, 60)


def second(name):
    return GUESS if name in LABELS else SCORE


def same(result, expected):
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-14)


@every_function
def test_the_order_of_cases_and_weights_as_repeats(name):
    function, values = EVERY[name], second(name)
    expected = function(TRUTH, values, sample_weight=WEIGHTS)
    order = RNG.permutation(60)
    same(function(TRUTH[order], values[order], sample_weight=WEIGHTS[order]), expected)
    same(function(TRUTH.repeat(WEIGHTS), values.repeat(WEIGHTS)), expected)
    remaining = WEIGHTS > 0
    same(function(TRUTH[remaining], values[remaining], sample_weight=WEIGHTS[remaining]), expected)
    same(function(TRUTH, values, sample_weight=WEIGHTS * 0.1), expected)


WITH_PREVALENCE = (*LABEL_SCORES, "net_benefit", "prg_auc_score", "pr_auc_score", "expected_f_gain_score")


@pytest.mark.parametrize("name", WITH_PREVALENCE)
@pytest.mark.parametrize("prevalence", [0.02, 0.5, 0.9])
def test_a_prevalence_is_a_weight_of_the_classes(name, prevalence):
    function, values, share = EVERY[name], second(name), TRUTH.mean()
    weights = np.where(TRUTH == 1, prevalence / share, (1 - prevalence) / (1 - share))
    same(function(TRUTH, values, prevalence=prevalence), function(TRUTH, values, sample_weight=weights))
    same(function(TRUTH, values, prevalence=share), function(TRUTH, values))


def read_only(values):
    values = values.copy()
    values.flags.writeable = False
    return values


CODINGS = {
    "lists": lambda y: y.tolist(),
    "Series": lambda y: pd.Series(y, index=np.arange(len(y))[::-1] * 7),
    "text": lambda y: pd.Series(np.where(y, "y", "n"), dtype="string"),
    "strings": lambda y: np.where(y, "sick", "healthy"),
    "category": lambda y: pd.Series(np.where(y, "b", "a"), dtype="category"),
    "nullable booleans": lambda y: pd.Series(y == 1, dtype="boolean"),
    "nullable": lambda y: pd.array(y, dtype="Int64"),
    "Arrow": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "polars": lambda y: pytest.importorskip("polars").Series(y),
    "-1 and 1": lambda y: 2 * y - 1,
    "bytes": lambda y: y.astype(np.uint8) + 3,
    "booleans": lambda y: y.astype(bool),
    "strided": lambda y: np.repeat(y, 2)[::2],
    "read-only": read_only,
    "nothing masked": np.ma.array,
}


@every_function
@pytest.mark.parametrize("code", CODINGS.values(), ids=CODINGS)
def test_the_coding_of_labels(name, code):
    coded, values = code(TRUTH), second(name)
    positive = {"pos_label": max(coded)} if isinstance(max(coded), str) else {}
    result = EVERY[name](coded, code(GUESS) if name in LABELS else values, **positive)
    same(result, EVERY[name](TRUTH, values))


@pytest.mark.parametrize("name", [*RANKINGS, "selective"])
@pytest.mark.parametrize("form", [list, pd.Series, lambda s: pd.array(s, dtype="Float64"), np.flip, read_only])
def test_the_form_of_scores(name, form):
    truth = TRUTH[::-1] if form is np.flip else TRUTH
    same(EVERY[name](truth, form(SCORE)), EVERY[name](TRUTH, SCORE))


@pytest.mark.parametrize("name", [*LABEL_SCORES, *RANKINGS])
def test_the_other_positive_class_is_the_other_table(name):
    values = second(name)
    turned = values if name in LABELS else 1 - values
    same(EVERY[name](TRUTH, turned, pos_label=0), EVERY[name](1 - TRUTH, 1 - values if name in LABELS else turned))


@every_function
@quiet
def test_one_class_is_nan_with_a_warning_in_the_users_name_and_hides_no_other_mistake(name):
    if name in WITHOUT_PREDICTIONS:
        pytest.skip("is defined for one class")
    with pytest.warns(UndefinedMetricWarning) as caught:
        result = EVERY[name](np.ones(4, int), np.array([1, 1, 0, 1]) if name in LABELS else SCORE[:4])
    assert {each.filename for each in caught} == {__file__}
    assert np.isnan(np.asarray(result, float)).any() or np.isneginf(np.asarray(result, float)).any()
    with pytest.raises(ValueError, match=r"NaN|one class|y_true does not have"):
        EVERY[name](np.ones(4, int), [1, 1, np.nan, 1])


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("place", [0, 1], ids=["truth", "other"])
@quiet
def test_a_column_is_a_vector_with_a_warning(name, place):
    if name in WITHOUT_PREDICTIONS and place == 1:
        pytest.skip("takes no predictions")
    plain = [[0, 1, 1, 0], [0, 1, 0, 0]]
    column = np.array(plain[place])[:, None]
    for form in (column, pd.DataFrame(column), column.tolist()):
        with pytest.warns(DataConversionWarning, match="column"):
            result = CHECKED[name](*plain[:place], form, *plain[place + 1 :])
        same(result, CHECKED[name](*plain))


BAD = {
    "None": None,
    "number": 3,
    "text": "0110",
    "cube": np.zeros((4, 1, 1)),
    "ragged": [[1], [2, 3], [4], [5]],
    "empty": [],
    "short": [0, 1, 1],
    "mixed": ["a", 1, 0, 0],
    "sparse": sparse.csr_array(np.eye(4)),
    "masked": np.ma.array([0, 1, 1, 0], mask=[0, 0, 1, 0]),
    "structured": np.zeros(4, dtype=[("a", int)]),
    "complex": np.array([0, 1j, 1, 0]),
    "dates": np.array(["2020", "2021", "2020", "2021"], dtype="M8[Y]"),
    "bytes": np.array([b"a", b"b", b"b", b"a"]),
    "NaN": [0, 1, np.nan, 0],
    "infinite": [0, 1, np.inf, 0],
    "missing": [0, 1, None, 0],
    "NA": pd.array([0, 1, None, 0], dtype="Int64"),
    "no time": pd.Series([pd.NaT] * 4),
    "dictionary": {"a": 1},
    "set": {0, 1},
    "objects": [object()] * 4,
    "generator": (x for x in (0, 1, 1, 0)),
    "two columns": pd.DataFrame({"a": [0, 1, 1, 0], "b": 0}),
}


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_input_is_refused(name, bad):
    for place in range(3):
        arguments = [[0, 1, 1, 0], [0, 1, 0, 0], None]
        arguments[place] = bad
        if arguments[2] is None and place == 2:
            continue
        if name in WITHOUT_PREDICTIONS and (place == 1 or bad is BAD["short"]):
            continue
        with pytest.raises(ValueError, match=r"[a-z]"):
            CHECKED[name](*arguments[:2], sample_weight=arguments[2])


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("weights", [[1, -1, 1, 1], [0, 0, 0, 0]])
def test_bad_weights_are_one_sentence(name, weights):
    with pytest.raises(ValueError, match=r"^[^\n]+\.$"):
        CHECKED[name]([0, 1, 1, 0], [0, 1, 0, 0], sample_weight=weights)


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


def on_gain_scale(score):
    """Return a score on the harmonic scale from the prevalence to 1."""

    def gain(truth, predicted, sample_weight=None):
        value, prevalence = (
            score(truth, predicted, sample_weight=sample_weight),
            np.average(truth, weights=sample_weight),
        )
        return (value - prevalence) / ((1 - prevalence) * value)

    return gain


def area(name):
    return lambda *arguments, **options: curves.curve_areas(*arguments, **options)[name]


CLIPPED = SCORE.clip(0.01, 0.99)
informedness = partial(metrics.balanced_accuracy_score, adjusted=True)
SAME = {
    "roc_auc": (area("roc_auc"), metrics.roc_auc_score, SCORE),
    "average_precision": (area("average_precision"), metrics.average_precision_score, SCORE),
    "step": (partial(curves.pr_auc_score, interpolation="step"), metrics.average_precision_score, SCORE),
    "efron_r2": (measures.efron_r2_score, metrics.r2_score, SCORE),
    "mcfadden_r2": (measures.mcfadden_r2_score, metrics.d2_log_loss_score, CLIPPED),
    "informedness": (measures.informedness_score, informedness, GUESS),
    "precision_gain": (measures.precision_gain_score, on_gain_scale(metrics.precision_score), GUESS),
    "recall_gain": (measures.recall_gain_score, on_gain_scale(metrics.recall_score), GUESS),
    **{
        f"f_gain {beta}": (
            partial(measures.f_gain_score, beta=beta),
            on_gain_scale(partial(metrics.fbeta_score, beta=beta)),
            GUESS,
        )
        for beta in (0.5, 1, 2)
    },
}


@pytest.mark.parametrize(("ours", "theirs", "values"), SAME.values(), ids=SAME)
@pytest.mark.parametrize("weights", [None, WEIGHTS + 0.5], ids=["equal", "weighted"])
def test_scikit_learn(ours, theirs, values, weights):
    same(ours(TRUTH, values, sample_weight=weights), theirs(TRUTH, values, sample_weight=weights))
