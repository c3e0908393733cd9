"""Whether the source distribution and the wheel in a folder hold what they should; run by `tox -e release`."""

import sys
import tarfile
import zipfile
from pathlib import Path

folder = Path(sys.argv[1])
(source,) = folder.glob("*.tar.gz")
(wheel,) = folder.glob("*.whl")
with tarfile.open(source) as archive:
    inside = {name.partition("/")[2] for name in archive.getnames()}
tracked = [
    path for place in ("src", "tests", "workflow", "config", "envs") for path in Path(place).rglob("*")
]
wanted = {str(path) for path in tracked if path.is_file() and "__pycache__" not in path.parts}
wanted = {path for path in wanted if ".egg-info" not in path} | {
    "Snakefile",
    "README.md",
    "LICENSE",
    "pyproject.toml",
}
assert wanted <= inside, sorted(wanted - inside)
with zipfile.ZipFile(wheel) as archive:
    inside = set(archive.namelist())
package = {path.removeprefix("src/") for path in wanted if path.startswith("src/")}
assert package <= inside, sorted(package - inside)
print(f"{source.name} and {wheel.name} are whole: {len(wanted)} and {len(package)} files")
