"""Each rule reads only what it declares, so that a job elsewhere gives the same bytes."""

import re

import pytest
from tiny_study import PARTS, UNSTABLE, copy_project

# These describe the folder as a whole, or the project.
WHOLE = ("archive_code", "describe_results")


@pytest.fixture(scope="module")
def bare(finished, tmp_path_factory):
    """The tiny study, each job of which ran in an empty folder with its declared inputs alone."""
    folder = tmp_path_factory.mktemp("bare") / "project"
    project = copy_project(folder, finished.folder, [*PARTS, "tiny.yaml"], finished.engines)
    for path in (folder / "workflow" / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        whole = "|".join(WHOLE)
        path.write_text(
            re.sub(rf"(rule (?!{whole})\w*:\n(?:.*\n)*?)( +)log:", r'\1\2shadow:\n\2    "minimal"\n\2log:', text)
        )
    result = project.run("--cores", "2")
    assert result.returncode == 0, result.stdout
    return project


def test_a_job_with_its_declared_inputs_alone_makes_the_same(bare, finished):
    made, expected = (study.contents(".", but=("code.zip", *UNSTABLE)) for study in (bare, finished))
    assert made.keys() == expected.keys()
    assert [name for name in made if made[name] != expected[name]] == []
