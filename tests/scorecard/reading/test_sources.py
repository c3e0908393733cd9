"""Files compressed, packed or from standard input hold the same cases."""

import gzip
import pickle
import sys
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import orc
from scorecard.reading.forms import CSV, FORMS, FRAME, assert_same, saved, zipped

from nontrivial.scorecard.predictions import read_predictions


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


FOREIGN = {
    "a NumPy file": saved(lambda stream: np.save(stream, np.ones(3))),
    "a NumPy file ": saved(lambda stream: np.savez(stream, y=np.ones(3), p=np.ones(3))),
    "a pickle": pickle.dumps(FRAME),
    "a pickle ": gzip.compress(pickle.dumps(FRAME)),
    "a Stata file": saved(lambda stream: FRAME.rename(columns=str.strip).to_stata(stream)),
    "a Stata file ": saved(lambda stream: FRAME.rename(columns=str.strip).to_stata(stream, version=118)),
    "an ORC file": saved(lambda stream: orc.write_table(pa.Table.from_pandas(FRAME), stream)),
    "a SAS file": bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011"),
    "an SPSS file": b"$FL2@(#) SPSS DATA FILE",
    "an R file": gzip.compress(b"RDX3\nX\n"),
    "an HDF5 file": b"\x89HDF\r\n\x1a\n",
    "an SQLite database": b"SQLite format 3\0",
    r"an Excel .*\.xls": bytes.fromhex("d0cf11e0a1b11ae1"),
    "a web page": b"\n<!doctype HTML>",
}


@pytest.mark.parametrize("form", FOREIGN)
def test_a_file_of_another_form_is_named(tmp_path, form):
    path = tmp_path / "cases.csv"
    path.write_bytes(FOREIGN[form])
    with pytest.raises(
        ValueError, match=rf"cases\.csv is {form.strip()}.*; write its table as CSV or Parquet"
    ):
        read_predictions(path)


def test_a_name_that_begins_as_another_form_is_a_name(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("ORCID,y,p\n1,1,0.9\n2,0,0.1\n")
    assert read_predictions(path).score.tolist() == [0.9, 0.1]
