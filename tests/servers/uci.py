"""UCI's protocol: a description in JSON that names a CSV file."""

from __future__ import annotations

import json
from pathlib import Path

# Names as UCI gives them, misspelling included.
_HABERMAN = ["age", "operation_year", "positive_auxillary_nodes"]
_WISCONSIN = [
    "Clump_thickness",
    "Uniformity_of_cell_size",
    "Uniformity_of_cell_shape",
    "Marginal_adhesion",
    "Single_epithelial_cell_size",
    "Bare_nuclei",
    "Bland_chromatin",
    "Normal_nucleoli",
    "Mitoses",
]
_MEASURED = [
    "radius",
    "texture",
    "perimeter",
    "area",
    "smoothness",
    "compactness",
    "concavity",
    "concave_points",
    "symmetry",
    "fractal_dimension",
]
_SETS = {
    43: ("Haberman's Survival", "haberman.data", [], _HABERMAN, "survival_status"),
    17: (
        "Breast Cancer Wisconsin (Diagnostic)",
        "wdbc.data",
        ["ID"],
        [f"{name}{number}" for number in (1, 2, 3) for name in _MEASURED],
        "Diagnosis",
    ),
    15: (
        "Breast Cancer Wisconsin (Original)",
        "breast-cancer-wisconsin.data",
        ["Sample_code_number"],
        _WISCONSIN,
        "Class",
    ),
}
_TARGET_FIRST = {17}


def _columns(uci_id: int) -> list[tuple[str, str]]:
    _, _, ids, features, target = _SETS[uci_id]
    inputs = [(name, "Feature") for name in features]
    known = [(name, "ID") for name in ids]
    label = [(target, "Target")]
    return known + (label + inputs if uci_id in _TARGET_FIRST else inputs + label)


def describe(uci_id: int, address: str) -> bytes:
    """Return the answer to ``/api/dataset?id=``."""
    if uci_id not in _SETS:
        return json.dumps({"status": 404, "message": "Dataset not found in repository"}).encode()
    name = _SETS[uci_id][0]
    data = {
        "uci_id": uci_id,
        "name": name,
        "data_url": f"{address}/static/public/{uci_id}/data.csv",
        "variables": [
            {"name": column, "role": role, "type": "Integer", "missing_values": "no"}
            for column, role in _columns(uci_id)
        ],
        "additional_info": None,
        "intro_paper": None,
    }
    return json.dumps({"status": 200, "data": data}).encode()


def table(uci_id: int, folder: Path) -> bytes:
    """Return the CSV with its header, missing values as empty cells."""
    header = ",".join(name for name, _ in _columns(uci_id))
    lines = (folder / "uci" / _SETS[uci_id][1]).read_text(encoding="ascii").split()
    cells = (",".join("" if cell == "?" else cell for cell in line.split(",")) for line in lines)
    return "\n".join([header, *cells, ""]).encode()
