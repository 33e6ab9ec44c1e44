"""Combine the settings of a CI job: those of the CI file or the suite, overridden by the options of the command
line."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError

from llmbench.faults import faults_of
from llmbench_cli.ci.ci_file import CiFile, GateEntry, ProviderEntry, TargetEntry, seconds_of, target_of
from llmbench_cli.client import Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.run_file import Fault, Place, Source, Thresholds
from llmbench_cli.shipped_suites import shipped_names
from llmbench_cli.suite_file import SuiteFile, read_suite, read_yaml_file, suite_of

MAIN = "main"
"""The label of the baseline that a job uses if it names no label."""


@dataclass(frozen=True)
class Provider:
    """A provider of the job. `key` is None if the provider needs no key."""

    entry: ProviderEntry
    key: SecretStr | None


@dataclass(frozen=True)
class Job:
    """All settings of one CI job (`llmbench ci`).

    If the job runs a suite that is shipped with llmbench, `shipped` is the suite's name, and `suite` is None. `file` is
    the file that the user named, and `places` has the line of each of its entries. Errors about gates and thresholds
    name these lines. `label` is the baseline's label if the user named one, else None.
    """

    file: str
    places: dict[Place, int]
    suite: SuiteFile | None
    shipped: str | None
    targets: tuple[TargetEntry, ...]
    judge: str | None
    tasks: tuple[str, ...] | None
    providers: tuple[Provider, ...]
    datasets: Mapping[str, Path]
    gates: tuple[GateEntry, ...]
    thresholds: Thresholds
    label: str | None
    max_cost_usd: float | None
    timeout_s: int | None
    check_providers: bool

    def models(self) -> list[str]:
        """Return the models of all targets, and the judge, as PROVIDER:MODEL."""
        return [target.model for target in self.targets] + ([self.judge] if self.judge else [])


@dataclass(frozen=True)
class Over:
    """The command-line options of a CI job, which override the settings in its file. Providers, datasets and gates
    override those of the same name; the others stay. An empty value overrides nothing."""

    targets: Sequence[str] = ()
    judge: str | None = None
    tasks: Sequence[str] = ()
    providers: Sequence[ProviderEntry] = ()
    datasets: Mapping[str, Path] = field(default_factory=dict)
    gates: Sequence[GateEntry] = ()
    baseline: str | None = None
    max_cost_usd: float | None = None
    timeout: str | None = None
    check_providers: bool = True
    thresholds: Mapping[str, Any] = field(default_factory=dict)


def dataset_of(text: str) -> tuple[str, Path]:
    """Return the name and the file in the text of an option `--dataset`, NAME=FILE. Raises `CommandFailed` for another
    form of text."""
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise CommandFailed(f"--dataset {text!r} must be NAME=FILE, as in sums=cases/sums.jsonl")
    return name, Path(file)


def read_job(file: Path, over: Over, environment: Mapping[str, str] = os.environ) -> Job:
    """Read the file of a job, a CI file or a suite, and apply the options of the command line (`over`). `environment`
    has the providers' keys.

    If `file` does not exist but is the name of a shipped suite, that suite is used. Raises `CommandFailed` if something
    is wrong or missing, before anything is started.
    """
    places: dict[Place, int] = {}
    given = CiFile(suite="")
    suite: SuiteFile | None = None
    shipped: str | None = None
    if str(file) in shipped_names() and not file.exists():
        shipped = str(file)
    else:
        document, places = read_yaml_file(file, "a CI file")
        if isinstance(document, dict) and "suite" in document:
            given = _ci_file(document, Source(str(file), places))
            suite, shipped = _named_suite(file, given.suite)
        else:
            suite = suite_of(document, places, str(file))
    targets = tuple(target_of(entry) for entry in over.targets or given.targets)
    if not targets:
        raise CommandFailed("no model to test: name one with --target PROVIDER:MODEL, or `targets` in a CI file")
    timeout = over.timeout or given.timeout
    return Job(
        file=str(file),
        places=places,
        suite=suite,
        shipped=shipped,
        targets=targets,
        judge=over.judge or given.judge,
        tasks=tuple(over.tasks or given.tasks or ()) or None,
        providers=_with_keys([*given.providers, *over.providers], environment),
        datasets=_existing({name: file.parent / path for name, path in given.datasets.items()} | dict(over.datasets)),
        gates=_distinct(over.gates or given.gates),
        thresholds=given.thresholds.model_copy(
            update={name: value for name, value in over.thresholds.items() if value is not None}
        ),
        label=over.baseline or given.baseline,
        max_cost_usd=over.max_cost_usd or given.max_cost_usd,
        timeout_s=_seconds(timeout),
        check_providers=over.check_providers and given.check_providers,
    )


def _seconds(timeout: str | None) -> int | None:
    try:
        return seconds_of(timeout) if timeout else None
    except ValueError as wrong:
        raise CommandFailed(f"--timeout {timeout!r} {wrong}") from None


def _ci_file(document: Json, source: Source) -> CiFile:
    try:
        return CiFile.model_validate(document)
    except ValidationError as wrong:
        faults = [Fault(_steps(fault.field), fault.message) for fault in faults_of(wrong, CiFile)]
        raise source.bad(faults) from None


def _steps(field_: str) -> Place:
    return tuple(int(step) if step.isdecimal() else step for step in field_.split(".")) if field_ else ()


def _named_suite(file: Path, name: str) -> tuple[SuiteFile | None, str | None]:
    """Return the suite in the file `name`, a path relative to `file`. If there is no such file but a shipped suite of
    that name, return the name instead."""
    path = file.parent / name
    if path.is_file() or name not in shipped_names():
        return read_suite(path), None
    return None, name


def _with_keys(entries: Sequence[ProviderEntry], environment: Mapping[str, str]) -> tuple[Provider, ...]:
    """Return the providers with their keys from the environment. If two entries have the same name, the later one
    counts. Raises `CommandFailed` if a key's variable is missing or empty."""
    by_name = {entry.name: entry for entry in entries}
    providers = []
    for entry in by_name.values():
        key = environment.get(entry.key_env) if entry.key_env else None
        if entry.key_env and not key:
            raise CommandFailed(
                f"the environment variable {entry.key_env}, which has the key of {entry.name!r}, is missing or empty: "
                "set it as a secret of the CI job"
            )
        providers.append(Provider(entry, SecretStr(key) if key else None))
    return tuple(providers)


def _existing(datasets: Mapping[str, Path]) -> Mapping[str, Path]:
    for name, path in datasets.items():
        if not path.is_file():
            raise CommandFailed(f"the file {path} of the dataset {name!r} does not exist")
    return datasets


def _distinct(gates: Sequence[GateEntry]) -> tuple[GateEntry, ...]:
    named = [(gate.metric, gate.task) for gate in gates]
    for metric, task in named:
        if named.count((metric, task)) > 1:
            of_task = f" of the task {task!r}" if task else ""
            raise CommandFailed(f"there are two gates on {metric}{of_task}: a baseline has one gate for each metric")
    return tuple(gates)
