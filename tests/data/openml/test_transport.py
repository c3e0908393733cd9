"""The private name of the package openml that is replaced is there, takes what the replacement does, and comes back."""

import inspect
import os
from types import SimpleNamespace

import openml

from nontrivial_study.data.openml.transport import transport


def test_the_replaced_function_takes_the_same_and_comes_back(monkeypatch):
    monkeypatch.delenv("OPENML_SKIP_PARQUET", raising=False)
    own = openml._api_calls._send_request
    before = own, openml.config.server, openml.config.apikey
    with transport(SimpleNamespace(api="http://127.0.0.1:9"), "a task", []):
        ours = openml._api_calls._send_request
        assert ours is not own
        assert list(inspect.signature(ours).parameters) == list(inspect.signature(own).parameters)
        assert (openml.config.server, openml.config.apikey) == ("http://127.0.0.1:9", "")
    assert (openml._api_calls._send_request, openml.config.server, openml.config.apikey) == before
    assert "OPENML_SKIP_PARQUET" not in os.environ
