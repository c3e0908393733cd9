"""`nontrivial verify`: what it says, its exit codes, and the signature that its how-to page makes."""

import json
import shutil
import subprocess

import pytest
from commands import assert_one_sentence, run

from nontrivial_study.provenance.run import MANIFEST

CLAIMS = "9 claims (4 proved or computed, 1 with a caveat, 1 contradicted, 3 not evaluated)"


def test_verify_good(study):
    for arguments in ((study,), (study, "--deep")):
        result = run("verify", *arguments)
        assert result.exit_code == 0
        good, *unchecked = result.output.splitlines()
        assert good == f"good: 20 files; {CLAIMS}; 1 theorem of our own (1 proved or computed)."
        assert all(line.startswith("unchecked: ") for line in unchecked)


@pytest.mark.parametrize("folder", [".", "results"])
def test_verify_looks_for_results_in_the_current_folder_or_takes_it_for_them(study, folder, monkeypatch):
    monkeypatch.chdir(study.parent / folder)
    assert run("verify").exit_code == 0
    record = json.loads((study / "claims" / "order.json").read_text())
    assert run(*record["command"].split()[1:]).exit_code == 0


def test_verify_names_what_is_missing(study):
    (study / "figures" / "one.svg").unlink()
    result = run("verify", study)
    assert result.exit_code == 2
    assert f"incomplete: {study}/figures/one.svg is missing." in result.output


def test_verify_as_json(study):
    (study / "new.txt").write_text("")
    result = run("verify", study, "--format", "json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert {problem["kind"] for problem in report.pop("unchecked")} == {"unchecked"}
    text = "is extra: the manifest does not list it."
    assert report == {
        "outcome": "mismatch",
        "files": 20,
        "verdicts": {"caveat": 1, "contradicted": 1, "not_evaluated": 3, "reproduced": 4},
        "apart": {"beyond": 1},
        "counted": f"{CLAIMS}; 1 theorem of our own (1 proved or computed)",
        "problems": [{"kind": "mismatch", "place": f"{study}/new.txt", "text": text}],
    }


def test_verify_prints_the_one_claim(study):
    result = run("verify", study, "--deep", "--claim", "order")
    assert result.exit_code == 0
    sentences = ("1 claim (1 contradicted)", "paper, Section 2", "F1, then balanced accuracy.", "smallest counter")
    for sentence in sentences:
        assert sentence in result.output
    of_another_group = run("verify", study, "--claim", "order-holds").output
    assert of_another_group.startswith("good: 4 files; 1 theorem of our own (1 proved or computed).")
    report = json.loads(run("verify", study, "--claim", "order", "--format", "json").stdout)
    assert report["claim"]["counterexample"] == report["claim"]["witness"] == "FP 2, TP 2, FN 1, TN 1"
    (study / "claims" / "order.json").write_text("{}")
    assert run("verify", study, "--claim", "order").exit_code == 1


def test_what_cannot_be_asked_for_is_one_sentence(study):
    assert_one_sentence(run("verify", study, "--claim", "ordr"), "no claim 'ordr'", "close to it: order")
    assert_one_sentence(run("verify", study, "--format", "xml"), "'xml' is not one of")
    assert_one_sentence(run("verify", study / "tables" / "ranks.csv"), "is not a folder")
    assert_one_sentence(run("verify", study, "--claim", "order", "--rerun"), "--rerun goes without it")


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_the_commands_of_the_how_to_sign_and_find_another_manifest(study, tmp_path):
    key, signers = tmp_path / "key", tmp_path / "signers"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signers.write_text(f"you@example.org {key.with_suffix('.pub').read_text()}")
    sign = ["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "file", study / MANIFEST]
    subprocess.run(sign, check=True, capture_output=True)
    assert run("verify", study).exit_code == 0
    check = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "you@example.org", "-n", "file"]
    for content, code in (((study / MANIFEST).read_bytes(), 0), (b"another", 255)):
        done = subprocess.run([*check, "-s", f"{study / MANIFEST}.sig"], input=content, capture_output=True)
        assert done.returncode == code
