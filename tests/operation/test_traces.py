"""Test that one OpenTelemetry trace connects all processes, from the request that starts a run to the results of its
model calls."""

import asyncio
from collections.abc import Callable

import pytest

from tests.operation.collector import CollectedSpan, Collector, collector
from tests.platform import platform

CLIENT_SPAN, SERVER_SPAN, CONSUMER_SPAN = 3, 2, 5
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLERS_SPAN = "00f067aa0ba902b7"


async def test_one_trace_contains_request_command_call_and_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with collector() as collected:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collected.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        async with platform(tasks=1) as stack:
            answer = await stack.http.post(
                "/api/runs",
                json=stack.run_body("mock-0ms"),
                headers={"traceparent": f"00-{TRACE_ID}-{CALLERS_SPAN}-01"},
            )
            assert answer.status_code == 201, answer.text
            run_id = answer.json()["id"]
            await stack.until_status(run_id, "FINISHED")
            await _until(collected, lambda spans: _has_every_step(_of_trace(spans)))
        # Services send their remaining spans when they stop, so all spans have arrived.
        spans = _of_trace(collected.spans)

    post = _only_span(spans, service="orchestrator", name="POST /api/runs")
    assert (post.kind, post.parent_id) == (SERVER_SPAN, CALLERS_SPAN)
    assert post.attributes["http.response.status_code"] == 201

    call = next(span for span in spans if span.attributes.get("llmbench.call.purpose") == "item")
    assert (call.name, call.kind, call.service) == ("chat mock-0ms", CLIENT_SPAN, "inference-gateway")
    assert call.attributes["gen_ai.operation.name"] == "chat"
    assert call.attributes["gen_ai.request.model"] == "mock-0ms"
    assert call.attributes["gen_ai.response.finish_reasons"] == ["stop"]
    assert int(str(call.attributes["gen_ai.usage.input_tokens"])) > 0
    assert int(str(call.attributes["gen_ai.usage.output_tokens"])) > 0
    assert call.attributes["llmbench.run.id"] == run_id

    command = _by_id(spans, call.parent_id)
    assert (command.name, command.kind) == ("process llmbench.infer.generate_completion.v1", CONSUMER_SPAN)
    assert command.service == "inference-gateway"
    assert command.parent_id == post.span_id
    assert str(command.attributes["messaging.destination.name"]).startswith("cmd.infer.")

    report = next(span for span in spans if span.parent_id == command.span_id and span.service == "orchestrator")
    assert (report.name, report.kind) == ("process llmbench.call.finished.v1", CONSUMER_SPAN)

    judged = _only_span(spans, service="judge", name="process llmbench.judge.judge_answer.v1")
    judges_call = next(span for span in spans if span.attributes.get("llmbench.call.purpose") == "score")
    assert _by_id(spans, judges_call.parent_id).parent_id == judged.span_id
    assert not [span for span in spans if span.failed]


async def _until(collected: Collector, condition: Callable[[list[CollectedSpan]], bool]) -> list[CollectedSpan]:
    try:
        async with asyncio.timeout(90):
            while not condition(collected.spans):
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError("\n".join(map(repr, collected.spans))) from None
    return collected.spans


def _of_trace(spans: list[CollectedSpan]) -> list[CollectedSpan]:
    return [span for span in spans if span.trace_id == TRACE_ID]


def _has_every_step(spans: list[CollectedSpan]) -> bool:
    purposes = {span.attributes.get("llmbench.call.purpose") for span in spans}
    names = {(span.service, span.name) for span in spans}
    return purposes >= {"warm_up", "item", "score"} and names >= {
        ("orchestrator", "POST /api/runs"),
        ("orchestrator", "process llmbench.call.finished.v1"),
        ("orchestrator", "process llmbench.score.answer_scored.v1"),
        ("judge", "process llmbench.judge.judge_answer.v1"),
    }


def _only_span(spans: list[CollectedSpan], *, service: str, name: str) -> CollectedSpan:
    (found,) = [span for span in spans if (span.service, span.name) == (service, name)]
    return found


def _by_id(spans: list[CollectedSpan], span_id: str) -> CollectedSpan:
    return next(span for span in spans if span.span_id == span_id)
