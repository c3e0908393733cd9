"""Checks the configuration that a command line names before Snakemake reads it.

Snakemake reads what ``--configfile`` and ``--config`` say, there or in a profile, before any line of the Snakefile, and
ends in a traceback where it cannot. Before that it imports every logger plugin that is there: so this is one, though it
logs nothing.
"""

import argparse
import os
import re
import sys
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase

LogHandler = LogHandlerBase  # what makes a package a plugin; nobody is to choose it with --logger


def check_configuration(arguments: list[str]) -> None:
    """Exit with one sentence if a configuration file that the arguments name is none, or a setting is no setting."""
    from nontrivial.config import read_yaml, require_folder
    from nontrivial.data.http.addresses import hide_logins
    from nontrivial.plain_yaml import parse_yaml
    from nontrivial.terminal import visible

    parser = argparse.ArgumentParser(prog="snakemake", usage="%(prog)s", add_help=False, allow_abbrev=False)
    parser.add_argument("--snakefile", "-s", type=Path, default=Path("Snakefile"))
    parser.add_argument("--configfile", "--configfiles", nargs="+", default=[])
    parser.add_argument("--config", "-C", nargs="*", default=[])
    parser.add_argument("--profile", action="append")
    parser.add_argument("--workflow-profile", default="default")
    given = parser.parse_known_args(arguments)[0]
    # Other workflows are not checked. Many have a schema of their configuration, but none of published figures.
    if not (given.snakefile.parent / "workflow" / "schemas" / "published.schema.yaml").is_file():
        return
    for profile in _find_profiles(given):
        parser.set_defaults(**_read_profile(profile))
    given = parser.parse_known_args(arguments)[0]
    try:
        require_folder(".snakemake", "the folder of Snakemake's records")
        for path in given.configfile:
            read_yaml(path)
            _check_engine(path)
        for setting in given.config:
            if not re.match(r"[a-zA-Z_][\w-]*\w=", setting):
                raise ValueError(
                    f"--config is {setting!r}; it must be KEY=VALUE with a key of the configuration, such as folds=5."
                )
            key, _, text = setting.partition("=")
            parse_yaml(text, f"--config {key}")
    except ValueError as error:
        sys.exit(visible(hide_logins(f"The study cannot start. {error}")))


def _find_profiles(given: argparse.Namespace) -> list[Path]:
    """Return the files of the profiles that Snakemake takes, as far as they are there, in its order."""
    named = given.profile or [os.environ.get("SNAKEMAKE_PROFILE") or "none"]
    of_user = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser()
    folders = (Path(), of_user / "snakemake", Path("/etc/xdg/snakemake"))
    places = [[folder / name for folder in folders] for name in named if name != "none"]
    if given.workflow_profile != "none":
        places.append([Path(given.workflow_profile), Path("profiles", given.workflow_profile)])
    files = []
    for place in [next(filter(Path.exists, candidates), None) for candidates in places]:
        if place and place.is_dir():
            inside = sorted(place.glob("*.yaml"))
            files += [
                file for file in inside if re.fullmatch(r"(profile|config)(\.v\d+\+)?\.yaml", file.name)
            ]
        elif place:
            files.append(place)
    return files


def _read_profile(path: Path) -> dict[str, list[str]]:
    """Return what a profile says of the configuration; that it cannot be read Snakemake says itself."""
    import yaml

    try:
        profile = yaml.safe_load(path.read_text("utf-8-sig"))
        files = profile.get("configfile") or profile.get("configfiles") or []
        settings = profile.get("config") or []
    except Exception:
        return {}
    if isinstance(files, str):
        file = os.path.expanduser(os.path.expandvars(files))
        files = [str(path.parent / file) if (path.parent / file).exists() else file]
    if isinstance(settings, dict):
        settings = [f"{key}={value}" for key, value in settings.items()]
    told = {"configfile": files, "config": settings}
    return {
        option: list(map(str, values))
        for option, values in told.items()
        if isinstance(values, list) and values
    }


def _check_engine(path: str) -> None:
    """Raise ValueError if Snakemake, which reads all of YAML, fails at a file that is plain YAML."""
    import yaml

    try:
        yaml.safe_load(Path(path).read_text("utf-8-sig"))
    except Exception:
        raise ValueError(
            f"{path} has a value that Snakemake takes for a date or number that does not exist; put texts in quotes."
        ) from None


if "--mode" not in sys.argv:  # a job's own process has it; the files were checked when the study started
    check_configuration(sys.argv[1:])
