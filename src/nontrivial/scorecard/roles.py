"""The user's options for files of predictions, and which columns hold the true labels and the answers of models."""

from __future__ import annotations

import contextlib
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

from nontrivial.reading.labels import Classes
from nontrivial.terminal import listed


@dataclass(frozen=True)
class Options:
    """The user's options for files, as `nontrivial.score_predictions` explains them; the file tells what is None."""

    truth: str | None = None
    score: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    prediction: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    cost: float | None = None
    weight: str | None = None
    group: str | None = None
    by: tuple[str, ...] = ()
    task: str | None = None
    quantile: float | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str = "utf-8"
    missing: str = "refuse"


def options_of(**options: Any) -> Options:
    """Check options; a single name stands for a tuple of one, and None for the default."""
    given = {name: _checked(name, value) for name, value in options.items() if value is not None}
    if "threshold" in given and given.get("prediction") and not given.get("confidence"):
        raise ValueError(
            "--threshold makes predictions from scores, but --prediction names a column of predictions; give only one."
        )
    return Options(**given)


_LISTS = ("score", "confidence", "prediction", "by")
_CHOICES = {
    "task": ("classification", "regression"),
    "decimal": (".", ","),
    "missing": ("refuse", "drop"),
}


def _checked(option: str, value: Any) -> Any:
    is_list = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    if option in _LISTS:
        names = tuple(map(str, value if is_list else [value]))
        return tuple(dict.fromkeys(names)) if option == "by" else names
    if option in _CHOICES:
        wanted = " or ".join(map(repr, _CHOICES[option]))
        fits = isinstance(value, str) and value in _CHOICES[option]
    elif option in ("threshold", "quantile", "cost"):
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        wanted = "a number above 0, such as 24" if option == "cost" else "a finite number"
        fits = is_number and abs(value) <= sys.float_info.max and (option != "cost" or value > 0)
        value = float(value) if fits else value
    elif option == "separator":
        wanted = r'one ASCII character other than ", or \t for a tab'
        fits = isinstance(value, str) and re.fullmatch(r"[\t -!#-~]|\\t", value) is not None
        value = value.replace(r"\t", "\t") if fits else value  # as shells leave it
    elif option == "encoding":
        wanted, fits = "an encoding that Python knows, such as latin-1", _is_encoding(value)
    else:
        wanted, fits = "one name", not is_list
        value = str(value) if fits else value
    if not fits:
        raise ValueError(f"--{option} is {value!r}; it must be {wanted}.")
    return value


def _is_encoding(value: Any) -> bool:
    with contextlib.suppress(LookupError, ValueError, TypeError):
        return bool("a".encode(value))
    return False


# Which columns of a file hold the true labels and the answers of models.

# The names by which a column is found, in upper or lower case, with blanks, hyphens or points for underscores. If
# several columns have names for one role, the order of these lists decides nothing.
ONLY_TRUTH = (
    *("truth", "y_true", "true", "true_label", "true_class", "actual", "actual_label", "actual_class"),
    *("y_actual", "ground_truth", "gold", "gold_label", "truth_label", "y_test"),
)
MAY_BE_TRUTH = ("label", "target", "class", "y")  # text pipelines write the predicted label into "label"
TRUTH = (*ONLY_TRUTH, *MAY_BE_TRUTH)
SCORE = ("score", "y_score", "probability", "proba", "prob", "y_proba", "y_prob", "p", "scored_probabilities")
PREDICTION = (
    *("prediction", "y_pred", "predicted", "pred", "predicted_label", "predicted_class", "y_hat"),
    *("predict", "pred_class", "prediction_label", "scored_labels", "response"),
)
# KNIME's and RapidMiner's name for predicted labels, which names the column of the truth, too.
_PREDICTS = re.compile(r"(?i)prediction ?\((?P<truth>[^()]+)\)")
# Names of columns that tell models apart, that tell tests apart, and that number the cases.
MODEL = ("model", "classifier", "algorithm", "estimator", "learner")
PARTS = ("task", "dataset", "data_set", "repeat", "fold", "split", "resample")
CASE = ("row_id", "row_ids", "row", "rowindex", "case_id", "case", "id", "sample_id", "patient_id", "inst#")
# A probability of each class: one of these, and the class; or the class in brackets, as in P (y=ill) of KNIME.
_OF_CLASS = re.compile(
    r"(?i)(confidence[._]|y_prob_|y_score_|y_proba_|probability_|proba_|prob[._]|prediction_score_|score_|\.pred_|p_|"
    r"p(?=\d))(?P<label>.+)"
)
_IN_BRACKETS = re.compile(r"(.+?) ?\((?:[^()=]*=)?(?P<label>[^()]+)\)")

Names = Sequence[str]


@dataclass(frozen=True)
class Model:
    """The columns of one model: of its scores, of its predictions, or of the probabilities of each class, by the class.

    `confidence` says that the scores are for the predicted label of each case and not for the positive one, and
    `doubtful` that the name of the predictions may mean something else.
    """

    score: str | None = None
    prediction: str | None = None
    confidence: bool = False
    doubtful: bool = False
    probabilities: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.score or self.prediction or "probabilities"

    @property
    def columns(self) -> list[str]:
        return [each for each in (self.score, self.prediction, *self.probabilities.values()) if each]


# Columns that one tool alone writes together: those of the predicted label and of the confidence in it come last.
_CONFIDENCES = {
    "PyCaret": ("prediction_label", "prediction_score"),
    "Weka": ("inst#", "actual", "error", "predicted", "prediction"),
}


class Columns:
    """What the columns of a file hold, by the options and by their names; what nothing settles is an error.

    `classes_of` takes the column of true labels and returns the classes, none if they are too many.
    """

    def __init__(self, names: Names, file: str, options: Options, classes_of: Callable[[str], Classes]):
        given = _given(options)
        for column, option in given.items():
            if column not in names:
                raise ValueError(
                    f"{option} is {column!r}, which {file} does not have; it has {quoted(names)}."
                )
        tool, asked = _as_asked(options, names)
        named = _given(asked)
        free = [name for name in names if name not in named]
        # Notes say what settled a role for which several columns have usual names.
        truth, notes = (options.truth, []) if options.truth is not None else _truth(free, names, file)
        if given.get(truth, "--truth") != "--truth":
            raise ValueError(
                f"{given[truth]} is {truth!r}, which holds the true labels of {file}; --truth names others."
            )
        free = [name for name in free if name != truth]
        family, chances = None, dict[str, str]()
        if not options.score and not options.confidence and len(options.prediction) < 2:
            family, chances = _of_classes(free, classes_of(truth), file)
        free = [name for name in free if name not in chances.values()]
        models = _models(asked, free, truth, family, file)
        if tool:
            notes.append(
                f"Column {models[0].score!r} is the confidence in the predicted label, as {tool} writes it; with "
                "two classes it gives the scores, with more it is not used. If it is the score of one label, name it "
                "with --score."
            )
        answers = [column for model in models for column in model.columns]
        if chances:
            (model,) = models or [Model()]
            models = [replace(model, probabilities=chances)]
        if not models:
            if options.threshold is not None:
                raise ValueError(
                    f"--threshold needs scores, and {file} has none; name their column with --score."
                )
            raise ValueError(
                f"{file} has no column of scores or predictions among {quoted(names)}; name a column of predicted "
                "labels with --prediction, or of scores with --score, or call the columns of probabilities CLASS or "
                "p_CLASS."
            )
        for column in (truth, *answers, *named, *chances.values()):
            if names.count(column) > 1:
                raise ValueError(
                    f"{file} has {names.count(column):,} columns named {column!r}; one is needed."
                )
        self.truth, self.models, self.notes = truth, models, notes
        # With a threshold, predictions of the file are set aside on purpose.
        missed = SCORE if options.threshold is not None else (*SCORE, *PREDICTION)
        self.unread = [name for name in _usual(missed, free) if name not in answers]
        # These may divide the rows among models, number the cases, and divide them among tests.
        self.model, self.case = _usual(MODEL, free), next(iter(_usual(CASE, free)), None)
        self.parts = [] if options.by else [name for name in free if name.lower() in PARTS]
        # Whether predicted labels have the name of the truth, too.
        self.assumed = options.truth is None and bool(_usual(["label", "class"], [truth])) and not notes


def _given(options: Options) -> dict[str, str]:
    """Return the columns that options name, each with the first of these options; that of the truth is the last."""
    found: dict[str, str] = {}
    for role in ("score", "confidence", "prediction", "weight", "group", "by", "truth"):
        value = getattr(options, role)
        for column in [value] if isinstance(value, str) else value or []:
            found.setdefault(column, f"--{role}")
    return found


def _as_asked(options: Options, names: Names) -> tuple[str, Options]:
    """Return the tool that wrote the confidences of a file, if one did, and options that name its columns."""
    if options.score or options.confidence or options.prediction:
        return "", options
    answers = set(_usual((*SCORE, *PREDICTION), names))
    for tool, columns in _CONFIDENCES.items():
        found = [name for each in columns for name in _usual([each], names)]
        if len(found) == len(columns) and answers <= set(found) and options.truth not in found[-2:]:
            return tool, replace(options, prediction=(found[-2],), confidence=(found[-1],))
    return "", options


def _truth(free: Names, names: Names, file: str) -> tuple[str, list[str]]:
    """Return the column of true labels, and a note if others have usual names, too."""
    only_truth = (*ONLY_TRUTH, "obs") if _usual(["pred"], names) else ONLY_TRUTH  # caret's
    known = (*only_truth, *MAY_BE_TRUTH)
    usual = _usual(known, free) or _usual(known, names)
    named = [match["truth"] for match in map(_PREDICTS.fullmatch, names) if match]
    certain = list(dict.fromkeys([name for name in named if name in names] + _usual(only_truth, usual)))
    found = list(dict.fromkeys([*certain, *usual]))
    if len(certain) == 1 or len(found) == 1:
        truth, *others = found
        note = (
            f"The true labels are read from {truth!r}, and not from {quoted(others)}; --truth says otherwise."
        )
        return truth, [note] if others else []
    if found:
        raise ValueError(
            f"{file} has {len(found)} columns that may hold the true labels: {quoted(found)}; name one with --truth."
        )
    is_unsplit = len(names) == 1 and not names[0].isidentifier()
    unsplit = ", or what splits its lines with --separator" if is_unsplit else ""
    raise ValueError(
        f"{file} has none of the columns {', '.join(TRUTH)}; it has {quoted(names) or 'none'}; name the column of the "
        f"true labels with --truth{unsplit}."
    )


def _models(options: Options, free: Names, truth: str, family: str | None, file: str) -> list[Model]:
    """Return the columns of each model; Orange gives predictions the name of the family of probabilities."""
    scores, predictions = options.score or options.confidence, options.prediction
    if options.score and options.confidence:
        raise ValueError("--score and --confidence name the scores of one model; give only one of the two.")
    if scores and predictions and len(scores) != len(predictions):
        raise ValueError(
            f"{len(scores)} columns of scores or confidences are named, and {len(predictions)} of predictions; name as "
            "many of both, in the same order, or only one of the two."
        )
    usual, guesses = _usual(SCORE, [*free, *scores]), list[str]()
    if options.threshold is None or options.confidence:
        guesses = [
            name
            for name in (*free, *predictions)
            if name.lower() == family or _usual(PREDICTION, [name]) or _PREDICTS.fullmatch(name)
        ]
        is_settled = options.truth is not None or not _usual(MAY_BE_TRUTH, [truth])
        guesses = guesses or (_usual(["label"], free) if is_settled else [])
    if options.confidence and not predictions:
        guess = one_of(guesses, "prediction", file) if len(scores) == 1 else None
        if guess is None:
            raise ValueError("--confidence needs the predicted labels; name their column with --prediction.")
        predictions = (guess,)
    if len(scores) > 1 or len(predictions) > 1 or (scores and predictions):
        pairs = itertools.zip_longest(scores, predictions)
        return [Model(score, guess, confidence=bool(options.confidence)) for score, guess in pairs]
    # Columns with usual names belong together; one that is named otherwise may be of another model.
    score, guess = next(iter(scores), None), next(iter(predictions), None)
    if score is None and guesses == list(predictions or guesses):
        score = one_of(usual, "score", file)
    if guess is None and usual == list(scores or usual):
        guess = one_of(guesses, "prediction", file)
    doubtful = guess not in predictions and bool(_usual(["label", "response"], [guess or ""]))
    return [Model(score, guess, doubtful=doubtful)] if score or guess else []


def one_of(columns: Names, role: str, file: str) -> str | None:
    """Return the only one of some columns, or None if there is none; refuse to choose among several."""
    if len(set(columns)) > 1:
        raise ValueError(
            f"{file} has {len(columns)} columns that may hold a {role}: {quoted(columns)}; name the right one with "
            f"--{role}, or each of them to compare models."
        )
    return next(iter(columns), None)


def _of_classes(free: Names, classes: Classes, file: str) -> tuple[str | None, dict[str, str]]:
    """Return what the names of probabilities have in common, unless it may be that of scores, and these by class."""
    families: dict[str, dict[str, str]] = {}
    for name in free:
        for form in (_OF_CLASS, _IN_BRACKETS):
            match = form.fullmatch(name)
            if match and not _usual((*SCORE, *PREDICTION), [name]):
                families.setdefault(match[1].lower(), {})[match["label"].strip()] = name
    named = {
        family: columns
        for family, columns in families.items()
        if len(columns) > 1 and any(classes.find(label) is not None for label in columns)
    }
    as_classes = {name: name for name in free if classes.find(name) is not None}
    if not named and len(as_classes) > 1:
        for column in _usual((*SCORE, *PREDICTION), list(as_classes)):
            raise ValueError(
                f"Column {column!r} of {file} is named as a class, as other columns are; name it with --score or "
                f"--prediction, or, if it holds probabilities, rename it to 'p_{column}'."
            )
        return None, as_classes
    if len(named) > 1:
        all_of_them = [name for columns in named.values() for name in columns.values()]
        raise ValueError(
            f"{file} has the probabilities of {len(named)} models: {quoted(all_of_them)}; name the columns of the "
            "positive label, one for each model, with --score."
        )
    if not named:
        return None, {}
    ((family, columns),) = named.items()
    return None if _usual((*SCORE, "confidence"), [family]) else family, columns


def _usual(known: Names, names: Names) -> list[str]:
    """Return the columns with one of some names."""
    return [name for name in names if re.sub(r"[\s_.-]+", "_", name.lower()).strip("_") in known]


def quoted(names: Iterable[str]) -> str:
    return listed(map(repr, names))
