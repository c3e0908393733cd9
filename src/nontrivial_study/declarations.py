"""What each experiment declares in `experiments/NAME/experiment.yaml`: document, settings, tables and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from nontrivial.files import find_files
from nontrivial.schemas import read_yaml
from nontrivial.terminal import listed

_FOLDER = Path(__file__).parent / "experiments"
DECLARATION_FILE = "experiment.yaml"


@dataclass(frozen=True)
class Experiment:
    """The declaration of an experiment. A result is a table or a figure.

    - `document`: the document that the results belong to, unless a table names another one
    - `listed`: whether the experiment runs only if the configuration lists it
    - `settings`: its keys of the configuration, with their schemas
    - `defaults`: the values of these settings
    - `names`: settings that name data sets, tasks or models, and the kind of what each names
    - `estimators`: settings that hold scikit-learn models, and the kind of each model
    - `uses`: settings whose data sets the experiment reads only if the study has them
    - `needs`: "tasks" for all tasks and their scores, or "models" for all models
    - `groups`: names for columns that several tables have in a row
    - `columns`: descriptions of columns that no other experiment has
    - `tables`: declarations of tables, by name
    - `figures`: each has a function `draw`, and `numbers`, which declare its table or name one with the same columns;
      `number` is the number of the document's figure that it shows, and `after` a figure that it follows
    - `drawn_with`: tables that the figures need besides their numbers
    """

    name: str
    document: str
    listed: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    estimators: Mapping[str, str] = field(default_factory=dict)
    uses: Sequence[str] = ()
    needs: Sequence[str] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    figures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    drawn_with: Sequence[str] = ()

    @property
    def results(self) -> dict[str, Mapping[str, Any] | str]:
        """A mapping of the name of each table and figure to its declaration, or to a table with the same columns."""
        return {**self.tables, **{name: figure["numbers"] for name, figure in self.figures.items()}}

    def document_of(self, result: str) -> str:
        """Return the document that a result belongs to."""
        return str(self.tables.get(result, {}).get("document", self.document))

    def caption_file(self, result: str) -> Path:
        """Return the path of a result's caption."""
        return _FOLDER / self.name / "captions" / f"{result}.rst"


@cache
def load_experiments() -> Mapping[str, Experiment]:
    """Return the declarations of all experiments, by name."""
    paths = find_files(_FOLDER, f"*/{DECLARATION_FILE}")
    return {path.parent.name: _read_declaration(path) for path in paths}


def experiment_of(result: str) -> Experiment:
    """Return the experiment that declares a table or figure, or else an experiment with an empty name."""
    owners = (experiment for experiment in load_experiments().values() if result in experiment.results)
    return next(owners, Experiment("", ""))


def _read_declaration(path: Path) -> Experiment:
    """Read a declaration. Raise ValueError if it has an unknown key or names no document."""
    content = read_yaml(path)
    allowed = [key.name for key in fields(Experiment)][1:]
    if unknown := content.keys() - set(allowed):
        raise ValueError(f"{path}: the key {min(unknown)} is not one of {', '.join(allowed)}.")
    if "document" not in content:
        raise ValueError(f"{path}: the key document is missing; it says what the results belong to.")
    for key, properties in content.get("settings", {}).items():
        schema = {"type": "object", "additionalProperties": False, "properties": properties}
        content["settings"][key] = {**schema, "description": f"a mapping with the keys {listed(properties)}"}
    return Experiment(path.parent.name, **content)
