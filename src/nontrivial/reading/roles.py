"""Find the columns with the true labels, the columns with answers of models, and the columns that tell rows apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from nontrivial.reading.asking import ANY_COLUMN, UnsettledError, quoted
from nontrivial.reading.labels import Classes
from nontrivial.reading.layouts import (
    ANY_TOOL,
    find_probability_columns,
    is_role_of_all_others,
    layouts_by_column,
    truths_in_names,
    usual_names,
)
from nontrivial.reading.options import Options
from nontrivial.terminal import listed

Names = Sequence[str]
_ANSWER_ROLES = ("score", "prediction", "confidence")
_AMBIGUOUS_ROLES = ("truth or prediction", "prediction or another")


@dataclass(frozen=True)
class ModelColumns:
    """The columns of one model: its scores, its predictions, and its probabilities by the labels in their names.

    With `is_confidence`, the scores are for the predicted label of each case, and not for the positive label.
    """

    score: str | None = None
    prediction: str | None = None
    is_confidence: bool = False
    probabilities: Mapping[str, str] = field(default_factory=dict)

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
    """The columns of a file by what they hold.

    `cases` hold the numbers or names of cases. `cases_count_rows` is true if these only count the rows of the data.
    `repeats` and `folds` distinguish the tests of one model, and `tuning` its settings. `possible_answers` are all
    columns whose names may mean answers, including those that are not read.
    """

    truth: str
    models: tuple[ModelColumns, ...]
    cases: tuple[str, ...]
    cases_count_rows: bool
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    tuning: tuple[str, ...]
    model_names: tuple[str, ...]
    possible_answers: tuple[str, ...]

    @property
    def answers(self) -> list[str]:
        """The columns that hold the answers of models."""
        return [column for model in self.models for column in model.columns]

    @property
    def row_columns(self) -> list[str]:
        """The columns that tell rows apart."""
        return [*self.cases, *self.repeats, *self.folds, *self.tuning, *self.model_names]


def find_roles(names: Names, file: str, options: Options, classes_of: Callable[[str], Classes]) -> Roles:
    """Find the roles of the columns of a file, from the user's options and the layouts of tools.

    `classes_of` takes the column of the truth and returns its classes, or no classes if there are too many. Raise
    ValueError if the names allow several readings, a column is absent or there twice, or a column has two roles.
    """
    named = options.named_columns()
    for column, option in named.items():
        if column not in names:
            raise ValueError(f"--{option} is {column!r}, which {file} does not have; it has {quoted(names)}.")
    truth = options.truth or _find_truth([name for name in names if name not in named], names, file)
    if named.get(truth, "truth") != "truth":
        raise ValueError(f"--{named[truth]} is {truth!r}, which holds the true labels of {file}; --truth names others.")
    layouts = layouts_by_column(names, truth)
    unnamed = list(dict.fromkeys(name for name in names if name not in named and name != truth))
    roles = {name: layouts[name].role for name in unnamed if name in layouts}
    probabilities: dict[str, str] = {}
    if not (options.score or options.confidence) and len(options.prediction) < 2:
        probabilities = _choose_probabilities(file, truth, unnamed, roles, classes_of(truth))
    answer_roles = {name: role for name, role in roles.items() if name not in probabilities.values()}
    candidates = _AnswerCandidates(file, answer_roles, probabilities)
    models = candidates.find_models(options, [*unnamed, truth])
    answers = [column for model in models for column in model.columns]
    unknown = [name for name in unnamed if name not in layouts and name not in answers]
    is_ambiguous = options.truth is None and truth in layouts and layouts[truth].role in _AMBIGUOUS_ROLES
    if is_ambiguous and unknown and not ("prediction" in roles.values() or options.prediction):
        raise UnsettledError(
            f"{truth!r} of {file} may hold the true labels, or predicted ones if another column, such as "
            f"{unknown[0]!r}, holds the true ones",
            {"truth": truth},
            {"truth": ANY_COLUMN},
        )
    for column in (truth, *answers, *named):
        if names.count(column) > 1:
            raise ValueError(f"{file} has {names.count(column):,} columns named {column!r}; one is needed.")
    others = [name for name in unnamed if name not in answers]
    # Columns named with --by may also hold settings or names of models.
    others += [name for name, option in named.items() if option == "by"]

    def with_role(role: str) -> tuple[str, ...]:
        return tuple(name for name in others if name in layouts and layouts[name].role == role)

    cases = with_role("case") if options.id is None else (options.id,)
    tuning = with_role("tuning")
    if not tuning and is_role_of_all_others("tuning", names):
        tuning = tuple(name for name in others if name not in layouts)
    return Roles(
        truth,
        models,
        cases,
        cases_count_rows=options.id is not None or any(layouts[name].tool != ANY_TOOL for name in cases),
        repeats=with_role("repeat"),
        folds=with_role("fold"),
        tuning=tuning,
        model_names=with_role("model"),
        possible_answers=(*candidates.with_role(*_ANSWER_ROLES, *_AMBIGUOUS_ROLES), *probabilities.values()),
    )


def _find_truth(unnamed: Names, names: Names, file: str) -> str:
    """Return the only column whose name means the truth or, without one, may mean it; raise ValueError otherwise."""
    layouts = layouts_by_column(names)
    roles = {name: layouts[name].role for name in unnamed if name in layouts}
    truths = truths_in_names(names)
    certain = [name for name in unnamed if roles.get(name) == "truth" or name in truths]
    candidates = certain or [name for name, role in roles.items() if role == "truth or prediction"]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise UnsettledError(
            f"{file} has {len(candidates)} columns that may hold the true labels: {quoted(candidates)}",
            *({"truth": column} for column in candidates),
        )
    is_unsplit = len(names) == 1 and not names[0].isidentifier()
    or_separator = ", or what splits its lines with --separator" if is_unsplit else ""
    accepted = listed([*usual_names("truth"), *usual_names("truth or prediction")])
    raise ValueError(
        f"{file} has none of the columns {accepted}; it has {quoted(names) or 'none'}; name the column of the true "
        f"labels with --truth{or_separator}."
    )


@dataclass(frozen=True)
class _AnswerCandidates:
    """The columns of a file that may hold answers by their names: `roles` by column, `probabilities` by label."""

    file: str
    roles: Mapping[str, str]
    probabilities: Mapping[str, str]

    def with_role(self, *roles: str) -> list[str]:
        """Return the columns that have one of the roles."""
        return [name for name, role in self.roles.items() if role in roles]

    def find_only(self, role: str) -> str | None:
        """Return the only column with a role, or None without one; raise UnsettledError if there are several."""
        columns = self.with_role(role)
        if len(columns) > 1:
            raise UnsettledError(
                f"{self.file} has {len(columns)} columns that may hold a {role}: {quoted(columns)}; name one, or "
                "several to compare models",
                {role: columns[0]},
                {role: columns},
            )
        return next(iter(columns), None)

    def find_models(self, options: Options, columns: Iterable[str]) -> tuple[ModelColumns, ...]:
        """Return the columns of each model that the user names, or else of the only model; messages list `columns`."""
        if options.probabilities:
            prediction = next(iter(options.prediction), None)
            return (ModelColumns(prediction=prediction, probabilities=options.probabilities),)
        if options.score or options.confidence or options.prediction:
            return self._pair_named(options)
        return (self._find_only_model(columns, has_threshold=options.threshold is not None),)

    def _pair_named(self, options: Options) -> tuple[ModelColumns, ...]:
        """Pair the named columns of scores or confidences with the named columns of predictions."""
        scores, predictions = options.score or options.confidence, options.prediction
        if scores and predictions and len(scores) != len(predictions):
            raise ValueError(
                f"{len(scores)} columns of scores or confidences are named, and {len(predictions)} of predictions; "
                "name as many of both, in the same order, or only one of the two."
            )
        if options.confidence and not predictions:
            prediction = self.find_only("prediction") if len(scores) == 1 else None
            if prediction is None:
                raise ValueError("--confidence needs the predicted labels; name their column with --prediction.")
            predictions = (prediction,)
        return tuple(
            ModelColumns(score, prediction, bool(options.confidence), self.probabilities)
            for score, prediction in zip_longest(scores, predictions)
        )

    def _find_only_model(self, columns: Iterable[str], *, has_threshold: bool) -> ModelColumns:
        """Return the columns of a model by their usual names; with a threshold, ignore the predictions of the file."""
        confidences, predictions = self.with_role("confidence"), self.with_role("prediction")
        has_scores = self.with_role("score") or self.probabilities
        if len(confidences) == len(predictions) == 1 and not has_scores:
            return ModelColumns(confidences[0], predictions[0], is_confidence=True)
        score = self.find_only("score")
        prediction = None if has_threshold else self.find_only("prediction")
        ambiguous = self.with_role(*_AMBIGUOUS_ROLES)
        if ambiguous and prediction is None and not has_threshold:
            with_score: dict[str, Any] = {"score": score} if score else {}
            settings = [{**with_score, "prediction": column} for column in ambiguous]
            if score or self.probabilities:
                settings.append({**with_score, "threshold": 0.5})
            verb = "holds" if len(ambiguous) == 1 else "hold"
            raise UnsettledError(
                f"{self.file} does not tell whether {quoted(ambiguous)} {verb} predicted labels or something else",
                *settings,
            )
        if score or prediction or self.probabilities:
            return ModelColumns(score, prediction, probabilities=self.probabilities)
        if has_threshold:
            raise ValueError(f"--threshold needs scores, and {self.file} has none; name their column with --score.")
        raise ValueError(
            f"{self.file} has no column of scores or predictions among {quoted(columns)}; name a column of predicted "
            "labels with --prediction, or of scores with --score, or call the columns of probabilities CLASS or "
            "p_CLASS."
        )


def _choose_probabilities(
    file: str, truth: str, columns: Sequence[str], roles: Mapping[str, str], classes: Classes
) -> dict[str, str]:
    """Return the set of probability columns that names the most classes, or else the columns named like classes."""
    families: list[dict[str, str]] = []
    unused = [name for name in columns if roles.get(name) not in _ANSWER_ROLES]
    for by_label in find_probability_columns(unused, truth):
        family = {_find_class(label, classes) or label: column for label, column in by_label.items()}
        if family.keys() & set(classes.names) and family not in families:
            families.append(family)
    if not families:
        by_class = {label: name for name in columns if (label := _find_class(name, classes)) is not None}
        return by_class if len(by_class) > 1 else {}
    n_classes = [len(family.keys() & set(classes.names)) for family in families]
    largest = [family for family, n in zip(families, n_classes, strict=True) if n == max(n_classes)]
    if len(largest) > 1:
        of_models = [column for family in largest for column in family.values()]
        raise UnsettledError(
            f"{file} has the probabilities of {len(largest)} models: {quoted(of_models)}; name the columns of the "
            "positive label, one for each model",
            {"score": [ANY_COLUMN] * len(largest)},
        )
    return largest[0]


def _find_class(label: str, classes: Classes) -> str | None:
    """Return the name of the class that a label means; None if there is none."""
    index = classes.find_named(label)
    return None if index is None else classes.names[index]
