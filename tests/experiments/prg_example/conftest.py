"""The running example, reconstructed once."""

import pytest

from nontrivial.schemas import read_yaml
from nontrivial_study.experiments.prg_example.prg_example import running_example


@pytest.fixture(scope="session")
def example():
    return running_example(**read_yaml("config/published.yaml")["running_example"])
