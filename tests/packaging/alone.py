"""What an environment with the package alone weighs and can do; run in it by `tox -e alone`."""

import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

from nontrivial.measures import p4_score

MOST_MB = 380
CORE = {"nontrivial", "click", "lazy-loader", "numpy", "pandas", "scikit-learn", "scipy"}
PUBLISHED = ["published", "--error", "0.5", "--positives", "81", "--n", "306"]


def main() -> None:
    assert p4_score([1, 1, 0, 0], [1, 0, 0, 0]) == 8 / 11
    command = Path(sys.executable).with_name("nontrivial")
    screen = subprocess.run([command, *PUBLISHED], capture_output=True, text=True, check=True).stdout
    assert "worse" in screen

    installed = {distribution.name.lower().replace("_", "-") for distribution in distributions()}
    assert installed >= CORE, CORE - installed
    assert not installed & {"matplotlib", "pyarrow", "snakemake", "z3-solver"}, installed
    library = Path(sysconfig.get_path("purelib"))
    megabytes = sum(file.stat().st_size for file in library.rglob("*") if file.is_file()) / 1e6
    print(f"{len(installed)} packages, {megabytes:.0f} MB")
    assert megabytes < MOST_MB


if __name__ == "__main__":
    main()
