"""Files that were changed, lost, added or linked are named."""

import shutil

import pytest
from provenance.edited import path_of, places, texts

from nontrivial_study.provenance.manifest import NAME, UNRECORDED, read_manifest
from nontrivial_study.provenance.verify import verify


def checked_files(study):
    """Every file of the study, results and project, but the logs that nothing records any more."""
    results = {path.relative_to(study).as_posix() for path in study.rglob("*") if path.is_file()} - UNRECORDED
    return sorted({*(f"results/{name}" for name in results), *read_manifest(study / NAME)})


def test_flipping_one_byte_of_any_file_is_named(study):
    names = checked_files(study)
    assert {"results/run.json", "results/ro-crate-metadata.json", f"results/{NAME}"} < set(names)
    assert {
        "results/logs/train/a.log",
        "results/logs/calc_ranks.log",
        "results/benchmarks/train/a.tsv",
    } < set(names)
    for number, group in enumerate(groups(names)):
        whole = {name: path_of(study, name).read_bytes() for name in group}
        for name, content in whole.items():
            position = (0, len(content) // 2, len(content) - 1)[number % 3]
            flipped = content[:position] + bytes([(content or b" ")[position] ^ 1]) + content[position + 1 :]
            path_of(study, name).write_bytes(flipped)
        outcome = verify(study)
        assert outcome.outcome == "mismatch", group
        assert {*group} - {f"results/{NAME}"} <= places(outcome, study)
        for name, content in whole.items():
            path_of(study, name).write_bytes(content)
    assert verify(study).outcome == "good"


def groups(names):
    """Four groups of files, and alone each that others are compared with."""
    compared = [name for name in names if name.endswith((NAME, "run.json", "ro-crate-metadata.json"))]
    others = [name for name in names if name not in compared]
    return [*([name] for name in compared), *(others[first::4] for first in range(4))]


def test_deleting_any_file_is_named(study):
    aside = study.parents[1] / "aside"
    aside.mkdir()
    for group in groups(checked_files(study)):
        for number, name in enumerate(group):
            path_of(study, name).rename(aside / str(number))
        outcome = verify(study)
        assert outcome.outcome == "incomplete", group
        assert places(outcome, study) == {*group}
        for number, name in enumerate(group):
            (aside / str(number)).rename(path_of(study, name))
    assert verify(study).outcome == "good"


def test_a_study_that_was_started_in_another_folder_has_its_configuration_there(study):
    work = study.parent / "mine"
    (work / "config").mkdir(parents=True)
    for name in ("own.yaml", "config/models.yaml"):
        (study.parent / name).rename(work / name)
    (study.parent / "config" / "models.yaml").write_text("{}\n")  # which the other takes the place of
    study.rename(work / "results")
    assert verify(work / "results").outcome == "good"


def test_adding_a_file_to_any_folder_is_named(study):
    folders = {path_of(study, name).parent for name in checked_files(study)}
    places_to_add = {folder for folder in folders if folder != study.parent}
    places_to_add -= {study / name for name in ("logs", "logs/train", "benchmarks", "benchmarks/train")}
    assert {study, study / "code"} < places_to_add
    assert study.parent / "config" / "claims" in places_to_add
    for folder in places_to_add:
        (folder / "added").write_text("")
        outcome = verify(study)
        assert outcome.outcome == "mismatch", folder
        name = (folder / "added").relative_to(study.parent).as_posix()
        assert places(outcome, study) == {name}
        (folder / "added").unlink()


def test_adding_an_empty_folder_to_any_folder_of_results_is_named(study):
    for folder in [study, *(path for path in study.rglob("*") if path.is_dir())]:
        (folder / "added" / "within").mkdir(parents=True)
        outcome = verify(study)
        assert texts(outcome, study) == {
            (folder / "added").relative_to(study.parent).as_posix(): "is extra: a folder without a file."
        }
        (folder / "added" / "within").rmdir()
        (folder / "added").rmdir()


@pytest.mark.parametrize(
    "name",
    [
        "results/tables/more.csv",
        "results/new",
        "results/run.json.bak",
        "results/claims/guess-2.json",
        "results/.hidden",
        "results/figures/logs/a.svg",
        "results/tables/__pycache__/a.csv",
        "results/data/a.pyc",
        "results/code/.snakemake_timestamp",
        "config/other.yaml",
        "src/package/new.py",
        "workflow/profiles/default/config.yaml",
    ],
)
def test_adding_a_file_is_named(study, name):
    path = path_of(study, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    outcome = verify(study)
    assert outcome.outcome == "mismatch"
    assert name in places(outcome, study)


def test_a_link_to_a_folder_is_named(study, tmp_path):
    (study / "tables" / "linked").symlink_to(tmp_path, target_is_directory=True)
    assert places(verify(study), study) == {"results/tables/linked"}


@pytest.mark.parametrize(
    "name", ["results/tables/ranks.csv", "results/claims/guess.json", "src/package/module.py"]
)
def test_a_link_in_place_of_a_listed_file_is_named(study, name, tmp_path):
    path = path_of(study, name)
    path.symlink_to(path.rename(tmp_path / path.name))
    assert texts(verify(study), study) == {name: "is a link: the file itself is needed."}


def test_flipping_any_byte_of_the_manifest_is_noticed(study):
    path = study / NAME
    whole = path.read_bytes()
    for position in range(0, len(whole), len(whole) // 31):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert verify(study).outcome != "good", position


def test_logs_of_the_jobs_that_nothing_comes_after_may_differ(study):
    for name in UNRECORDED:
        (study / name).write_text("another")
        assert verify(study).outcome == "good"
        (study / name).unlink()
    assert verify(study).outcome == "good"


@pytest.mark.parametrize(("part", "count"), [("logs", 2), ("benchmarks", 2)])
def test_all_logs_that_are_gone_are_one_problem(study, part, count):
    shutil.rmtree(study / part)
    text = f"is missing, with the {count} files in it that run.json lists."
    assert texts(verify(study), study) == {f"results/{part}": text}
    assert verify(study).outcome == "incomplete"


def test_a_file_of_a_bag_beside_the_results_makes_them_no_payload(study):
    (study.parent / "bagit.txt").write_text("")
    (study / "logs" / "calc_ranks.log").unlink()
    assert "results/logs/calc_ranks.log" in texts(verify(study), study)
