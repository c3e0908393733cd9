"""The manifest: what it lists, and that common tools can read it."""

import os
import shutil
import subprocess

import pytest

from nontrivial.files import sha256_of
from nontrivial_study.provenance.manifest import NAME, read_manifest, write_manifest
from nontrivial_study.provenance.project import project_files
from nontrivial_study.provenance.verify import verify

PROJECT = {
    "Snakefile",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "own.yaml",
    "config/claims/paper.yaml",
    "src/package/module.py",
    "workflow/report/ranks.rst",
    "workflow/report/results.md",
    "workflow/rules/a.smk",
    "workflow/profiles/submit.sh",
    "config/datasets.yaml",
    "config/models.yaml",
    *(
        f"workflow/scripts/{rule}.py"
        for rule in ("calc_ranks", "judge_claims", "prepare_data", "render_report", "train")
    ),
    "envs/constraints.txt",
}


def test_everything_but_times_and_by_products_is_listed(study):
    listed = read_manifest(study / NAME)
    evidence = {f"results/claims/{path.name}" for path in (study / "claims").iterdir()}
    assert set(listed) == evidence | PROJECT | {f"results/code/{name}" for name in PROJECT} | {
        "results/README.md",
        "results/data/toy.json",
        "results/data/toy.parquet",
        "results/figures/one.svg",
        "results/figures/two.svg",
        "results/report/index.html",
        "results/predictions/a.parquet",
        "results/predictions/b.parquet",
        "results/ro-crate-metadata.json",
        "results/tables/ranks.csv",
    }
    assert listed["src/package/module.py"] == sha256_of(study.parent / "src" / "package" / "module.py")


def test_it_is_sorted_and_the_same_in_every_folder(study, tmp_path):
    text = (study / NAME).read_text()
    assert text.splitlines() == sorted(text.splitlines(), key=lambda line: line[66:])
    shutil.move(study, tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "run.json").write_text("another time")
    write_manifest(tmp_path / "elsewhere", project_files(study.parent, ["own.yaml"]))
    assert (tmp_path / "elsewhere" / NAME).read_text() == text


def test_what_a_killed_writer_left_is_not_listed_and_verifies(study):
    (study / "tables" / ".ranks-k2x8_3qz.part.csv").touch()
    (study / "logs" / ".ranks-k2x8_3qz.part.log").touch()
    before = (study / NAME).read_bytes()
    write_manifest(study, project_files(study.parent, ["own.yaml"]))
    assert (study / NAME).read_bytes() == before
    assert verify(study).problems == ()


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_sha256sum_reads_it(study):
    run = subprocess.run(
        ["sha256sum", "--strict", "-c", f"results/{NAME}"], cwd=study.parent, capture_output=True
    )
    assert run.returncode == 0


@pytest.mark.parametrize("line", ["abc  results/a", "A" * 64 + "  results/a", "a" * 64 + " results/a"])
def test_a_line_of_another_form_is_named(tmp_path, line):
    (tmp_path / NAME).write_text(f"{'a' * 64}  results/b\n{line}\n")
    with pytest.raises(ValueError, match=r"line 2 is not a sha256, two spaces and a path"):
        read_manifest(tmp_path / NAME)


def test_a_file_listed_twice_is_named(tmp_path):
    (tmp_path / NAME).write_text(f"{'a' * 64}  results/b\n{'b' * 64}  results/b\n")
    with pytest.raises(ValueError, match=r"line 2 lists results/b again"):
        read_manifest(tmp_path / NAME)


@pytest.mark.parametrize("name", [b"two\nlines", b"latin-\xe9"])
def test_a_name_that_no_line_can_hold_is_an_error(study, name):
    (study / os.fsdecode(name)).write_text("")
    with pytest.raises(ValueError, match=r"'results/.*' cannot be listed; a name must be UTF-8 without line"):
        write_manifest(study, project_files(study.parent, ["own.yaml"]))


@pytest.mark.parametrize("target", ["absent", "ranks.csv", "."])
def test_a_link_is_an_error(study, target):
    (study / "tables" / "link").symlink_to(target)
    with pytest.raises(ValueError, match=r"results/tables/link is a link; a manifest lists files themselves"):
        write_manifest(study, project_files(study.parent, ["own.yaml"]))
