"""Which columns of a file hold the true labels, the answers of models, and what tells rows apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.labels import Classes
from nontrivial.reading.layouts import LAYOUTS, has_rest, layouts_in, names_of, roles_by_name
from nontrivial.terminal import listed

Names = Sequence[str]


@dataclass(frozen=True)
class NamedColumns:
    """The columns that a user names; `others` are those that no layout names, by their options."""

    truth: str | None = None
    score: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    prediction: tuple[str, ...] = ()
    probabilities: Mapping[str, str] = field(default_factory=dict)  # by the class; only arrays name them
    case: str | None = None
    others: Mapping[str, str] = field(default_factory=dict)
    has_threshold: bool = False  # which sets aside predictions that have a usual name

    @property
    def answers(self) -> tuple[str, ...]:
        """All columns that are named as answers of models."""
        return (*self.score, *self.confidence, *self.prediction, *self.probabilities.values())

    def options(self) -> dict[str, str]:
        """Return each column with the first option that names it; the truth is the last."""
        pairs = [("score", each) for each in self.score]
        pairs += [("confidence", each) for each in self.confidence]
        pairs += [("prediction", each) for each in self.prediction]
        pairs += [(option, column) for column, option in self.others.items()]
        pairs += [
            (option, column)
            for option, column in (("id", self.case), ("truth", self.truth))
            if column is not None
        ]
        found: dict[str, str] = {}
        for option, column in pairs:
            found.setdefault(column, option)
        return found


@dataclass(frozen=True)
class ModelColumns:
    """The columns of one model: of its scores, of its predictions, or of the probabilities of each class.

    `is_confidence` says that the scores are for the predicted label of each case, and not for the positive one. Columns
    in `extra` are named as probabilities of labels that the truth lacks, and those in `unread` may hold answers, too.
    """

    score: str | None = None
    prediction: str | None = None
    is_confidence: bool = False
    probabilities: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the model if a file has several."""
        return self.score or self.prediction or "probabilities"

    @property
    def columns(self) -> list[str]:
        """All columns of the model."""
        return [each for each in (self.score, self.prediction, *self.probabilities.values()) if each]


@dataclass(frozen=True)
class Roles:
    """What the columns of a file hold.

    `cases` number the cases, `repeats` and `folds` tell apart the tests of one model, `tuning` tells apart its
    settings, `model_names` may name models, and `tasks` tell apart the problems. `unread` may hold answers.
    """

    truth: str
    models: tuple[ModelColumns, ...]
    cases: tuple[str, ...] = ()
    repeats: tuple[str, ...] = ()
    folds: tuple[str, ...] = ()
    tuning: tuple[str, ...] = ()
    model_names: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def answers(self) -> list[str]:
        """The columns that hold what models answered."""
        return [column for model in self.models for column in model.columns]

    @property
    def dividing(self) -> list[str]:
        """The columns that tell rows apart."""
        return [*self.cases, *self.repeats, *self.folds, *self.tuning, *self.model_names, *self.tasks]


def find_roles(names: Names, file: str, named: NamedColumns, classes_of: Callable[[str], Classes]) -> Roles:
    """Return what the columns of a file hold, by what the user names and by the layouts of tools.

    `classes_of` takes the column of the truth and returns its classes, none if they are too many.

    Raises
    ------
    UnsettledError
        If the names allow several readings.
    ValueError
        If a named column is absent or has two roles, or a column that is needed is absent or there twice.
    """
    options = named.options()
    for column, option in options.items():
        if column not in names:
            raise ValueError(f"--{option} is {column!r}, which {file} does not have; it has {quoted(names)}.")
    by_name = roles_by_name(names)
    usual = {column: role for column, role in by_name.items() if column not in options}
    truth, notes = _find_truth(names, usual, named, file)
    if options.get(truth, "truth") != "truth":
        raise ValueError(
            f"--{options[truth]} is {truth!r}, which holds the true labels of {file}; --truth names others."
        )
    usual.pop(truth, None)
    free = [name for name in names if name not in options and name != truth]
    models, unread, more_notes = _find_models(free, usual, truth, named, file, classes_of)
    answers = [column for model in models for column in model.columns]
    for column in (truth, *answers, *options):
        if names.count(column) > 1:
            raise ValueError(f"{file} has {names.count(column):,} columns named {column!r}; one is needed.")

    def with_role(role: str) -> tuple[str, ...]:
        others = [column for column, option in options.items() if option == "by"]
        return tuple(
            column for column in (*free, *others) if by_name.get(column) == role and column not in answers
        )

    tuning = with_role("tuning")
    if not tuning and has_rest(names, "tuning"):
        tuning = tuple(column for column in free if column not in usual and column not in answers)
    return Roles(
        truth,
        tuple(models),
        cases=with_role("case") if named.case is None else (named.case,),
        repeats=with_role("repeat"),
        folds=with_role("fold"),
        tuning=tuning,
        model_names=with_role("model"),
        tasks=with_role("task"),
        unread=tuple(column for column in unread if column not in answers),
        notes=(*notes, *more_notes),
    )


def _find_truth(
    names: Names, usual: Mapping[str, str], named: NamedColumns, file: str
) -> tuple[str, list[str]]:
    """Return the column of the truth, and a note if another one has a name that may mean the truth."""
    if named.truth is not None:
        return named.truth, []
    certain = [column for column in names if usual.get(column) == "truth"]
    certain += [column for column in _truths_in_names(names, usual) if column not in certain]
    possible = [column for column in names if usual.get(column) == "truth or prediction"]
    found = certain or possible
    if len(found) > 1:
        raise UnsettledError(
            f"{file} has {len(found)} columns that may hold the true labels: {quoted(found)}",
            *({"truth": column} for column in found),
        )
    if found:
        return found[0], []
    is_unsplit = len(names) == 1 and not names[0].isidentifier()
    unsplit = ", or what splits its lines with --separator" if is_unsplit else ""
    usual_names = listed([*names_of("truth"), *names_of("truth or prediction")])
    raise ValueError(
        f"{file} has none of the columns {usual_names}; it has {quoted(names) or 'none'}; name the column of the true "
        f"labels with --truth{unsplit}."
    )


def _truths_in_names(names: Names, usual: Mapping[str, str]) -> list[str]:
    """Return the columns whose names the columns of predictions repeat, as in 'prediction(ill)' of RapidMiner."""
    found = []
    for row in layouts_in(names):
        if row.role == "prediction" and "{truth}" in row.name:
            matches = [row.match(name) for name in names if name not in usual]
            found += [match["truth"] for match in matches if match and match["truth"] in names]
    answers = ("score", "prediction", "confidence")
    return [column for column in dict.fromkeys(found) if usual.get(column) not in answers]


# The answers of models.


@dataclass(frozen=True)
class _Family:
    """Columns of probabilities, named alike, by the classes; `others` have such a name and no class of the truth."""

    of_classes: dict[str, str]
    others: dict[str, str]
    model: str = ""  # the name that they share with a column of predictions, as Orange writes it


def _find_models(
    free: Names,
    usual: Mapping[str, str],
    truth: str,
    named: NamedColumns,
    file: str,
    classes_of: Callable[[str], Classes],
) -> tuple[list[ModelColumns], list[str], list[str]]:
    """Return the columns of each model, those that may be answers but are not read, and notes."""
    if named.score and named.confidence:
        raise ValueError("--score and --confidence name the scores of one model; give only one of the two.")
    scores, predictions = named.score or named.confidence, named.prediction
    if scores and predictions and len(scores) != len(predictions):
        raise ValueError(
            f"{len(scores)} columns of scores or confidences are named, and {len(predictions)} of predictions; name as "
            "many of both, in the same order, or only one of the two."
        )
    reads_family = not scores and len(predictions) < 2
    families = _families(free, usual, truth, classes_of(truth), file) if reads_family else []
    chances = _family_of_model(families, file) if families else None
    of_family = {*chances.of_classes.values(), *chances.others.values()} if chances else set[str]()
    with_role: dict[str, list[str]] = {}
    for column in free:
        if column not in of_family:
            with_role.setdefault(_answer_role(column, usual, truth, chances), []).append(column)
    usual_scores, usual_predictions = with_role.get("score", []), with_role.get("prediction", [])
    doubtful = [*with_role.get("truth or prediction", []), *with_role.get("prediction or another", [])]
    may_be_answers = [*usual_scores, *usual_predictions, *with_role.get("confidence", []), *doubtful]
    models, notes = list[ModelColumns](), list[str]()
    confidence = with_role.get("confidence", [])
    if confidence and not named.answers and len(usual_predictions) == 1:
        models = [ModelColumns(confidence[0], usual_predictions[0], is_confidence=True)]
        notes = [
            f"Column {confidence[0]!r} is the confidence in the predicted label, as its tool writes it; with two "
            "classes it gives the scores, with more it is not used. If it is the score of one label, name it with "
            "--score."
        ]
    elif len(scores) > 1 or len(predictions) > 1 or (scores and predictions) or named.confidence:
        models = _as_named(named, usual_predictions, file)
    else:
        model = _of_usual_names(named, usual_scores, usual_predictions, doubtful, chances is not None, file)
        models = [model] if model.columns else []
    if named.probabilities:
        models = [replace((models or [ModelColumns()])[0], probabilities=named.probabilities)]
    elif chances is not None:
        (model,) = models or [ModelColumns()]
        models = [replace(model, probabilities=chances.of_classes, extra=chances.others)]
    if not models:
        if named.has_threshold:
            raise ValueError(
                f"--threshold needs scores, and {file} has none; name their column with --score."
            )
        raise ValueError(
            f"{file} has no column of scores or predictions among {quoted([*free, truth])}; name a column of predicted "
            "labels with --prediction, or of scores with --score, or call the columns of probabilities CLASS or "
            "p_CLASS."
        )
    set_aside = usual_predictions if named.has_threshold else []
    return models, [column for column in may_be_answers if column not in set_aside], notes


def _answer_role(column: str, usual: Mapping[str, str], truth: str, chances: _Family | None) -> str:
    """Return the role of a column by its name, by the truth's, or by the name of the model in a family's."""
    if column in usual:
        return usual[column]
    is_named = any(
        row.role == "prediction" and "{truth}" in row.name and row.match(column, truth) for row in LAYOUTS
    )
    is_of_family = chances is not None and chances.model != "" and chances.model.lower() == column.lower()
    return "prediction" if is_named or is_of_family else ""


def _as_named(named: NamedColumns, usual_predictions: Names, file: str) -> list[ModelColumns]:
    """Return models whose columns the user names; a confidence needs a prediction, which may have a usual name."""
    scores, predictions = named.score or named.confidence, named.prediction
    if named.confidence and not predictions:
        guess = only_column(usual_predictions, "prediction", file) if len(scores) == 1 else None
        if guess is None:
            raise ValueError("--confidence needs the predicted labels; name their column with --prediction.")
        predictions = (guess,)
    pairs = zip_longest(scores, predictions)
    return [ModelColumns(score, guess, is_confidence=bool(named.confidence)) for score, guess in pairs]


def _of_usual_names(
    named: NamedColumns, scores: Names, predictions: Names, doubtful: Names, has_chances: bool, file: str
) -> ModelColumns:
    """Return the columns of the only model; if one is named, one with a usual name may be of another model."""
    if named.answers:
        return ModelColumns(next(iter(named.score), None), next(iter(named.prediction), None))
    score = only_column(scores, "score", file)
    guess = None if named.has_threshold else only_column(predictions, "prediction", file)
    if guess is None and doubtful and not named.has_threshold:
        _ask_for_prediction(doubtful, score, has_chances, file)
    return ModelColumns(score, guess)


def _ask_for_prediction(doubtful: Names, score: str | None, has_chances: bool, file: str) -> None:
    """Stop if a column may hold predictions, by its name, or something else."""
    with_score: dict[str, str | float] = {"score": score} if score else {}
    settings = [{**with_score, "prediction": column} for column in doubtful]
    if score or has_chances:
        settings.append({**with_score, "threshold": 0.5})
    verb = "holds predicted labels" if len(doubtful) == 1 else "hold predicted labels"
    raise UnsettledError(
        f"{file} does not tell whether {quoted(doubtful)} {verb} or something else", *settings
    )


def only_column(columns: Names, role: str, file: str) -> str | None:
    """Return the only one of some columns, or None if there is none; refuse to choose among several."""
    if len(set(columns)) > 1:
        raise UnsettledError(
            f"{file} has {len(columns)} columns that may hold a {role}: {quoted(columns)}; name one, or several to "
            "compare models",
            {role: columns[0]},
            {role: list(columns)},
        )
    return next(iter(columns), None)


def _families(
    free: Names, usual: Mapping[str, str], truth: str, classes: Classes, file: str
) -> list[_Family]:
    """Return the families of columns of probabilities of at least one class each; else the columns named as classes."""
    named: dict[tuple[str, str], dict[str, str]] = {}
    answers = ("score", "prediction", "confidence")
    for row in layouts_in([*free, truth]):
        if row.role != "probability" or row.name == "{class}":
            continue
        for column in free:
            match = row.match(column, truth)
            if match and usual.get(column) not in answers:
                parts = match.groupdict()
                model = parts.get("model") or ""
                label = parts["label"].strip()
                named.setdefault((model or row.name, model), {})[label] = column
    families = []
    taken: set[tuple[str, ...]] = set()
    for (_, model), columns in named.items():
        places = {label: classes.find_named(label) for label in columns}
        of_classes = {
            classes.names[place]: columns[label] for label, place in places.items() if place is not None
        }
        if of_classes and tuple(of_classes.values()) not in taken:
            taken.add(tuple(of_classes.values()))
            others = {label: column for label, column in columns.items() if places[label] is None}
            families.append(_Family(of_classes, others, model))
    if families:
        return families
    places = {name: classes.find_named(name) for name in free}
    as_classes = {classes.names[place]: name for name, place in places.items() if place is not None}
    if len(as_classes) > 1:
        for column in as_classes.values():
            if usual.get(column) in answers:
                raise ValueError(
                    f"Column {column!r} of {file} is named as a class, as other columns are; name it with --score or "
                    f"--prediction, or, if it holds probabilities, rename it to 'p_{column}'."
                )
        return [_Family(as_classes, {})]
    return []


def _family_of_model(families: Sequence[_Family], file: str) -> _Family:
    """Return the only family with the most classes; several may be of several models."""
    most = max(len(family.of_classes) for family in families)
    complete = [family for family in families if len(family.of_classes) == most]
    if len(complete) > 1:
        columns = [column for family in complete for column in family.of_classes.values()]
        raise UnsettledError(
            f"{file} has the probabilities of {len(complete)} models: {quoted(columns)}; name the columns of the "
            "positive label, one for each model",
            {"score": [ANY_COLUMN] * len(complete)},
        )
    return complete[0]


def quoted(names: Iterable[str]) -> str:
    """Join names in quotation marks."""
    return listed(map(repr, names))
