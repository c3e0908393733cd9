"""The commit that the project's files are of, where git knows one."""

import subprocess

from provenance.small_study import CONFIG, made_in

from nontrivial_study.provenance.commit import commit_of
from nontrivial_study.provenance.run import run_record


def test_the_commit_is_recorded_where_git_has_one(study):
    project = study.parent

    def git(*arguments):
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments],
            cwd=project,
            check=True,
        )

    assert commit_of(project) == {}
    git("init", "-q")
    (project / ".gitignore").write_text("results/\n*.pyc\n")
    git("commit", "-q", "--allow-empty", "-m", "of something else")
    assert commit_of(project) == {}
    git("add", ".")
    git("commit", "-q", "-m", "all")
    record = run_record(CONFIG, made_in(study), study, project)
    assert record["commit"].keys() == {"id", "altered"}
    assert len(record["commit"]["id"]) == 40
    assert not record["commit"]["altered"]
    (project / "src" / "package" / "module.py").write_text("two = 2\n")
    assert commit_of(project) == {"id": record["commit"]["id"], "altered": True}


def test_without_git_there_is_no_commit(study, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert commit_of(study.parent) == {}
