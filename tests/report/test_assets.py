"""A page uses its own script and style alone, and can do without the script."""

import base64
import hashlib
import re
from urllib.parse import urlsplit

from report.elements import parse

from nontrivial_study.report.page import render_page


def test_nothing_is_loaded_from_elsewhere(results):
    page = parse(render_page(results, {}))
    for element in page.all():
        for name in ("src", "href", "action", "formaction", "srcset", "poster", "style", "onclick", "onload"):
            if name in element.attributes:
                address = urlsplit(element.attributes[name])
                assert name in ("src", "href")
                assert address.netloc == ""
                assert address.scheme in ("", "data")
    assert "@import" not in page.one("style").text
    assert not re.search(r"url\((?!#)", page.one("style").text)


def test_the_policy_allows_the_pages_own_script_and_style_alone(results):
    page = parse(render_page(results, {}))
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.one(tag).text.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"


def test_all_can_be_read_without_the_script(results):
    page = parse(render_page(results, {}))
    hidden = [element for element in page.all() if "hidden" in element.attributes]
    assert [element.attributes["id"] for element in hidden] == ["try", "claim-filter"]
    assert [button for button in page.all("button") if hidden[1] not in button.ancestors()] == []
