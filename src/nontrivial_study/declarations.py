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

    Attributes
    ----------
    name : str
        The name of the experiment's folder.
    document : str
        The document that the results belong to, unless a table names another one.
    listed : bool
        Whether the experiment runs only if the configuration lists it.
    settings, defaults : mapping
        The experiment's own keys of the configuration, with their schemas, and the values of these settings.
    names, estimators : mapping of str to str
        Settings that name data sets, tasks or models, and settings that hold scikit-learn models, each with its kind.
    uses : sequence of str
        Settings that name further data sets, which the experiment reads only if the study has them.
    needs : sequence of str
        "tasks" for all tasks and their scores, "models" for all models.
    groups, columns : mapping
        Names for columns that several tables have in a row, and the columns that no other experiment has.
    tables, figures : mapping
        The results. A figure has a function, `draw`, and `numbers`, which declare its table or name a table with the
        same columns. It has the `number` of the document's figure that it shows, or comes `after` such a figure.
    drawn_with : sequence of str
        Tables that the figures need besides their numbers.
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
        """The declaration of each table and of each figure's numbers, or the name of a table with the same columns."""
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
    """Return the experiment that declares a table or a figure; if none does, one without name and document."""
    owners = (experiment for experiment in load_experiments().values() if result in experiment.results)
    return next(owners, Experiment("", ""))


def _read_declaration(path: Path) -> Experiment:
    """Read a declaration; ValueError if it has an unknown key or names no document."""
    content = read_yaml(path)
    known = [key.name for key in fields(Experiment)][1:]
    if unknown := content.keys() - set(known):
        raise ValueError(
            f"{path}: the key {min(unknown)} is not known; the known keys are {', '.join(known)}."
        )
    if "document" not in content:
        raise ValueError(f"{path}: the key document is missing; it says what the results belong to.")
    for key, properties in content.get("settings", {}).items():
        schema = {"type": "object", "additionalProperties": False, "properties": properties}
        content["settings"][key] = {**schema, "description": f"a mapping with the keys {listed(properties)}"}
    return Experiment(path.parent.name, **content)
