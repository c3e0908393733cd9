"""All that the workflow asks of Snakemake beyond its documented interfaces, in one place.

Snakemake may change these names with any release; the tests of this module say which of them is gone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from nontrivial.provenance.jobs import Job

_INTERRUPT = "Terminating processes on user request"


@dataclass(frozen=True)
class Given:
    """What the configuration of a run is made of.

    Attributes
    ----------
    files : list of str
        Those that were named on the command line or in a profile, relative to the folder of work.
    alone : bool
        Whether these replace the workflow's own.
    settings : list of str
        What ``--config`` says, as KEY=VALUE.
    using : dict
        What a workflow that uses this one as a module gives it under ``config:``. The command line is then that
        workflow's own.
    """

    files: list[str]
    alone: bool
    settings: list[str]
    using: dict[str, Any]


def project_folder(workflow: Any) -> str:
    """Return the folder of the project whose `workflow/rules` are being read, empty if it is the folder of work.

    Raises
    ------
    ValueError
        If it is on another machine, or in an archive.
    """
    try:
        folder = os.fspath(Path(workflow.current_basedir).parents[1])
    except TypeError:
        raise ValueError(
            f"{workflow.current_basedir.get_path_or_uri(secret_free=True)} is not a folder; it must be the Snakefile "
            "of a checkout."
        ) from None
    return "" if os.path.samefile(folder, os.curdir) else folder


def given_configuration(workflow: Any, config: Mapping[str, Any]) -> Given:
    """Return what a run was told of its configuration; `config` is what the engine made of that."""
    if not workflow.modifier.is_main_snakefile():
        given = dict(config) if workflow.modifier.skip_configfile else {}
        return Given(files=[], alone=False, settings=[], using=given)
    settings = workflow.config_settings
    return Given(
        files=[os.path.relpath(path) for path in workflow.overwrite_configfiles],
        alone=bool(settings.replace_workflow_config),
        settings=list(settings.config_args or ()),
        using={},
    )


def is_main_process(workflow: Any) -> bool:
    """Tell whether this is the process that a user started, and not that of a single job."""
    return bool(workflow.is_main_process)


def has_storage(workflow: Any) -> bool:
    """Tell whether results are kept in a storage (``--default-storage-provider``) and not in the folder of work."""
    return workflow.storage_settings.default_storage_provider is not None


def is_silent(workflow: Any) -> bool:
    """Tell whether a user wants nothing to be printed."""
    return "ALL" in {kind.name for kind in workflow.output_settings.quiet or ()}


def jobs_behind(
    rules: Any,
    targets: Iterable[str],
    modules: Callable[[str], Sequence[str]],
    wildcards_of: type[Any],
    project: str = "",
) -> list[Job]:
    """Return the jobs that it takes to make some files, rule by rule in the order of the rule files.

    Parameters
    ----------
    rules : snakemake.common.Rules
        The rules by the names that their files give them, whatever a workflow that uses them as a module calls them.
    targets : iterable of str
    modules : callable
        Returns the modules that a script depends on, by its name.
    wildcards_of : type
        The engine's class of wildcards.
    project : str
        The project's folder, where it is not the folder of work. The jobs' paths are relative to either.
    """
    names = dict(enumerate(rules._rules, start=1))
    steps = {place: rules._rules[name].rule for place, name in names.items()}
    patterns = {place: step for place, step in steps.items() if step.wildcard_names}
    makers = {str(path): place for place in steps.keys() - patterns.keys() for path in steps[place].output}
    jobs: dict[tuple[Any, ...], Job] = {}
    waiting, seen = list(targets), set()
    while waiting:
        target = waiting.pop()
        if target in seen:
            continue
        seen.add(target)
        place = makers.get(target) or next(
            (i for i, step in patterns.items() if step.is_producer(target)), None
        )
        if place is None:
            continue  # a file of the project
        step, inputs, makes = steps[place], steps[place].input, steps[place].output
        wildcards = wildcards_of(fromdict=step.get_wildcards(target) if place in patterns else {})
        key = (place, *wildcards)
        if key not in jobs:
            leaves = [*step.log, *([step.benchmark] if step.benchmark else [])]
            if place in patterns:
                inputs, makes = step.expand_input(wildcards)[0], step.expand_output(wildcards)[0]
                leaves = [path.apply_wildcards(wildcards) for path in leaves]
            reads = dict.fromkeys([*map(str, inputs), *modules(Path(step.script).stem)])
            jobs[key] = Job(
                "/".join([names[place], *wildcards]),
                names[place],
                f"workflow/scripts/{Path(step.script).name}",
                reads=tuple(path.removeprefix(f"{project}/") if project else path for path in reads),
                makes=tuple(map(str, makes)),
                leaves=tuple(map(str, leaves)),
                parameters={
                    name: value(wildcards) if callable(value) else value
                    for name, value in step.params.items()
                    if name not in ("code", "rules")  # what it reads, and a drawing of these very jobs
                },
            )
            waiting += reads
    return [jobs[key] for key in sorted(jobs)]


class Observer(logging.Handler):
    """Keeps what the engine's events, which it also hands to logger plugins, say of a run that does not end well.

    Attributes
    ----------
    failed : list of (str, str)
        Rule and log of each job that failed.
    interrupted : bool
        Whether a user stopped the run.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failed: list[tuple[str, str]] = []
        self.interrupted = False

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of a record of the engine's logger."""
        fields = vars(record)
        if fields.get("event") == LogEvent.JOB_ERROR and fields["log"]:
            self.failed.append((fields["rule_name"], fields["log"][0]))
        elif record.getMessage().startswith(_INTERRUPT):
            self.interrupted = True
