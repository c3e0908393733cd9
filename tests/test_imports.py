"""What the public packages offer, and that a job of seconds does not load what it has no use for."""

import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["nontrivial.measures", "nontrivial.curves"])
def test_every_public_name_is_there(name):
    package = importlib.import_module(name)
    assert package.__all__
    assert set(package.__all__) <= set(dir(package))
    for public in package.__all__:
        assert getattr(package, public) is not None
    with pytest.raises(AttributeError, match="no_such_measure"):
        package.no_such_measure  # noqa: B018


@pytest.mark.parametrize(
    ("modules", "slow"),
    [
        (
            [
                "nontrivial.experiments.tasks.measure_table",
                "nontrivial.experiments.tasks.area_table",
                "nontrivial.provenance.project",
                "nontrivial_workflow.configuration",
            ],
            "sklearn",
        ),
        (
            [
                "nontrivial.displays",
                "nontrivial.experiments.imbalance.regions",
                "nontrivial.experiments.ranks.share_curve",
            ],
            "scipy.optimize",  # which scipy.stats loads, too
        ),
    ],
    ids=["sklearn", "scipy"],
)
def test_a_job_does_not_load_what_it_has_no_use_for(modules, slow):
    code = f"import sys, {', '.join(modules)}; sys.exit({slow!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_library_is_there_by_its_name():
    code = "import nontrivial as n; print(n.measures.p4_score([1, 0], [1, 0]), n.curves.prg_auc_score([1, 0], [1, 0]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0", "1.0"]
