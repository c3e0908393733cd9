"""How the pages are built: sphinx-build -W docs build/docs"""

import re
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from jinja2 import Template

import nontrivial
from nontrivial import displays
from nontrivial.claims.judge import judge_registry
from nontrivial.claims.verdict import VERDICT_WORDS, count_verdicts
from nontrivial.pages import load_style
from nontrivial_study import report, tables
from nontrivial_study.declarations import load_experiments

HERE = Path(__file__).parent

project = "nontrivial"
author = copyright = "the nontrivial developers"
version = release = nontrivial.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
myst_enable_extensions = ["colon_fence"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
templates_path = ["_templates"]
exclude_patterns = ["examples"]  # the sources of the gallery
myst_heading_anchors = 2
autodoc_typehints = "none"  # the docstrings say more
default_role = "py:obj"  # single backticks in docstrings
autosummary_ignore_module_all = False
autosummary_imported_members = True
numpydoc_show_class_members = False  # the template of classes has them

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "backreferences_dir": "generated/backreferences",  # of the examples that use a function
    "doc_module": ("nontrivial",),
    "within_subsection_order": "FileNameSortKey",
    "image_srcset": ["2x"],
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "abort_on_example_error": True,
}
suppress_warnings = ["config.cache"]  # what orders a gallery cannot be pickled

html_title = "nontrivial"
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "show_prev_next": False,
    "header_links_before_dropdown": 4,
    "secondary_sidebar_items": [],  # its place is for tables and code
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {
    "**": ["page-toc", "sidebar-nav-bs"],
    "index": [],
    "guarantees": [],
    "speed_table": [],
}  # contents beside wide code
html_copy_source = False


def list_claims() -> str:
    """Return a page of all registered claims, by document and section, with what comes of them without a study."""
    records = judge_registry(HERE.parent / "config" / "claims").records
    lines = [
        "# All claims",
        "",
        "Each entry has its id, its statement, its kind and its verdict. Claims about a study's results need a study,",
        "so here they count as not evaluated. The table leaves out definitions, misprints, replications and theorems",
        "of our own.",
        "",
        f"| document | {' | '.join(VERDICT_WORDS.values())} |",
        "|---" * (1 + len(VERDICT_WORDS)) + "|",
    ]
    for source, of_source in groupby(records, itemgetter("source")):
        counts = count_verdicts(of_source).get("claim", {})
        numbers = (str(counts.get(verdict, 0)) for verdict in VERDICT_WORDS)
        lines.append(f"| {source} | {' | '.join(numbers)} |")
    for source, of_source in groupby(records, itemgetter("source")):
        lines += ["", f"## {source}"]
        for section, entries in groupby(of_source, itemgetter("section")):
            lines += ["", f"### {section}", ""]
            lines += [
                f"- `{one['id']}`: {escaped(one['statement'])} ({one['kind']}; {VERDICT_WORDS[one['verdict']]})"
                for one in entries
            ]
    return "\n".join(lines) + "\n"


def list_tables() -> dict[str, str]:
    """Return a page for each table of a study, and one that lists these pages by experiment."""
    pages = {}
    index = [
        "# Tables of a study",
        "",
        "Each page explains a table: its rows, and the meaning and the allowed values of its columns. All intervals",
        "are 95 % intervals.",
    ]
    for experiment_name, experiment in load_experiments().items():
        index += ["", f"## {experiment_name}", "", "| table | rows |", "|---|---|"]
        for folder in ("tables", "figures"):
            for name in getattr(experiment, folder):
                about = experiment.results[name]
                rows = f"as in {about}.csv" if isinstance(about, str) else tables.declared_tables()[name].row
                index.append(f"| [{folder}/{name}.csv]({name}.md) | {rows} |")
                pages[name] = describe_table(folder, name, about)
    index += ["", "```{toctree}", ":hidden:", "", *pages, "```"]
    return {"index": "\n".join(index) + "\n", **pages}


def describe_table(folder: str, name: str, about: object) -> str:
    """Return the page of a table; `about` may name another table with the same columns."""
    lines = [f"# {name}.csv", "", f"`{folder}/{name}.csv` of the results.", ""]
    if isinstance(about, str):
        lines.append(f"The table has the columns of [{about}.csv]({about}.md).")
        return "\n".join(lines) + "\n"
    declared = tables.declared_tables()[name]
    columns = {column.name: (column.allowed, column.means) for column in declared.columns}
    if columns.keys() >= {*tables.measure_names()}:
        columns = {column: texts for column, texts in columns.items() if column not in tables.measure_names()}
        means = "The measures of {py:func}`~nontrivial.measures.confusion_measures`, in its order."
        columns["accuracy ... f_beta_gain"] = ("numbers in their ranges, or missing", means)
    lines += [declared.row, "", "| column | holds | means |", "|---|---|---|"]
    lines += [f"| `{column}` | {escaped(allowed)} | {means} |" for column, (allowed, means) in columns.items()]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|$#])", r"\\\1", text)


def sliders() -> str:
    """Return the confusion table to try out, which the page of a study has, as a page of its own."""
    folder = Path(report.__file__).parent
    sections = "".join(path.read_text(encoding="utf-8") for path in folder.glob("sections/*.html"))
    [form] = re.findall(r'<section id="try".*?</section>', sections, re.DOTALL)
    script = (folder / "page.js").read_text(encoding="utf-8")
    [code] = re.findall(r"// Trying out.*?\n}\n\n(?=//)", script, re.DOTALL)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Measures of a confusion table</title>
<style>{load_style()}</style></head>
<body><main>{Template(form).render()}</main>
<script>const byId = (name) => document.getElementById(name);
{code}</script></body></html>
"""


def draw_displays(folder: Path) -> None:
    """Draw what each display shows of one made-up model, for the top of its page."""
    folder.mkdir(parents=True, exist_ok=True)
    draws = np.random.default_rng(1)
    truth = np.arange(300) % 5 == 0
    scores = draws.normal(np.where(truth, 1.5, 0))
    probabilities = 1 / (1 + np.exp(1.9 - 1.5 * scores))
    answers = {"MeasureImbalanceDisplay": scores > 1, "NetBenefitDisplay": probabilities, "VennDisplay": scores > 1}
    for name in displays.__all__:
        display = getattr(displays, name).from_predictions(truth, answers.get(name, scores))
        display.figure_.savefig(folder / f"{name}.png", bbox_inches="tight")
        plt.close(display.figure_)


def write_pages(app) -> None:
    folder = HERE / "generated"
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    pages = {f"tables/{name}": page for name, page in list_tables().items()}
    for name, text in {"claims": list_claims(), **pages}.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    draw_displays(folder / "displays")
    (HERE / "_static" / "sliders.html").write_text(sliders(), encoding="utf-8")


# What docstrings cite, and where it is.
SOURCES = {
    "PA paper": "10.48550/arXiv.1705.08499",
    "PRG paper": "https://papers.nips.cc/paper/2015/hash/33e8075e9970de0cfea955afd4644bb2-Abstract.html",
    "P4 article": "https://wikimili.com/en/P4-metric",
    "Berger 1982": "10.1080/00401706.1982.10487790",
    "Brin, Motwani, Ullman and Tsur 1997": "10.1145/253260.253325",
    "Clopper and Pearson 1934": "10.1093/biomet/26.4.404",
    "Fieller 1954": "10.1111/j.2517-6161.1954.tb00159.x",
    "Goodman and Kruskal 1954": "10.1080/01621459.1954.10501231",
    "Hand 2009": "10.1007/s10994-009-5119-5",
    "Hoeffding 1963": "10.1080/01621459.1963.10500830",
    "McNemar 1947": "10.1007/BF02295996",
    "Powers 2011": "10.48550/arXiv.2010.16061",
    "Rubin 1981": "10.1214/aos/1176345338",
    "Vickers and Elkin 2006": "10.1177/0272989X06295361",
    "Waudby-Smith and Ramdas 2024": "10.1093/jrsssb/qkad009",
}


def link_sources(app, what, name, obj, options, lines) -> None:
    """Link the first mention of each source in a docstring."""
    for source, place in SOURCES.items():
        address = place if place.startswith("https:") else f"https://doi.org/{place}"
        for number, line in enumerate(lines):
            if source in line:
                lines[number] = line.replace(source, f"`{source} <{address}>`__", 1)
                break


def setup(app) -> None:
    app.connect("autodoc-process-docstring", link_sources, priority=900)  # after numpydoc
    app.connect("builder-inited", write_pages)
