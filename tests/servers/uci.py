"""UCI's protocol: a description in JSON that names a CSV file."""

from __future__ import annotations

import json
from pathlib import Path

_WISCONSIN = "Clump_thickness Uniformity_of_cell_size Uniformity_of_cell_shape Marginal_adhesion"
_WISCONSIN += " Single_epithelial_cell_size Bare_nuclei Bland_chromatin Normal_nucleoli Mitoses"
_MEASURED = "radius texture perimeter area smoothness compactness concavity concave_points symmetry fractal_dimension"
_WDBC = " ".join(f"{name}{number}" for number in (1, 2, 3) for name in _MEASURED.split())
# The file, and its columns in their order, with names as UCI gives them, misspelling included.
_SETS = {
    43: ("haberman.data", "age operation_year positive_auxillary_nodes survival_status"),
    17: ("wdbc.data", f"ID Diagnosis {_WDBC}"),
    15: ("breast-cancer-wisconsin.data", f"Sample_code_number {_WISCONSIN} Class"),
}
_ROLES = {"ID": "ID", "Sample_code_number": "ID"} | dict.fromkeys(("survival_status", "Diagnosis", "Class"), "Target")


def describe(uci_id: int, address: str) -> bytes:
    """Return the answer to ``/api/dataset?id=``."""
    if uci_id not in _SETS:
        return json.dumps({"status": 404, "message": "Dataset not found in repository"}).encode()
    file, columns = _SETS[uci_id]
    variables = [
        {"name": name, "role": _ROLES.get(name, "Feature"), "type": "Integer", "missing_values": "no"}
        for name in columns.split()
    ]
    data = {"uci_id": uci_id, "name": file, "data_url": f"{address}/static/public/{uci_id}/data.csv"}
    data |= {"variables": variables, "additional_info": None, "intro_paper": None}
    return json.dumps({"status": 200, "data": data}).encode()


def table(uci_id: int, folder: Path) -> bytes:
    """Return the CSV with its header, missing values as empty cells."""
    file, columns = _SETS[uci_id]
    lines = (folder / "uci" / file).read_text(encoding="ascii").split()
    cells = (",".join("" if cell == "?" else cell for cell in line.split(",")) for line in lines)
    return "\n".join([columns.replace(" ", ","), *cells, ""]).encode()
