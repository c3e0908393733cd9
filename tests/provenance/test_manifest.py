"""The manifest: what it lists, and that common tools can read it."""

import shutil
import subprocess

import pytest

from nontrivial.files import sha256_of
from nontrivial_study.provenance.run import MANIFEST, read_manifest, write_manifest


def test_everything_but_logs_and_benchmarks_is_listed(study):
    listed = read_manifest(study / MANIFEST)
    assert listed.keys() == {f"claims/{path.name}" for path in (study / "claims").iterdir()} | {
        *("README.md", "code.zip", "run.json", "ro-crate-metadata.json"),
        *("data/toy.json", "data/toy.parquet", "figures/one.svg", "report/index.html", "tables/ranks.csv"),
    }
    assert listed["tables/ranks.csv"] == sha256_of(study / "tables" / "ranks.csv")


def test_it_is_sorted_and_the_same_in_every_folder(study, tmp_path):
    text = (study / MANIFEST).read_text()
    assert text.splitlines() == sorted(text.splitlines(), key=lambda line: line[66:])
    shutil.move(study, tmp_path / "elsewhere")
    write_manifest(tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / MANIFEST).read_text() == text


def test_what_a_killed_writer_left_and_signatures_are_not_listed(study):
    before = (study / MANIFEST).read_bytes()
    signatures = f"{MANIFEST}.sig", f"{MANIFEST}.sigstore.json"
    for name in ("tables/.ranks-k2x8_3qz.part.csv", "logs/new.log", *signatures):
        (study / name).touch()
    write_manifest(study)
    assert (study / MANIFEST).read_bytes() == before


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_sha256sum_reads_it(study):
    assert subprocess.run(["sha256sum", "--strict", "--quiet", "-c", MANIFEST], cwd=study).returncode == 0


@pytest.mark.parametrize("line", ["abc  a", "b" * 64 + "  first"])
def test_a_line_of_another_form_is_named(tmp_path, line):
    (tmp_path / MANIFEST).write_text(f"{'a' * 64}  first\n{line}\n")
    with pytest.raises(ValueError, match=r"line 2 is not a sha256, two spaces and a path"):
        read_manifest(tmp_path / MANIFEST)
