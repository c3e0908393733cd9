"""One table in files of every form."""

import bz2
import gzip
import lzma
import zipfile
from io import BytesIO

import pandas as pd
import pyarrow as pa
from pyarrow.feather import write_feather

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
