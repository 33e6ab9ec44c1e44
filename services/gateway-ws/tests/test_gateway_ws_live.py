"""Test the delivery of events to clients: live, replayed, after a restart of the broker, and to slow readers."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
from stomp_world import Gateway, Orchestrator, running_gateway, until
from stompman.frames import ErrorFrame, MessageFrame, ReceiptFrame, SubscribeFrame, UnsubscribeFrame

from llmbench.messaging.owner import ORGANISATION
from llmbench.observability.metrics import FRAMES_DROPPED
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server

pytestmark = pytest.mark.never_rerun

TOPICS = ("status", "progress", "item", "log")


@pytest.fixture
async def orchestrator(nats_url: str) -> AsyncIterator[Orchestrator]:
    async with Orchestrator(nats_url) as orchestrator:
        yield orchestrator


@pytest.fixture
async def gateway(nats_url: str) -> AsyncIterator[Gateway]:
    async with running_gateway(nats_url) as gateway:
        yield gateway


async def test_event_reaches_its_topic_unchanged(orchestrator: Orchestrator, gateway: Gateway) -> None:
    run, text = uuid4(), 'NUL \x00, new\nline, {"json": "é日👍"}'
    async with gateway.client() as client:
        for topic in TOPICS:
            await client.subscribe(topic, f"/topic/run/{run}/{topic}")
        for topic in TOPICS:
            await orchestrator.store_and_publish(run, topic, text=text, some_field_of_a_newer_version=1)
        await until(lambda: len(client.frames_of(MessageFrame)) == 4)
    for number, (topic, message) in enumerate(zip(TOPICS, client.frames_of(MessageFrame), strict=True), start=1):
        assert message.headers["subscription"] == topic
        assert message.headers["destination"] == f"/topic/run/{run}/{topic}"
        assert message.headers["message-id"] == str(number)
        assert message.headers["content-type"] == "application/json"
        assert int(message.headers["content-length"]) == len(message.body)
        assert json.loads(message.body) == orchestrator.stored[run][number - 1][1]


async def test_event_with_an_unparsable_body_is_dropped_and_the_next_delivered(
    orchestrator: Orchestrator, gateway: Gateway
) -> None:
    """Events whose body cannot be parsed, such as a raw NUL after the JSON, are dropped. The next event arrives."""
    run = uuid4()
    async with gateway.client() as client:
        await client.subscribe("1", f"/topic/run/{run}/log")
        await orchestrator.nats.publish(f"evt.run.{run}.log", b'{"run_seq": 1}\x00')
        await orchestrator.nats.publish(f"evt.run.{run}.log", b"\xff\xff")
        await orchestrator.nats.publish(f"evt.run.{run}.log", b'{"run_seq": "1"}')
        await orchestrator.nats.publish(f"evt.run.{run}.log", b"[" * 100_000)
        await orchestrator.store_and_publish(run, "log", text="still here")
        await until(lambda: client.seqs("1") == [1])


async def test_overview_topic_has_status_and_progress_of_every_run(
    orchestrator: Orchestrator, gateway: Gateway
) -> None:
    one, other = uuid4(), uuid4()
    async with gateway.client() as client:
        await client.subscribe("all", "/topic/runs", from_seq="1")
        for run in (one, other):
            for topic in TOPICS:
                await orchestrator.store_and_publish(run, topic)
        await until(lambda: len(client.frames_of(MessageFrame)) == 4)
        assert {frame.headers["destination"] for frame in client.frames_of(MessageFrame)} == {"/topic/runs"}
    assert [json.loads(frame.body)["type"].split(".")[2] for frame in client.frames_of(MessageFrame)] == [
        "status_changed",
        "progressed",
    ] * 2


async def test_streamed_answer_reaches_those_who_watch_its_run_in_its_organisation(
    orchestrator: Orchestrator, gateway: Gateway
) -> None:
    run, other = uuid4(), uuid4()
    body = {"run_id": str(run), "item_id": str(uuid4()), "content": "The sum is"}
    async with gateway.client() as client:
        await client.subscribe("watched", f"/topic/run/{run}/answer", from_seq="1")
        await client.subscribe("other", f"/topic/run/{other}/answer")
        await client.subscribe("items", f"/topic/run/{run}/item")
        foreign = {ORGANISATION: str(uuid4())}
        await orchestrator.nats.publish(
            f"ctl.answer.{run}", json.dumps(body | {"content": "?"}).encode(), headers=foreign
        )
        await orchestrator.nats.publish(f"ctl.answer.{run}", b"no JSON")
        await orchestrator.nats.publish(f"ctl.answer.{run}", json.dumps(body).encode())
        await until(lambda: bool(client.frames_of(MessageFrame)))
        await client.send(UnsubscribeFrame(headers={"id": "watched"}))
    (message,) = client.frames_of(MessageFrame)
    assert message.headers["subscription"] == "watched"
    assert message.headers["destination"] == f"/topic/run/{run}/answer"
    assert json.loads(message.body) == body


async def test_no_event_arrives_after_unsubscribing(orchestrator: Orchestrator, gateway: Gateway) -> None:
    run = uuid4()
    async with gateway.client() as client:
        await client.subscribe("gone", f"/topic/run/{run}/item")
        await client.subscribe("kept", f"/topic/run/{run}/item")
        await orchestrator.store_and_publish(run, "item")
        await until(lambda: client.seqs("gone") == client.seqs("kept") == [1])
        await client.send(
            UnsubscribeFrame(headers={"id": "gone", "receipt": "u"})  # type: ignore[typeddict-unknown-key]
        )
        await until(lambda: "u" in [frame.headers["receipt-id"] for frame in client.frames_of(ReceiptFrame)])
        await orchestrator.store_and_publish(run, "item")
        await until(lambda: client.seqs("kept") == [1, 2])
        assert client.seqs("gone") == [1]


async def test_replay_continues_with_live_events_without_gap_or_duplicate(
    orchestrator: Orchestrator, gateway: Gateway
) -> None:
    run = uuid4()
    for number in range(1000):
        orchestrator.store(run, TOPICS[number % 4])
    async with gateway.client() as early, gateway.client() as late:
        await early.subscribe("item", f"/topic/run/{run}/item", from_seq="1")
        for number in range(200):
            await orchestrator.store_and_publish(run, TOPICS[number % 4])
            if number == 100:
                await late.subscribe("log", f"/topic/run/{run}/log", from_seq="500")
        await until(lambda: early.seqs("item")[-1:] == [1199] and late.seqs("log")[-1:] == [1200])
    assert early.seqs("item") == list(range(3, 1201, 4))
    assert late.seqs("log") == list(range(500, 1201, 4))


async def test_four_topics_are_replayed_concurrently(orchestrator: Orchestrator, gateway: Gateway) -> None:
    run = uuid4()
    for number in range(400):
        orchestrator.store(run, TOPICS[number % 4])
    async with gateway.client() as client:
        for topic in TOPICS:
            await client.send(
                SubscribeFrame.build(
                    subscription_id=topic,
                    destination=f"/topic/run/{run}/{topic}",
                    ack="auto",
                    headers={"from-seq": "101"},
                )
            )
        await until(lambda: len(client.frames_of(MessageFrame)) == 300)
        await orchestrator.store_and_publish(run, "status")
        await until(lambda: client.seqs("status")[-1] == 401)
    assert sorted(seq for topic in TOPICS for seq in client.seqs(topic)) == list(range(101, 402))


async def test_repeated_lost_or_late_events_are_delivered_once_and_in_order(
    orchestrator: Orchestrator, gateway: Gateway
) -> None:
    run = uuid4()
    async with gateway.client() as client:
        orchestrator.store(run, "item")
        await client.subscribe("1", f"/topic/run/{run}/item", from_seq="1")
        await until(lambda: client.seqs("1") == [1])
        for _ in range(9):
            orchestrator.store(run, "item")
        for seq in (2, 2, 4, 3, 1, 8, 10, 9):  # events 5 to 7 are lost
            await orchestrator.publish(run, seq)
        await until(lambda: len(client.seqs("1")) >= 10)
    assert client.seqs("1") == list(range(1, 11))


async def test_replay_of_an_unknown_run_is_refused(gateway: Gateway, orchestrator: Orchestrator) -> None:
    run = uuid4()
    async with gateway.client() as client:
        await client.subscribe("1", f"/topic/run/{run}/item", from_seq="1")
        error = await client.error()
    assert f"There is no run {run}" in error.headers["message"]
    assert client.socket.close_code == 1002


async def test_missing_orchestrator_fails_only_clients_that_requested_a_replay(
    nats_url: str, orchestrator: Orchestrator
) -> None:
    run = uuid4()
    orchestrator.store(run, "item")
    orchestrator.answering = False
    async with (
        running_gateway(nats_url, replay_timeout_s=0.2) as gateway,
        gateway.client() as replaying,
        gateway.client() as live,
    ):
        await live.subscribe("1", f"/topic/run/{run}/item")
        await replaying.subscribe("1", f"/topic/run/{run}/item", from_seq="1")
        await orchestrator.store_and_publish(run, "item")
        error = await replaying.error()
        assert error.headers["retry"] == "true"  # type: ignore[typeddict-item]
        assert replaying.socket.close_code == 1013
        await until(lambda: live.seqs("1") == [2])
        await orchestrator.store_and_publish(run, "item")
        await until(lambda: live.seqs("1") == [2, 3])


async def test_restart_of_the_broker_leaves_no_gap(tmp_path: Path) -> None:
    port, run = free_port(), uuid4()
    async with nats_server(tmp_path / "nats", port=port) as url:
        orchestrator = await Orchestrator(url).__aenter__()
        serving = running_gateway(url)
        gateway = await serving.__aenter__()
        opened = gateway.client()
        client = await opened.__aenter__()
        await orchestrator.store_and_publish(run, "item")
        await client.subscribe("1", f"/topic/run/{run}/item", from_seq="1")
        await orchestrator.store_and_publish(run, "item")
        await until(lambda: client.seqs("1") == [1, 2])
    for _ in range(5):
        orchestrator.store(run, "item")  # stored, but not published on NATS
    async with nats_server(tmp_path / "nats", port=port):
        await until(lambda: client.seqs("1") == [1, 2, 3, 4, 5, 6, 7])
        await orchestrator.store_and_publish(run, "item")
        await until(lambda: client.seqs("1")[-1] == 8)
        assert not client.frames_of(ErrorFrame)
        await opened.__aexit__(None, None, None)
        await serving.__aexit__(None, None, None)
        await orchestrator.__aexit__()


async def test_client_that_does_not_read_is_disconnected_and_others_are_not_delayed(
    nats_url: str, orchestrator: Orchestrator
) -> None:
    run = uuid4()
    async with (
        running_gateway(nats_url, backlog_bytes=1_000_000, batch_ms=5) as gateway,
        gateway.client() as slow,
        gateway.client() as fast,
    ):
        for client in (slow, fast):
            await client.subscribe("1", f"/topic/run/{run}/item")
        slow.stop_reading()
        dropped, number = _dropped_frames(), 0
        while _dropped_frames() == dropped:
            number = await orchestrator.store_and_publish(run, "item", text="x" * 200_000)
            await until(lambda number=number: len(fast.seqs("1")) > number - 3)  # type: ignore[misc]
        # The gateway has given up on the client. The client must still find the reason when it reads again.
        slow.read_to_the_end()
        error = await slow.error()
        await until(lambda: len(fast.seqs("1")) == number)
        assert not fast.frames_of(ErrorFrame)
    assert "Too slow" in error.headers["message"]
    assert error.headers["retry"] == "true"  # type: ignore[typeddict-item]
    assert slow.seqs("1") == list(range(1, len(slow.seqs("1")) + 1))
    assert len(slow.seqs("1")) < number


def _dropped_frames() -> float:
    samples = [sample for family in FRAMES_DROPPED.collect() for sample in family.samples]
    return sum(sample.value for sample in samples if sample.name.endswith("_total"))


async def test_slow_client_gets_conflated_progress(nats_url: str, orchestrator: Orchestrator) -> None:
    run = uuid4()
    async with (
        running_gateway(nats_url, backlog_frames=200, conflate_from=10) as gateway,
        gateway.client() as slow,
        gateway.client() as fast,
    ):
        for client in (slow, fast):
            await client.subscribe("p", f"/topic/run/{run}/progress")
            await client.subscribe("all", "/topic/runs")
        slow.stop_reading()
        for number in range(1, 60):
            await orchestrator.store_and_publish(run, "progress", text="x" * 200_000)
            await until(lambda number=number: fast.seqs("p")[-1:] == [number])  # type: ignore[misc]
        slow.go_on_reading()
        await until(lambda: slow.seqs("p")[-1:] == slow.seqs("all")[-1:] == [59])
        assert not slow.frames_of(ErrorFrame)
    assert len(slow.seqs("p")) < 59
    assert slow.seqs("p") == sorted(set(slow.seqs("p")))
    assert fast.seqs("p") == list(range(1, 60))


async def test_burst_of_events_is_sent_in_few_messages(nats_url: str, orchestrator: Orchestrator) -> None:
    run = uuid4()
    async with running_gateway(nats_url, batch_ms=100) as gateway, gateway.client() as client:
        await client.subscribe("1", f"/topic/run/{run}/item")
        began, before = asyncio.get_running_loop().time(), client.websocket_messages
        for _ in range(500):
            await orchestrator.store_and_publish(run, "item")
        await until(lambda: len(client.seqs("1")) == 500)
        batches = (asyncio.get_running_loop().time() - began) / 0.1
    assert client.websocket_messages - before <= batches + 2


async def test_disconnected_client_leaves_no_resources(orchestrator: Orchestrator, gateway: Gateway) -> None:
    run = uuid4()
    for _ in range(1000):
        orchestrator.store(run, "item")
    for _ in range(5):
        async with gateway.client() as client:
            await client.send(
                SubscribeFrame.build(
                    subscription_id="1",
                    destination=f"/topic/run/{run}/item",
                    ack="auto",
                    headers={"from-seq": "1"},
                )
            )
            client.socket.transport.abort()
    async with gateway.client() as client:
        await client.subscribe("1", f"/topic/run/{run}/item", from_seq="999")
        await orchestrator.store_and_publish(run, "item")
        await until(lambda: client.seqs("1") == [999, 1000, 1001])


async def test_topic_of_experiments_has_the_events_of_every_experiment(
    orchestrator: Orchestrator, gateway: Gateway
) -> None:
    bodies = [
        json.dumps(
            {"type": "a newer one", "experiment_id": str(uuid4()), "number": number, "text": "NUL \x00 日"}
        ).encode()
        for number in range(4)
    ]
    async with gateway.client() as client:
        await client.subscribe("all", "/topic/experiments", from_seq="1")
        await client.subscribe("runs", "/topic/runs")
        await orchestrator.nats.publish("evt.experiment.no-uuid.look", b"{}")
        await orchestrator.nats.publish(f"evt.experiment.{uuid4()}.look", b"[]")
        for kind, body in zip(("status", "round", "look", "kind-of-a-newer-version"), bodies, strict=True):
            await orchestrator.nats.publish(f"evt.experiment.{uuid4()}.{kind}", body)
        await orchestrator.nats.publish(f"evt.experiment.{uuid4()}.status", bodies[0])
        await until(lambda: len(client.frames_of(MessageFrame)) == 4)
    heard = client.frames_of(MessageFrame)
    assert [frame.body for frame in heard] == [*bodies[:3], bodies[0]]
    assert {(frame.headers["destination"], frame.headers["subscription"]) for frame in heard} == {
        ("/topic/experiments", "all")
    }
    assert len({frame.headers["message-id"] for frame in heard}) == 4
