"""Python gives what the command gives."""

import re
from datetime import date

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scorecard.valid import score
from sklearn.dummy import DummyClassifier

import nontrivial
from nontrivial import score_predictions


def test_python_gives_what_the_command_gives(cases, tmp_path):
    path = tmp_path / "a.csv"
    cases.to_csv(path, index=False)
    of_file = score(path, score="good", positive="ill")
    of_frame = score(cases, score="good", positive="ill")
    assert of_file.to_json() | {"file": "", "sha256": ""} == of_frame.to_json() | {"file": "", "sha256": ""}
    assert str(of_frame).startswith("good: 200 cases")
    assert of_frame._repr_html_().startswith("<iframe")
    assert repr(of_frame.verdicts["labels"]).startswith("QuestionVerdict(verdict='better'")
    assert "np." not in repr(of_frame.result)  # only plain numbers


def test_series_show_their_names_and_arrays_those_of_the_arguments(cases):
    truth = (cases["y"] == "ill").rename("fraud")
    columns, shown = {"truth": "fraud", "score": "logit"}, 'truth "fraud", positive "True"'
    scored = nontrivial.score(truth, cases["good"].rename("logit"))
    assert str(scored).startswith("logit: 200 cases")
    assert scored.result.columns == columns
    assert shown in str(scored)
    assert str(nontrivial.score(truth, y_pred=cases["good"] > 0.5)).startswith("good: 200 cases")
    assert str(nontrivial.score(truth.to_numpy(), cases["good"].to_numpy())).startswith("y_score: 200 cases")


class Stream:
    """A table that offers nothing but Arrow's C stream."""

    def __init__(self, table):
        self.__arrow_c_stream__ = table.__arrow_c_stream__


def of_polars(table):
    return pytest.importorskip("polars").from_arrow(table)


@pytest.mark.parametrize("made", [lambda table: table, pa.Table.to_reader, Stream, of_polars])
def test_tables_of_arrow_give_what_pandas_does(cases, made):
    text = pa.array(cases["y"])
    codes = text.dictionary_encode()
    of_views = pa.DictionaryArray.from_arrays(codes.indices.cast(pa.uint32()), codes.dictionary.cast(pa.string_view()))
    expected = score(cases[["y", "good"]], score="good", positive="ill").to_json()
    views = [text.cast(pa.string_view()), of_views]
    if made in (Stream, of_polars) and int(pa.__version__.split(".")[0]) < 24:
        views = []  # it crashes where it exports its own views
    for truth in (text, text.cast(pa.large_string()), codes, *views):
        table = pa.table({"y": truth, "good": pa.array(cases["good"]), "day": [date(2020, 1, 1)] * 200})
        assert score(made(table), score="good", positive="ill").to_json() == expected


@pytest.mark.parametrize("positive", [1, True, 1.0, np.int64(1), "1"])
def test_labels_may_be_of_any_type(positive):
    table = {"truth": [0, 1, 0, 1], "prediction": [0, 1, 1, 1]}
    assert score_predictions(table, positive=positive).answers[0].positive == "1"


@pytest.mark.parametrize(
    "options",
    [
        {"labels": ["well", "ill"], "pos_label": "well"},
        {"labels": np.array(["well", "ill"]), "pos_label": "ill"},
        {"names": ["well", "ill"], "pos_label": "ill"},
        {"names": [0, 1], "labels": ["well", "ill"], "pos_label": "ill"},
        {"names": ["0", "1"], "classes": [0, 1]},
        {"classes": [1, 0], "labels": [1, 0]},
        {"classes": [0, 1], "pos_label": "0"},
        {"classes": [False, True], "pos_label": False},
        {"classes": [0.0, 1.0], "pos_label": 1},
    ],
)
def test_columns_of_scores_belong_to_their_classes(options):
    truth = np.array(options.pop("classes", ["well", "ill"]) * 20)
    chances = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]] * 20, columns=options.pop("names", [0, 1]))
    scored = nontrivial.score(truth, chances, **options)
    assert scored.verdicts["ranking"].value == 1
    assert scored.verdicts["probabilities"].value > 0.7


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ([], "of type list; it must be a path"),
        (np.ones(3), "ndarray"),
        (None, "NoneType"),
        ({"y": ["a", "b"], "p": [0.1]}, r"\[2, 1\]"),
        (pd.DataFrame(), "it has none; name the column"),
        (pa.chunked_array([["a", "b"]]), "cannot be made into a table"),
        (["a.csv", 3], "of type list; it must be a path"),
    ],
)
def test_what_is_no_table_is_refused_with_its_reason(data, named):
    with pytest.raises(ValueError, match=named):
        score_predictions(data)


LACKING = {"y": [1, 0, None], "p": [0.1, 0.2, 0.3]}
SHUFFLED = {"y": pd.Series([1, 0]), "p": pd.Series([0.1, 0.2], index=[1, 0])}


def test_series_belong_together_by_their_places():
    """As `train_test_split` leaves the index of the truth, and pandas makes that of predictions anew."""
    truth, chances = pd.Series([0, 1] * 20, index=range(40, 0, -1)), pd.Series([0.2, 0.9] * 20)
    expected = score_predictions({"y": truth.to_numpy(), "p": chances.to_numpy()}).verdicts
    assert score_predictions({"y": truth, "p": chances}).verdicts == expected
    assert nontrivial.score(truth, chances).verdicts == expected
    column = chances.to_numpy()[:, None]
    assert nontrivial.score(truth.to_numpy()[:, None], column).verdicts == expected


@pytest.mark.parametrize(
    ("run", "expected_text"),
    [
        (lambda: score_predictions({"a": [1]}), "true labels with truth."),
        (lambda: score_predictions(LACKING), "leave these cases out with missing='drop'."),
        (lambda: score_predictions(LACKING, threshold="x"), "threshold is 'x'; it must be a finite number, or best."),
        (lambda: nontrivial.score(LACKING["y"], LACKING["p"]), "with missing='drop' of score_predictions."),
        (lambda: nontrivial.score([1, 0, 2], [0.1, 0.2, 0.3]), "with pos_label, or name a column of predictions with "
         "y_pred; for numbers to predict, give task='regression'."),
        (lambda: nontrivial.score([1, 0], [5, 0.2], cost=3), "for which cost sets no threshold; give a number"),
        (lambda: nontrivial.score([1, 0], [1, 0], pos_label=5), "pos_label is '5'"),
        (lambda: nontrivial.score([1, 0], np.eye(2), pos_label=5), "pos_label is '5'"),
        (lambda: nontrivial.score([1, 0], np.eye(2), labels=[1, 1]), "name these with labels"),
        (lambda: nontrivial.score([1, 0], np.eye(2), labels=["a", "b"]), "of 'a', 'b'; name all classes with labels"),
        (lambda: nontrivial.score([1, 0], [[0.9, 0.9], [0.1, 0.1]]), "neither probabilities that add up to 1 nor"),
        (lambda: nontrivial.score([1, 0], [0.1, 0.2, 0.3]), "2 in y_true, 3 in y_score"),
        (lambda: nontrivial.score(None, [0.1, 0.2]), "y_true is not given"),
        (lambda: nontrivial.score(np.eye(2), [0.1, 0.2]), "y_true has the shape (2, 2)"),
        (lambda: nontrivial.score(SHUFFLED["y"], SHUFFLED["p"]), "the same index in another order"),
        (lambda: nontrivial.score(SHUFFLED["y"][[0, 0, 1]], [1, 0, 0]), "several rows with the index 0, which"),
        (lambda: score_predictions(SHUFFLED), "the same index in another order"),
        (lambda: score_predictions({"y": [0, 1], "p": [0, 1]}, question="x"), "question is 'x'; it must be one of"),
        (lambda: nontrivial.score(np.ma.masked_equal([1, 0], 0), [1, 0]), "y_true has masked values"),
        (lambda: nontrivial.score([1, 0], {"a": [1, 0]}), "y_score is of type dict; it must be an array with a score"),
        (lambda: nontrivial.score([1, 0], [1, 0], sample_weight=2), "sample_weight is of type int; it must be"),
    ],
)  # fmt: skip
def test_errors_name_arguments_and_not_options_of_the_command(run, expected_text):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        run()
    assert expected_text in str(error.value)
    assert "--" not in str(error.value)


def test_results_name_arguments_and_methods_and_not_options_of_the_command():
    """Labels at 0.5 show nothing, so a cost is suggested; the unused column has a note."""
    draw = np.random.default_rng(2)
    truth = (np.arange(400) % 10 == 0).astype(int)
    p = np.clip(0.1 + 0.1 * truth + draw.normal(0, 0.05, 400), 0.01, 0.4)
    of_table = score_predictions({"y": truth, "risk": p, "p": p / 2}, score="risk")
    of_arrays = nontrivial.score(truth, p)
    of_folds = nontrivial.evaluate(DummyClassifier(strategy="prior"), p[:, None], truth, cv=3)
    for scored, name in ((of_table, "positive"), (of_arrays, "pos_label"), (of_folds, "pos_label")):
        screen = " ".join(repr(scored).split())
        assert f"(assumed; {name} names another)" in screen
        assert "to_text(every=True)" in screen
        for text in (screen, scored.to_text(every=True, explain=True)):
            assert not re.search("--[a-z]", text)
        assert "--positive" not in scored._repr_html_()
        assert "predicted labels" not in screen
    assert "in false alarms: cost=9 (as many" in " ".join(repr(of_arrays).split())
    assert "Not used" in repr(of_table)


def test_the_order_of_categories_tells_the_positive_label():
    y = pd.Series(pd.Categorical(["well", "ill"] * 20, categories=["well", "ill"], ordered=True))
    X = np.arange(40).reshape(-1, 1) % 2
    results = [nontrivial.score(y, X[:, 0] / 2), nontrivial.score_predictions({"y": y, "p": X[:, 0] / 2})]
    results.append(nontrivial.evaluate(DummyClassifier(), X, y))
    assert [scored.answers[0].positive for scored in results] == ["ill"] * 3
    with pytest.raises(ValueError, match="give pos_label='ill'"):
        nontrivial.score(y[:-1].astype(str), X[:-1, 0] / 2)
