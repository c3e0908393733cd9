"""Signatures beside the manifest: known, carried along, and an SSH signature checked."""

import shutil
import subprocess

import pytest
from click.testing import CliRunner

from nontrivial.cli import main
from nontrivial_study.provenance.bag import write_bag
from nontrivial_study.provenance.manifest import NAME, SIGNATURES
from nontrivial_study.provenance.verify import verify

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture
def signers(study, tmp_path):
    """The manifest signed, and a file of allowed signers that has the key."""
    for name in ("mine", "other"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", tmp_path / name]
        subprocess.run(command, check=True)
    sign(study, tmp_path / "mine")
    allowed = tmp_path / "signers"
    allowed.write_text(f"alice@example.org {(tmp_path / 'mine.pub').read_text()}")
    return allowed


def sign(study, key, namespace="file"):
    (study / SIGNATURES[0]).unlink(missing_ok=True)
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace, study / NAME]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.parametrize("ending", [".sig", ".asc", ".minisig", ".sigstore.json"])
def test_a_signature_of_a_known_kind_is_no_extra_file(study, ending, tmp_path):
    (study / f"{NAME}{ending}").write_text("signed")
    assert verify(study).outcome == "good"
    write_bag(study, tmp_path / "bag")
    assert (tmp_path / "bag" / "data" / f"{NAME}{ending}").read_text() == "signed"
    assert verify(tmp_path / "bag" / "data").outcome == "good"


def test_a_signature_of_another_file_is_extra(study):
    (study / "run.json.sig").write_text("signed")
    assert [problem.place for problem in verify(study).problems] == [f"{study}/run.json.sig"]


@needs_ssh
def test_a_good_signature_names_its_signer(study, signers):
    outcome = verify(study, signers=signers)
    assert (outcome.outcome, outcome.signed_by) == ("good", "alice@example.org")
    assert NAME not in {problem.place for problem in outcome.unchecked}
    shown = CliRunner().invoke(main, ["verify", str(study), "--signers", str(signers)])
    assert "signed by alice@example.org." in shown.output.splitlines()
    claim = verify(study, claim="order", signers=signers)
    assert (claim.outcome, claim.signed_by) == ("good", "alice@example.org")


@needs_ssh
@pytest.mark.parametrize(
    "change", ["another key", "another manifest", "another purpose", "no signature", "nonsense"]
)
def test_any_other_signature_is_named(study, signers, change):
    signature = study / SIGNATURES[0]
    if change == "another key":
        sign(study, signers.with_name("other"))
    elif change == "another manifest":
        with (study / NAME).open("a") as stream:
            stream.write("\n")
    elif change == "another purpose":
        sign(study, signers.with_name("mine"), namespace="git")
    elif change == "no signature":
        signature.unlink()
    else:
        signature.write_text("nonsense")
    outcome = verify(study, signers=signers)
    assert outcome.outcome == ("incomplete" if change == "no signature" else "mismatch")
    assert [problem.place for problem in outcome.problems] == [str(signature)]
    assert outcome.signed_by == ""


def test_without_openssh_it_says_so(study, tmp_path, monkeypatch):
    (study / SIGNATURES[0]).write_text("")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ValueError, match="ssh-keygen is not installed"):
        verify(study, signers=tmp_path / "signers")
