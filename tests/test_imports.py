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


# In the order in which one process imports them; what it has loaded by then is looked for after each.
UNUSED = {
    "nontrivial.displays": "matplotlib",
    "nontrivial_study.experiments.imbalance.regions, nontrivial_study.experiments.ranks.share_curve": "scipy.optimize",
    "nontrivial_study.experiments.tasks.measure_table, nontrivial_study.experiments.tasks.area_table": "sklearn",
    "nontrivial_study.provenance.run, nontrivial_study.config": "sklearn",
}


def test_a_job_does_not_load_what_it_has_no_use_for():
    steps = [f"import {modules}\nprint({slow!r} in sys.modules)" for modules, slow in UNUSED.items()]
    code = "\n".join(["import sys", *steps])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"] * len(UNUSED)


def test_the_library_is_there_by_its_name():
    code = "import nontrivial as n; print(n.measures.p4_score([1, 0], [1, 0]), n.curves.prg_auc_score([1, 0], [1, 0]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0", "1.0"]
