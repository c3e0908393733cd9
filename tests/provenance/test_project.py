"""The project's files, their copy, and finding the project that results belong to."""

import shutil

from nontrivial_study.provenance.project import copy_files, find_project, project_files


def test_further_files_are_taken_along_if_they_lie_in_the_project(study):
    root = study.parent
    (root.parent / "outside.yaml").write_text("")
    known = project_files(root)
    also = [
        "own.yaml",
        "./own.yaml",
        "absent.yaml",
        "../outside.yaml",
        str(root.parent / "outside.yaml"),
        "config/claims",
    ]
    assert project_files(root, also).keys() - known.keys() == {"own.yaml"}
    assert project_files(root, ["..", "/", str(root.parent)]).keys() == known.keys()
    assert project_files(root, ["results/tables"]).keys() - known.keys() == {"results/tables/ranks.csv"}


def test_what_the_folder_of_work_has_of_further_files_takes_the_place_of_the_projects(study, tmp_path):
    work = tmp_path / "work"
    (work / "config").mkdir(parents=True)
    for name in ("own.yaml", "README.md", "config/models.yaml"):
        (work / name).write_text("")
    files = project_files(study.parent, ["own.yaml", "config/models.yaml"], work)
    assert {name for name, path in files.items() if path.is_relative_to(work)} == {
        "own.yaml",
        "config/models.yaml",
    }
    assert files.keys() == project_files(study.parent, ["own.yaml"]).keys() | {"config/models.yaml"}


def test_a_copy_holds_the_same_and_nothing_from_before(study, tmp_path):
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "stale").write_text("")
    copy_files(project_files(study.parent, ["own.yaml"]), tmp_path / "copy")
    copied = {
        path.relative_to(tmp_path / "copy").as_posix()
        for path in (tmp_path / "copy").rglob("*")
        if path.is_file()
    }
    assert copied == project_files(study.parent, ["own.yaml"]).keys()
    for name, path in project_files(tmp_path / "copy", ["own.yaml"]).items():
        assert path.read_bytes() == (study.parent / name).read_bytes()


def test_the_project_around_results_comes_before_the_copy_in_them(study, tmp_path):
    names = ["Snakefile", "config/claims/paper.yaml", "src/package/module.py"]
    assert find_project(study, names) == study.parent
    deep = study.parent / "build" / "one" / "results"
    shutil.copytree(study, deep)
    assert find_project(deep, names) == study.parent
    shutil.copytree(study, tmp_path / "other" / "results")
    (tmp_path / "other" / "Snakefile").write_text("of another project")
    assert find_project(tmp_path / "other" / "results", names) == tmp_path / "other" / "results" / "code"
    shutil.rmtree(tmp_path / "other" / "results" / "code")
    assert find_project(tmp_path / "other" / "results", names) is None
