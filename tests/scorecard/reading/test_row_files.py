"""Files that are read row by row hold the same cases."""

import json
import zipfile
from io import BytesIO

import pandas as pd
import pytest
from scorecard.reading.forms import CSV, assert_same

from nontrivial.scorecard.predictions import read_predictions


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
        ('{"y": 1, "p": 0.5}\n{"y": 0, "p": ' + "1" * 5000 + "}\n", "line 2: a number has too many digits"),
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
