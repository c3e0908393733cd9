"""Running a study again: with the code of a checkout and the recorded configuration, in a temporary folder."""

import json
import os
import posixpath
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nontrivial.terminal import listed, waiting
from nontrivial_study.provenance.run import CODE, PLACES, project_files

_SETTINGS = "config/config.yaml"
_DOWNLOADS = "downloads"
_TELLS_WHY = re.compile(r"\w+ failed: |The study cannot start\. ")


def find_checkout() -> Path:
    """Return the checkout of the project that the current folder is in; ValueError if it is in none."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "Snakefile").is_file() and (folder / "src" / "nontrivial_study").is_dir():
            return folder
    raise ValueError(f"--rerun runs the code of a checkout of the project, and {here} is in none; go to one.")


def lacks_downloads(config: Mapping[str, Any], pins: Mapping[str, Any], checkout: Path) -> str:
    """Name what a study downloads, if the folder of its downloads is not here; else return nothing."""
    names = [name for name in config["datasets"] if pins.get(name, {}).get("source") == "UCI"]
    names += ["what it takes from OpenML"] if "openml" in config else []
    return "" if _place_of(_DOWNLOADS, checkout).exists() else listed(names)


def run_again(results: Path, config: Mapping[str, Any], checkout: Path, folder: Path) -> str:
    """Run a study in a folder, its results in ``results/`` there; return why it failed, empty if it did not."""
    settings = json.loads(json.dumps(config)) | {"results": "results"}
    own = settings.get("own", {})
    for path in [*(entry["file"] for entry in own.get("datasets", {}).values()), own.get("predictions")]:
        # The study refuses to read from outside its folder.
        if path and not os.path.normpath(path).startswith(("..", "/")):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).symlink_to(_place_of(path, checkout))
    if _DOWNLOADS in settings:  # the record does not say where they are
        settings[_DOWNLOADS]["folder"] = str(_place_of(_DOWNLOADS, checkout))
    (folder / "rerun.yaml").write_text(json.dumps(settings), encoding="utf-8")
    recorded = tuple(map(posixpath.normpath, (_SETTINGS, *config["files"].values())))
    with zipfile.ZipFile(results / CODE) as archive:  # of which no code is run
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(recorded)])
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(checkout / "Snakefile"), "--cores=all"]
    command += ["--configfile=rerun.yaml", "--quiet=rules", "--profile=none", "--workflow-profile=none"]
    paths = [str(checkout / "src"), *filter(None, [os.environ.get("PYTHONPATH")]), os.getcwd()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with waiting("running the study again"):
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
    lines = (done.stdout + done.stderr).splitlines()
    reasons = list(filter(_TELLS_WHY.match, lines)) or lines[-1:] or ["it says nothing."]
    return "" if done.returncode == 0 else " ".join(reasons)


def other_code(results: Path, checkout: Path) -> list[str]:
    """Return the paths of the files in a checkout that are not as in the results' ``code.zip``."""
    ours = project_files(checkout)
    with zipfile.ZipFile(results / CODE) as archive:
        theirs = {name for name in archive.namelist() if name.startswith(PLACES)}
        same = {name for name in theirs & ours.keys() if archive.read(name) == ours[name].read_bytes()}
    return sorted((ours.keys() | theirs) - same)


def _place_of(path: str, checkout: Path) -> Path:
    """Return a path in the current folder, or in the checkout if it is not there."""
    return Path(path if os.path.exists(path) else checkout / path).absolute()
