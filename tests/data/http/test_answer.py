"""Web pages are told from documents."""

import pytest

from nontrivial_study.data.http.answer import is_web_page


@pytest.mark.parametrize(
    "body", [b"<html>", b" <!DOCTYPE html><p>", b"\xef\xbb\xbf<!-- x --><HTML lang='en'>"]
)
def test_web_pages_are_known(body):
    assert is_web_page(body)


@pytest.mark.parametrize("body", [b"<oml:run/>", b"a,b\n<html>,1", b'<?xml version="1.0"?><oml:html/>', b""])
def test_documents_are_no_web_pages(body):
    assert not is_web_page(body)
