"""Going through a study's results again, offline.

Every file is compared with the manifest (logs and benchmarks with the record of the run, and that with the crate), the
copy of the code with the installed package, data with the digests that the configuration pins, and the page with what
is rendered again. Every claim that was judged is compared with the registry of claims that the manifest lists; the rule
is applied again to what each claim's evidence says was found; each stored case is evaluated again. On request claims
are judged again, all results are computed again from data and predictions, models are trained again, and a signature is
checked. The outcome says what was not checked.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nontrivial.files import read_json
from nontrivial_study.provenance.manifest import NAME, RESULTS, read_manifest
from nontrivial_study.provenance.modes import check_modes
from nontrivial_study.provenance.problems import (
    DAMAGE,
    INCOMPLETE,
    MISMATCH,
    NOTES,
    UNCHECKED,
    Problem,
    printable,
)
from nontrivial_study.provenance.project import COPY
from nontrivial_study.provenance.run import check_run
from nontrivial_study.provenance.signatures import check_signature
from nontrivial_study.provenance.verify_claims import check_claim, check_unlisted, read_verdicts
from nontrivial_study.provenance.verify_code import check_code, same_version
from nontrivial_study.provenance.verify_data import check_data
from nontrivial_study.provenance.verify_files import BAG, RUN, check_files
from nontrivial_study.provenance.verify_registry import check_ids, read_registry, registry_files

if TYPE_CHECKING:
    from nontrivial_study.provenance.retrain import Draw


@dataclass(frozen=True)
class Options:
    """What is asked for beyond what is always checked.

    Attributes
    ----------
    deep : bool
        Whether to judge the claims again, proofs and searches included. Tables are taken as they stand.
    recompute : bool
        Whether to compute again what follows from data and predictions. It needs a checkout of the project.
    retrain : float or None
        The share of all pairs of task and model that is trained again.
    seed : int or None
        Of the draw of those pairs; by default one that nobody knows before.
    signers : Path or None
        A file of SSH's allowed signers, of whom one must have signed the manifest.
    """

    deep: bool = False
    recompute: bool = False
    retrain: float | None = None
    seed: int | None = None
    signers: Path | None = None


@dataclass(frozen=True)
class Verification:
    """The outcome.

    Attributes
    ----------
    files : int
        How many files were compared.
    verdicts, apart : dict of str to int
        How many of the documents' claims have each verdict, and, by its group, what is not counted there: definitions,
        steps of proofs, repairs, and what goes beyond the documents.
    problems, unchecked : tuple of Problem
        What is wrong; and what was not checked, or is left from an earlier configuration.
    signed_by : str
        Whose signature is good; empty if none was checked.
    draw : Draw or None
        What was trained again.
    """

    files: int
    verdicts: dict[str, int]
    apart: dict[str, int]
    problems: tuple[Problem, ...]
    unchecked: tuple[Problem, ...] = ()
    signed_by: str = ""
    draw: Draw | None = None

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return MISMATCH if MISMATCH in kinds else INCOMPLETE if kinds else "good"


def verify(results: str | Path, *, claim: str | None = None, **further: Any) -> Verification:
    """Verify a results folder.

    Parameters
    ----------
    results : path
        The results folder.
    claim : str, optional
        The id of the one claim to verify, with the files it rests on; by default all claims and all files.
    **further
        What `Options` has.

    Returns
    -------
    Verification
        A problem's place is a path that starts with `results`, or one in the project. Each place is named once, unless
        several things are wrong with what it holds.

    Raises
    ------
    ValueError
        If the folder does not exist, is a bag around results, or has no claim of that id; if an option cannot be met.
    """
    options, folder = Options(**further), Path(results)
    if not folder.is_dir():
        raise ValueError(f"{results} is not a folder; the results folder of a study is needed.")
    if (folder / BAG).is_file() and (folder / "data").is_dir():
        raise ValueError(f"{results} is a bag, which holds results in {folder / 'data'}; verify those.")
    if claim is not None and (options.recompute or options.retrain is not None):
        raise ValueError("--claim verifies one claim alone; --recompute and --retrain go without it.")
    of_verdicts: list[Problem] = []
    verdicts = read_verdicts(folder, of_verdicts)
    of_claims: list[Problem] = []
    registry = None if verdicts is None else read_registry(folder, of_claims)
    if verdicts is not None and claim is None:
        of_claims += check_unlisted(verdicts, folder)
        if registry is not None:
            of_claims += check_ids([verdict["id"] for verdict in verdicts], registry)
    if verdicts is None:
        verdicts = []  # a problem by itself, whichever claim is asked for
    elif claim is not None:
        verdicts = _only(claim, verdicts, folder)
    problems: list[Problem] = []
    n_files = check_files(folder, None if claim is None else _rests_on(verdicts, folder), problems)
    named = {problem.place for problem in problems if problem.kind not in NOTES}
    signed_by = "" if options.signers is None else check_signature(folder, options.signers, problems)
    for verdict in verdicts:
        of_claims += check_claim(verdict, folder, registry, options.deep, named)
    # What a file that is named already does not say is no second problem.
    problems += [problem for problem in (*of_verdicts, *of_claims) if problem.place not in named]
    draw = None
    if claim is None:
        draw = _check_contents(folder, options, named, problems)
        problems += _not_asked_for(options)
    groups = [printable(str(verdict.get("group"))) for verdict in verdicts]
    counts = Counter(
        printable(str(verdict.get("verdict")))
        for verdict, group in zip(verdicts, groups, strict=True)
        if group == "claim"
    )
    apart = Counter(group for group in groups if group != "claim")
    found = dict.fromkeys(
        replace(problem, place=printable(_as_given(problem.place, folder)), text=printable(problem.text))
        for problem in problems
    )
    wrong = tuple(problem for problem in found if problem.kind not in NOTES)
    places = {problem.place for problem in wrong}
    return Verification(
        n_files,
        dict(sorted(counts.items())),
        dict(sorted(apart.items())),
        wrong,
        tuple(problem for problem in found if problem.kind in NOTES and problem.place not in places),
        signed_by,
        draw,
    )


def _check_contents(folder: Path, options: Options, named: set[str], problems: list[Problem]) -> Draw | None:
    """Check what the files hold, where it is known which they should be; return what was trained again."""
    try:
        listed, run = read_manifest(folder / NAME), read_json(folder / RUN)
        check_run(run)
    except DAMAGE:
        return None  # and named already
    if not any(place.startswith(RESULTS) for place in named):
        found = [
            *check_modes(folder, run["executable"]),
            *check_data(folder, run, listed),
            *check_code(folder, run),
        ]
        copied = {f"{RESULTS}{COPY}/{name}" for name in named}
        problems += [problem for problem in found if problem.place not in copied]
    if any(problem.kind not in NOTES for problem in problems):
        text = "hold was not compared further, and nothing was computed or trained again, because of these problems."
        problems.append(Problem(UNCHECKED, "what the files", text))
        return None
    if same_version(run):
        from nontrivial_study.provenance.verify_page import check_page  # which takes a second to import

        problems += check_page(folder, run, listed)
    if options.recompute:
        from nontrivial_study.provenance.recompute import recompute

        problems += recompute(folder, run, listed, train=options.retrain is not None)
    if options.retrain is None:
        return None
    from nontrivial_study.provenance.retrain import retrain

    return retrain(folder, run, listed, options.retrain, options.seed, problems)


def _not_asked_for(options: Options) -> Iterator[Problem]:
    """Say what only options check, and what nothing in the folder can tell."""
    if not options.recompute:
        text = "and scores were not computed again from data and predictions; --recompute does that."
        yield Problem(UNCHECKED, "tables, figures", text)
    if not (options.deep or options.recompute):
        yield Problem(UNCHECKED, "claims", "were not judged again; --deep does that, and --recompute.")
    if options.retrain is None:
        yield Problem(
            UNCHECKED,
            "predictions",
            "were not trained again; --retrain FRACTION does that, of repeats with --recompute.",
        )
    if options.signers is None:
        text = (
            "was not compared with a signature: only one (--signers FILE), or a study of your own, finds out whoever "
            "replaces everything, settings and claims too."
        )
        yield Problem(UNCHECKED, NAME, text)


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
