"""From files to the answers of models: the roles of columns, then models and cases, then predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from nontrivial._arrays import Mask
from nontrivial._validation import as_weights
from nontrivial.reading.cross_table import refuse_counts
from nontrivial.reading.files import open_table
from nontrivial.reading.labels import refuse_look_alikes, refuse_unknown_labels
from nontrivial.reading.options import BEST_THRESHOLD, Options
from nontrivial.reading.roles import ModelColumns
from nontrivial.reading.scores import find_threshold, scores_from_confidence
from nontrivial.scorecard.answers import suspicions
from nontrivial.scorecard.answers.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.answers.columns import PredictionFile, PredictionTask, choose_columns, find_task
from nontrivial.scorecard.answers.pairing import AlignedAnswers, align_cases
from nontrivial.scorecard.answers.rows import divide_rows, find_case_column, number_cases, split_models
from nontrivial.scorecard.answers.thresholds import judge_best_threshold
from nontrivial.terminal import announce_long_work, listed


def read_answers(
    files: Sequence[str | Path | pd.DataFrame], options: Options, *, progress: bool = False
) -> AlignedAnswers:
    """Read the answers of all models of some files, or tables in memory: Predictions, or Forecasts, all of one kind."""
    members: list[Any] = []
    for file in files:
        name = "the table" if isinstance(file, pd.DataFrame) else Path(file).name
        with announce_long_work(f"Reading {name}", shown=progress):
            models, are_same_rows = read_file(file, options, has_others=len(files) > 1)
        if len(files) > 1:
            models = [replace(model, model=f"{model.name}: {model.model}".removesuffix(": ")) for model in models]
        members += models
    pa.default_memory_pool().release_unused()  # the pool held the texts of the files
    if len({answers.model for answers in members}) < len(members):
        members = [replace(answers, model=f"{answers.model} ({number})") for number, answers in enumerate(members, 1)]
    if len({type(answers) for answers in members}) > 1:
        raise ValueError("Some files have classes and others have numbers; choose one kind with --task.")
    aligned = align_cases(members, named=options.id, are_same_rows=len(files) == 1 and are_same_rows)
    if options.threshold != BEST_THRESHOLD:
        return aligned
    return replace(aligned, members=tuple(map(judge_best_threshold, aligned.members)))


def read_file(path: str | Path | pd.DataFrame, options: Options, *, has_others: bool) -> tuple[list[Any], bool]:
    """Return the answers of the models of a file, and whether they stand beside each other in the same rows."""
    table = open_table(path, options.separator, options.encoding, options.sheet)
    refuse_counts(table)
    file = PredictionFile(table, options)
    roles, options = file.roles, file.options
    file.load([roles.truth, *roles.answers, *filter(None, (options.weight, options.group)), *options.by])
    file.load(roles.row_columns)
    task = find_task(file)
    models = [choose_columns(file, task, model) for model in roles.models]
    truth = file.columns[roles.truth].distinct_texts.codes  # the codes before gaps are filled
    is_incomplete = _fill_gaps(file, task, models)
    if len(task.classes.names) < 2 and not task.is_regression:
        raise ValueError(f"{file.place(roles.truth)} has one class only; two or more are needed.")
    division = divide_rows(file, truth)
    group = options.group
    if file.user_options.group is None:
        group = find_case_column(file, division, truth)
    shared = {"sha256": table.sha256, "is_incomplete": is_incomplete, **_read_weights_and_groups(file, group)}
    if has_others or division.models.names:
        shared |= number_cases(file, division)
    notes_on_file = [
        *division.notes,
        *suspicions.notes_on_rows(file, group, has_models=bool(division.models.names)),
        *suspicions.notes_on_columns(file, task, models, has_others=has_others),
    ]
    members = []
    for model, named_model in zip(models, roles.models, strict=True):
        answers = _read_forecasts(file, model) if task.is_regression else _read_predictions(file, task, model)
        columns = {"truth": roles.truth, **answers.columns}
        columns |= {role: name for role, name in (("weight", options.weight), ("group", group)) if name}
        model_name = named_model.name if len(models) > 1 else ""
        answers = replace(answers, model=model_name, columns=columns, **shared).with_notes(*notes_on_file)
        for part in split_models(answers, division, options.by):
            complete = part if part.is_incomplete is None else part.select_cases(~part.is_incomplete)
            suspicions.refuse_other_meanings(file, task, model, complete)
            members.append(part.with_notes(*suspicions.notes_on_answers(complete, model)))
    return members, not division.models.names


def _fill_gaps(file: PredictionFile, task: PredictionTask, models: Sequence[ModelColumns]) -> Mask | None:
    """Copy a complete row into the incomplete rows, so that arrays need no mask; return which rows were incomplete."""
    options, columns, truth = file.options, file.columns, file.roles.truth
    predictions = [model.prediction for model in models if model.prediction]
    numbers = [name for model in models for name in model.columns if name not in predictions]
    labels = [truth, *predictions]
    if task.is_regression:
        numbers, labels = [truth, *predictions, *numbers], []
    gaps = {name: file.labels(name).codes < 0 for name in labels}
    gaps |= {name: np.isnan(columns[name].numbers) for name in (*numbers, options.weight) if name}
    gaps |= {name: columns[name].names.isna() for name in (options.group, *options.by) if name}
    is_incomplete: Mask = np.any(list(gaps.values()), axis=0)
    if not is_incomplete.any():
        return None
    if options.missing == "refuse" or is_incomplete.all():
        _refuse_gaps(file, {name: gap for name, gap in gaps.items() if gap.any()}, is_incomplete)
    # These rows are left out later, together with the same cases of other models.
    rows = pa.array(np.where(is_incomplete, is_incomplete.argmin(), np.arange(len(is_incomplete))))
    for name in gaps:
        columns[name] = replace(columns[name], cells=columns[name].cells.take(rows))
    return is_incomplete


def _refuse_gaps(file: PredictionFile, gaps: Mapping[str, Mask], is_incomplete: Mask) -> None:
    counts, has_words = [], False
    for name, gap in gaps.items():
        row = int(gap.argmax())
        cell = str(file.columns[name].cells[row].as_py() or "").strip()
        has_words = has_words or bool(cell)
        holds = f", where it holds {cell!r}" if cell else ""
        counts.append(f"{np.count_nonzero(gap):,} in {name!r} (the first in row {row + 1:,}{holds})")
    remedy = "complete them"
    if not gaps.keys().isdisjoint(file.options.by):
        remedy += ", or give them a value of their own, such as unknown"
    if not is_incomplete.all():
        remedy += ", or leave these cases out with --missing drop"
    if has_words:
        remedy += "; a label must be written otherwise, or named with --positive"
    raise ValueError(
        f"{file.name} lacks values in {np.count_nonzero(is_incomplete):,} of {len(is_incomplete):,} data rows: "
        f"{listed(counts)}; {remedy}."
    )


def _read_weights_and_groups(file: PredictionFile, group: str | None) -> dict[str, Any]:
    """Return the fields `weights` and `groups` of `Answers`, if there are such columns."""
    weight, fields = file.options.weight, dict[str, Any]()
    if weight is not None:
        weights = file.columns[weight].numbers
        fields["weights"] = as_weights(weights, len(weights), file.place(weight))
    if group is not None:
        names = file.columns[group].names
        if len(names.categories) < 2:
            raise ValueError(f"{file.place(group)} has one group only; two or more are needed.")
        fields["groups"] = names.codes.astype(np.int64)
    return fields


def _read_forecasts(file: PredictionFile, model: ModelColumns) -> Answers:
    column = str(model.prediction)
    truth, numbers = file.columns[file.roles.truth].numbers, file.columns[column].numbers
    return Forecasts(file.name, {"prediction": column}, truth, numbers, quantile=file.options.quantile)


def _read_predictions(file: PredictionFile, task: PredictionTask, model: ModelColumns) -> Answers:
    """Return the classes that a model predicted, or the scores or probabilities that predict them."""
    classes, options = task.classes, file.options
    predicted = file.labels(model.prediction) if model.prediction else None
    texts = [] if predicted is None else predicted.texts
    refuse_unknown_labels(task.find_unknown(texts), texts, classes, file.place(model.prediction))
    probabilities = model.probabilities if task.positive is None else {}
    unknown = task.find_unknown([*texts, *probabilities])
    labels = (*classes.names, *unknown)
    refuse_look_alikes(labels, file.name)
    columns = {
        "confidence" if model.is_confidence else "score": model.score,
        "prediction": model.prediction,
        "probabilities": listed(probabilities.values()),
    }
    answers = Predictions(
        file.name,
        {role: column for role, column in columns.items() if column},
        classes.encode(*file.labels(file.roles.truth)),
        None if predicted is None else classes.encode(*predicted, unknown),
        labels=labels,
        n_classes=len(classes.names),
    )
    if task.positive is not None:
        answers = replace(
            answers,
            truth=answers.truth == task.positive,
            prediction=None if predicted is None else answers.prediction == task.positive,
            positive=classes.names[task.positive],
            assumed=options.positive is None,
            cost=options.cost,
        )
        return answers if model.score is None else _add_score(file, model, answers)
    if options.cost is not None or options.threshold is not None:
        raise ValueError(f"--cost and --threshold need a positive class; name one of {file.name} with --positive.")
    if answers.prediction is None and not probabilities:
        raise ValueError(
            f"{file.place(file.roles.truth)} has {len(classes.names):,} classes ({listed(classes.names, 5)}), but a "
            "score is for one class; name that class with --positive, or name a column of predictions with "
            "--prediction; for numbers to predict, give --task regression."
        )
    if not probabilities:
        return answers
    answers = replace(answers, probabilities=file.numbers(probabilities.values()))
    if answers.prediction is not None:
        return answers
    most_probable = np.argmax(np.asarray(answers.probabilities), axis=1)
    return replace(answers, prediction=most_probable, rule="the class of the greatest probability")


def _add_score(file: PredictionFile, model: ModelColumns, answers: Predictions) -> Predictions:
    """Add the scores of the positive class, and predictions by a threshold if the file has none."""
    column, options = str(model.score), file.options
    place, score = file.place(column), file.columns[column].numbers
    if model.is_confidence:
        score = scores_from_confidence(score, answers.prediction, place)
    answers = replace(answers, score=score)
    if answers.prediction is not None and options.threshold is None:
        return answers
    if options.threshold == BEST_THRESHOLD:
        return replace(answers, prediction=None, is_threshold_best=True)
    threshold = find_threshold(score, options, place)
    if threshold is None:
        return answers
    rule = f"positive where {column} >= {threshold.value + 0.0:.6g}, {threshold.reason}"
    return replace(answers, prediction=score >= threshold.value, threshold=threshold.value, rule=rule)
