"""One table in files of every form."""

import bz2
import gzip
import lzma
import zipfile
from io import BytesIO

import pandas as pd
import pyarrow as pa

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
