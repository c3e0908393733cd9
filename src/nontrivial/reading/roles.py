"""Which columns of a file hold the true labels and the answers of models, and which tell its rows apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nontrivial.reading.answer_columns import (
    AMBIGUOUS_ROLES,
    ANSWER_ROLES,
    AnswerCandidates,
    ModelColumns,
    choose_probabilities,
)
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError, quoted
from nontrivial.reading.labels import Classes
from nontrivial.reading.layouts import (
    ANY_TOOL,
    is_role_of_all_others,
    layouts_by_column,
    truths_in_names,
    usual_names,
)
from nontrivial.reading.options import Options
from nontrivial.terminal import listed

Names = Sequence[str]


@dataclass(frozen=True)
class Roles:
    """The columns of a file by what they hold.

    `cases` number the cases; they count the rows of the data if a tool or the user says so. `repeats` and `folds` tell
    apart the tests of one model, `tuning` its settings. `possible_answers` may hold answers by their names, whether
    they are read or not.
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
    def of_rows(self) -> list[str]:
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
    unnamed = list(dict.fromkeys(name for name in names if name not in named and name != truth))
    roles = {name: layouts[name].role for name in unnamed if name in layouts}
    probabilities: dict[str, str] = {}
    if not (options.score or options.confidence) and len(options.prediction) < 2:
        probabilities = choose_probabilities(file, truth, unnamed, roles, classes_of(truth))
    answer_roles = {name: role for name, role in roles.items() if name not in probabilities.values()}
    candidates = AnswerCandidates(file, answer_roles, probabilities)
    models = candidates.find_models(options, [*unnamed, truth])
    answers = [column for model in models for column in model.columns]
    unknown = [name for name in unnamed if name not in layouts and name not in answers]
    is_ambiguous = options.truth is None and truth in layouts and layouts[truth].role in AMBIGUOUS_ROLES
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
    rest = [name for name in unnamed if name not in answers]
    # Columns named with --by may also hold settings or names of models.
    rest += [name for name, option in named.items() if option == "by"]

    def with_role(role: str) -> tuple[str, ...]:
        return tuple(name for name in rest if name in layouts and layouts[name].role == role)

    cases = with_role("case") if options.id is None else (options.id,)
    tuning = with_role("tuning")
    if not tuning and is_role_of_all_others("tuning", names):
        tuning = tuple(name for name in rest if name not in layouts)
    return Roles(
        truth,
        models,
        cases,
        cases_count_rows=options.id is not None or any(layouts[name].tool != ANY_TOOL for name in cases),
        repeats=with_role("repeat"),
        folds=with_role("fold"),
        tuning=tuning,
        model_names=with_role("model"),
        possible_answers=(*candidates.with_role(*ANSWER_ROLES, *AMBIGUOUS_ROLES), *probabilities.values()),
    )


def _find_truth(unnamed: Names, names: Names, file: str) -> str:
    """Return the only column whose name may mean the truth; names that may also mean predictions come last."""
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
