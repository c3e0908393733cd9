"""Whether the results are still what the jobs wrote, as far as files hold digests of that."""

from __future__ import annotations

from pathlib import Path

from nontrivial_study.digests import check_digest
from nontrivial.files import DamagedFile, sha256_of
from nontrivial_study.parquet_tables import Reader
from nontrivial_study.provenance.manifest import results_files
from nontrivial_study.provenance.problems import DAMAGE
from nontrivial_study.provenance.verify_files import CRATE, described_files
from nontrivial_study.records import read_record

RECORDS = ("results/data/", "results/openml/", "results/claims/", "results/report/")
VERDICTS = "results/claims/verdicts.json"  # a list of what the records say
WITH_DIGEST = (".csv", ".svg", ".pdf", ".png")  # tables and pictures, whose digests lie beside them


def check_results(results: str | Path) -> None:
    """Compare files with their own digests and the crate's, so that a manifest takes no damaged one for good.

    Parameters
    ----------
    results : path
        The results folder; without a crate, only the files that hold or have a digest are compared.

    Raises
    ------
    nontrivial.files.DamagedFile
        Naming the first that is damaged.
    """
    files, crate = results_files(results), Path(results) / CRATE
    for name, path in sorted(files.items()):
        if path.suffix in WITH_DIGEST:
            check_digest(path, sha256_of(path))
        elif path.suffix == ".parquet":
            file = Reader(path)
            if not all(map(file.is_whole, range(len(file)))):
                raise DamagedFile(path)
        elif path.suffix == ".json" and name.startswith(RECORDS) and name != VERDICTS:
            read_record(path)
    try:
        described = described_files(crate) if crate.is_file() else {}
    except DAMAGE as error:
        raise DamagedFile(crate) from error
    for name in sorted(described.keys() & files.keys()):
        if sha256_of(files[name]) != described[name]:
            raise DamagedFile(files[name])
