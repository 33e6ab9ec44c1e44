"""How fast the answers of one target came, or those of a whole run, as a report states it.

A mean of rates is no rate: tokens are summed, and divided by the summed time. See also adapters.pace, which has the
same as queries.
"""

from dataclasses import dataclass, field
from typing import Any

from orchestrator.domain.latencies import Latencies
from orchestrator.domain.records import Item


def generated_tokens(item: Item) -> int | None:
    """Return the tokens that the item's `tokens_per_second` is of: those after the first one. Reasoning that was
    counted but not shown happened before it; where it was shown, the first token came before the answer's first."""
    if not item.tokens_per_second or item.completion_tokens is None:
        return None
    shown = (item.first_content_ms or 0) > (item.first_token_ms if item.first_token_ms is not None else float("inf"))
    generated = item.completion_tokens - 1 - (0 if shown else item.reasoning_tokens or 0)
    return generated if generated > 0 else None


@dataclass
class Speed:
    """Answers from the cache were not timed."""

    latencies: Latencies = field(default_factory=Latencies)
    answers: int = 0
    completion_tokens: int | None = None
    generated_tokens: int = 0
    generating_s: float = 0.0
    estimated: int = 0

    def add(self, item: Item) -> None:
        if item.cached or item.time_ms is None:
            return
        self.answers += 1
        self.latencies.add(item.time_ms)
        self.estimated += item.usage_source == "estimated"
        if item.completion_tokens is not None:
            self.completion_tokens = (self.completion_tokens or 0) + item.completion_tokens
        generated = generated_tokens(item)
        if generated and item.tokens_per_second:
            self.generated_tokens += generated
            self.generating_s += generated / item.tokens_per_second

    def figures(self, *, busy_s: float | None) -> dict[str, Any]:
        """`busy_s`: how long at least one call was under way; what is per second of it is null without."""
        tokens, times = self.completion_tokens, self.latencies.figures()
        return {
            "timed_answers": self.answers,
            **{f"{name}_latency_ms": times[name] for name in ("p50", "p95", "p99")},
            "mean_tokens_per_second": self.generated_tokens / self.generating_s if self.generating_s else None,
            "busy_s": busy_s,
            "requests_per_second": self.answers / busy_s if busy_s else None,
            "system_tokens_per_second": tokens / busy_s if busy_s and tokens is not None else None,
            "answers_with_estimated_tokens": self.estimated,
        }
