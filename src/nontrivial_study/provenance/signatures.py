"""Who signed the manifest: an SSH signature beside it, checked by OpenSSH.

The manifest lists the crate, the crate has the digest of the record of the run, and that those of logs and benchmarks.
So one signature stands for all files.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from nontrivial_study.provenance.manifest import NAME, RESULTS, SIGNATURES
from nontrivial_study.provenance.problems import INCOMPLETE, MISMATCH, Problem

SSH = SIGNATURES[0]
NAMESPACE = "file"  # what ssh-keygen's manual gives as the one for files


def check_signature(results: Path, signers: Path, problems: list[Problem]) -> str:
    """Check the SSH signature of the manifest; return who signed, empty where it is not good.

    Parameters
    ----------
    results : Path
    signers : Path
        A file of allowed signers (``man ssh-keygen``): on each line a name and a public key.
    problems : list of Problem
        Takes what is wrong.

    Raises
    ------
    ValueError
        If OpenSSH is not installed.
    """
    manifest, signature = results / NAME, results / SSH
    if not manifest.is_file() or not signature.is_file():
        problems.append(Problem(INCOMPLETE, RESULTS + SSH, "or what it signs is missing."))
        return ""
    among = ["-f", str(signers), "-s", str(signature)]
    found, names = _ssh_keygen("find-principals", *among)
    signer = names.partition("\n")[0].partition(",")[0].strip()
    if not found or not signer:
        problems.append(Problem(MISMATCH, RESULTS + SSH, f"is of none of the signers in {signers}."))
        return ""
    good, _ = _ssh_keygen("verify", *among, "-I", signer, "-n", NAMESPACE, signs=manifest)
    if not good:
        problems.append(Problem(MISMATCH, RESULTS + SSH, f"is no valid signature of {NAME} by {signer}."))
        return ""
    return signer


def _ssh_keygen(what: str, *arguments: str, signs: Path | None = None) -> tuple[bool, str]:
    """Return whether ssh-keygen succeeds, and what it prints."""
    content = signs.read_bytes() if signs else b""
    try:
        done = subprocess.run(
            ["ssh-keygen", "-Y", what, *arguments], input=content, capture_output=True, timeout=60
        )
    except FileNotFoundError:
        raise ValueError("ssh-keygen is not installed; --signers needs OpenSSH.") from None
    return done.returncode == 0, done.stdout.decode(errors="replace")
