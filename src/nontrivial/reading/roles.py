"""Which columns of a file hold the true labels, the answers of models, and what tells rows apart."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.labels import Classes
from nontrivial.reading.layouts import (
    ANY_TOOL,
    find_families,
    has_rest,
    layouts_by_column,
    names_of,
    truths_in_names,
)
from nontrivial.reading.options import Options
from nontrivial.terminal import listed

Names = Sequence[str]
AMBIGUOUS_ROLES = ("truth or prediction", "prediction or another")
_ANSWER_ROLES = ("score", "prediction", "confidence")


@dataclass(frozen=True)
class ModelColumns:
    """The columns of one model: of its scores, of its predictions, or of the probabilities of labels."""

    score: str | None = None
    prediction: str | None = None
    is_confidence: bool = False  # the scores are for the predicted label of each case, not the positive one
    probabilities: Mapping[str, str] = field(default_factory=dict)  # by the label in the name of the column

    @property
    def name(self) -> str:
        """The name of the model if a file has several."""
        return self.score or self.prediction or "probabilities"

    @property
    def columns(self) -> list[str]:
        """All columns of the model."""
        return [name for name in (self.score, self.prediction, *self.probabilities.values()) if name]


@dataclass(frozen=True)
class Roles:
    """What the columns of a file hold."""

    truth: str
    models: tuple[ModelColumns, ...]
    cases: tuple[str, ...] = ()  # that number the cases
    are_rows_of_data: bool = False  # a tool or the user says that they number the cases of the data
    repeats: tuple[str, ...] = ()  # that tell apart the tests of one model, and so do the folds
    folds: tuple[str, ...] = ()
    tuning: tuple[str, ...] = ()  # that tell apart the settings of one model
    model_names: tuple[str, ...] = ()  # that may name models
    may_be_answers: tuple[str, ...] = ()  # by their names, whether they are read or not

    @property
    def answers(self) -> list[str]:
        """The columns that hold what models answered."""
        return [column for model in self.models for column in model.columns]

    @property
    def dividing(self) -> list[str]:
        """The columns that tell rows apart."""
        return [*self.cases, *self.repeats, *self.folds, *self.tuning, *self.model_names]


def find_roles(names: Names, file: str, options: Options, classes_of: Callable[[str], Classes]) -> Roles:
    """Return what the columns of a file hold, by what the user names and by the layouts of tools.

    `classes_of` takes the column of the truth and returns its classes, none if they are too many. ValueError says that
    the names allow several readings, a named column is absent or has two roles, or a needed one is absent or twice.
    """
    named = options.named_columns()
    for column, option in named.items():
        if column not in names:
            raise ValueError(f"--{option} is {column!r}, which {file} does not have; it has {quoted(names)}.")
    truth = options.truth or _find_truth([name for name in names if name not in named], names, file)
    if named.get(truth, "truth") != "truth":
        raise ValueError(
            f"--{named[truth]} is {truth!r}, which holds the true labels of {file}; --truth names others."
        )
    layouts = layouts_by_column(names, truth)
    free = list(dict.fromkeys(name for name in names if name not in named and name != truth))
    roles = {name: layouts[name].role for name in free if name in layouts}
    probabilities: dict[str, str] = {}
    if not (options.score or options.confidence) and len(options.prediction) < 2:
        probabilities = _find_probabilities(file, truth, free, roles, classes_of(truth))
    answer_roles = {name: role for name, role in roles.items() if name not in probabilities.values()}
    models = _AnswerColumns(file, options, answer_roles, probabilities).find_models([*free, truth])
    answers = [column for model in models for column in model.columns]
    unknown = [name for name in free if name not in layouts and name not in answers]
    is_doubtful = options.truth is None and truth in layouts and layouts[truth].role in AMBIGUOUS_ROLES
    if is_doubtful and unknown and not ("prediction" in roles.values() or options.prediction):
        raise UnsettledError(
            f"{truth!r} of {file} may hold the true labels, or predicted ones if another column, such as "
            f"{unknown[0]!r}, holds the true ones",
            {"truth": truth},
            {"truth": ANY_COLUMN},
        )
    for column in (truth, *answers, *named):
        if names.count(column) > 1:
            raise ValueError(f"{file} has {names.count(column):,} columns named {column!r}; one is needed.")
    # Columns named with --by may also be settings or names of models.
    others = [name for name in free if name not in answers]
    others += [name for name, option in named.items() if option == "by"]
    others_by_role: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for name in others:
        if name in layouts:
            others_by_role[layouts[name].role] += (name,)
    cases = others_by_role["case"] if options.id is None else (options.id,)
    tuning = others_by_role["tuning"]
    if not tuning and has_rest(names, "tuning"):
        tuning = tuple(name for name in others if name not in layouts)
    may_be_answers = [
        name for name, role in answer_roles.items() if role in (*_ANSWER_ROLES, *AMBIGUOUS_ROLES)
    ]
    return Roles(
        truth,
        tuple(models),
        cases=cases,
        are_rows_of_data=options.id is not None or any(layouts[name].tool != ANY_TOOL for name in cases),
        repeats=others_by_role["repeat"],
        folds=others_by_role["fold"],
        tuning=tuning,
        model_names=others_by_role["model"],
        may_be_answers=(*may_be_answers, *probabilities.values()),
    )


def _find_truth(free: Names, names: Names, file: str) -> str:
    """Return the only column whose name may mean the truth; one that may also mean predictions comes last."""
    layouts = layouts_by_column(names)
    roles = {name: layouts[name].role for name in free if name in layouts}
    repeated = truths_in_names(names)
    certain = [name for name in free if roles.get(name) == "truth" or name in repeated]
    candidates = certain or [name for name, role in roles.items() if role == "truth or prediction"]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise UnsettledError(
            f"{file} has {len(candidates)} columns that may hold the true labels: {quoted(candidates)}",
            *({"truth": column} for column in candidates),
        )
    is_unsplit = len(names) == 1 and not names[0].isidentifier()
    unsplit = ", or what splits its lines with --separator" if is_unsplit else ""
    usual_names = listed([*names_of("truth"), *names_of("truth or prediction")])
    raise ValueError(
        f"{file} has none of the columns {usual_names}; it has {quoted(names) or 'none'}; name the column of the true "
        f"labels with --truth{unsplit}."
    )


@dataclass(frozen=True)
class _AnswerColumns:
    """The columns of a file that may hold answers of models, with their roles."""

    file: str
    options: Options
    roles: Mapping[str, str]
    probabilities: Mapping[str, str]

    def find_models(self, columns: Names) -> list[ModelColumns]:
        """Return the columns of each model: as the user names them, else of one model by their usual names."""
        options = self.options
        scores, predictions = options.score or options.confidence, options.prediction
        if options.probabilities:
            prediction = next(iter(predictions), None)
            return [ModelColumns(prediction=prediction, probabilities=options.probabilities)]
        if scores and predictions and len(scores) != len(predictions):
            raise ValueError(
                f"{len(scores)} columns of scores or confidences are named, and {len(predictions)} of predictions; "
                "name as many of both, in the same order, or only one of the two."
            )
        if options.confidence and not predictions:
            prediction = self._find_only("prediction") if len(scores) == 1 else None
            if prediction is None:
                raise ValueError(
                    "--confidence needs the predicted labels; name their column with --prediction."
                )
            predictions = (prediction,)
        if scores or predictions:
            is_confidence = bool(options.confidence)
            pairs = zip_longest(scores, predictions)
            return [
                ModelColumns(score, prediction, is_confidence, self.probabilities)
                for score, prediction in pairs
            ]
        return [self._find_model(columns)]

    def _find_model(self, columns: Names) -> ModelColumns:
        """Return the columns of the only model by their usual names."""
        has_threshold = self.options.threshold is not None  # which sets predictions of the file aside
        confidences, predictions = self._with_roles("confidence"), self._with_roles("prediction")
        has_scores = self._with_roles("score") or self.probabilities
        if len(confidences) == len(predictions) == 1 and not has_scores:
            return ModelColumns(confidences[0], predictions[0], is_confidence=True)
        score = self._find_only("score")
        prediction = None if has_threshold else self._find_only("prediction")
        doubtful = self._with_roles(*AMBIGUOUS_ROLES)
        if doubtful and prediction is None and not has_threshold:
            with_score: dict[str, Any] = {"score": score} if score else {}
            settings = [{**with_score, "prediction": column} for column in doubtful]
            if score or self.probabilities:
                settings.append({**with_score, "threshold": 0.5})
            verb = "holds predicted labels" if len(doubtful) == 1 else "hold predicted labels"
            raise UnsettledError(
                f"{self.file} does not tell whether {quoted(doubtful)} {verb} or something else", *settings
            )
        if score or prediction or self.probabilities:
            return ModelColumns(score, prediction, probabilities=self.probabilities)
        if has_threshold:
            raise ValueError(
                f"--threshold needs scores, and {self.file} has none; name their column with --score."
            )
        raise ValueError(
            f"{self.file} has no column of scores or predictions among {quoted(columns)}; name a column of predicted "
            "labels with --prediction, or of scores with --score, or call the columns of probabilities CLASS or "
            "p_CLASS."
        )

    def _with_roles(self, *roles: str) -> list[str]:
        return [name for name, role in self.roles.items() if role in roles]

    def _find_only(self, role: str) -> str | None:
        """Return the only column with a role, or None without any; refuse to choose among several."""
        columns = self._with_roles(role)
        if len(columns) > 1:
            raise UnsettledError(
                f"{self.file} has {len(columns)} columns that may hold a {role}: {quoted(columns)}; name one, or "
                "several to compare models",
                {role: columns[0]},
                {role: columns},
            )
        return next(iter(columns), None)


def _find_probabilities(
    file: str, truth: str, free: Names, roles: Mapping[str, str], classes: Classes
) -> dict[str, str]:
    """Return the columns named as probabilities of the most classes, or else the columns called like classes."""
    families: list[dict[str, str]] = []
    for candidate in find_families([name for name in free if roles.get(name) not in _ANSWER_ROLES], truth):
        named = {_class_of(label, classes) or label: column for label, column in candidate.items()}
        if named.keys() & set(classes.names) and named not in families:
            families.append(named)
    if not families:
        called = {label: name for name in free if (label := _class_of(name, classes)) is not None}
        return called if len(called) > 1 else {}
    counts = [len(family.keys() & set(classes.names)) for family in families]
    largest = [family for family, count in zip(families, counts, strict=True) if count == max(counts)]
    if len(largest) > 1:
        columns = [column for family in largest for column in family.values()]
        raise UnsettledError(
            f"{file} has the probabilities of {len(largest)} models: {quoted(columns)}; name the columns of the "
            "positive label, one for each model",
            {"score": [ANY_COLUMN] * len(largest)},
        )
    return largest[0]


def _class_of(label: str, classes: Classes) -> str | None:
    """Return the name of the class that a label means; None if it means none."""
    place = classes.find_named(label)
    return None if place is None else classes.names[place]


def quoted(names: Iterable[str]) -> str:
    """Join names in quotation marks."""
    return listed(map(repr, names))
