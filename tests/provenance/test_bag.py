"""The bag: valid, complete, the same each time, and an edit in it is noticed."""

import shutil
import subprocess
import sys
from pathlib import Path

import bagit
import pytest

from nontrivial_study.provenance.bag import write_bag
from nontrivial_study.provenance.verify import verify


@pytest.fixture
def bag(study, tmp_path):
    write_bag(study, tmp_path / "bag")
    return tmp_path / "bag"


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_librarys_own_command_finds_it_valid(bag):
    command = [sys.executable, "-m", "bagit", "--validate", "--quiet"]
    assert subprocess.run([*command, bag], check=False).returncode == 0
    edited = bag / "data" / "tables" / "ranks.csv"
    edited.write_bytes(edited.read_bytes().replace(b"0.25", b"0.26"))
    run = subprocess.run([*command, bag], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "data/tables/ranks.csv sha256 validation failed" in run.stderr


def test_a_file_that_is_gone_or_added_is_noticed(bag):
    (bag / "data" / "tables" / "ranks.csv").rename(bag / "data" / "tables" / "ranked.csv")
    with pytest.raises(bagit.BagValidationError) as caught:
        bagit.Bag(str(bag)).validate()
    assert {str(detail).split()[0] for detail in caught.value.details} == {
        "data/tables/ranks.csv",
        "data/tables/ranked.csv",
    }


def test_its_payload_is_the_results_without_logs(bag, study):
    expected = {
        name: whole for name, whole in contents(study).items() if name.parts[0] not in ("logs", "benchmarks")
    }
    assert contents(bag / "data") == expected


def test_its_payload_verifies_wherever_it_is(bag, tmp_path):
    shutil.move(bag, tmp_path / "handed-on")
    assert verify(tmp_path / "handed-on" / "data").outcome == "good"


def test_it_says_how_many_files_it_has(bag):
    count = sum(path.is_file() for path in (bag / "data").rglob("*"))
    assert f"an RO-Crate of {count} files\n" in (bag / "bag-info.txt").read_text()
    assert bagit.Bag(str(bag)).info["Payload-Oxum"].endswith(f".{count}")


def test_what_may_be_executed_stays_so(bag):
    script = bag / "data" / "code" / "workflow" / "profiles" / "submit.sh"
    assert script.stat().st_mode & 0o111


def test_a_bag_itself_is_refused_and_its_results_are_named(bag):
    with pytest.raises(ValueError, match=r"bag is a bag, which holds results in .*/bag/data; verify those"):
        verify(bag)


def test_a_log_that_is_put_into_a_bag_is_compared(bag, study):
    (bag / "data" / "logs").mkdir()
    shutil.copy(study / "logs" / "calc_ranks.log", bag / "data" / "logs")
    assert verify(bag / "data").outcome == "good"
    (bag / "data" / "logs" / "calc_ranks.log").write_text("changed")
    assert {Path(problem.place).name for problem in verify(bag / "data").problems} == {"calc_ranks.log"}


def test_results_without_logs_are_incomplete_outside_of_a_bag(bag, tmp_path):
    shutil.move(bag / "data", tmp_path / "results")
    outcome = verify(tmp_path / "results")
    assert outcome.outcome == "incomplete"
    assert {Path(problem.place).name for problem in outcome.problems} == {"logs", "benchmarks"}


def test_the_same_results_give_the_same_bag(bag, study, tmp_path):
    (bag / "data" / "stale").write_text("from before")
    first = contents(bag)
    write_bag(study, bag)
    write_bag(study, tmp_path / "again")
    assert contents(bag) == contents(tmp_path / "again")
    assert first.keys() - contents(bag).keys() == {(bag / "data" / "stale").relative_to(bag)}
    assert b"Bagging-Date: 2026-01-02" in contents(bag)[(bag / "bag-info.txt").relative_to(bag)]
