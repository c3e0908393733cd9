"""Whether the results are still what the jobs wrote, as far as files hold digests of that."""

from __future__ import annotations

from pathlib import Path

from nontrivial.digests import check_digest
from nontrivial.files import DamagedFile, sha256_of
from nontrivial.parquet_tables import Reader
from nontrivial.provenance.manifest import results_files
from nontrivial.records import read_record

RECORDS = ("results/data/", "results/openml/")
WITH_DIGEST = (".csv", ".svg", ".pdf", ".png")  # tables and pictures, whose digests lie beside them


def check_results(results: str | Path) -> None:
    """Compare tables, pictures, data and records with their digests, so that a manifest takes no damaged one for good.

    Parameters
    ----------
    results : path
        The results folder.

    Raises
    ------
    nontrivial.files.DamagedFile
        Naming the first that is damaged.
    """
    for name, path in sorted(results_files(results).items()):
        if path.suffix in WITH_DIGEST:
            check_digest(path, sha256_of(path))
        elif path.suffix == ".parquet":
            file = Reader(path)
            if not all(map(file.is_whole, range(len(file)))):
                raise DamagedFile(path)
        elif path.suffix == ".json" and name.startswith(RECORDS):
            read_record(path)
