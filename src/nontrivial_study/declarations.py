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
FILE = "experiment.yaml"


@dataclass(frozen=True)
class Experiment:
    """The content of the file. A result is a table or a figure."""

    name: str  # of its folder
    document: str  # that the results belong to, unless a table names another
    listed: bool = True  # whether the configuration lists it among its experiments
    # Keys of the configuration and their schemas; the file has the schema of each key in such a mapping.
    settings: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of these settings
    # Settings that name data sets, tasks or models, and settings that hold models of scikit-learn: of what kind.
    names: Mapping[str, str] = field(default_factory=dict)
    estimators: Mapping[str, str] = field(default_factory=dict)
    # What it needs besides what these settings name: data sets named by others, if the study has them, or all "tasks"
    # and their scores, or all "models".
    uses: Sequence[str] = ()
    needs: Sequence[str] = ()
    # Columns that several of its tables have in a row.
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # that no other experiment has
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # `draw` is a function of its module of figures. `numbers` describes the figure's own table, or names a table with
    # the same columns. A figure has the `number` of the document's figure that it is, or comes `after` one.
    figures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    drawn_with: Sequence[str] = ()  # tables that its figures need besides their numbers

    @property
    def layouts(self) -> dict[str, Mapping[str, Any] | str]:
        """The row and the columns of each table and of each figure's numbers, or another that has the same columns."""
        return {**self.tables, **{name: figure["numbers"] for name, figure in self.figures.items()}}

    def document_of(self, result: str) -> str:
        """Return the document that a result belongs to."""
        return str(self.tables.get(result, {}).get("document", self.document))

    def caption_file(self, result: str) -> Path:
        """Return the path of a result's caption."""
        return _FOLDER / self.name / "captions" / f"{result}.rst"


@cache
def declared() -> Mapping[str, Experiment]:
    """Return all experiments by name."""
    return {path.parent.name: _read(path) for path in find_files(_FOLDER, f"*/{FILE}")}


def declaring(result: str) -> Experiment:
    """Return the experiment that declares a table or a figure; one without name and document if none does."""
    owners = (experiment for experiment in declared().values() if result in experiment.layouts)
    return next(owners, Experiment("", ""))


def _read(path: Path) -> Experiment:
    content = read_yaml(path)
    known = [key.name for key in fields(Experiment)][1:]
    if unknown := content.keys() - set(known):
        raise ValueError(f"{path}: there is no key {min(unknown)}; the known keys are {', '.join(known)}.")
    if "document" not in content:
        raise ValueError(f"{path}: the key document is missing; it says what the results belong to.")
    for key, properties in content.get("settings", {}).items():
        schema = {"type": "object", "additionalProperties": False, "properties": properties}
        content["settings"][key] = {**schema, "description": f"a mapping with the keys {listed(properties)}"}
    return Experiment(path.parent.name, **content)
