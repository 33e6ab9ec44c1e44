"""The response that explains why items of a run failed."""

from pydantic import BaseModel, Field

from llmbench.contracts.run_words import RunPhase


class FailureMessage(BaseModel):
    message: str
    items: int


class FailureCause(BaseModel):
    """The failed items that share a phase and a cause. `retryable` counts those that may succeed when retried."""

    phase: RunPhase
    cause: str = Field(
        description="`unauthorized`, `no_connection`, `not_ready`, `busy`, `server_error`, `connection_lost`, "
        "`refusal`, `content_filter`, `timed_out`, `unparsed` …; also the filter `failure_cause` of the items."
    )
    items: int
    retryable: int
    targets: list[str] = Field(description="Labels of the affected targets.")
    task_ids: list[str] = Field(description="The first three.")
    messages: list[FailureMessage] = Field(description="The three most frequent.")
    message_count: int = Field(description="How many different messages there are.")


class RunFailures(BaseModel):
    """The failures of a run, the most frequent cause first.

    An item may fail because all calls of its model failed, or because an earlier turn of its conversation failed. It
    then counts under the cause of that failure.
    """

    items: int
    causes: list[FailureCause]
