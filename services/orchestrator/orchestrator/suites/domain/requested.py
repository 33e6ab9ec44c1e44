"""A request for a suite run, before it is checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from orchestrator.kernel.domain.new_run import Idempotency, NewWebhook

_VERSION: Final = "@"


def version_in(label: str, model: str) -> str | None:
    """Return the version of the model that the default label `model@version` contains; the version is stored nowhere
    else. Return `None` if the label contains none, for example because the request gave a label of its own.

    >>> version_in("llama3@2026-11", "llama3"), version_in("llama3", "llama3"), version_in("at night", "llama3")
    ('2026-11', None, None)
    """
    return label.removeprefix(model + _VERSION) or None if label.startswith(model + _VERSION) else None


@dataclass(frozen=True)
class RequestedModel:
    """A model to test, or the judge. `provider` is the name or id of its provider. `place` is the name of the request's
    field in which the model is named."""

    place: str
    name: str
    version: str | None
    provider: str
    label: str | None
    params: SamplingParams
    concurrency: int | None = None

    def shown(self) -> str:
        """Return the label, by default the model's name and version, such as `llama3@2026-11`."""
        return (self.label or (f"{self.name}{_VERSION}{self.version}" if self.version else self.name))[:120]


@dataclass(frozen=True)
class RequestedBenchmark:
    """A suite run as requested.

    `tasks` is `None` for all tasks. `parallelism` limits the concurrent calls of a hosted model; local models answer
    one call at a time, unless the model names its own concurrency. With a `baseline_label`, the run is compared only
    with the suite's baseline of this label.
    """

    suite_id: UUID
    models: Sequence[RequestedModel]
    judge: RequestedModel | None
    tasks: Sequence[str] | None
    parallelism: int
    name: str | None
    description: str | None
    tags: Sequence[str]
    priority: int
    baseline_label: str | None
    max_cost_usd: float | None
    timeout_s: float | None
    max_attempts: int | None
    use_cache: bool
    check_providers: bool
    allow_self_judging: bool
    parallel_groups: int = 1
    idempotency: Idempotency | None = None
    webhook: NewWebhook | None = None
