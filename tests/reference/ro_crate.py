"""The RO-Crate validator without a network.

It asks the web for nothing but the terms of RO-Crate 1.1. Its cache is given those that RO-Crate's own library carries,
but four, which have other addresses in 1.1.
"""

import io
import json
from importlib import resources
from pathlib import Path

from requests.adapters import BaseAdapter, HTTPAdapter
from requests_cache import CachedSession
from rocrate_validator.models import Severity
from rocrate_validator.services import ValidationSettings, validate
from urllib3.response import HTTPResponse

ADDRESS = "https://w3id.org/ro/crate/1.1/context"
WORKFLOW = "https://bioschemas.org/ComputationalWorkflow"
CARRIED = json.loads(resources.files("rocrate").joinpath("data", "ro-crate.jsonld").read_bytes())
TERMS = CARRIED["@context"] | {
    "ComputationalWorkflow": WORKFLOW,
    "FormalParameter": "https://bioschemas.org/FormalParameter",
    "input": f"{WORKFLOW}#input",
    "output": f"{WORKFLOW}#output",
}


class _Shelf(BaseAdapter):
    """Answers every request with the terms."""

    def send(self, request, **_):
        body = json.dumps({"@context": TERMS}).encode()
        headers = {"Content-Type": "application/ld+json"}
        raw = HTTPResponse(io.BytesIO(body), headers, 200, preload_content=False, request_url=request.url)
        return HTTPAdapter().build_response(request, raw)

    def close(self):
        pass


def issues(crate: Path, scratch: Path, severity: str = "REQUIRED") -> list[tuple[str, str]]:
    """What the validator has against a crate as a Workflow Run Crate, and so as a crate of all its other kinds.

    Each issue is a check's identifier and what it says. `scratch` holds the validator's cache.
    """
    with CachedSession(str(scratch / "cache"), expire_after=-1) as session:
        session.mount("https://", _Shelf())
        session.get(ADDRESS)
    settings = ValidationSettings(
        rocrate_uri=str(crate),
        profile_identifier="workflow-run-crate-0.5",
        requirement_severity=Severity[severity],
        offline=True,
        cache_path=str(scratch / "cache"),
    )
    return [(issue.check.identifier, issue.message) for issue in validate(settings).get_issues()]


def ids(references):
    """What one or several references lead to."""
    references = references if isinstance(references, list) else [references]
    return {reference["@id"] for reference in references}
