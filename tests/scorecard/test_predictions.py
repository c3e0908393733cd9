"""Reading files of predictions, and what is said of a wrong one."""

import pandas as pd
import pyarrow as pa
import pytest

from nontrivial.scorecard.cells import Column
from nontrivial.scorecard.predictions import read_predictions


def test_parquet_holds_the_same(tmp_path, write):
    frame = pd.DataFrame({"y_true": [True, False, True], "y_pred": [True, True, False]})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_csv(tmp_path / "a.csv", index=False)
    one, other = read_predictions(tmp_path / "a.parquet"), read_predictions(tmp_path / "a.csv")
    for read in (one, other):
        assert read.positive == "True"
        assert read.truth.tolist() == [True, False, True]
        assert read.prediction.tolist() == [True, True, False]


def test_more_classes_stay_as_they_are_unless_one_is_set_against_the_rest(write):
    path = write("truth,prediction\na,a\nb,c\nc,c\n")
    read = read_predictions(path)
    assert (read.positive, read.labels) == (None, ("a", "b", "c"))
    assert (read.truth.tolist(), read.prediction.tolist()) == ([0, 1, 2], [0, 2, 2])
    read = read_predictions(path, positive="c")
    assert read.truth.tolist() == [False, False, True]
    assert read.prediction.tolist() == [False, True, True]


def test_of_more_classes_one_may_be_predicted_that_is_never_true(write):
    read = read_predictions(write("truth,prediction\na,a\nb,b\nc,d\n"))
    assert read.prediction.tolist() == [0, 1, 3]
    assert (read.labels, read.n_classes) == (("a", "b", "c", "d"), 3)


CHANCES = "cat,0.5,0.3,0.2\ndog,0.1,0.7,0.2\nbird,0.1,0.2,0.7\n"


def test_probabilities_may_have_the_names_of_the_classes(write):
    read = read_predictions(write(f"y,cat,dog,bird\n{CHANCES}"))
    assert read.columns == {"truth": "y", "probabilities": "bird, cat, dog"}
    assert read.probabilities[0].tolist() == [0.2, 0.5, 0.3]
    read = read_predictions(write(f"y,cat,dog,bird\n{CHANCES}"), positive="dog")
    assert (read.columns["score"], read.score.tolist()) == ("dog", [0.3, 0.7, 0.2])
    # "case" may number cases elsewhere
    read = read_predictions(write("y,case,control\ncase,0.8,0.2\ncontrol,0.3,0.7\n"), positive="case")
    assert (read.columns, read.cases) == ({"truth": "y", "score": "case"}, None)
    read = read_predictions(write("y,0,1\n0,0.8,0.2\n1.0,0.3,0.7\n"))
    assert (read.columns["score"], read.score.tolist()) == ("1", [0.2, 0.7])


def test_what_divides_columns_may_be_a_blank(write):
    read = read_predictions(write("y p\n1 0.9\n0 0.2\n"), separator=" ")
    assert read.score.tolist() == [0.9, 0.2]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_columns_are_divided_by_commas_semicolons_or_tabs(write, separator, start):
    lines = [["id", "truth", "score", "note"], ["1", "no", "0.2", "a|b"], ["2", "yes", "0.9", '"x,y;z\tw"']]
    read = read_predictions(write(start + "".join(separator.join(line) + "\r\n" for line in lines)))
    assert read.columns == {"truth": "truth", "score": "score"}
    assert (read.positive, read.truth.tolist(), read.score.tolist()) == ("yes", [False, True], [0.2, 0.9])


def test_a_name_may_hold_what_divides_other_files(write):
    read = read_predictions(write('truth,"p;q;r"\n0,0.2\n1,0.7\n'), score="p;q;r")
    assert read.score.tolist() == [0.2, 0.7]
    read = read_predictions(write('truth;"p,q,r"\n0;0.2\n1;0.7\n'), score="p,q,r")
    assert read.score.tolist() == [0.2, 0.7]


def test_quotation_marks_behind_a_blank_are_no_part_of_a_name_or_a_cell(write):
    read = read_predictions(write('"y", "score" ,"note"\n"ill", "0.9",a\n"well", 0.2,"b"\n'))
    assert read.columns == {"truth": "y", "score": "score"}
    assert (read.labels, read.score.tolist()) == (("ill", "well"), [0.9, 0.2])


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (
            "a,prediction\n1,1\n",
            {},
            "y; it has 'a', 'prediction'; name the column of the true labels with --truth.",
        ),
        ("truth,a\n1,1\n0,1\n", {}, "no column of scores or predictions among 'truth', 'a'"),
        ("truth,p_a,p_b\na,0.7,0.2\nb,0.2,0.7\nc,0.1,0.2\n", {}, "columns p_a, p_b, but the classes a, b, c"),
        ("truth,prediction\n1,1\n", {}, "'truth' of predictions.csv has one class only"),
        ("truth,prediction\n1,1\n0,1\nNA,1\n", {}, "1 in 'truth' (the first in row 3, where it holds 'NA')"),
        (
            "truth,score\n1,1\n0,9007199254740993\n",
            {},
            "'score' of predictions.csv holds 9007199254740993 in data row 2",
        ),
        (
            "truth,prediction\n1.5,1\nNA,1\n2.5,1\n",
            {"task": "regression"},
            "1 in 'truth' (the first in row 2, where",
        ),
        ("truth,prediction\n1,1\n,1\n", {}, "1 of 2 data rows: 1 in 'truth' (the first in row 2)"),
        ("truth,prediction\n1,1\n0,\n", {}, "1 of 2 data rows: 1 in 'prediction' (the first in row 2)"),
        ("truth,score\n1,1\n0,\n", {}, "1 of 2 data rows: 1 in 'score' (the first in row 2)"),
        ("truth,score\n1,1\n0,inf\n", {}, "'score' of predictions.csv is not finite in data row 2"),
        ("truth,score\n1,1\n0,1e-3\n0,high\n0,low\n", {}, "'high' in data row 3"),
        (
            "truth;score\n1;1\n0;0,25\n",
            {},
            "'0,25' in data row 2, which is not a number; if it has a decimal comma",
        ),
        (
            "truth\tscore\n1\t1e0\n0\t-,5\n",
            {},
            "'-,5' in data row 2, which is not a number; if it has a decimal comma",
        ),
        (
            "truth;score\n1;1.234,5\n0;2,5\n",
            {"decimal": ","},
            "'1.234,5' in data row 1, which is not a number; with --decimal , a number has no point",
        ),
        (
            "truth|score\n1|0.7\n",
            {},
            "it has 'truth|score'; name the column of the true labels with --truth, or",
        ),
        (
            "truth,score\n1,70%\n0,30%\n",
            {},
            "'70%' in data row 1, which is not a number; write a percentage as a share",
        ),
        (
            "truth,score\n1,0,7\n0,0,3\n",
            {},
            "3 fields in data row 1, but 2 names in its first line; if a number",
        ),
        ('[{"y": 1, "p": 1},\n {"y": 0, "p": 0}]', {}, "a list in JSON"),
        ("y,p,g\n1,1,a\n0,0,a\n", {"group": "g"}, "'g' of predictions.csv has one group only"),
        ("y,prediction\n" + "".join(f'"{k},000.5","{k},100.5"\n' for k in range(1, 30)), {}, "'1,100.5'"),
        ("truth,prediction\n1,1\n0,2\n", {}, "'2', which is not a true label; the true labels are 0, 1."),
        ("truth,prediction\n1,1\n0,no\n", {}, "'no', which is not a true label; the true labels are 0, 1."),
        ("truth,prediction\n1,1\n0,0\n", {"positive": "yes"}, "--positive is 'yes', which column 'truth' of"),
        (
            "truth,prediction\n1,1\n0,0.25\n",
            {},
            "numbers that are not labels, such as 0.25; the labels are 0, 1;",
        ),
        ("truth,prediction\na,0.5\nb,1\nc,1\n", {}, "numbers that are not labels, such as 0.5"),
        (
            "truth,prediction\na,x\nb,y\nc,z\n",
            {},
            "'x', which is not a true label; the true labels are a, b, c.",
        ),
        ("y,p\n1,1\n0,0\n", {"score": "y"}, "--score is 'y', which holds the true labels"),
        (
            "y,p\n1,1\n0,0\n",
            {"truth": "p", "prediction": "p"},
            "--prediction is 'p', which holds the true labels",
        ),
        ("truth,prediction\n1,1\n0,0\n", {"threshold": 0.5}, "--threshold needs scores"),
        (
            "truth,prediction\n1,1\n0,0\n",
            {"truth": "what"},
            "--truth is 'what', which predictions.csv does not have",
        ),
        (
            "truth,prediction\n1,1\n0,0\n",
            {"score": "s"},
            "--score is 's', which predictions.csv does not have",
        ),
        ("truth,score\n1,1\n0,0\n2,1\n", {}, "3 classes (0, 1, 2), but a score is for one class"),
        ("truth,prediction\n", {}, "predictions.csv has no rows"),
        ("", {}, "predictions.csv cannot be read as CSV"),
        ('y,p\n1,2\n0,"4\n1,5\n', {}, "predictions.csv cannot be read as CSV"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(write, text, options, sentence):
    with pytest.raises(ValueError, match=r"predictions\.csv") as error:
        read_predictions(write(text), **options)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_not_there_or_of_another_form_are_named(tmp_path, write):
    with pytest.raises(
        ValueError, match=r"absent\.csv is not a file; a file of predictions, such as CSV, is needed"
    ):
        read_predictions(tmp_path / "absent.csv")
    with pytest.raises(ValueError, match=r"a\.parquet has no rows"):
        read_predictions(write("truth,prediction\n", "a.parquet"))
    with pytest.raises(ValueError, match=r"b\.csv cannot be read as Parquet"):
        read_predictions(write("PAR1", "b.csv"))
    pd.DataFrame({"truth": [0, 1], "prediction": [0, 1]}).to_parquet(tmp_path / "c.csv")
    assert read_predictions(tmp_path / "c.csv").truth.tolist() == [False, True]


@pytest.mark.parametrize("greatest", [2**53 - 1, 1 - 2**53, 1e300, 2.0**60])
def test_great_scores_that_floats_hold_are_read(greatest):
    scores = [greatest, -1 if greatest > 0 else 1]
    assert read_predictions(pd.DataFrame({"truth": [1, 0], "score": scores})).score.tolist() == scores


def test_whole_scores_that_floats_do_not_hold_are_refused_by_their_row():
    with pytest.raises(ValueError, match="holds 1152921504606846977 in data row 2,"):
        read_predictions(pd.DataFrame({"truth": [1, 0], "score": [2**60, 2**60 + 1]}))
    column = Column("Column 'score'", pa.array(["1", "-1e300", "9007199254740993"]))
    with pytest.raises(ValueError, match="holds 9007199254740993 in data row 3,"):
        _ = column.numbers


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ([1, -1], "has negative values"),
        ([0, 0], "is zero everywhere"),
        ([1, 1e13], r"has both 1 and 1e\+13"),
    ],
)
def test_bad_weights_are_called_by_their_column(write, weights, reason):
    rows = "".join(f"{place},{place},{weight}\n" for place, weight in enumerate(weights))
    with pytest.raises(ValueError, match=f"^Column 'w' of .* {reason}"):
        read_predictions(write("truth,prediction,w\n" + rows), weight="w")
