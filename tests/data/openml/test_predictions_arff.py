"""The reader of predictions files against liac-arff, and on the odd forms that occur."""

import arff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial_study.data.openml.predictions_arff import FormatError, read_predictions

HEAD = """@relation r
@attribute repeat numeric
@attribute fold numeric
@attribute row_id numeric
@attribute confidence.no numeric
@attribute 'confidence.oh yes' numeric
@attribute prediction {no,'oh yes'}
@attribute correct {no,'oh yes'}
@data
"""
BODY = "0,0,1,0.25,0.75,'oh yes',no\n0,1,0,1,0,no,no\n"


def read(text):
    return read_predictions(text.encode())


def content(read):
    return (
        read.row_id.tolist(),
        {name: values.tolist() for name, values in read.confidence.items()},
        list(read.prediction),
        list(read.truth),
    )


RIGHT = ([1, 0], {"no": [0.25, 1.0], "oh yes": [0.75, 0.0]}, ["oh yes", "no"], ["no", "no"])

FORMS = {
    "plain": HEAD + BODY,
    "double quotes": HEAD + BODY.replace("'", '"'),
    "quotes of two kinds": HEAD + BODY.replace("'oh yes'", '"oh yes"') + "",
    "white space": HEAD + BODY.replace(",", "  "),
    "tabs": HEAD + BODY.replace(",", "\t"),
    "blanks after tabs": HEAD + BODY.replace(",", "\t "),
    "tabs after commas": HEAD + BODY.replace(",", ",\t"),
    "blanks before quotes": HEAD + BODY.replace(",'", ", '"),
    "NUL at the end": HEAD + BODY + "\0",
    "capitals": HEAD.replace("@attribute", "@ATTRIBUTE").replace("@data", "@DATA") + BODY,
    "names in capitals": "\n".join(
        line.upper().replace("OH YES", "oh yes").replace("NO", "no")
        if line.startswith("@attribute")
        else line
        for line in HEAD.splitlines()
    )
    + "\n"
    + BODY,
    "unquoted name with a space": HEAD.replace("'confidence.oh yes'", "confidence.oh yes") + BODY,
    "other names": HEAD.replace("repeat", "repeat_nr").replace("fold", "fold_nr").replace("correct", "truth")
    + BODY,
    "undeclared label": HEAD.replace("{no,'oh yes'}", "{no}") + BODY,
    "carriage returns": (HEAD + BODY).replace("\n", "\r\n"),
    "blank lines": HEAD + "\n" + BODY.replace("\n", "\n\n"),
    "comments in the body": HEAD + "% a comment\n" + BODY,
    "sparse rows": HEAD + "{2 1,3 0.25,4 0.75,5 'oh yes'}\n  {1 1,3 1}\n",
    "comments behind declarations": HEAD.replace("numeric\n", "real [0,9] % a number\n").replace(
        "}\n", "} % {a}\n"
    )
    + BODY,
    "a date between": HEAD.replace("@attribute row_id", '@attribute d date "yyyy-MM-dd"\n@attribute row_id')
    + BODY.replace("0,0,1,", "0,0,'2020-01-01',1,").replace("0,1,0,", "0,1,2020-01-02,0,"),
    "blanks after commas": HEAD + "0,0,1,0.25,0.75,\"oh yes\",'no'\n0,1,0,1,0,no,no\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form):
    assert content(read(FORMS[form])) == RIGHT


def test_odd_forms_are_noted():
    assert read(FORMS["plain"]).notes == ()
    assert read(FORMS["NUL at the end"]).notes == ("NUL bytes",)
    assert read(FORMS["names in capitals"]).notes[-3:] == (
        "the column 'CONFIDENCE.oh yes' for confidence.oh yes",
        "the column 'PREDICTION' for prediction",
        "the column 'CORRECT' for truth",
    )
    assert read(FORMS["white space"]).notes == ("separated by white space",)
    assert read(FORMS["comments in the body"]).notes == ("read row by row",)


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_comma_in_a_label_separates_nothing_where_tabs_do(quote):
    label = f"{quote}oh, yes{quote}"
    head = HEAD.replace("'oh yes'", "'oh, yes'").replace("confidence.oh yes", "confidence.oh, yes")
    found = read(head + BODY.replace(",", "\t").replace("'oh yes'", label))
    assert content(found) == (
        [1, 0],
        {"no": [0.25, 1.0], "oh, yes": [0.75, 0.0]},
        ["oh, yes", "no"],
        ["no", "no"],
    )
    assert "separated by white space" in found.notes


def test_columns_in_any_order():
    text = "@relation r\n@attribute prediction {a,b}\n@attribute confidence.b numeric\n@attribute row_id numeric\n"
    found = read(text + "@data\na,0.5,3\n")
    assert (found.row_id.tolist(), list(found.prediction), found.truth) == ([3], ["a"], None)
    assert np.isnan(found.fold).all()


def test_missing_folds_are_not_numbers():
    assert np.isnan(read(HEAD + BODY.replace("0,0,1,", "0,?,1,")).fold[0])


def test_labels_that_look_like_numbers_stay_labels():
    text = HEAD.replace("'oh yes'", "1.0").replace("'confidence.oh yes'", "confidence.1.0")
    assert list(read(text + "0,0,0,0.5,0.5,1.0,no\n").prediction) == ["1.0"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<html></html>", "has no @data line"),
        (HEAD.replace("row_id", "row") + BODY, "has no column row_id"),
        (HEAD.replace("@attribute prediction", "@attribute predicted") + BODY, "has no column prediction"),
        (HEAD.replace("'confidence.oh yes'", "CONFIDENCE.no") + BODY, "has two columns of the same meaning"),
        (HEAD.replace("repeat", "fold_nr") + BODY, "has two columns of the same meaning"),
        (HEAD, "has no rows"),
        (HEAD + "0,0,1.5,0.25,0.75,no,no\n", "has row numbers that are not whole"),
        (HEAD + "0,0,1e30,0.25,0.75,no,no\n", "has row numbers that are not whole"),
        (
            HEAD + "0,0,1,0.25,0.75,no,'100 %s\n% comment\n",
            r"is not readable ARFF \(line 10 has a quotation mark",
        ),
        (HEAD + "0,0,1,much,0.75,no,no\n", "cells in the column confidence.no that are not numbers"),
        (HEAD + "% c\n0,0,1,0.25,0.75,no\n", r"is not readable ARFF \(line 11 has 6 cells"),
        (HEAD.replace("fold numeric", "fold") + BODY, "which has no known type"),
    ],
)
def test_what_cannot_be_read_says_why(text, problem):
    with pytest.raises(FormatError, match=problem):
        read(text)


label = st.sampled_from(["no", "oh yes"])
row = st.tuples(st.integers(0, 9), st.integers(0, 999), st.floats(0, 1), label, label)


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.lists(row, min_size=1, max_size=20))
def test_agrees_with_liac_arff(rows):
    body = "".join(f"0,{k},{i},{1 - p!r},{p!r},{a!r},{b!r}\n" for k, i, p, a, b in rows)
    expected = arff.loads(HEAD + body)["data"]
    found = read(HEAD + body)
    assert found.notes == ()
    assert found.fold.tolist() == [cells[1] for cells in expected]
    assert found.row_id.tolist() == [cells[2] for cells in expected]
    assert found.confidence["oh yes"].tolist() == [cells[4] for cells in expected]
    assert list(found.prediction) == [cells[5] for cells in expected]
    assert list(found.truth) == [cells[6] for cells in expected]
