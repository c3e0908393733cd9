"""A small folder of results, and pages read back as trees of elements."""

import base64
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

VOID = {"br", "img", "input", "link", "meta"}
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass
class Element:
    tag: str
    attributes: dict
    parent: "Element | None" = None
    children: list = field(default_factory=list)

    @property
    def text(self):
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag=None, **attributes):
        """Every element below with this tag and these attributes, in the order of the page."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                names = {name.replace("_", "-"): value for name, value in attributes.items()}
                if tag in (None, child.tag) and names.items() <= child.attributes.items():
                    found.append(child)
                found += child.all(tag, **attributes)
        return found

    def one(self, tag=None, **attributes):
        (element,) = self.all(tag, **attributes)
        return element

    def ancestors(self):
        return [] if self.parent is None else [self.parent, *self.parent.ancestors()]


class TreeBuilder(HTMLParser):
    """Reads a page strictly: every element is closed where it was opened."""

    def __init__(self):
        super().__init__()
        self.root = self.open = Element("", {})

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_endtag(self, tag):
        assert tag == self.open.tag, f"</{tag}> closes <{self.open.tag}>"
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.children.append(data)


@pytest.fixture
def parse():
    def read(page):
        builder = TreeBuilder()
        builder.feed(page)
        builder.close()
        assert builder.open is builder.root, f"<{builder.open.tag}> is never closed"
        return builder.root

    return read


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
    } | changes
    return {"evidence": f"claims/{claim['id']}.json"} | claim


@pytest.fixture
def claim():
    return make_claim


@pytest.fixture
def write_claims():
    def write(results, claims):
        folder = results / "claims"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "verdicts.json").write_text(json.dumps(claims), encoding="utf-8")
        for claim in claims:
            (results / claim["evidence"]).write_text("{}", encoding="utf-8")

    return write


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


@pytest.fixture
def results(tmp_path, write_claims):
    """A study with four claims, a figure, two tables and a data set."""
    folder = tmp_path / "results"
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
                found="1,560 counterexamples",
                counterexample=[0, 0, 1, 2],
                domain="every table with cells 0..40",
            ),
            make_claim(id="pa-order-repaired", verdict="reproduced", repairs="pa-order"),
            make_claim(
                id="prg-ranks",
                source="PRG paper",
                verdict="not_evaluated",
                found="",
                data=["tables/rank_disagreement.csv"],
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
    (folder / "data" / "wdbc.json").write_text(json.dumps(record), encoding="utf-8")
    return folder
