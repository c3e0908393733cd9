"""Files compressed, packed or from standard input hold the same cases."""

import sys
from io import BytesIO
from types import SimpleNamespace

import pytest
from scorecard.reading.forms import CSV, FORMS, assert_same, zipped

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
