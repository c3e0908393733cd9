"""Performance measures that tell a worthless model.

``nontrivial.measures`` works from labels and confusion tables, ``nontrivial.curves`` from scores,
``nontrivial.displays`` draws both. The other subpackages hold the study that reproduces the papers.
"""

from importlib.metadata import version

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["curves", "displays", "measures"],
    submod_attrs={
        "scorecard.cross_validation": ["evaluate"],
        "scorecard.in_python": ["score", "score_predictions"],
    },
)
__version__ = version("nontrivial")
