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

from nontrivial.labels import Classes
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
    decimal: str = "."
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
        return tuple(map(str, value if is_list else [value]))
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


# Columns that one tool alone writes together: those of the predicted label and of the confidence in it come last.
_CONFIDENCES = {
    "PyCaret": ("prediction_label", "prediction_score"),
    "Weka": ("inst#", "actual", "error", "predicted", "prediction"),
}


@dataclass(frozen=True)
class Columns:
    """The columns that are read, beside those that `Options` names.

    `model`, `case` and `parts` may, by their names, divide the rows among models, number the cases, or divide them
    among tests. `unread` are columns with usual names that are not read, as others are named. `notes` say what settled
    a role for which several columns have usual names. `assumed`: predicted labels have the name of the truth, too.
    """

    truth: str
    models: tuple[Model, ...]
    unread: tuple[str, ...]
    model: tuple[str, ...]
    case: str | None
    parts: tuple[str, ...]
    notes: tuple[str, ...] = ()
    assumed: bool = False


def find_columns(names: Names, file: str, options: Options, classes_of: Callable[[str], Classes]) -> Columns:
    """Find the columns of a file, of which the options name some; what nothing settles is an error.

    `classes_of` takes the column of true labels and returns the classes, none if they are too many.
    """
    given = _given(options)
    for column, option in given.items():
        if column not in names:
            raise ValueError(f"{option} is {column!r}, which {file} does not have; it has {quoted(names)}.")
    tool, asked = _as_asked(options, names)
    named = _given(asked)
    free = [name for name in names if name not in named]
    truth, notes = (options.truth, []) if options.truth is not None else _truth(free, names, file)
    if given.get(truth, "--truth") != "--truth":
        raise ValueError(
            f"{given[truth]} is {truth!r}, which holds the true labels of {file}; --truth names others."
        )
    _check_once([truth], names, file)
    free = [name for name in free if name != truth]
    classes, beside, probabilities = Classes.of([]), None, dict[str, str]()
    if not options.score and not options.confidence and len(options.prediction) < 2:
        classes = classes_of(truth)
        beside, probabilities = _of_classes(free, classes, file)
    free = [name for name in free if name not in probabilities.values()]
    models = _models(asked, free, truth, beside, file)
    if tool:
        notes.append(
            f"Column {models[0].score!r} is the confidence in the predicted label, as {tool} writes it; with "
            "two classes it gives the scores, with more it is not used. If it is the score of one label, name it with "
            "--score."
        )
    answers = [column for model in models for column in (model.score, model.prediction) if column]
    as_classes = [name for name in free if classes.find(name) is not None]
    if not probabilities and len(as_classes) > 1:
        for column in answers:
            if column in as_classes:
                raise ValueError(
                    f"Column {column!r} of {file} is named as a class, as other columns are; name it with --score or "
                    f"--prediction, or, if it holds probabilities, rename it to 'p_{column}'."
                )
        probabilities = {name: name for name in as_classes}
        free = [name for name in free if name not in as_classes]
    if probabilities:
        (model,) = models or [Model()]
        models = [replace(model, probabilities=probabilities)]
    if options.threshold is not None and not probabilities and not (models and models[0].score):
        raise ValueError(f"--threshold needs scores, and {file} has none; name their column with --score.")
    if not models:
        raise ValueError(
            f"{file} has no column of scores or predictions among {quoted(names)}; name a column of predicted labels "
            "with --prediction, or of scores with --score, or call the columns of probabilities CLASS or p_CLASS."
        )
    _check_once([*answers, *named], names, file)
    # With a threshold, predictions of the file are set aside on purpose.
    missed = SCORE if options.threshold is not None else (*SCORE, *PREDICTION)
    return Columns(
        truth=truth,
        models=tuple(models),
        unread=tuple(name for name in _usual(missed, free) if name not in answers),
        model=tuple(_usual(MODEL, free)),
        case=next(iter(_usual(CASE, free)), None),
        parts=() if options.by else tuple(name for name in free if name.lower() in PARTS),
        notes=tuple(notes),
        assumed=options.truth is None and bool(_usual(["label", "class"], [truth])) and not notes,
    )


def _given(options: Options) -> dict[str, str]:
    """Return the columns that options name, each with the first of these options; that of the truth is the last."""
    found: dict[str, str] = {}
    for role in ("score", "confidence", "prediction", "weight", "group", "by", "truth"):
        value = getattr(options, role)
        columns = [value] if isinstance(value, str) else value or []
        for column in columns:
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


def _check_once(columns: Iterable[str], names: Names, file: str) -> None:
    for column in columns:
        if names.count(column) > 1:
            raise ValueError(f"{file} has {names.count(column):,} columns named {column!r}; one is needed.")


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


def _models(options: Options, free: Names, truth: str, beside: str | None, file: str) -> list[Model]:
    """Return the columns of each model; `beside` holds the predictions beside which probabilities stand."""
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
            if name == beside or _usual(PREDICTION, [name]) or _PREDICTS.fullmatch(name)
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
    """Return columns of probabilities by their class, and the name of the prediction that Orange writes beside them."""
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
    if len(named) > 1:
        all_of_them = [name for columns in named.values() for name in columns.values()]
        raise ValueError(
            f"{file} has the probabilities of {len(named)} models: {quoted(all_of_them)}; name the columns of the "
            "positive label, one for each model, with --score."
        )
    for family, columns in named.items():
        beside = [name for name in free if name.lower() == family and name not in columns.values()]
        is_score = _usual((*SCORE, "confidence"), [family])
        return beside[0] if beside and not is_score else None, columns
    return None, {}


def _usual(known: Names, names: Names) -> list[str]:
    """Return the columns with one of some names."""
    return [name for name in names if re.sub(r"[\s_.-]+", "_", name.lower()).strip("_") in known]


def quoted(names: Iterable[str]) -> str:
    return listed(map(repr, names))
