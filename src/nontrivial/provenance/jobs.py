"""A job of the study: which script of the workflow makes which files, from which others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Job:
    """One job of the workflow.

    Attributes
    ----------
    name : str
        The rule, and for a rule that runs more than once ``/`` and its part.
    rule : str
    script : str
        The script's path in the project.
    reads, makes : tuple of str
        The files' paths in the project.
    leaves : tuple of str
        The paths of its log and its benchmark.
    parameters : mapping
        What the rule hands to its script beside files.
    """

    name: str
    rule: str
    script: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    leaves: tuple[str, ...] = ()
