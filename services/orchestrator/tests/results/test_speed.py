"""Test that token rates are pooled over calls, and which tokens and times count in the speeds."""

import pytest

from llmbench.contracts.outcome import CallFigures
from orchestrator.results.domain.speed import Speed, generated_tokens


def test_token_rate_is_pooled_over_calls_not_averaged() -> None:
    """99 tokens in 1 s and 900 tokens in 90 s are 999 tokens in 91 s: 11 per second. The mean of both rates would be
    54.5."""
    speed = Speed()
    for tokens, rate in ((100, 99.0), (901, 10.0)):
        speed.add(CallFigures(completion_tokens=tokens, tokens_per_second=rate, time_ms=1))
    assert speed.figures(busy_s=None)["mean_tokens_per_second"] == pytest.approx(999 / 91)


def test_reasoning_tokens_count_only_if_they_were_streamed() -> None:
    counted = CallFigures(completion_tokens=101, reasoning_tokens=50, tokens_per_second=10.0, first_token_ms=5)
    hidden = counted.model_copy(update={"first_content_ms": 5})
    assert generated_tokens(hidden) == 50
    assert generated_tokens(counted.model_copy(update={"first_content_ms": 9})) == 100
    assert generated_tokens(hidden.model_copy(update={"completion_tokens": 51})) is None
    assert generated_tokens(CallFigures(completion_tokens=100, tokens_per_second=None)) is None
    assert generated_tokens(CallFigures(completion_tokens=None, tokens_per_second=3.0)) is None


def test_throughput_is_computed_over_busy_time() -> None:
    speed = Speed()
    speed.add(CallFigures(time_ms=400, completion_tokens=20, usage_source="estimated"))
    speed.add(CallFigures(time_ms=600, completion_tokens=None))
    speed.add(CallFigures(time_ms=1, completion_tokens=1000, cached=True))
    speed.add(CallFigures(time_ms=None))
    figures = speed.figures(busy_s=0.5)
    assert (figures["requests_per_second"], figures["system_tokens_per_second"]) == (4.0, 40.0)
    assert (figures["timed_answers"], figures["answers_with_estimated_tokens"]) == (2, 1)
    assert figures["p99_latency_ms"] == pytest.approx(598)
    assert speed.figures(busy_s=None)["requests_per_second"] is None
    assert Speed().figures(busy_s=0.0)["system_tokens_per_second"] is None
