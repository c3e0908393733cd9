"""Going through a study's results again: offline, and without the workflow that made them.

Every file is compared with the manifest (logs and benchmarks with the record of the run, and that with the crate), and
every claim that was judged with the registry of claims that the manifest lists; the rule is applied again to what each
claim's evidence says was found; each stored case is evaluated again. A deep verification judges the claims again, from
the tables as they stand. Nothing here computes the tables again: that takes another run of the study, and a comparison.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nontrivial.provenance.manifest import RESULTS
from nontrivial.provenance.problems import INCOMPLETE, MISMATCH, Problem, printable
from nontrivial.provenance.verify_claims import check_claim, check_unlisted, read_verdicts
from nontrivial.provenance.verify_files import BAG, check_files
from nontrivial.provenance.verify_registry import check_ids, read_registry, registry_files


@dataclass(frozen=True)
class Verification:
    """The outcome: how much was checked, what verdicts the documents' claims have, and every problem.

    ``apart`` counts, by its group, what ``verdicts`` does not: definitions, steps of proofs, repairs, and what goes
    beyond the documents.
    """

    files: int
    verdicts: dict[str, int]
    apart: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return MISMATCH if MISMATCH in kinds else INCOMPLETE if kinds else "good"


def verify(results: str | Path, *, deep: bool = False, claim: str | None = None) -> Verification:
    """Verify a results folder.

    Parameters
    ----------
    results : path
        The results folder.
    deep : bool
        Whether to judge the claims again, proofs and searches included. Tables are taken as they stand.
    claim : str, optional
        The id of the one claim to verify, with the files it rests on; by default all claims and all files.

    Returns
    -------
    Verification
        A problem's place is a path that starts with `results`, or one in the project.

    Raises
    ------
    ValueError
        If the folder does not exist, is a bag around results, or has no claim of that id.
    """
    folder = Path(results)
    if not folder.is_dir():
        raise ValueError(f"{results} is not a folder; the results folder of a study is needed.")
    if (folder / BAG).is_file() and (folder / "data").is_dir():
        raise ValueError(f"{results} is a bag, which holds results in {folder / 'data'}; verify those.")
    problems: list[Problem] = []
    verdicts = read_verdicts(folder, problems)
    registry = None if verdicts is None else read_registry(folder, problems)
    if verdicts is not None and claim is None:
        problems += check_unlisted(verdicts, folder)
        if registry is not None:
            problems += check_ids([verdict["id"] for verdict in verdicts], registry)
    if verdicts is None:
        verdicts = []  # a problem by itself, whichever claim is asked for
    elif claim is not None:
        verdicts = _only(claim, verdicts, folder)
    n_files = check_files(folder, None if claim is None else _rests_on(verdicts, folder), problems)
    for verdict in verdicts:
        problems += check_claim(verdict, folder, registry, deep)
    groups = [printable(str(verdict.get("group"))) for verdict in verdicts]
    counts = Counter(
        printable(str(verdict.get("verdict")))
        for verdict, group in zip(verdicts, groups, strict=True)
        if group == "claim"
    )
    apart = Counter(group for group in groups if group != "claim")
    found = tuple(
        replace(problem, place=printable(_as_given(problem.place, folder)), text=printable(problem.text))
        for problem in problems
    )
    return Verification(
        n_files, dict(sorted(counts.items())), dict(sorted(apart.items())), tuple(dict.fromkeys(found))
    )


def _only(claim: str, verdicts: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    chosen = [verdict for verdict in verdicts if verdict["id"] == claim]
    if not chosen:
        close = difflib.get_close_matches(claim, [verdict["id"] for verdict in verdicts], n=3)
        hint = f"; close to it: {printable(', '.join(close))}" if close else ""
        raise ValueError(f"there is no claim {claim!r} in {folder / 'claims' / 'verdicts.json'}{hint}.")
    return chosen


def _rests_on(verdicts: Sequence[dict[str, Any]], folder: Path) -> set[str]:
    names = {"claims/verdicts.json", "claims/verdicts.csv"}
    for verdict in verdicts:
        names |= {f"claims/{verdict['id']}.json", *verdict["data"]}
    return {*(RESULTS + name for name in names), *registry_files(folder)}


def _as_given(place: str, folder: Path) -> str:
    """Name a file of the results by the folder that was given, whatever that is called."""
    return (folder / place.removeprefix(RESULTS)).as_posix() if place.startswith(RESULTS) else place
