"""The fields of a CI file, and the short forms of these fields in command-line options.

A CI file is a mapping with the field `suite`. A file without that field is a suite.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.options import read_margin
from llmbench_cli.runs.run_file import Entry, Params, Thresholds

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_DURATION = re.compile(r"(\d{1,6})\s*(s|m|min|h)?")
_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_PROVIDER_FIELDS = ("name", "url", "type", "key_env")
_NEXT_FIELD = re.compile(r",(?=\s*[a-z_-]+\s*=)")
CUSTOM = "CUSTOM_OPEN_AI_COMPATIBLE"


def _variable(name: str) -> str:
    if not _VARIABLE.fullmatch(name):
        # The value may be a key that was written here by mistake, so the message leaves it out.
        raise ValueError("must be the name of an environment variable, such as OPENAI_API_KEY, not the key itself")
    return name


def _model(text: str) -> str:
    provider, colon, name = text.partition(":")
    if not (provider and colon and name):
        raise ValueError("must be PROVIDER:MODEL, as in Ollama:llama3.2")
    return text


def seconds_of(text: str) -> int:
    """Return a duration in seconds. Raises ValueError for another form of text, and for zero.

    >>> seconds_of("90"), seconds_of("30m"), seconds_of("2 h")
    (90, 1800, 7200)
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise ValueError("must be a duration, such as 90s, 30m or 2h")
    return int(found[1]) * _SECONDS[found[2] or ""]


def _duration(text: str) -> str:
    seconds_of(text)
    return text


Model = Annotated[str, AfterValidator(_model)]
Label = Annotated[str, Field(min_length=1, max_length=60)]


class ProviderEntry(Entry):
    """A provider that the job uses. `key_env` names the environment variable that has its API key."""

    name: Annotated[str, Field(min_length=1, max_length=255)]
    url: str | None = None
    type: str = CUSTOM
    key_env: Annotated[str, AfterValidator(_variable)] | None = None
    options: dict[str, Any] | None = None


class TargetEntry(Entry):
    """A model to test, as PROVIDER:MODEL. `params` override the sampling parameters of the suite's tasks."""

    model: Model
    label: str | None = None
    version: str | None = None
    params: Params | None = None
    concurrency: int | None = None


class GateEntry(Entry):
    """A gate of the baseline: the metric may not be worse than the baseline's by `margin` or more. `task` limits the
    gate to one task of the suite. `undecided` says whether an undecided gate fails the job. `cluster_by` is a
    metadata key: cases with the same value form one cluster."""

    metric: Annotated[str, Field(min_length=1, max_length=80)] = "score"
    task: Annotated[str, Field(min_length=1, max_length=30)] | None = None
    margin: float = Field(gt=0, le=10, allow_inf_nan=False)
    undecided: Literal["fail", "ok"] = "fail"
    cluster_by: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class CiFile(Entry):
    """The content of a CI file. Paths are relative to the file."""

    suite: str
    datasets: dict[str, str] = Field(default_factory=dict)
    providers: list[ProviderEntry] = Field(default_factory=list)
    targets: list[Model | TargetEntry] = Field(default_factory=list)
    judge: Model | None = None
    tasks: list[str] | None = None
    gates: list[GateEntry] = Field(default_factory=list)
    thresholds: Thresholds = Thresholds()
    baseline: Label | None = None
    max_cost_usd: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    timeout: Annotated[str, AfterValidator(_duration)] | None = None
    check_providers: bool = True


def provider_of(text: str) -> ProviderEntry:
    """Return the provider that the text of an option `--provider` describes. Raises `CommandFailed` if the text is
    invalid; the message does not repeat the text, which may contain a key.

    >>> provider_of("name=Acme,url=https://acme.example/v1,key_env=ACME_KEY").key_env
    'ACME_KEY'
    """
    pairs = [part.partition("=") for part in _NEXT_FIELD.split(text)]
    names = [name.strip() for name, _, _ in pairs]
    known = ", ".join(_PROVIDER_FIELDS)
    if any(name not in _PROVIDER_FIELDS for name in names) or len(set(names)) < len(names):
        raise CommandFailed(f"--provider: write name=…,url=…,type=…,key_env=…; each of {known} at most once")
    fields = {name: value.strip() for name, (_, _, value) in zip(names, pairs, strict=True)}
    if not fields.get("name"):
        raise CommandFailed("--provider: `name` is missing: write name=…,url=…,type=…,key_env=…")
    try:
        _variable(fields.get("key_env", "UNUSED"))
    except ValueError as wrong:
        raise CommandFailed(f"--provider: key_env {wrong}") from None
    return ProviderEntry.model_validate(fields)


def gate_of(text: str, *, undecided: Literal["fail", "ok"]) -> GateEntry:
    """Return the gate that the text of an option `--gate`, METRIC=MARGIN, describes. Raises `typer.BadParameter` for an
    invalid margin, and `CommandFailed` for another form of text.

    >>> gate = gate_of("cost=10%", undecided="fail")
    >>> gate.metric, gate.margin
    ('cost', 0.1)
    """
    metric, equals, margin = text.rpartition("=")
    value = read_margin(margin)
    if not (metric and equals) or not 0 < value <= 10:
        raise CommandFailed("--gate: write METRIC=MARGIN, as in score=0.05 or cost=10%; the margin is above 0")
    return GateEntry(metric=metric, margin=value, undecided=undecided)


def target_of(entry: str | TargetEntry) -> TargetEntry:
    """Return the target for an entry of the CI file. Raises `CommandFailed` if a text is not PROVIDER:MODEL.

    >>> target_of("Ollama:qwen2.5:3b").model
    'Ollama:qwen2.5:3b'
    """
    if isinstance(entry, TargetEntry):
        return entry
    return TargetEntry(model=model_of(entry, "--target"))


def model_of(text: str, option: str) -> str:
    """Return the text if it is PROVIDER:MODEL. Raises `CommandFailed`, which names the option, if it is not."""
    try:
        return _model(text)
    except ValueError as wrong:
        raise CommandFailed(f"{option} {text!r} {wrong}") from None
