"""Curves and areas from scores: ROC, Precision-Recall, Precision-Recall-Gain and cost curves."""

import lazy_loader

# The stub beside this file lists the public names. The module of a name is imported when the name is first used:
# importing all of them takes a second, which every job of a study would spend.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
