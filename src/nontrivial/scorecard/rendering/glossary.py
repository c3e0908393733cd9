"""What the names in a scorecard mean: measures and areas by their records, and others by `glossary.csv`."""

import csv
from importlib import resources

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.measures.catalogue import CATALOGUE

_TABLE = (
    resources.files("nontrivial.scorecard.rendering").joinpath("glossary.csv").read_text(encoding="utf-8")
)
GLOSSARY = {row["name"]: (row["label"], row["meaning"]) for row in csv.DictReader(_TABLE.splitlines())}
GLOSSARY |= {name: (record.label, record.meaning) for name, record in (CATALOGUE | CURVE_AREAS).items()}


def label_of(name: str) -> str:
    """Return what a measure, or the mean of one over the classes, is called; anything else as it is.

    Examples
    --------
    >>> label_of("f_beta"), label_of("macro_roc_auc"), label_of("0.5")
    ('F1', 'Area under the ROC curve (AUC), mean of classes', '0.5')
    """
    of_class = name.removeprefix("macro_")
    if name in GLOSSARY or of_class not in GLOSSARY:
        return GLOSSARY.get(name, (name, ""))[0]
    return f"{GLOSSARY[of_class][0]}, mean of classes"


def meaning_of(name: str) -> str:
    """Return what a measure, or the mean of an area over the classes, or a method means."""
    return GLOSSARY[name if name in GLOSSARY else name.removeprefix("macro_")][1]
