"""What the rule files need beside the configuration: digests of code, and what a run says last."""

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
_FAILED = re.compile(r"^Error in rule (\w+):|\.(\w+)\.py' (?:returned|died)", re.MULTILINE)
_INTERRUPTED = "Terminating processes on user request"
_GO_ON = "interrupted; go on with: snakemake --unlock, then the same command with --rerun-incomplete"
_ERROR = re.compile(r"([\w.]*(Error|Exception)|nontrivial\w*\.[\w.]+)(:|$)")  # KeyboardInterrupt is none


def digest_of(*folders: str) -> str:
    """Return what changes with any file in these folders of the two packages, or at their top.

    A rule has it as a parameter, so that Snakemake runs the rule again when code that it uses has changed.
    """
    return digest_of_files(chain(*map(_files_in, sorted({"", *folders}))))


@cache
def _files_in(folder: str) -> list[Path]:
    found = chain.from_iterable(find_files(package / folder, "*.*") for package in _PACKAGES)
    return [path for path in found if path.suffix != ".pyc" and path.is_file()]


def digest_of_files(paths: Iterable[str | Path]) -> str:
    """Return what changes with the name or content of any of the files."""
    return sha256("".join(f"{_sha256(path)} {Path(path).name}\n" for path in paths).encode()).hexdigest()


_sha256 = cache(sha256_of)


def describe_outputs(results: str) -> list[str]:
    """Return how many files no job of the study made, if there are any, and where its page is."""
    lines = []
    if left := leftover_files(Path(results)):
        first = Path(results, left[0])
        lines.append(f"{len(left)} files are left from an earlier configuration, such as {first}")
    page = Path(results, "report", "index.html")
    return [*lines, f"The study's page: {page}"] if page.is_file() else lines


def failures(logs: Iterable[str], folder: str, started: float) -> list[str]:
    """Return what a run that failed says last: a line for each failed job, and how to go on.

    Snakemake's own log does not name the failed jobs where it is told to be quiet about rules, so the jobs' logs do.
    """
    said = "".join(Path(path).read_text(encoding="utf-8", errors="replace") for path in logs)
    lines, silent = [], dict.fromkeys(filter(None, chain(*_FAILED.findall(said))))
    for path in find_files(folder, "**/*.log"):
        rule = path.relative_to(folder).with_suffix("").parts[0]
        reason = _reason(path)
        if reason and path.stat().st_mtime >= started:
            lines.append(f"{rule} failed: {reason} (whole log: {path})")
            silent.pop(rule, None)
    if _INTERRUPTED in said:
        return [*lines, _GO_ON]
    lines += [f"{rule} failed: it left no message (logs: {folder})" for rule in silent]
    # Without a line it was killed on another machine.
    return lines or [f"a job failed and left no message (logs: {folder}, .snakemake)"]


def _reason(log: Path) -> str:
    """Return the first line of the error with which a job's log ends, without what needs no name of an error."""
    written = log.read_text(encoding="utf-8", errors="replace").strip()
    *_, last = re.split(r"^Traceback \(most recent call last\):\n", written, flags=re.MULTILINE)
    lines = last.splitlines()
    reason = next(filter(_ERROR.match, lines if last != written else lines[-1:]), "")
    return re.sub(r"^(nontrivial[\w.]*|ValueError): ", "", reason)
