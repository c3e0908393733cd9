"""Files of every form hold the same cases."""

import bz2
import gzip
import json
import lzma
import sys
import zipfile
from io import BytesIO
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pytest

from nontrivial.scorecard.predictions import read_predictions

CSV = "id, y ,p\n1,ill,0.92\n2,well,0.35\n3,ill,0.64\n4,well,0.07\n"
FRAME = pd.DataFrame({"id": [1, 2, 3, 4], " y ": ["ill", "well"] * 2, "p": [0.92, 0.35, 0.64, 0.07]})


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
    "tsv": CSV.replace(",", "\t").encode(),
    "gzip": gzip.compress(CSV.encode()),
    "bzip2": bz2.compress(CSV.encode()),
    "xz": lzma.compress(CSV.encode()),
    "zstd": bytes(pa.compress(CSV.encode(), "zstd", asbytes=True)),
    "zip": zipped(CSV, "a.csv", "__MACOSX/._a.csv"),
    "parquet": saved(FRAME.to_parquet),
    "feather": saved(FRAME.to_feather),
    "json lines": FRAME.to_json(orient="records", lines=True).encode(),
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


def test_the_first_sheet_of_a_workbook_is_read(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "cases.dat"
    path.write_bytes(workbook(CSV))
    assert_same(read_predictions(path, positive="ill"))


def workbook(text):
    """The least that is a workbook: one sheet whose cells hold their text themselves."""
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
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
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


@pytest.mark.parametrize("form", ["csv", "parquet", "gzip"])
def test_a_minus_sign_is_standard_input(monkeypatch, form):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(FORMS[form])))
    read = read_predictions("-", positive="ill")
    assert_same(read)
    assert read.name == "standard input"


@pytest.mark.parametrize(
    ("form", "packing"),
    [("gzip", "gzip"), ("bzip2", "bzip2"), ("xz", "xz"), ("zip", "zip"), ("zstd", "zstd")],
)
def test_compressed_data_that_is_cut_off_is_said_to_be(tmp_path, form, packing):
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(FORMS[form][:-12])
    with pytest.raises(ValueError, match=rf"cut\.csv\.gz cannot be unpacked: the {packing} data is"):
        read_predictions(path)


def test_an_archive_of_several_files_is_refused(tmp_path):
    path = tmp_path / "two.zip"
    path.write_bytes(zipped(CSV, "a.csv", "b.csv"))
    with pytest.raises(ValueError, match=r"two\.zip is an archive of 2 files"):
        read_predictions(path)


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


@pytest.mark.parametrize(
    ("text", "line"), [('{"y": 1, "p": 0.5}\n{"y": 0\n', "line 2"), ('{"y": 1, "p": 0.5}\n[1]\n', "line 2")]
)
def test_a_line_that_is_no_object_is_named(tmp_path, text, line):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=line):
        read_predictions(path)


def test_json_lines_mean_what_csv_does(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ({"y": True, "p": 1}, {"p": 0.25, "y": False})))
    read = read_predictions(path)
    assert (read.positive, read.truth.tolist(), read.score.tolist()) == ("True", [True, False], [1, 0.25])
