"""Curves and areas from scores: ROC, Precision-Recall, Precision-Recall-Gain and cost curves."""

import lazy_loader

# The stub lists the public names. A module is imported when a name is first used, as all of them take a second.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
