"""Labels and meanings of the names in a scorecard: of measures and areas by their records, else by `glossary.csv`."""

import csv
from importlib import resources

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.measures.catalogue import CATALOGUE

_CSV = resources.files("nontrivial.scorecard.rendering").joinpath("glossary.csv")
_GLOSSARY_ROWS = csv.DictReader(_CSV.read_text(encoding="utf-8").splitlines())
GLOSSARY = {row["name"]: (row["label"], row["meaning"]) for row in _GLOSSARY_ROWS}
GLOSSARY |= {name: (record.label, record.meaning) for name, record in (CATALOGUE | CURVE_AREAS).items()}


def label_of(name: str) -> str:
    """Return the label of a measure, or of its mean over the classes; a name without a label stays.

    Examples
    --------
    >>> label_of("f_beta"), label_of("macro_roc_auc"), label_of("0.5")
    ('F1', 'Area under the ROC curve (AUC), mean of classes', '0.5')
    """
    class_measure = name.removeprefix("macro_")
    if name in GLOSSARY or class_measure not in GLOSSARY:
        return GLOSSARY.get(name, (name, ""))[0]
    return f"{GLOSSARY[class_measure][0]}, mean of classes"


def meaning_of(name: str) -> str:
    """Return the meaning of a method, of a measure, or of an area or its mean over the classes."""
    return GLOSSARY[name if name in GLOSSARY else name.removeprefix("macro_")][1]
