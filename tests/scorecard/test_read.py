"""Files of every form hold the same cases, and what is said of a wrong one."""

import bz2
import gzip
import json
import lzma
import pickle
import sys
import zipfile
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import orc
from pyarrow.feather import write_feather

from nontrivial.scorecard.predictions import read_answers, read_predictions
from nontrivial.scorecard.roles import options_of

CSV = "id, y ,p\n1,ill,0.92\n2,well,0.35\n3,ill,0.64\n4,well,0.07\n"


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


def zipped(data, *names):
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, data)
    return stream.getvalue()


def saved(write):
    stream = BytesIO()
    write(stream)
    return stream.getvalue()


FORMS = {
    "csv": CSV.encode(),
    "csv for Excel": b"\xef\xbb\xbfsep=;\r\n" + CSV.replace(",", ";").encode(),
    "csv of R": b'"","y","p"\n' + CSV.partition("\n")[2].encode(),
    "table of R": b'"y" "p"\n"ill" 0.92\n"well" 0.35\n"ill" 0.64\n"well" .07\n',
    "tsv": CSV.replace(",", "\t").encode(),
    "gzip": gzip.compress(CSV.encode()),
    "bzip2": bz2.compress(CSV.encode()),
    "xz": lzma.compress(CSV.encode()),
    "zstd": bytes(pa.compress(CSV.encode(), "zstd", asbytes=True)),
    "zip": zipped(CSV, "a.csv", "__MACOSX/._a.csv"),
    "parquet": saved(FRAME.to_parquet),
    "parquet in gzip": gzip.compress(saved(FRAME.to_parquet)),
    "feather": saved(FRAME.to_feather),
    "feather of views": saved(lambda stream: write_feather(OF_POLARS, stream)),
    "json lines": FRAME.to_json(orient="records", lines=True).encode(),
    "arff of Weka": OF_WEKA.encode(),
    "arff": b"% made up\n@RELATION a\n@ATTRIBUTE id NUMERIC\n@ATTRIBUTE y {ill,well}\n@ATTRIBUTE p NUMERIC\n@DATA\n"
    + CSV.partition("\n")[2].encode(),
}


def assert_same(read):
    assert read.truth.tolist() == [True, False, True, False]
    assert read.score.tolist() == [0.92, 0.35, 0.64, 0.07]
    assert read.columns == {"truth": "y", "score": "p"}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_known_by_its_first_bytes_whatever_its_name(tmp_path, form):
    path = tmp_path / "cases.dat"
    path.write_bytes(FORMS[form])
    assert_same(read_predictions(path, positive="ill"))


@pytest.mark.parametrize("form", ["csv", "parquet", "gzip"])
def test_a_minus_sign_is_standard_input(monkeypatch, form):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(FORMS[form])))
    read = read_predictions("-", positive="ill")
    assert_same(read)
    assert read.name == "standard input"


@pytest.mark.parametrize("packing", ["gzip", "bzip2", "xz", "zip", "zstd"])
def test_compressed_data_that_is_cut_off_is_said_to_be(tmp_path, packing):
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(FORMS[packing][:-12])
    with pytest.raises(ValueError, match=rf"cut\.csv\.gz cannot be unpacked: the {packing} data is"):
        read_predictions(path)


OTHERS = {
    "has none of the forms that are read": [
        saved(lambda stream: np.save(stream, np.ones(3))),
        pickle.dumps(FRAME),
        gzip.compress(pickle.dumps(FRAME)),
        saved(lambda stream: FRAME.rename(columns=str.strip).to_stata(stream)),
        saved(lambda stream: orc.write_table(pa.Table.from_pandas(FRAME), stream)),
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504),  # .xls
    ],
    "is a web page": [b"\n<!doctype HTML>"],
    "is an archive of 2 files": [zipped(CSV, "a.csv", "b.csv")],
}


@pytest.mark.parametrize("said", OTHERS)
def test_a_file_of_another_form_is_refused(tmp_path, said):
    path = tmp_path / "cases.csv"
    for data in OTHERS[said]:
        path.write_bytes(data)
        with pytest.raises(
            ValueError, match=rf"cases\.csv {said}.* needed|cases\.csv {said}.* as CSV or Parquet"
        ):
            read_predictions(path)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_columns_are_divided_by_commas_semicolons_or_tabs(write, separator, start):
    lines = [["id", "truth", "score", "note"], ["1", "no", "0.2", "a|b"], ["2", "yes", "0.9", '"x,y;z\tw"']]
    read = read_predictions(write(start + "".join(separator.join(line) + "\r\n" for line in lines)))
    assert (read.positive, read.truth.tolist(), read.score.tolist()) == ("yes", [False, True], [0.2, 0.9])


def test_a_name_may_hold_what_divides_other_files_and_quotation_marks_may_follow_a_blank(write):
    assert read_predictions(write('truth,"p;q;r"\n0,0.2\n1,0.7\n'), score="p;q;r").score.tolist() == [
        0.2,
        0.7,
    ]
    assert read_predictions(write("y p\n1 0.9\n0 0.2\n"), separator=" ").score.tolist() == [0.9, 0.2]
    read = read_predictions(write('"y", "score" ,"note"\n"ill", "0.9",a\n"well", 0.2,"b"\n'))
    assert (read.columns, read.labels) == ({"truth": "y", "score": "score"}, ("ill", "well"))
    assert read.score.tolist() == [0.9, 0.2]


def test_files_that_are_absent_empty_or_cut_off_are_named(tmp_path, write):
    with pytest.raises(
        ValueError, match=r"absent\.csv is not a file; a file of predictions, such as CSV, is needed"
    ):
        read_predictions(tmp_path / "absent.csv")
    with pytest.raises(ValueError, match=r"a\.parquet has no rows"):
        read_predictions(write("truth,prediction\n", "a.parquet"))
    with pytest.raises(ValueError, match=r"b\.csv cannot be read as Parquet"):
        read_predictions(write("PAR1", "b.csv"))


def test_decimal_commas_other_separators_and_encodings(tmp_path):
    path = tmp_path / "german.csv"
    path.write_bytes("Wahrheit|p\nüber|0,75\nunter|0,25\n".encode("latin-1"))
    with pytest.raises(ValueError, match="--encoding"):
        read_predictions(path, truth="Wahrheit", separator="|")
    read = read_predictions(
        path, truth="Wahrheit", separator="|", decimal=",", encoding="latin-1", positive="über"
    )
    assert read.score.tolist() == [0.75, 0.25]
    path.write_text("y;p\n1;1.234,5\n0;0,1\n")
    with pytest.raises(ValueError, match=r"'1\.234,5'"):
        read_predictions(path, decimal=",")

    path.write_bytes("y,p\n1,0.5\n0,0.25\n".encode("utf-16"))
    with pytest.raises(ValueError, match="--encoding, such as utf-16"):
        read_predictions(path)
    assert read_predictions(path, encoding="utf-16").score.tolist() == [0.5, 0.25]


def test_three_rows_of_names_as_orange_writes_them_are_read(tmp_path):
    path = tmp_path / "orange.csv"
    path.write_text("Tree (no),Tree (yes),y\nc,c,no yes\nmeta,meta,class\n.8,.2,no\n.3,.7,yes\n")
    assert read_predictions(path, positive="yes").score.tolist() == [0.2, 0.7]
    path.write_text("p,y\nc,no yes\nmeta,class\n.8,no\n.3,yes,1\n")
    with pytest.raises(ValueError, match="3 fields in data row 2"):
        read_predictions(path)


def test_names_of_cases_are_the_same_in_files_of_every_form(tmp_path):
    one = pd.DataFrame({"id": [3.0, 1.0, 2.0], "y": [1, 0, 1], "p": [0.9, 0.2, 0.7]})
    one.to_parquet(tmp_path / "one.parquet")
    two = pd.DataFrame({"id": ["1", "2", "3"], "y": [0, 1, 1], "p": [0.3, 0.6, 0.5]})
    for names in (["1", "2", "3"], ["1x", "2", "3"], ["1", "2", "4"], ["01", "2", "3"]):
        two.assign(id=names).to_csv(tmp_path / "two.csv", index=False)
        cases = [
            each.cases
            for each in read_answers([tmp_path / "one.parquet", tmp_path / "two.csv"], options_of())
        ]
        assert (sorted(cases[0]) == sorted(cases[1])) == (list(names) == ["1", "2", "3"])
        assert len({*cases[1]}) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"y","p"\n"1","ill",0.5\n"2","well",0.1\n', "row.names=FALSE"),
        ('"y" "p"\n"1" "ill" 0.5\n', "row.names=FALSE"),
        ("sep=;\ny;p\n1;0.5\n0;0.1;3\n", "3 fields in data row 2, but 2 names in its first line."),
    ],
)
def test_rows_with_more_cells_than_names_say_why(tmp_path, text, said):
    path = tmp_path / "cases.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=said) as error:
        read_predictions(path)
    assert "decimal" not in str(error.value)


def test_the_distribution_of_weka_gives_probabilities(tmp_path):
    path = tmp_path / "weka.csv"
    rows = "1,1:a,1:a,,*0.8,0.2\n2,2:b,1:a,+,*0.6,0.4\n3,2:b,2:b,,0.1,*0.9\n"
    path.write_text("inst#,actual,predicted,error,distribution\n" + rows)
    read = read_predictions(path, positive="2:b")
    assert (read.score.tolist(), read.prediction.tolist()) == ([0.2, 0.4, 0.9], [False, False, True])
    rows = "1,1:a,1:a,,*0.8,0.2,0\n2,2:b,1:a,+,*0.6,0.4,0\n3,3:c,2:b,+,0.1,*0.6,0.3\n"
    path.write_text("inst#,actual,predicted,error,distribution\n" + rows)
    assert read_predictions(path).probabilities.tolist() == [[0.8, 0.2, 0], [0.6, 0.4, 0], [0.1, 0.6, 0.3]]


def test_the_first_sheet_of_a_workbook_is_read(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "cases.dat"
    path.write_bytes(workbook(CSV))
    assert_same(read_predictions(path, positive="ill"))


def test_a_far_cell_takes_up_no_memory(tmp_path):
    """calamine asks for a place for each cell up to it; the process was aborted."""
    path = tmp_path / "far.xlsx"
    for place, row in (("XFD1048576", 1_048_576), ("A4294967295", 4_294_967_295), ("ZZZ100000", 100_000)):
        path.write_bytes(workbook(CSV, f'<row r="{row}"><c r="{place}"><v>1</v></c></row>'))
        with pytest.raises(ValueError, match=r"far\.xlsx.*cells"):
            read_predictions(path, positive="ill")
    path.write_bytes(workbook(CSV, '<row r="1048576"><c r="XFD1048576" s="1"/></row>'))
    assert_same(read_predictions(path, positive="ill"))


def workbook(text, more=""):
    """The least that is a workbook: one sheet whose cells hold their text themselves, and more rows."""
    rows = "".join(
        "<row>" + "".join(cell(value) for value in line.split(",")) + "</row>" for line in text.splitlines()
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r0" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="a" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}{more}</sheetData></worksheet>',
    }
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return stream.getvalue()


def cell(value):
    try:
        return f"<c><v>{float(value)}</v></c>"
    except ValueError:
        return f'<c t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"y": 1, "p": 0.5}\n{"y": 0\n', "line 2, column 8"),
        ('{"y": 1, "p": 0.5}\n[1]\n', "line 2"),
        ('{"y": 1, "p": 0.5}\n{"y": 0, "y": 1}\n', "line 2: a name occurs twice"),
    ],
)
def test_a_line_that_is_no_object_is_named(tmp_path, text, line):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=line):
        read_predictions(path)


@pytest.mark.parametrize("orient", ["columns", "index", "records", "split", "table", "values"])
@pytest.mark.parametrize("indent", [None, 2])
def test_other_json_of_pandas_names_the_way_to_write_lines(tmp_path, orient, indent):
    path = tmp_path / "a.json"
    pd.DataFrame({"y": [1, 0], "p": [0.5, 0.1]}).to_json(path, orient=orient, indent=indent)
    with pytest.raises(ValueError, match=r'to_json\(path, orient="records", lines=True\)'):
        read_predictions(path)


ARFF = "@relation r\n@attribute y {a,b}\n@attribute 'the p' numeric\n\n@data\na,1\n% c\nb,0\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("b,0", "b,0,0", "line 8 has 3 cells, but 2 columns are declared"),
        ("b,0", "c,0", "line 8 has 'c' in column 'y'"),
        ("b,0", "b,0,{2}", "line 8 has the weight of an instance"),
        ("b,0", "'b,0", "line 8 has a quotation mark that is never closed"),
        ("b,0", "{0 b,2 1}", "line 8 names column 2"),
        ("{a,b}", "{a,b", "line 2 has a brace that is never closed"),
        ("numeric", "number", "line 3 declares"),
        ("'the p'", "y", "line 3 declares 'y' again"),
        ("@data", "", "no line @data"),
    ],
)
def test_a_line_of_arff_that_cannot_be_read_is_named(tmp_path, old, new, said):
    path = tmp_path / "a.arff"
    path.write_text(ARFF)
    assert read_predictions(path, score="the p").score.tolist() == [1, 0]
    path.write_text(ARFF.replace(old, new))
    with pytest.raises(ValueError, match=rf"a\.arff cannot be read as ARFF: .*{said}"):
        read_predictions(path, score="the p")


def test_json_lines_mean_what_csv_does(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ({"y": True, "p": 1}, {"p": 0.25, "y": False})))
    read = read_predictions(path)
    assert (read.positive, read.truth.tolist(), read.score.tolist()) == ("True", [True, False], [1, 0.25])
