"""Compute the speed of a target's or a run's answers: latencies, tokens per second and throughput.

Rates are not averaged: tokens are summed and divided by the summed time. `adapters.pace` computes the same in SQL.
"""

from dataclasses import dataclass, field
from typing import Any

from llmbench.contracts.outcome import CallFigures
from orchestrator.results.domain.latencies import Latencies


def generated_tokens(figures: CallFigures) -> int | None:
    """Return the number of tokens from which `tokens_per_second` was computed: those that came after the first token.

    Reasoning that the provider hides is generated before the first token comes, so its tokens do not count. Reasoning
    that it streams counts like any other tokens. The result is `None` if speed or tokens are unknown, or if no token
    remains.
    """
    if not figures.tokens_per_second or figures.completion_tokens is None:
        return None
    first_token_ms = figures.first_token_ms
    shown = first_token_ms is not None and (figures.first_content_ms or 0) > first_token_ms
    generated = figures.completion_tokens - 1 - (0 if shown else figures.reasoning_tokens or 0)
    return generated if generated > 0 else None


@dataclass
class Speed:
    """Running sums of tokens and times. Answers without a time are left out, as are cached answers."""

    latencies: Latencies = field(default_factory=Latencies)
    answers: int = 0
    completion_tokens: int | None = None
    generated_tokens: int = 0
    generating_s: float = 0.0
    estimated: int = 0

    def add(self, figures: CallFigures) -> None:
        if figures.cached or figures.time_ms is None:
            return
        self.answers += 1
        self.latencies.add(figures.time_ms)
        self.estimated += figures.usage_source == "estimated"
        if figures.completion_tokens is not None:
            self.completion_tokens = (self.completion_tokens or 0) + figures.completion_tokens
        generated = generated_tokens(figures)
        if generated and figures.tokens_per_second:
            self.generated_tokens += generated
            self.generating_s += generated / figures.tokens_per_second

    def figures(self, *, busy_s: float | None) -> dict[str, Any]:
        """Return the statistics by the names of the API. `busy_s` is the busy time of the target or run: the seconds in
        which at least one answered call was in progress. If it is null, the values that are divided by it are null,
        too."""
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
