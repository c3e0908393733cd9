"""A small folder of results that the tests of the page share."""

import base64
from fractions import Fraction
from pathlib import Path

from nontrivial.claims.claim import Claim
from nontrivial.claims.judge import make_record
from nontrivial.claims.registry import read_registry
from nontrivial.claims.verdict import Decision, NothingFound, NumberFinding
from nontrivial.files import write_json
from nontrivial_study.documents.evidence import write_evidence

SOURCES, _ = read_registry(Path(__file__).parents[2] / "config" / "claims")

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# What a browser must show and not obey.
EVIL = "<script>alert('x')</script>\"'><img src=x onerror=alert(1)>"


# What was found, by the verdict that follows from it.
FOUND = {
    "reproduced": ("x == 0.4", NumberFinding(*[Fraction(2, 5)] * 3)),
    "caveat": ("x == 0.4", NumberFinding(Fraction(1, 3), Fraction(0), Fraction(1))),
    "contradicted": (
        "prediction_advantage <= cohen_kappa",
        Decision(
            "refuted",
            proved_of="",
            domain={"over": "tables", "cases": 12},
            checked=1820,
            undefined=0,
            hits=1560,
            witness=(4, 5, 6, 7),
            values={"cohen_kappa": "1/3"},
        ),
    ),
    "not_refuted": (
        "jaccard <= f1",
        Decision("searched", proved_of="", domain={"over": "tables", "cases": 12}, checked=1820, undefined=0, hits=0),
    ),
    "not_evaluated": ("x == 0.4", NothingFound("no data", {"files": ["tables/absent.csv"]})),
}


def make_claim(verdict="reproduced", finding=None, shown=None, data=(), **fields):
    """A record as the audit makes it; `shown` has columns of the record itself."""
    formula, usual_finding = FOUND[verdict]
    section = {"section": "Section 5", "locator": "Section 5", "place": 1}
    statement = "A grade of 60 with three options is an advantage of 0.4."
    claim = {"id": "pa-exam", "source": "PA paper", "statement": statement, "kind": "number", "claim": formula}
    claim |= {"over": "tables"} if isinstance(usual_finding, Decision) else {}
    made, finding = Claim(**(section | claim | fields)), finding or usual_finding
    record = make_record(made, finding, dict.fromkeys(data, "ab" * 32), [finding for _ in made.parts])
    return record | {"data": list(data)} | (shown or {})


def write_claims(results, records):
    write_evidence(records, results / "claims")


CURVE_AREAS = """task,model,roc_auc,status
wdbc,forest,0.987654321,ok
wdbc,stump,,failed in fold 3: ValueError: one class only
iris-setosa,forest,1,ok
"""
IMBALANCE_NOISE = """dataset,model,positive,noise,minority_share,measure,mean,low,high,replicates,undefined,reason
wdbc,forest,malignant,0.2,0.05,accuracy,,,,0,0,impossible: too many flips
wdbc,forest,malignant,0.2,0.05,p4,,,,0,0,impossible: too many flips
wdbc,forest,malignant,0.2,0.5,accuracy,0.8,0.7,0.9,10,0,
wdbc,forest,malignant,0.2,0.5,p4,,,,10,10,undefined (0/0) in every test set
wdbc,forest,malignant,0.0,0.5,accuracy,0.9,0.8,1,10,0,
wdbc,forest,malignant,0.0,0.5,p4,0.9,0.8,1,10,0,
"""


def write_results(folder):
    """Write a study with four claims, a figure, two tables and a data set."""
    for name in ("tables", "figures", "data"):
        (folder / name).mkdir(parents=True)
    write_claims(
        folder,
        [
            make_claim(),
            make_claim("contradicted", id="pa-order", kind="inequality"),
            make_claim(id="pa-order-defined", kind="definition"),
            make_claim(
                "not_evaluated",
                id="prg-ranks",
                source="PRG paper",
                command="snakemake --cores 8 --configfile config/paper.yaml",
                data=["tables/curve_areas.csv"],
            ),
        ],
    )
    (folder / "tables" / "curve_areas.csv").write_text(CURVE_AREAS, encoding="utf-8")
    (folder / "tables" / "imbalance_noise.csv").write_text(IMBALANCE_NOISE, encoding="utf-8")
    (folder / "figures" / "pa_figure_1.png").write_bytes(PIXEL)
    (folder / "figures" / "pa_figure_1.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "figures" / "pa_figure_1.pdf").write_bytes(b"%PDF-1.4")
    (folder / "figures" / "pa_figure_1.csv").write_text("x\n1\n")
    record = {"name": "wdbc", "title": "Breast Cancer", "rows": 569, "features": 30, "uci_id": 17}
    record |= {"classes": {"benign": 357, "malignant": 212}, "positive": "malignant", "sha256": "0" * 64}
    record["rows_sha256"] = "0" * 64
    record |= {"source": "scikit-learn", "licence": "CC BY 4.0"}
    write_json(folder / "data" / "wdbc.json", record)
    # Written after the page, which links to them.
    for name in ("manifest-sha256.txt", "ro-crate-metadata.json", "run.json"):
        (folder / name).write_text("")
