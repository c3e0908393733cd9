"""Files of every form hold the same cases, cells mean what they say, and a wrong file is refused."""

import gzip
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc
from reading.test_alike import CSV, FORMS, saved, zipped
from reading.test_alike import ROWS as FRAME
from scorecard.reading import assert_read, assert_refused

from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers

ARFF = "@relation r\n@attribute y {a,b}\n@attribute 'the p' numeric\n\n@data\na,1\n% c\nb,0\n"
ONE_OF_TWO = {"truth": [1, 0], "score": [0.75, 0.25], "prediction": [1, 0]}
LATIN = "Wahrheit|p\nüber|0,75\nunter|0,25\n".encode("latin-1")
GERMAN = {"truth": "Wahrheit", "positive": "über", "encoding": "latin-1", "separator": "|", "decimal": ","}
OF_CLASSES = "y,cat,dog,bird\ncat,0.5,0.3,0.2\ndog,0.1,0.7,0.2\nbird,0.1,0.2,0.7\n"
FOUR = "truth,prediction\na,a\nb,c\nc,d\n"
IN_UNIT = "positive where score >= 0.5, as all scores lie in [0, 1]"
OUTSIDE = "positive where score >= 0, as scores have both signs"
BOTH = "truth,prediction,score\n1,1,0.3\n0,1,0.2\n"
READ = [
    # How the text is divided and decoded; values of a type change nothing.
    ('truth,"p;q;r"\n1,0.75\n0,0.25\n', {"score": "p;q;r"}, ONE_OF_TWO),
    ("y p\n1 0.75\n0 0.25\n", {"separator": " "}, ONE_OF_TWO),
    ('\ny;p;note\r\n1;0.75;"x,y;z\tw"\r\n0;0.25;"a|b"\r\n', {}, ONE_OF_TWO),
    ("y,q\tp,q\n1\t0.75\n0\t0.25\n", {"truth": "y,q", "score": "p,q", "separator": r"\t"}, ONE_OF_TWO),
    (LATIN, GERMAN, ONE_OF_TWO),
    ("y,p\n1,0.75\n0,0.25\n".encode("utf-16-le"), {"encoding": "utf-16-le"}, ONE_OF_TWO),
    ('{"y": true, "p": 0.75}\n{"p": 0.25, "y": false}\n', {}, ONE_OF_TWO),
    ("@relation r\n@attribute y {1,0}\n@attribute p integer\n@data\n1,0.75\n0,.25\n", {}, ONE_OF_TWO),
    ('y,p,z\n1,0.75,"a\nb"\n0,0.25,2"\n', {}, ONE_OF_TWO),
    # Classes, and columns of probabilities with their names; "case" may number cases elsewhere.
    (FOUR, {}, {"positive": None, "labels": ("a", "b", "c", "d"), "n_classes": 3, "prediction": [0, 2, 3]}),
    (FOUR, {"positive": "c"}, {"truth": [0, 0, 1], "prediction": [0, 1, 0]}),
    (OF_CLASSES, {}, {"probabilities": [[0.2, 0.5, 0.3], [0.2, 0.1, 0.7], [0.7, 0.1, 0.2]]}),
    (OF_CLASSES, {"positive": "dog"}, {"columns": {"truth": "y", "score": "dog"}, "score": [0.3, 0.7, 0.2]}),
    ("y,case,ok\ncase,0.8,0.2\nok,0.3,0.7\n", {"positive": "case"}, {"score": [0.8, 0.3], "keys": {}}),
    ("y,0,1\n0,0.8,0.2\n1.0,0.3,0.7\n", {}, {"columns": {"truth": "y", "score": "1"}, "score": [0.2, 0.7]}),
    # Numbers as people write them.
    ("y,p\n1,75%\n0,25 %\n", {}, ONE_OF_TWO),
    ("y;p\n1;1.234,5\n0;2,5\n", {"decimal": ",", "threshold": 5}, {"score": [1234.5, 2.5]}),
    # NA is missing unless it is the positive label, and None is missing among numbers.
    ("y,pred\nNA,NA\nNone,NA\n", {"positive": "NA"}, {"labels": ("NA", "None"), "prediction": [1, 1]}),
    ("y,pred\n0,0\n1,1\nNone,1\n1,?\n0,1\n", {"missing": "drop"}, {"truth": [0, 1, 0]}),
    # The threshold.
    ("y,score\n1,0.5\n0,0.4999\n", {}, {"prediction": [1, 0], "rule": IN_UNIT}),
    ("y,score\n1,1.0000000000000002\n0,-1e-12\n", {}, {"prediction": [1, 0], "rule": IN_UNIT}),
    ("y,score\n1,0.5\n0,-3.0\n", {}, {"prediction": [1, 0], "rule": OUTSIDE}),
    *(
        (f"y,score\n1,{high}\n0,{low}\n", {}, {"prediction": None, "rule": "", "notes": "--threshold sets"})
        for high, low in ((80, 20), (0.4, 7), (-3, -1), (-3, 0))
    ),
    ("y,score\n1,80\n0,2\n", {"threshold": 5}, {"prediction": [1, 0], "threshold": 5}),
    ("y,score\n0,0.4\n1,7.0\n", {"threshold": 5}, {"prediction": [0, 1], "threshold": 5}),
    ("y,score\n1,0.05\n0,0.03\n", {"cost": 24}, {"prediction": [1, 0], "threshold": 1 / 25}),
    (BOTH, {}, {"prediction": [1, 1], "rule": ""}),
    (BOTH, {"threshold": 0.3}, {"prediction": [1, 0], "columns": {"truth": "truth", "score": "score"}}),
    (BOTH, {"threshold": 0.3}, {"rule": "positive where score >= 0.3, as --threshold says"}),
]


@pytest.mark.parametrize(("data", "options", "expected"), READ)
def test_what_a_file_says(write, data, options, expected):
    assert_read(write(data), options, expected)


NUMBERS = {"task": "regression"}
OTHER_FORMS = [
    *(("unpacked as " + kind, FORMS[kind][:-12]) for kind in ("gzip", "bzip2", "xz", "zip", "zstd")),
    ("it holds 2 files", zipped(**{"a.csv": CSV, "b.csv": CSV})),
    ("in a form that is read: CSV, Parquet", saved(lambda stream: np.save(stream, np.ones(3)))),
    ("in a form that is read", gzip.compress(pickle.dumps(FRAME), mtime=0)),
    ("in a form that is read", saved(lambda stream: FRAME.to_stata(stream))),
    ("in a form that is read", saved(lambda stream: orc.write_table(pa.Table.from_pandas(FRAME), stream))),
    ("in a form that is read", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)),  # .xls
    *(
        (r'to_json\(path, orient="records", lines=True\)', FRAME.to_json(orient=orient, indent=indent))
        for orient in ("columns", "index", "records", "split", "table", "values")
        for indent in (None, 2)
    ),
    ("line 8 has 3 cells, but 2 columns", ARFF.replace("b,0", "b,0,0")),
    ("line 8 has 'c' in column 'y'", ARFF.replace("b,0", "c,0")),
    ("line 8 has the weight of an instance", ARFF.replace("b,0", "b,0,{2}")),
    ("line 8 has a quotation mark that is never closed", ARFF.replace("b,0", "'b,0")),
    ("line 8 names column 2", ARFF.replace("b,0", "{0 b,2 1}")),
    ("line 2 has a brace that is never closed", ARFF.replace("{a,b}", "{a,b")),
    ("line 3 declares", ARFF.replace("numeric", "number")),
    ("line 3 declares 'y' again", ARFF.replace("'the p'", "y")),
    ("no line @data", ARFF.replace("@data", "")),
]
WRONG = [
    *((data, {}, message) for message, data in OTHER_FORMS),
    # Text that is not divided into columns and rows.
    (LATIN, {}, "byte 12 is not UTF-8.*--encoding"),
    (LATIN, {"encoding": "utf-0"}, "'utf-0' is not an encoding.*--encoding"),
    ("\n<!doctype HTML>", {}, "web page or XML"),
    ("", {}, "as CSV: it is empty"),
    ("y,p\n", {}, "has no rows"),
    ("PAR1", {}, "cannot be read as Parquet"),
    ('y,p\n1,2\n0,"4\n1,5\n', {}, "quotation mark is never closed"),
    ('y,p,z\n1,0.4,"a\n0,0.1,2\n1,0.6,2\n', {}, "quotation mark is never closed"),
    ('"y","p"\n"1","ill",0.5\n"2","well",0.1\n', {}, "row.names=FALSE"),
    ('"y" "p"\n"1" "ill" 0.5\n', {}, "row 1 has 3 fields.* 2 names.*row.names=FALSE"),
    ("sep=;\ny;p\n1;0.5\n0;0.1;3\n", {}, r"row 2 has 3 fields.* the first line has 2 names\.$"),
    ("p,y\nc,no yes\nmeta,class\n.8,no\n.3,yes,1\n", {}, "row 2 has 3 fields"),
    ("y,p\n1,0,7\n0,0,3\n", {}, "row 1 has 3 fields.*decimal comma"),
    ("y|p\n1|0.7\n", {}, r"'y\|p'.*--truth.*--separator"),
    ('{"y": 1, "p": 0.5}\n{"y": 0\n', {}, "line 2, column 8"),
    ('{"y": 1, "p": 0.5}\n[1]\n', {}, "line 2 is not an object"),
    # Columns that are absent.
    ("a,prediction\n1,1\n", {}, r"has 'a', 'prediction'.*--truth\.$"),
    ("truth,a\n1,1\n0,1\n", {}, "no column of scores or predictions among 'a', 'truth'"),
    ("y,pred\n1,1\n0,0\n", {"score": "s"}, "--score is 's', which .*does not have; it has 'y', 'pred'"),
    ("y,pred\n1,1\n0,0\n", {"truth": "label"}, "--truth is 'label', which .*does not have; it has 'y'"),
    # Values that are missing.
    ("truth,prediction\nNA,NA\nNone,NA\n", {}, r"1 in 'truth' \(the first in row 1, where it holds 'NA'\)"),
    ("y,pred\n0,0\n1,1\nNone,1\n1,?\n0,1\n", {}, "2 of 5.* 1 in 'y' .*'None'.* 1 in 'pred'.*--missing drop"),
    ("y,pred\n1.5,1\nNA,1\n2.5,1\n", NUMBERS, r"1 in 'y' \(the first in row 2, where"),
    ("y,pred\n1,1\n0,\n", {}, r"1 of 2 data rows: 1 in 'pred' \(the first in row 2\)"),
    # Numbers.
    ("y,score\n1,1\n0,inf\n", {}, "'score' .*not finite in data row 2"),
    ("y,score\n1,1\n0,1e-3\n0,high\n0,low\n", {}, "'score' .*'high' in data row 3"),
    ("y;p\n1;1\n0;1,234\n", {}, "'p' .*'1,234' in data row 2, which may be 1234 or 1.234; .*--decimal"),
    ("y;p\n1;1,5\n0;0,25\n", {"decimal": "."}, "'1,5' in data row 1, .*decimal mark '.'; --decimal"),
    ("y,p\n1,70%\n0,30%\n0,0.2\n", {}, "'0.2' in data row 3, but most cells are percentages"),
    ("y,pred,w\n1,1,1\n0,0,-1\n", {"weight": "w"}, "'w' .*negative"),
    ("y,pred,w\n1,1,0\n0,0,0\n", {"weight": "w"}, "'w' .*zero everywhere"),
    ("y,pred,w\n1,1,1\n0,0,1e13\n", {"weight": "w"}, r"'w' .*both 1 and 1e\+13"),
    # Labels.
    ("truth,prediction\n1,1\n", {}, "'truth' .*one class only"),
    ("y,pred\n1,1\n0,2\n", {}, "'2', which is not a true label; the true labels are 0, 1"),
    ("y,pred\n1,1\n0,1e400\n", {}, "'1e400', which is not a true label"),
    ("y,pred\na,x\nb,y\nc,z\n", {}, "'x', which is not a true label; the true labels are a, b, c"),
    ("y,pred\n1,1\n0,0.25\n", {}, "not labels, such as 0.25; the labels are 0, 1"),
    ("y,pred\na,0.5\nb,1\nc,1\n", {}, "not labels, such as 0.5"),
    ("y,pred\n1,1\n0,0\n", {"positive": "yes"}, "--positive is 'yes', which column 'y'"),
    # Labels written in several ways, one of them positive, would make positives of some cases only.
    ("y,p\nyes,0.5\nYes,0.4\nno,0.1\n", {"positive": "yes"}, "'Yes', 'yes', which look alike"),
    ("y,pred\na,a\nb,B\nc,c\n", {"positive": "b"}, "'b', 'B'"),
    (
        "y,p\n0.1,yes\n0.2,no\n" + "0.3,no\n" * 9 + "".join(f"{k},no\n" for k in range(9)),
        {"positive": "yes"},
        "and 4 more",
    ),
    ("y,p_a,p_a,p_b\na,1,0,0\nb,0,1,1\n", {}, "2 columns named 'p_a'"),
    ("y,score\n1,1\n0,0\n2,1\n", {}, r"3 classes \(0, 1, 2\), but a score is for one"),
    ("y,pred\n1.5,1\n2,1\n", NUMBERS | {"cost": 5}, "--cost is for classes.*--task classification"),
    # Scores for which no threshold is usual.
    ("y,score\n1,5\n0,0.2\n", {"cost": 3}, r"outside \[0, 1\].*--cost sets no threshold.*--threshold"),
]


@pytest.mark.parametrize(("data", "options", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(write, data, options, message):
    assert_refused(write(data), options, message)


@pytest.mark.parametrize("cells", [[[1], [0]], [{"a": 1}, {"a": 2}], [b"1", b"0"], [None, None], ["a", None]])
@pytest.mark.parametrize("name", ["y", "p", "prediction"])
def test_columns_that_are_no_plain_values_are_refused(write, name, cells):
    table = pa.table({"y": [1, 0], "p": [0.5, 0.4]} | {name: cells})
    assert_refused(write(saved(lambda stream: pq.write_table(table, stream))), {}, repr(name))


def test_files_that_are_absent_or_folders_are_named(tmp_path):
    assert_refused(tmp_path / "absent.csv", {}, r"absent\.csv is not a file")
    assert_refused(tmp_path, {}, f"{tmp_path} is a folder")


def test_long_files_keep_their_rows_and_long_cells_swallow_none(write):
    """A text file is read in pieces of 16 MB."""
    rows = "y,p\n" + "1,0.3\n" * 3_000_000
    for last, message in (("0,zz", "row 3,000,001,"), ("0,1,2", "row 3,000,001 has 3"), (",1", r"row 3,000,001\)")):
        assert_refused(write(f"{rows}{last}\n"), {}, message)
    assert_read(write("y,p,z\n1,0.9," + "x" * 200_000 + "\n0,0.2,\n"), {}, {"prediction": [1, 0]})
    assert_refused(write("y,p,z\n1,0.4," + "x" * 40_000_000 + "\n0,0.2,1\n"), {}, "never closed")


@pytest.mark.parametrize("names", [["1", "2", "3"], ["1x", "2", "3"], ["1", "2", "4"], ["01", "2", "3"]])
def test_names_of_cases_are_the_same_in_files_of_every_form(tmp_path, names):
    parquet, csv = tmp_path / "one.parquet", tmp_path / "two.csv"
    pd.DataFrame({"id": [3.0, 1.0, 2.0], "y": [1, 0, 1], "p": [0.9, 0.2, 0.7]}).to_parquet(parquet)
    pd.DataFrame({"id": names, "y": [0, 1, 1], "p": [0.3, 0.6, 0.5]}).to_csv(csv, index=False)
    members = read_answers([parquet, csv], options_of()).members
    first, second = ({*read.keys["id"]} for read in members)
    assert (first == second) == (names == ["1", "2", "3"])
    assert len(second) == 3
    notes = [note for read in members for note in read.notes if note.startswith("01 and 1 are different values")]
    assert len(notes) == ("01" in names)
