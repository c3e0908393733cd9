"""Digests of code for the rules, and the last lines that a run prints."""

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

import nontrivial
import nontrivial_study
from nontrivial.files import find_files, sha256_of
from nontrivial_study.provenance.run import leftover_files

_PACKAGES = [Path(package.__path__[0]) for package in (nontrivial, nontrivial_study)]
_FAILED_RULE = re.compile(r"^Error in rule (\w+):|\.(\w+)\.py' (?:returned|died)", re.MULTILINE)
_INTERRUPTED = "Terminating processes on user request"
_HOW_TO_CONTINUE = "interrupted; go on with: snakemake --unlock, then the same command with --rerun-incomplete"
_ERROR = re.compile(r"([\w.]*(Error|Exception)|nontrivial\w*\.[\w.]+)(:|$)")  # not KeyboardInterrupt


def digest_of_code(*folders: str) -> str:
    """Return a digest of all files in these folders of the two packages, and of the modules at their top.

    The digest is a parameter of a rule, so that Snakemake runs the rule again after a change of its code.
    """
    return digest_of_files(chain(*map(_find_code_files, sorted({"", *folders}))))


@cache
def _find_code_files(folder: str) -> list[Path]:
    paths = chain.from_iterable(find_files(package / folder, "*.*") for package in _PACKAGES)
    return [path for path in paths if path.suffix != ".pyc" and path.is_file()]


def digest_of_files(paths: Iterable[str | Path]) -> str:
    """Return a digest of the base names and contents of files, in the given order."""
    return sha256("".join(f"{_sha256(path)} {Path(path).name}\n" for path in paths).encode()).hexdigest()


_sha256 = cache(sha256_of)


def describe_outputs(results: str) -> list[str]:
    """Return a line on files that no job of the study made, if there are any, and a line with the path of the page."""
    lines = []
    if leftovers := leftover_files(Path(results)):
        first = Path(results, leftovers[0])
        lines.append(f"{len(leftovers)} files are left from an earlier configuration, such as {first}")
    page = Path(results, "report", "index.html")
    return [*lines, f"The study's page: {page}"] if page.is_file() else lines


def describe_failures(logs: Iterable[str], folder: str, started: float) -> list[str]:
    """Return a line for each failed job of a run, and how to continue after an interruption.

    The lines come from the jobs' logs, because Snakemake's own log does not name failed jobs in its quiet mode.
    """
    main_log = "".join(Path(path).read_text(encoding="utf-8", errors="replace") for path in logs)
    lines, without_message = [], dict.fromkeys(filter(None, chain(*_FAILED_RULE.findall(main_log))))
    for path in find_files(folder, "**/*.log"):
        rule = path.relative_to(folder).with_suffix("").parts[0]
        reason = _error_in_log(path)
        if reason and path.stat().st_mtime >= started:
            lines.append(f"{rule} failed: {reason} (whole log: {path})")
            without_message.pop(rule, None)
    if _INTERRUPTED in main_log:
        return [*lines, _HOW_TO_CONTINUE]
    lines += [f"{rule} failed: it left no message (logs: {folder})" for rule in without_message]
    # A job that was killed on another machine leaves no line in any log.
    return lines or [f"a job failed and left no message (logs: {folder}, .snakemake)"]


def _error_in_log(log: Path) -> str:
    """Return the first line of the error at the end of a job's log, or an empty text."""
    written = log.read_text(encoding="utf-8", errors="replace").strip()
    *_, last = re.split(r"^Traceback \(most recent call last\):\n", written, flags=re.MULTILINE)
    lines = last.splitlines()
    reason = next(filter(_ERROR.match, lines if last != written else lines[-1:]), "")
    return re.sub(r"^(nontrivial[\w.]*|ValueError): ", "", reason)
