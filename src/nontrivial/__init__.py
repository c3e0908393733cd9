"""Performance measures that tell a worthless model.

``nontrivial.measures`` works from labels and confusion tables, ``nontrivial.curves`` from scores,
``nontrivial.displays`` draws both. The other subpackages hold the study that reproduces the papers.
"""

from importlib.metadata import version

__version__ = version("nontrivial")
