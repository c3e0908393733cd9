"""The results as a BagIt bag: everything of them that is meant for others, with a digest of each file.

This takes the package bagit, which comes with the extra ``workflow``.
"""

from __future__ import annotations

from pathlib import Path

import bagit

from nontrivial.files import read_json
from nontrivial_study.provenance.manifest import NAME, RESULTS, SIGNATURES, results_files
from nontrivial_study.provenance.project import copy_files


def write_bag(results: str | Path, bag: str | Path) -> None:
    """Make a bag of a results folder.

    Its payload ``data/`` is the folder as its manifest lists it, with the manifest, its signatures and ``run.json``:
    logs and benchmarks, which carry paths and times of one machine, stay behind. The payload is an RO-Crate, and
    ``nontrivial verify`` takes it for a results folder.

    Parameters
    ----------
    results : path
        The results folder.
    bag : path
        The bag's folder; what it holds before is removed. The same results give the same bag.
    """
    folder = Path(results)
    names = [name.removeprefix(RESULTS) for name in results_files(folder)]
    names += [NAME, "run.json", *(name for name in SIGNATURES if (folder / name).is_file())]
    copy_files({name: folder / name for name in names}, bag)
    run = read_json(folder / "run.json")
    information = {
        "Bagging-Date": run["finished"].partition("T")[0],
        "External-Description": f"Results of the nontrivial study, an RO-Crate of {len(names)} files",
    }
    bagit.make_bag(str(bag), information, checksums=["sha256"])
