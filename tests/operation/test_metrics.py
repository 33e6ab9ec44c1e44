"""Test the metrics of each service after a run: they exist, are correct, and have few series."""

import json

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.platform import Platform, platform

TASKS = 3
MOST_SERIES = 600


async def test_metrics_of_every_service_count_the_run() -> None:
    async with platform(tasks=TASKS) as stack:
        run_id = await stack.start_run("mock-0ms")
        await stack.until_status(run_id, "FINISHED")
        await stack.http.get("/api/tasks/not-a-uuid")
        await stack.http.get(f"/api/runs/{run_id}/no-such-path")
        numbers = {name: await _numbers(stack, name) for name in stack.services}
        lines = {name: service.log().splitlines() for name, service in stack.services.items()}
        outside = await stack.http.get("/metrics")

    calls = {"provider_type": "CUSTOM_OPEN_AI_COMPATIBLE", "outcome": "answered"}
    # Two warm-ups (of target and judge), and an answer and a score for each task.
    gateway = numbers["inference-gateway"]
    assert gateway.count("llmbench_provider_call_seconds_count", **calls) == 2 + 2 * TASKS
    assert gateway.count("llmbench_provider_tokens_total", direction="input") > 0
    assert gateway.count("llmbench_provider_tokens_total", direction="output") > 0
    assert gateway.count("llmbench_locks_held") == 0
    assert gateway.count("llmbench_lanes_open") >= 0
    handled = "llmbench_message_seconds_count"
    assert once(gateway.count(handled, type="llmbench.infer.generate_completion.v1"), 2 + 2 * TASKS)

    orchestrator = numbers["orchestrator"]
    posted = {"method": "POST", "route": "/api/runs", "status": "201"}
    assert orchestrator.count("llmbench_http_request_seconds_count", **posted) == 1
    assert orchestrator.count("llmbench_http_request_seconds_count", route="/api/runs/{run_id}") > 0
    assert orchestrator.count("llmbench_http_request_seconds_count", route="unmatched", status="404") == 1
    # The gateway also reports that it has released each of the two models.
    assert once(orchestrator.count(handled, type="llmbench.call.finished.v1"), 4 + 2 * TASKS)
    assert once(orchestrator.count(handled, type="llmbench.score.answer_scored.v1"), TASKS)
    assert orchestrator.count("llmbench_outbox_published_total", outbox="run_outbox") > 2 * TASKS
    assert orchestrator.count("llmbench_outbox_oldest_seconds", outbox="run_outbox") < 5

    assert numbers["config-api"].count("llmbench_http_request_seconds_count", route="/api/tasks", status="201") == TASKS
    assert once(numbers["judge"].count(handled, type="llmbench.judge.judge_answer.v1"), TASKS)
    assert numbers["gateway-ws"].count("llmbench_websocket_clients") == 0
    assert numbers["gateway-ws"].count(handled, type="llmbench.run.item_changed.v1") > 0

    for name, found in numbers.items():
        assert run_id not in found.text, name
        assert "mock-0ms" not in found.text, name
        assert len(found.text.splitlines()) < MOST_SERIES, name
    # The edge does not serve metrics: at `/metrics` it has the web application, or nothing.
    assert "llmbench_" not in outside.text
    for name, written in lines.items():
        for line in written:
            assert json.loads(line)["service"] == name


def once(counted: float, messages: int) -> bool:
    """Return whether the counter `counted` fits this number of messages.

    Some messages may be counted twice, because JetStream delivers a message again if a slow machine has not handled it
    within `ACK_WAIT_S` seconds.
    """
    return messages <= counted < 2 * messages


class Numbers:
    """The metrics of a service, parsed from the Prometheus text format."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]

    def count(self, name: str, **labels: str) -> float:
        """Return the sum over all series that have these labels. Fails if no metric has this name."""
        named = [sample for sample in self._samples if sample.name == name]
        assert named, f"no {name} in {self.text}"
        return sum(sample.value for sample in named if labels.items() <= sample.labels.items())


async def _numbers(stack: Platform, service: str) -> Numbers:
    async with httpx.AsyncClient(timeout=90) as client:
        answer = await client.get(f"http://127.0.0.1:{stack.ports[service]}/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return Numbers(answer.text)
