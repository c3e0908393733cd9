"""Results that somebody tampered with on purpose: each forgery is named in plain words, and none is raised."""

import json
import os
import shutil
from functools import cache

import pytest
from click.testing import CliRunner
from provenance.small_study import TABLE, describe

from nontrivial.claims.judge import judge_claim
from nontrivial.cli import main
from nontrivial.files import read_json, sha256_of, write_json
from nontrivial_study.provenance.bag import write_bag
from nontrivial_study.provenance.manifest import NAME, write_manifest
from nontrivial_study.provenance.project import project_files
from nontrivial_study.provenance.verify import verify

RECORDS = [
    NAME,
    "claims/guess.json",
    "claims/verdicts.csv",
    "claims/verdicts.json",
    "ro-crate-metadata.json",
    "run.json",
]
JSON = [name for name in RECORDS if name.endswith(".json")]
LISTED = [*RECORDS, "tables/ranks.csv", "code/config/claims/paper.yaml", "../config/claims/paper.yaml"]


def told(study, *options):
    """What the command says of a study, as text and as JSON of one verification, and its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nontrivial_study.provenance.verify.verify", cache(verify))
        runs = [
            CliRunner().invoke(main, ["verify", str(study), *options, *form])
            for form in ([], ["--format", "json"])
        ]
    for run in runs:
        assert isinstance(run.exception, SystemExit | None), run.exception
        assert "Traceback" not in run.output
    text, report = runs[0].output, json.loads(runs[1].output)
    assert len(text.splitlines()) == len(report["problems"]) + 1 + len(report["unchecked"])
    return {
        problem["place"].replace(f"{study}/", ""): problem["text"] for problem in report["problems"]
    }, runs[0].exit_code


def refresh_manifest(study):
    write_manifest(study, project_files(study.parent, ["own.yaml"]))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"latin-\xe9.csv", "latin-\\udce9.csv"),
        (b"two\nlines", "two\\nlines"),
        (b"\x1b[2J", "\\x1b[2J"),
        ("\u202egnp.exe".encode(), "\\u202egnp.exe"),
        ("naïve ranks.csv".encode(), "naïve ranks.csv"),
    ],
)
def test_a_name_with_odd_characters_is_written_out(study, name, shown):
    (study / "tables" / os.fsdecode(name)).write_text("")
    assert told(study) == ({f"tables/{shown}": "is extra: the manifest does not list it."}, 1)


def test_a_name_that_looks_the_same_is_another(study):
    write = (study / "data" / "caf\u00e9.csv").write_text
    write("1")
    refresh_manifest(study)
    (study / "data" / "caf\u00e9.csv").rename(study / "data" / "cafe\u0301.csv")
    assert told(study) == (
        {
            "data/caf\u00e9.csv": "is missing.",
            "data/cafe\u0301.csv": "is extra: the manifest does not list it.",
        },
        1,
    )


@pytest.mark.parametrize("within", [None, "file"])
@pytest.mark.parametrize("name", LISTED)
def test_a_folder_in_place_of_a_file_is_named(study, name, within):
    path = study / name
    path.unlink()
    path.mkdir()
    if within:
        (path / within).write_text("")
    problems, code = told(study)
    assert code in (1, 2)
    assert any(place.removeprefix("../").endswith(name.removeprefix("../")) for place in problems)


@pytest.mark.parametrize("name", LISTED)
def test_a_pipe_in_place_of_a_file_is_named_and_not_waited_for(study, name):
    (study / name).unlink()
    os.mkfifo(study / name)
    problems, code = told(study)
    assert code in (1, 2)
    assert any(place.endswith(name.removeprefix("../")) for place in problems)


@pytest.mark.parametrize("name", LISTED)
def test_a_file_that_cannot_be_read_is_named(study, name, monkeypatch):
    blocked = (study / name).resolve()
    real = type(blocked).open

    def refuse(path, *arguments, **options):
        if os.path.realpath(path) == str(blocked):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *arguments, **options)

    monkeypatch.setattr("pathlib.Path.open", refuse)
    monkeypatch.setattr(
        "builtins.open", lambda path, *rest, **options: refuse(type(blocked)(path), *rest, **options)
    )
    problems, code = told(study)
    assert code in (1, 2)
    assert any(place.endswith(name.removeprefix("../")) for place in problems)


BROKEN = ["[" * 100_000, "", "{", "9" * 5000, '{"a": 1, "a": 2}', '"\\ud800"', "[NaN]"]


@pytest.mark.parametrize(
    ("name", "content"),
    # One reader reads them all: each kind of damage in one of them is enough for every day.
    [
        pytest.param(name, content, marks=() if (kind - place) % len(JSON) == 0 else pytest.mark.rehearsal)
        for kind, content in enumerate(BROKEN)
        for place, name in enumerate(JSON)
    ],
)
def test_json_that_is_broken_is_named(study, name, content):
    (study / name).write_text(content)
    refresh_manifest(study)
    problems, code = told(study)
    assert code == 1
    assert name in problems


@pytest.mark.parametrize("name", JSON)
def test_json_that_says_two_things_is_named(study, name):
    """One reader takes the first, another the last: with the digests renewed, nothing else would tell."""
    path = study / name
    text = path.read_text()
    key, _, value = text[text.index('"') :].partition("\n")[0].rstrip(",").partition(": ")
    if value in ("{", "["):
        value += "}" if value == "{" else "]"
    path.write_text(text.replace(key, f"{key}: {value}, {key}", 1))
    crate = study / "ro-crate-metadata.json"
    if path != crate:
        described = json.loads(crate.read_text())
        entity = next(entity for entity in described["@graph"] if entity["@id"] == name)
        entity |= {"sha256": sha256_of(path), "contentSize": str(path.stat().st_size)}
        write_json(crate, described)
    refresh_manifest(study)
    problems, code = told(study)
    assert code == 1
    assert "twice" in problems[name]


@pytest.mark.parametrize(
    "name", ["claims/verdicts.json", "claims/guess.json", "run.json", "claims/verdicts.csv"]
)
def test_a_file_too_large_to_be_what_it_should_is_named_and_not_read(study, name, monkeypatch):
    monkeypatch.setattr("nontrivial_study.records.LARGEST", 1 << 20)
    os.truncate(study / name, (1 << 20) + 1)
    (study / "huge").touch()
    os.truncate(study / "huge", 1 << 42)
    # The one claim does not rest on run.json.
    assert name in told(study, "--claim", "guess")[0] or name == "run.json"


def test_lines_that_end_otherwise_are_a_change(study):
    table = study / "tables" / "ranks.csv"
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))
    assert told(study)[0]["tables/ranks.csv"] == "is changed: its sha256 is not the one in the manifest."
    manifest = study / NAME
    manifest.write_bytes(manifest.read_bytes().replace(b"\n", b"\r\n"))
    assert told(study)[0][NAME] == "is damaged: line 1 is not a sha256, two spaces and a path."


@pytest.mark.parametrize("name", ["..", "/", "../../secret", "/etc/hostname"])
def test_a_manifest_that_points_outside_is_not_followed(study, name):
    (study.parent.parent / "secret").write_text("")
    with (study / NAME).open("a") as stream:
        stream.write(f"{'0' * 64}  {name}\n")
    assert told(study) == ({name: "is missing."}, 2)


def test_figures_that_changed_places_are_named_by_the_crate(study):
    one, other = study / "figures" / "one.svg", study / "tables" / "ranks.csv"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    refresh_manifest(study)
    problems, code = told(study)
    assert code == 1
    assert problems["figures/one.svg"] == "is not the one that ro-crate-metadata.json describes."


def test_a_file_that_was_taken_out_of_the_manifest_is_named_by_the_crate(study):
    (study / "figures" / "one.svg").unlink()
    refresh_manifest(study)
    text = "is not in the manifest, but ro-crate-metadata.json describes it."
    assert told(study) == ({"figures/one.svg": text}, 2)


@pytest.mark.parametrize("change", ["drop run.json", "say it twice", "drop the crate"])
def test_a_crate_that_says_nothing_of_the_run_is_named(study, change):
    path = study / "ro-crate-metadata.json"
    crate = json.loads(path.read_text())
    run = next(entity for entity in crate["@graph"] if entity["@id"] == "run.json")
    if change == "drop run.json":
        del run["sha256"]
    else:
        crate["@graph"].append(run)
    write_json(path, crate)
    if change == "drop the crate":
        path.unlink()
    refresh_manifest(study)
    problems, code = told(study)
    assert (problems.keys(), code) == ({path.name}, 2 if change == "drop the crate" else 1)


def test_a_log_that_was_rewritten_with_the_record_is_named_by_the_crate(study):
    (study / "logs" / "calc_ranks.log").write_text("all went well")
    run = json.loads((study / "run.json").read_text())
    run["traces"]["logs/calc_ranks.log"] = "8" * 64
    write_json(study / "run.json", run)
    problems, _ = told(study)
    assert problems.keys() == {"logs/calc_ranks.log", "run.json"}


def test_a_claim_that_no_registry_has_is_not_computed_as_it_might_be_without_end(study, monkeypatch):
    computed = []
    monkeypatch.setattr(
        "nontrivial_study.provenance.verify_claims.judge_claim",
        lambda claim, folder: computed.append(claim.id) or judge_claim(claim, folder),
    )
    path = study / "claims" / "order.json"
    evidence = read_json(path)
    evidence["trail"]["claim"]["over"] = {"forecasts": {"classes": 9, "count": 10**9, "guess": 1}}
    write_json(path, evidence)
    problems, code = told(study, "--deep")
    assert code == 1
    assert "claims/order.json" in problems
    assert "guess" in computed
    assert "order" not in computed


def test_without_the_registry_no_claim_of_the_evidence_is_computed(study, monkeypatch):
    monkeypatch.setattr("nontrivial_study.provenance.verify_claims.judge_claim", None)
    monkeypatch.setattr("nontrivial_study.provenance.verify_claims.settles", None)
    (study / NAME).unlink()
    text = "is missing, so no file was compared with its sha256, and no verdict was checked."
    assert told(study, "--deep") == ({NAME: text}, 2)


@pytest.mark.parametrize("stated", ["1e999999999", "1e-999999999", "9" * 5000])
def test_a_number_too_large_to_compute_with_is_named(study, stated):
    for name in ("guess", "measured"):
        path = study / "claims" / f"{name}.json"
        evidence = read_json(path)
        evidence["trail"]["found"]["value"] = stated
        write_json(path, evidence)
    problems, code = told(study)
    assert code == 1
    assert {"claims/guess.json", "claims/measured.json"} <= problems.keys()


def test_results_behind_a_link_renamed_or_read_only_are_good(study, tmp_path):
    (tmp_path / "link").symlink_to(study, target_is_directory=True)
    assert told(tmp_path / "link") == ({}, 0)
    shutil.move(study, tmp_path / "ergebnisse é")
    for path in (tmp_path / "ergebnisse é").rglob("*"):
        path.chmod(path.stat().st_mode & 0o555)
    assert told(tmp_path / "ergebnisse é", "--deep") == ({}, 0)


def test_a_hard_link_is_the_file_itself(study, tmp_path):
    os.link(study / "tables" / "ranks.csv", tmp_path / "ranks.csv")
    assert told(study) == ({}, 0)


# Tables and pictures, rewritten with all that describes them.


def test_a_table_rewritten_with_all_that_describes_it_is_named_where_a_claim_rests_on_it(study, tmp_path):
    (study / "tables" / "ranks.csv").write_text(TABLE.replace("0.25", "0.26"))
    describe(study)
    write_bag(study, tmp_path / "bag")
    for folder in (study, tmp_path / "bag" / "data"):
        problems, code = told(folder)
        named = {f"claims/{name}.json" for name in ("measured", "out-of-scope", "surveyed")}
        assert (problems.keys(), code) == (named, 1)


def test_a_picture_rewritten_with_all_that_describes_it_is_named_by_the_page_that_shows_it(study):
    (study / "figures" / "one.svg").write_text("<svg>another</svg>")
    describe(study)
    problems, code = told(study)
    assert (problems.keys(), code) == ({"report/index.html"}, 1)
