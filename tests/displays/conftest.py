"""Figures are drawn without a screen, and closed after each test."""

import matplotlib
import pytest
from matplotlib import pyplot as plt

matplotlib.use("agg")


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")
