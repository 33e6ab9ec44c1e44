"""Command to the inference gateway: embed these texts, unless this call was already paid for."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.provider import ProviderSnapshot


class EmbedTexts(Message):
    """A command to embed texts. Like a completion, the call has a deterministic `call_id`, and its outcome is stored.

    The event `llmbench.call.finished.v1` reports the outcome. The vectors (`Embeddings`, as JSON) are the call's
    content, which the request `req.call.read` returns. With `use_cache`, the vectors of an equal call of the same run
    are reused.
    """

    SUBJECT: ClassVar[str] = "cmd.infer.{group}.{run_id}"

    type: Literal["llmbench.infer.embed_texts.v1"] = "llmbench.infer.embed_texts.v1"
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
    request: EmbeddingRequest
    timeout_s: float = Field(gt=0, le=86_400)
    epoch: int = Field(default=1, ge=1)
    use_cache: bool = True

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.infer.embed_texts.v1",
            "call_id": "5a7c2d1e-0000-5000-8000-00000000000b",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "group": "0193a0000000700080000000000000aa-nomic-embed-text-0123456789abcdef",
            "group_id": "0193a000-0000-7000-8000-00000000000c",
            "purpose": "score",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "score_id": "0193a000-0000-7000-8000-000000000004",
            "dispatch": 1,
            "provider": {
                "provider_id": "0193a000-0000-7000-8000-0000000000aa",
                "name": "Local Ollama",
                "type": "OLLAMA",
                "base_url": "http://127.0.0.1:11434",
                "models_endpoint": "/v1/models",
                "inference_endpoint": "/v1/chat/completions",
            },
            "request": {"model": "nomic-embed-text", "texts": ["The sum is 42.", "42"]},
            "timeout_s": 120,
        },
    )
