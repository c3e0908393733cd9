"""Performance measures that reveal a worthless model.

``nontrivial.measures`` works from labels and confusion tables, and ``nontrivial.curves`` from scores;
``nontrivial.displays`` draws both. Another package, ``nontrivial_study``, reproduces the papers.
"""

from importlib.metadata import version

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["curves", "displays", "measures"],
    submod_attrs={"scorecard.cross_validation": ["evaluate"], "scorecard.in_python": ["score", "score_predictions"]},
)
__version__ = version("nontrivial")
