"""Scorecards whose plain data are what the schema says."""

import json
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd

import nontrivial
from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers

SCHEMA = json.loads(resources.files("nontrivial.scorecard").joinpath("score.schema.json").read_text())


VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def score(data, **options):
    scored = nontrivial.score_predictions(data, **options)
    plain = json.loads(json.dumps(scored.to_json(), allow_nan=False))
    VALIDATOR.validate(plain)
    return scored


def class_probabilities(n_classes):
    draw = np.random.default_rng(6)
    names = [f"c{place}" for place in range(n_classes)]
    truth = np.arange(12 * n_classes) % n_classes
    chances = draw.dirichlet(np.ones(n_classes), len(truth)) * 0.7 + 0.3 * np.eye(n_classes)[truth]
    return pd.DataFrame(chances, columns=names).assign(y=np.array(names)[truth]), truth


def read_predictions(file, **options):
    """The answers of the one model that a file has."""
    (answers,) = read_answers([file], options_of(**options)).members
    return answers
