"""Files of every form hold the same cases, and what is said of a wrong one."""

import bz2
import gzip
import lzma
import pickle
import sys
import zipfile
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc
from pyarrow.feather import write_feather
from scorecard.valid import read_predictions

from nontrivial.scorecard.predictions import read_answers
from nontrivial.scorecard.roles import options_of

CSV = "id, y ,p\n1,ill,0.92\n2,well,0.35\n3,ill,0.64\n4,well,0.07\n"
ROWS = CSV.partition("\n")[2]
FRAME = pd.DataFrame({"id": [1, 2, 3, 4], " y ": ["ill", "well"] * 2, "p": [0.92, 0.35, 0.64, 0.07]})
P = pa.array(["0.92", "0.35", "0.64", "0.07"], pa.string_view())
OF_POLARS = pa.table(
    {"y": pa.array(FRAME[" y "], pa.string_view()), "p": pa.DictionaryArray.from_arrays([0, 1, 2, 3], P)}
)
OF_WEKA = """@Relation 'a %'
@attribute id INTEGER [1,4] % a number {1,4}
@attribute\t'y' { "ill", 'well' } % {a}
@attribute day date "yyyy-MM-dd"
@attribute\tp\treal [0,1]

@DATA % rows
1, 'ill',\t"2020-01-01", 0.92
2 well ? 0.35
%
{0 3, 2 '2020-02-02', 3 0.64} % sparse
4,"well",2020-01-01 ,.07 % the last
\0"""


def zipped(parts):
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return stream.getvalue()


def saved(write):
    stream = BytesIO()
    write(stream)
    return stream.getvalue()


FORMS = {
    "csv": CSV.encode(),
    "csv for Excel": b"\xef\xbb\xbfsep=;\r\n" + CSV.replace(",", ";").encode(),
    "csv of R": b'"","y","p"\n' + ROWS.encode(),
    "csv with blanks": b'"id", "y" ,"p"\n1, "ill",.92\n2,"well", 0.35\n3, "ill", "0.64"\n4,well,.07\n',
    "csv of Orange": b"id,y,p\nc,ill well,c\nmeta,class,meta\n" + ROWS.encode(),
    "table of R": b'"y" "p"\n"ill" 0.92\n"well" 0.35\n"ill" 0.64\n"well" .07\n',
    "tsv": CSV.replace(",", "\t").encode(),
    "gzip": gzip.compress(CSV.encode(), mtime=0),
    "bzip2": bz2.compress(CSV.encode()),
    "xz": lzma.compress(CSV.encode()),
    "zstd": bytes(pa.compress(CSV.encode(), "zstd", asbytes=True)),
    "zip": zipped({"a.csv": CSV, "__MACOSX/._a.csv": CSV}),
    "parquet": saved(FRAME.to_parquet),
    "parquet in gzip": gzip.compress(saved(FRAME.to_parquet), mtime=0),
    "feather": saved(FRAME.to_feather),
    "feather of views": saved(lambda stream: write_feather(OF_POLARS, stream)),
    "json lines": FRAME.to_json(orient="records", lines=True).encode(),
    "arff of Weka": OF_WEKA.encode(),
    "arff": b"% made up\n@RELATION a\n@ATTRIBUTE id NUMERIC\n@ATTRIBUTE y {ill,well}\n@ATTRIBUTE p NUMERIC\n@DATA\n"
    + ROWS.encode(),
    "workbook": saved(lambda stream: FRAME.to_excel(stream, index=False)),
}


def assert_same(read):
    assert read.truth.tolist() == [True, False, True, False]
    assert read.score.tolist() == [0.92, 0.35, 0.64, 0.07]
    assert read.columns == {"truth": "y", "score": "p"}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_known_by_its_first_bytes_whatever_its_name(write, form):
    assert_same(read_predictions(write(FORMS[form]), positive="ill"))


@pytest.mark.parametrize("form", ["csv", "parquet", "gzip"])
def test_a_minus_sign_is_standard_input(monkeypatch, form):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(FORMS[form])))
    read = read_predictions("-", positive="ill")
    assert_same(read)
    assert read.name == "standard input"


BAR = {"separator": "|", "decimal": ","}
GERMAN = "Wahrheit|p\nüber|0,75\nunter|0,25\n"


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ('truth,"p;q;r"\n1,0.75\n0,0.25\n', {"score": "p;q;r"}),
        ("y p\n1 0.75\n0 0.25\n", {"separator": " "}),
        ('\ny;p;note\r\n1;0.75;"x,y;z\tw"\r\n0;0.25;"a|b"\r\n', {}),
        (GERMAN.encode("latin-1"), {"truth": "Wahrheit", "encoding": "latin-1", "positive": "über"} | BAR),
        ("y,p\n1,0.75\n0,0.25\n".encode("utf-16"), {}),
        ("y,p\n1,0.75\n0,0.25\n".encode("utf-16-le"), {"encoding": "utf-16-le"}),
        ('{"y": true, "p": 0.75}\n{"p": 0.25, "y": false}\n', {}),
        ("@relation r\n@attribute y {1,0}\n@attribute p integer\n@data\n1,0.75\n0,.25\n", {}),
    ],
)
def test_options_say_how_a_text_is_read_and_types_of_its_own_change_nothing(write, data, options):
    read = read_predictions(write(data), **options)
    assert (read.truth.tolist(), read.score.tolist()) == ([True, False], [0.75, 0.25])


ARFF = "@relation r\n@attribute y {a,b}\n@attribute 'the p' numeric\n\n@data\na,1\n% c\nb,0\n"
OTHERS = [
    *((FORMS[kind][:-12], f"unpacked as {kind}") for kind in ("gzip", "bzip2", "xz", "zip", "zstd")),
    (zipped({"a.csv": CSV, "b.csv": CSV}), "it holds 2 files"),
    *((data, "in a form that is read: CSV, Parquet") for data in (
        saved(lambda stream: np.save(stream, np.ones(3))),
        gzip.compress(pickle.dumps(FRAME), mtime=0),
        saved(lambda stream: FRAME.rename(columns=str.strip).to_stata(stream)),
        saved(lambda stream: orc.write_table(pa.Table.from_pandas(FRAME), stream)),
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504),  # .xls
    )),
    (GERMAN.encode("latin-1"), "byte 12 is not UTF-8; if it is text, name its encoding with --encoding, such as"),
    (b"\n<!doctype HTML>", "is a web page or XML"),
    (b"", "cannot be read as CSV: it is empty"),
    (b"y,p\n", "has no rows"),
    (b"PAR1", "cannot be read as Parquet"),
    (b'y,p\n1,2\n0,"4\n1,5\n', "cannot be read as CSV: a quotation mark is never closed"),
    (b'"y","p"\n"1","ill",0.5\n"2","well",0.1\n', "row.names=FALSE"),
    (b'"y" "p"\n"1" "ill" 0.5\n', "data row 1 has 3 fields, but there are 2 names in the first line; if R"),
    (b"sep=;\ny;p\n1;0.5\n0;0.1;3\n", "data row 2 has 3 fields, but there are 2 names in the first line."),
    (b"p,y\nc,no yes\nmeta,class\n.8,no\n.3,yes,1\n", "data row 2 has 3 fields"),
    (b"y,p\n1,0,7\n0,0,3\n", "data row 1 has 3 fields, but there are 2 names in the first line; if a number"),
    (b"y|p\n1|0.7\n", "it has 'y|p'; name the column of the true labels with --truth, or what splits"),
    (b'{"y": 1, "p": 0.5}\n{"y": 0\n', "line 2, column 8"),
    (b'{"y": 1, "p": 0.5}\n[1]\n', "line 2 is not an object"),
    *((FRAME.to_json(orient=orient, indent=indent).encode(), 'to_json(path, orient="records", lines=True)')
      for orient in ("columns", "index", "records", "split", "table", "values") for indent in (None, 2)),
    *((ARFF.replace(old, new).encode(), said) for old, new, said in (
        ("b,0", "b,0,0", "line 8 has 3 cells, but 2 columns are declared"),
        ("b,0", "c,0", "line 8 has 'c' in column 'y'"),
        ("b,0", "b,0,{2}", "line 8 has the weight of an instance"),
        ("b,0", "'b,0", "line 8 has a quotation mark that is never closed"),
        ("b,0", "{0 b,2 1}", "line 8 names column 2"),
        ("{a,b}", "{a,b", "line 2 has a brace that is never closed"),
        ("numeric", "number", "line 3 declares"),
        ("'the p'", "y", "line 3 declares 'y' again"),
        ("@data", "", "no line @data"),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("data", "said"), OTHERS)
def test_what_cannot_be_read_is_said_in_one_sentence(write, data, said):
    with pytest.raises(ValueError, match=r"^[^\n]*predictions\.csv[^\n]*$") as error:
        read_predictions(write(data))
    assert said in str(error.value)


def test_files_that_are_absent_or_folders_are_named(tmp_path):
    for path, kind in ((tmp_path / "absent.csv", "is not a file"), (tmp_path, "is a folder")):
        with pytest.raises(ValueError, match=rf"{path} {kind}; a file of predictions"):
            read_predictions(path)


def test_names_of_cases_are_the_same_in_files_of_every_form(tmp_path):
    one = pd.DataFrame({"id": [3.0, 1.0, 2.0], "y": [1, 0, 1], "p": [0.9, 0.2, 0.7]})
    one.to_parquet(tmp_path / "one.parquet")
    two = pd.DataFrame({"id": ["1", "2", "3"], "y": [0, 1, 1], "p": [0.3, 0.6, 0.5]})
    for names in (["1", "2", "3"], ["1x", "2", "3"], ["1", "2", "4"], ["01", "2", "3"]):
        two.assign(id=names).to_csv(tmp_path / "two.csv", index=False)
        read = read_answers([tmp_path / "one.parquet", tmp_path / "two.csv"], options_of())
        cases = [sorted(each.cases) for each in read]
        assert (cases[0] == cases[1]) == (names == ["1", "2", "3"])
        assert len({*cases[1]}) == 3


def test_the_distribution_of_weka_gives_probabilities(write):
    rows = "1,1:a,1:a,,*0.8,0.2,0\n2,2:b,1:a,+,*0.6,0.4,0\n3,3:c,2:b,+,0.1,*0.6,0.3\n"
    read = read_predictions(write("inst#,actual,predicted,error,distribution\n" + rows))
    assert read.probabilities.tolist() == [[0.8, 0.2, 0], [0.6, 0.4, 0], [0.1, 0.6, 0.3]]


def test_rows_are_counted_across_pieces(write):
    good = "1,0.3\n" * 3_000_000
    for last, said in (
        ("0,zz", "row 3000001,"),
        ("0,1,2", "row 3,000,001 has 3"),
        (",1", r"row 3,000,001\)"),
    ):
        with pytest.raises(ValueError, match=said):
            read_predictions(write(f"y,p\n{good}{last}\n"))


def test_long_cells_and_quotation_marks_that_are_never_closed_swallow_no_rows(write):
    read = read_predictions(write("y,p,z\n1,0.9," + "x" * 200_000 + "\n0,0.2,\n"))
    assert read.prediction.tolist() == [True, False]
    assert read_predictions(write('y,p,z\n1,0.4,"a\nb"\n0,0.1,2"\n')).truth.tolist() == [True, False]
    for text in ('y,p,z\n1,0.4,"a\n0,0.1,2\n1,0.6,2\n', "y,p,z\n1,0.4," + "x" * 40_000_000 + "\n0,0.2,1\n"):
        with pytest.raises(ValueError, match="quotation mark is never closed"):
            read_predictions(write(text))


def test_parquet_means_what_csv_does(tmp_path):
    frame = pd.DataFrame({"y": ["01", "1", "x"] * 50_000, "prediction": ["01", "x", "x"] * 50_000})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.astype("category").to_parquet(tmp_path / "b.parquet", row_group_size=40_000)
    one, other = (read_predictions(tmp_path / name) for name in ("a.csv", "b.parquet"))
    assert one.labels == other.labels == ("01", "1", "x")
    assert (one.truth == other.truth).all()
    assert (one.prediction == other.prediction).all()


@pytest.mark.parametrize("cells", [[[1], [0]], [{"a": 1}, {"a": 2}], [b"1", b"0"], [None, None], ["a", None]])
@pytest.mark.parametrize("name", ["y", "p", "prediction"])
def test_columns_that_are_no_plain_values_are_refused(write, name, cells):
    table = pa.table({"y": [1, 0], "p": [0.5, 0.4]} | {name: cells})
    with pytest.raises(ValueError, match=repr(name)):
        read_predictions(write(saved(lambda stream: pq.write_table(table, stream))))


def test_values_of_several_types_in_a_table_are_read_as_a_file_says_them():
    read = read_predictions(pd.DataFrame({"y": [1, "0", 1.0], "p": [0.9, "0.2", None]}), missing="drop")
    assert (read.truth.tolist(), read.score.tolist()) == ([True, False], [0.9, 0.2])
