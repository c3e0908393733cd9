"""Whether the source distribution and the wheel in a folder hold what they should; run by `tox -e release`."""

import sys
import tarfile
import zipfile
from pathlib import Path

FOLDERS = ("src", "tests", "benchmarks", "workflow", "config", "envs", "docs")
FILES = {"Snakefile", "README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md", "pyproject.toml"}


def main(folder: Path) -> None:
    (source,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    found = [path for place in FOLDERS for path in Path(place).rglob("*") if path.is_file()]
    wanted = {str(path) for path in found if "__pycache__" not in path.parts and ".egg-info" not in str(path)}
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert wanted | FILES <= inside, sorted((wanted | FILES) - inside)
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    package = {path.removeprefix("src/") for path in wanted if path.startswith("src/")}
    assert package <= inside, sorted(package - inside)
    print(f"{source.name} and {wheel.name} are whole: {len(wanted | FILES)} and {len(package)} files")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
