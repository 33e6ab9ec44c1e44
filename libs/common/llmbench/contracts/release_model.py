"""Command to the inference gateway: the group no longer needs its model; unload it if the provider can."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message
from llmbench.contracts.provider import ProviderSnapshot


class ReleaseModel(Message):
    SUBJECT: ClassVar[str] = "cmd.infer.{group}.{run_id}"

    type: Literal["llmbench.infer.release_model.v1"] = "llmbench.infer.release_model.v1"
    call_id: UUID
    run_id: UUID
    group: str
    group_id: UUID
    concurrency: int = 1
    dispatch: int
    provider: ProviderSnapshot
    model: str

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.infer.release_model.v1",
            "call_id": "5a7c2d1e-0000-5000-8000-000000000009",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "group": "0193a0000000700080000000000000aa-smollm2-135m-0123456789abcdef",
            "group_id": "0193a000-0000-7000-8000-000000000002",
            "dispatch": 1,
            "provider": {
                "provider_id": "0193a000-0000-7000-8000-0000000000aa",
                "name": "Local Ollama",
                "type": "OLLAMA",
                "base_url": "http://127.0.0.1:11434",
                "models_endpoint": "/v1/models",
                "inference_endpoint": "/v1/chat/completions",
            },
            "model": "smollm2:135m",
        },
    )
