"""Checks the configuration on a command line before Snakemake reads them.

Snakemake reads what ``--configfile`` and ``--config`` say before any line of the Snakefile, and ends in a traceback
where it cannot. Before that it imports every logger plugin that is there: so this is one, though it logs nothing.
"""

import argparse
import re
import sys
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase

LogHandler = LogHandlerBase  # what makes a package a plugin; nobody is to choose it with --logger


def check_configuration(arguments: list[str]) -> None:
    """Exit with one sentence if a configuration file that the arguments name is none, or a setting is no setting."""
    from nontrivial.config import read_yaml, require_folder
    from nontrivial.plain_yaml import parse_yaml
    from nontrivial.terminal import visible

    parser = argparse.ArgumentParser(prog="snakemake", usage="%(prog)s", add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", default=[])
    parser.add_argument("--config", "-C", nargs="*", default=[])
    given = parser.parse_known_args(arguments)[0]
    try:
        require_folder(".snakemake", "the folder of Snakemake's records")
        for path in ["config/config.yaml", *given.configfile]:
            read_yaml(path)
            _check_engine(path)
        for setting in given.config:
            if not re.match(r"[a-zA-Z_][\w-]*\w=", setting):
                raise ValueError(f"--config is {setting!r}; allowed is KEY=VALUE.")
            key, _, text = setting.partition("=")
            parse_yaml(text, f"--config {key}")
    except ValueError as error:
        sys.exit(visible(f"The study cannot start. {error}"))


def _check_engine(path: str) -> None:
    """Raise ValueError if Snakemake, which reads all of YAML, fails at a file that is plain YAML."""
    import yaml

    try:
        yaml.safe_load(Path(path).read_text("utf-8-sig"))
    except Exception:
        raise ValueError(
            f"{path} has a value that Snakemake takes for a date or number that does not exist; put texts in quotes."
        ) from None


# Other workflows are none of its business, nor are this one's jobs, whose files were checked when it started. Many
# others have a schema of their configuration, but not one of published figures.
if Path("workflow/schemas/published.schema.yaml").is_file() and "--mode" not in sys.argv:
    check_configuration(sys.argv[1:])
