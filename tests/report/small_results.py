"""A small folder of results that the tests of the page share."""

import base64
import json

from nontrivial.records import write_record

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# What a browser must show and not obey.
EVIL = "<script>alert('x')</script>\"'><img src=x onerror=alert(1)>"


def make_claim(**changes):
    claim = {
        "id": "pa-exam",
        "source": "PA paper",
        "locator": "Section 5",
        "statement": "A grade of 60 with three options is an advantage of 0.4.",
        "kind": "number",
        "verdict": "reproduced",
        "reason": "the number found equals the stated number.",
        "stated": "0.4",
        "found": "0.4 (2/5)",
        "counterexample": None,
        "domain": "",
        "data": [],
        "command": "nontrivial verify --deep --claim pa-exam",
        "repairs": "",
        "note": "",
        "beyond": False,
    } | changes
    return {"evidence": f"claims/{claim['id']}.json"} | claim


def write_claims(results, claims, details=None, main=()):
    """Write verdicts and evidence; `details` are what the searches noted, `main` the ids of the main claims."""
    folder = results / "claims"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "verdicts.json").write_text(json.dumps(claims), encoding="utf-8")
    for claim in claims:
        trail = {
            "claim": {"main": True} if claim["id"] in main else {},
            "data_sha256": dict.fromkeys(claim["data"], "ab" * 32),
            "found": {"details": details or {"values": {"cohen_kappa": "1/3"}}},
        }
        (results / claim["evidence"]).write_text(json.dumps({"trail": trail}), encoding="utf-8")


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
            make_claim(
                id="pa-order",
                kind="inequality",
                verdict="contradicted",
                stated="prediction_advantage <= cohen_kappa",
                found="1,560 counterexamples",
                counterexample=[4, 5, 6, 7],
                domain="every confusion table with cells FP, TP, FN, TN in 0..40",
            ),
            make_claim(id="pa-order-repaired", verdict="reproduced", repairs="pa-order"),
            make_claim(
                id="prg-ranks",
                source="PRG paper",
                verdict="not_evaluated",
                found="",
                data=["tables/curve_areas.csv"],
                command="snakemake --cores 8 --configfile config/paper.yaml",
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
    write_record(folder / "data" / "wdbc.json", record)
    for name in (
        "manifest-sha256.txt",
        "ro-crate-metadata.json",
        "run.json",
    ):  # written after the page, which links to them
        (folder / name).write_text("")
