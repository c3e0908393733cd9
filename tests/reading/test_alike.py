"""Scores, published numbers, own data and own predictions are read from the same files, whatever their form."""

import bz2
import csv
import gzip
import lzma
import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow.feather import write_feather

from nontrivial.published.rows import judge_file
from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers
from nontrivial_study.data.own import own_dataset, own_entry
from nontrivial_study.experiments.tasks.external_predictions import read_external_predictions

SCORES = [0.75, 0.25, 0.125, 0.875, 0.5, 0.375]
ROWS = pd.DataFrame({"truth": ["yes", "no", "no", "yes", "no", "no"], "score": SCORES, "accuracy": SCORES})
CSV = ROWS.to_csv(index=False)
PAIRS = list(zip(ROWS["truth"], SCORES, strict=True))
COMMENTED = pd.DataFrame([list(ROWS), *ROWS.to_numpy().tolist()], columns=["# of 2020", "", " "])
ARFF = """% made up
@RELATION 'a %'
@attribute 'truth' { 'yes', "no" } % the class
@attribute\tscore\treal [0,1]
@attribute accuracy NUMERIC

@DATA % rows
"""


def saved(write):
    stream = BytesIO()
    write(stream)
    return stream.getvalue()


def zipped(**parts):
    return saved(lambda stream: [zipfile.ZipFile(stream, "a").writestr(*part) for part in parts.items()])


def workbook(**sheets):
    def write(stream):
        with pd.ExcelWriter(stream) as writer:
            for name, rows in sheets.items():
                rows.to_excel(writer, sheet_name=name, index=False)

    return saved(write)


VIEWS = pa.Table.from_pandas(ROWS).set_column(0, "truth", pa.array(ROWS["truth"], pa.string_view()))
GERMAN = ROWS.to_csv(index=False, sep=";", decimal=",")
FORMS = {
    "commas": CSV,
    "byte order mark and sep": b"\xef\xbb\xbfsep=;\r\n" + GERMAN.replace("\n", "\r\n").encode(),
    "decimal commas": GERMAN,
    "tabs in UTF-16, as Excel's Unicode text": GERMAN.replace(";", "\t").encode("utf-16"),
    "decimal commas in quotes": ROWS.to_csv(index=False, decimal=","),
    "quotes and blanks": "".join('"{}", "{}", "{}"\n'.format(*line.split(",")) for line in CSV.split()),
    "comments": "# of 2020, raw\n#\n\n" + CSV,
    "names in a comment": "# " + CSV,
    "blanks": ROWS.to_csv(index=False, sep=" ", quoting=csv.QUOTE_NONNUMERIC),
    "roles of Orange": CSV.replace("\n", "\nd,c,c\nclass,meta,\n", 1),
    "percentages": "truth,score,accuracy\n" + "".join(f"{y},{100 * x} %,{100 * x}%\n" for y, x in PAIRS),
    "gzip": gzip.compress(CSV.encode()),
    "bzip2": bz2.compress(CSV.encode()),
    "xz": lzma.compress(CSV.encode()),
    "zstd": bytes(pa.compress(CSV.encode(), "zstd", asbytes=True)),
    "zip": zipped(**{"a.csv": CSV, "__MACOSX/._a.csv": "x"}),
    "Parquet": ROWS.set_index(pd.Index([4, 7, 8, 9, 1, 3])).to_parquet(),
    "Parquet of categories in gzip": gzip.compress(ROWS.astype({"truth": "category"}).to_parquet()),
    "Feather": saved(ROWS.to_feather),
    "Feather of views": saved(lambda stream: write_feather(VIEWS, stream)),
    "JSON lines": "\ufeff" + ROWS.to_json(orient="records", lines=True),
    "ARFF": ARFF + ROWS.to_csv(index=False, header=False),
    "sparse ARFF": ARFF + "".join(f"{{{'0 no, ' * (y == 'no')}1 {x}, 2 {x}}}\n" for y, x in PAIRS),
    "workbook": workbook(A=ROWS),
    "workbook with a comment and an empty sheet": workbook(A=COMMENTED, B=pd.DataFrame()),
}
OPTIONS = {
    "latin-1": (CSV.replace("yes", "jâ").replace("no", "nein").encode("latin-1"), {"encoding": "latin-1"}),
    "another separator": (CSV.replace(",", "|"), {"separator": "|"}),
    "sheet": (workbook(A=ROWS[::-1], B=ROWS), {"sheet": "B"}),
}


def read_by_all(path, positive="yes", **how):
    """What each reader takes for the truth, the scores, or both."""
    (answers,) = read_answers([path], options_of(truth="truth", score="score", positive=positive, **how)).members
    yield answers.truth, answers.score
    table, _ = own_dataset("a", own_entry("a", {"file": str(path), "target": "truth", **how}))
    yield table["target"] == positive, table["score"]
    made = read_external_predictions("a", {"m": str(path)}, {"positive": positive, **how}).predictions
    yield made["truth"], made["score"]
    rows = judge_file(path, {"positives": "3", "n": "10"}, how).rows
    cells = [row["row"]["accuracy"].replace(",", ".") for row in rows]
    shares = [float(cell.removesuffix("%")) / (100 if "%" in cell else 1) for cell in cells]
    yield [row["row"]["truth"] == positive for row in rows], shares


@pytest.mark.parametrize("form", [*FORMS, *OPTIONS])
def test_all_read_the_same_from_a_form_with_the_same_options(form, tmp_path):
    content, how = OPTIONS.get(form) or (FORMS[form], {})
    path = tmp_path / "a"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for truth, score in read_by_all(path, "jâ" if form == "latin-1" else "yes", **how):
        np.testing.assert_array_equal(truth, ROWS["truth"] == "yes")
        np.testing.assert_allclose(score, SCORES, rtol=1e-15)
