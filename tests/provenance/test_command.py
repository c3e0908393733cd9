"""`nontrivial verify`: what it says, and its exit codes."""

import json

import pytest
from commands import assert_one_sentence, run


def test_verify_good(study):
    for arguments in ((study,), (study, "--deep")):
        result = run("verify", *arguments)
        assert result.exit_code == 0
        counts = "1 caveat, 1 contradicted, 3 not_evaluated, 4 reproduced"
        good, *unchecked = result.output.splitlines()
        assert good == f"good: 66 files, 9 claims ({counts}); counted apart: beyond 1, repair 1."
        assert all(line.startswith("unchecked: ") for line in unchecked)


@pytest.mark.parametrize("folder", [".", "results"])
def test_verify_looks_for_results_in_the_current_folder_or_takes_it_for_them(study, folder, monkeypatch):
    monkeypatch.chdir(study.parent / folder)
    assert run("verify").exit_code == 0
    record = json.loads((study / "claims" / "order.json").read_text())
    assert run(*record["command"].split()[1:]).output == "good: 4 files, 1 claim (1 contradicted).\n"


def test_verify_names_what_changed_and_exits_with_1(study):
    (study / "tables" / "ranks.csv").write_text("changed")
    result = run("verify", study)
    assert result.exit_code == 1
    assert f"mismatch: {study}/tables/ranks.csv is changed: its sha256" in result.output


def test_verify_names_what_is_missing_and_exits_with_2(study):
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
    assert report == {
        "outcome": "mismatch",
        "files": 66,
        "verdicts": {"caveat": 1, "contradicted": 1, "not_evaluated": 3, "reproduced": 4},
        "apart": {"beyond": 1, "repair": 1},
        "problems": [
            {
                "kind": "mismatch",
                "place": f"{study}/new.txt",
                "text": "is extra: the manifest does not list it.",
            }
        ],
        "signed_by": "",
        "retrained": None,
    }


def test_verify_one_claim(study):
    result = run("verify", study, "--deep", "--claim", "order")
    assert result.exit_code == 0
    assert result.output == "good: 4 files, 1 claim (1 contradicted).\n"
    assert_one_sentence(
        run("verify", study, "--claim", "ordr"), "there is no claim 'ordr'", "close to it: order"
    )


def test_verify_says_what_is_wrong(study):
    assert_one_sentence(run("verify", study, "--format", "xml"), "'xml' is not one of")
    assert_one_sentence(run("verify", study / "tables" / "ranks.csv"), "is not a folder")
