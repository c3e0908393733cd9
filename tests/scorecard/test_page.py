"""The page of a scorecard: one file, in which data is escaped."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.page import render_page
from nontrivial.scorecard.predictions import read_predictions


def test_the_page_is_one_file_in_which_data_is_escaped(predictions, tmp_path):
    evil = "<script>alert(1)</script>"
    name = "a<b>.csv"
    pd.DataFrame({"truth": [evil, "b"] * 20, "prediction": [evil, "b"] * 20, "score": [2, 1] * 20}).to_csv(
        tmp_path / name, index=False
    )
    read = read_predictions(tmp_path / name, positive=evil)
    page = render_page(make_scorecard(read), read)
    assert evil not in page
    assert "&lt;script&gt;" in page
    assert "a&lt;b&gt;.csv" in page

    tags: list[tuple[str, dict]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append((tag, dict(attrs)))

    Collector().feed(page)
    assert not [tag for tag, _ in tags if tag in ("script", "link", "iframe")]
    sources = [attributes["src"] for tag, attributes in tags if tag == "img"]
    assert len(sources) == 5  # four curves and the measures
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert all(attributes["alt"] for tag, attributes in tags if tag == "img")


@pytest.mark.usefixtures("unrendered")
def test_the_page_has_a_row_for_each_class(tmp_path):
    evil = "<b>c</b>"
    frame = pd.DataFrame({"truth": ["a", "b", evil] * 9, "prediction": ["a", "b", "a"] * 9})
    frame.to_csv(tmp_path / "three.csv", index=False)
    read = read_predictions(tmp_path / "three.csv")
    page = render_page(make_scorecard(read), read)
    assert evil not in page
    rows = re.search(r"<caption class=.unseen.>Classes.*?</table>", page, re.DOTALL)[0].split("<tr>")[2:]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    assert sorted(row[0] for row in cells) == ["&lt;b&gt;c&lt;/b&gt;", "a", "b"]
    assert next(row for row in cells if row[0] == "a")[1:4] == ["9", "18", "0.0000"]


def test_a_long_file_makes_a_short_page(tmp_path):
    generator = np.random.default_rng(1)
    truth = generator.integers(2, size=5_000)
    frame = pd.DataFrame({"truth": truth, "score": truth + generator.normal(size=5_000)})
    frame.to_parquet(tmp_path / "long.parquet")
    read = read_predictions(tmp_path / "long.parquet")
    assert len(render_page(make_scorecard(read), read)) < 1_000_000
