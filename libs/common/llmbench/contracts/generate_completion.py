"""Command to the inference gateway: generate a completion, unless this call was already paid for."""

from enum import StrEnum
from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.provider import ProviderSnapshot


class Purpose(StrEnum):
    """The purpose of a call. WARM_UP loads the model of a group, and RELEASE unloads it. ITEM is a call for an answer
    to an item, SCORE a call for a score."""

    WARM_UP = "warm_up"
    ITEM = "item"
    SCORE = "score"
    RELEASE = "release"


class GenerateCompletion(Message):
    """A command to generate a completion. `call_id` is deterministic (see `llmbench.ids.call_id`).

    `dispatch` counts how often the item, score or group was sent out. The orchestrator ignores the result of an earlier
    dispatch. With `use_cache`, the gateway may reuse an earlier answer to the same request with the same `epoch`. With
    `live`, it publishes what has arrived of the answer while the provider streams it (`AnswerStreamed`).
    """

    SUBJECT: ClassVar[str] = "cmd.infer.{group}.{run_id}"

    type: Literal["llmbench.infer.generate_completion.v1"] = "llmbench.infer.generate_completion.v1"
    call_id: UUID
    run_id: UUID
    group: str
    group_id: UUID
    concurrency: int = Field(default=1, ge=1, le=1000)
    purpose: Purpose
    item_id: UUID | None = None
    score_id: UUID | None = None
    dispatch: int
    provider: ProviderSnapshot
    request: ChatRequest
    timeout_s: float = Field(gt=0, le=86_400)
    epoch: int = Field(default=1, ge=1)
    use_cache: bool = False
    live: bool = False

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.infer.generate_completion.v1",
            "call_id": "5a7c2d1e-0000-5000-8000-000000000001",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "group": "0193a0000000700080000000000000aa-smollm2-135m-0123456789abcdef",
            "group_id": "0193a000-0000-7000-8000-000000000002",
            "purpose": "item",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "dispatch": 1,
            "provider": {
                "provider_id": "0193a000-0000-7000-8000-0000000000aa",
                "name": "Local Ollama",
                "type": "OLLAMA",
                "base_url": "http://127.0.0.1:11434",
                "models_endpoint": "/v1/models",
                "inference_endpoint": "/v1/chat/completions",
            },
            "request": {
                "model": "smollm2:135m",
                "messages": [{"role": "user", "content": "What is 17 + 25?"}],
                "params": {"temperature": 0, "max_tokens": 64},
            },
            "timeout_s": 120,
        },
    )
