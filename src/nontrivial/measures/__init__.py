"""Measures from labels, predictions and confusion tables."""

import lazy_loader

# What the package offers stands in the stub beside this file. A name's module is imported when the name is first asked
# for: together they take a second, which every job of a study would spend.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
