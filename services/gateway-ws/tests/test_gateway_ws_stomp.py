"""Test the STOMP protocol: versions, heartbeats, receipts, and responses to bad frames."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import httpx
import pytest
from stomp_world import Gateway, Orchestrator, running_gateway, until
from stompman.frames import (
    AckFrame,
    ConnectedFrame,
    ConnectFrame,
    DisconnectFrame,
    ErrorFrame,
    MessageFrame,
    ReceiptFrame,
    SendFrame,
    SubscribeFrame,
    UnsubscribeFrame,
)
from websockets.exceptions import InvalidStatus

from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server

RUN = UUID(int=7)
ITEM = f"/topic/run/{RUN}/item"


@pytest.fixture
async def gateway(nats_url: str) -> AsyncIterator[Gateway]:
    async with running_gateway(nats_url) as gateway:
        yield gateway


async def test_connected_frame_has_version_and_heartbeat(gateway: Gateway) -> None:
    async with gateway.open(subprotocols=("v10.stomp", "v12.stomp")) as client:
        assert client.socket.subprotocol == "v12.stomp"
        frame = await client.connect("10000,10000")
    assert frame.headers["version"] == "1.2"
    assert frame.headers["heart-beat"] == "10000,10000"
    assert frame.headers["server"] == "llmbench"


@pytest.mark.parametrize("subprotocols", [("v10.stomp",), ("v11.stomp", "chat")])
async def test_unsupported_subprotocol_is_refused(gateway: Gateway, subprotocols: tuple[str, ...]) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with gateway.open(subprotocols=subprotocols):
            pass
    assert refused.value.response.status_code == 400


async def test_foreign_origin_is_refused(gateway: Gateway) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with gateway.open(origin="http://evil.example"):
            pass
    assert refused.value.response.status_code == 403


async def test_client_over_the_limit_is_refused(nats_url: str) -> None:
    async with running_gateway(nats_url, max_clients=1) as gateway, gateway.client():
        with pytest.raises(InvalidStatus) as refused:
            async with gateway.open():
                pass
    assert refused.value.response.status_code == 503


async def test_older_stomp_version_is_refused_with_the_supported_one(gateway: Gateway) -> None:
    async with gateway.open() as client:
        await client.send(ConnectFrame(headers={"accept-version": "1.0,1.1", "host": "h"}))
        error = await client.error()
    assert "STOMP 1.2" in error.headers["message"]
    assert client.socket.close_code == 1002


async def test_heartbeats_are_sent_and_missing_ones_end_the_connection(nats_url: str) -> None:
    async with running_gateway(nats_url, heartbeat_ms=100) as gateway, gateway.open() as client:
        await client.connect("100,100")
        for _ in range(10):
            await client.send("\n")
            seen = client.heartbeats()
            await until(lambda seen=seen: client.heartbeats() > seen)  # type: ignore[misc]
        assert not client.frames_of(ErrorFrame)
        error = await client.error()
    assert "heartbeat" in error.headers["message"]
    assert client.socket.close_code == 1013


async def test_client_that_offers_no_heartbeat_may_stay_silent(nats_url: str) -> None:
    async with running_gateway(nats_url, heartbeat_ms=50) as gateway, gateway.open() as client:
        await client.connect("0,50")
        await until(lambda: client.heartbeats() > 10)
        assert not client.frames_of(ErrorFrame)


async def test_every_frame_gets_its_receipt(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.subscribe("s:1\n\\", ITEM)
        await client.send(
            UnsubscribeFrame(headers={"id": "s:1\n\\", "receipt": "u"})  # type: ignore[typeddict-unknown-key]
        )
        await client.send(DisconnectFrame(headers={"receipt": "bye"}))
        await client.socket.wait_closed()
        await until(lambda: len(client.frames_of(ReceiptFrame)) == 3)
    assert [frame.headers["receipt-id"] for frame in client.frames_of(ReceiptFrame)] == ["receipt-s:1\n\\", "u", "bye"]
    assert client.socket.close_code == 1000


@pytest.mark.shows("S-18")
async def test_subscription_id_cannot_inject_a_header(nats_url: str) -> None:
    evil = "x\ndestination:/topic/evil\n\nbody"
    async with (
        Orchestrator(nats_url) as orchestrator,
        running_gateway(nats_url) as gateway,
        gateway.client() as client,
    ):
        await client.subscribe(evil, ITEM)
        await orchestrator.store_and_publish(RUN, "item")
        await until(lambda: bool(client.frames_of(MessageFrame)))
    [message] = client.frames_of(MessageFrame)
    assert message.headers["subscription"] == evil
    assert message.headers["destination"] == ITEM


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"GET / HTTP/1.1\n\n\x00", "is not a STOMP command"),
        (b"MESSAGE\n\n\x00", "is not a STOMP command"),
        (b"subscribe\nid:1\n\n\x00", "is not a STOMP command"),
        (b"\xff\xfe\x00", "is not a STOMP command"),
        (b"SUBSCRIBE\nid:1\x00", "no empty line"),
        (b"SUBSCRIBE\nid\n\n\x00", "is not a header"),
        (b"SUBSCRIBE\nid:\\x\n\n\x00", "is not a header"),
        (b"SUBSCRIBE\nid:a:b\n\n\x00", "is not a header"),
        (b"SUBSCRIBE\nid:\xff\n\n\x00", "not UTF-8"),
        (b"SUBSCRIBE\nid:" + b"a" * 3000 + b"\n\n\x00", "exceeds the limit of 2048"),
        (b"SUBSCRIBE\n" + b"".join(b"h%d:1\n" % n for n in range(40)) + b"\n\x00", "more than 32 headers"),
        (b"SUBSCRIBE\n" + b"a:" + b"b" * 20_000, "exceeds the limit of 16384"),
        (b"SUBSCRIBE\ndestination:/topic/runs\n\n\x00", "needs the header id"),
        (b"SUBSCRIBE\nid:1\n\n\x00", "needs the header destination"),
        (b"SUBSCRIBE\nid:1\ndestination:/topic/runs\nack:client\n\n\x00", "Only ack\\cauto"),
        (b"UNSUBSCRIBE\nid:1\n\n\x00", "There is no subscription '1'"),
        (b"CONNECT\naccept-version:1.2\nhost:h\n\n\x00", "CONNECT comes once"),
    ],
)
@pytest.mark.shows("S-18")
async def test_invalid_frame_gets_an_error_and_ends_the_connection(gateway: Gateway, raw: bytes, says: str) -> None:
    async with gateway.client() as client, gateway.client() as other:
        await client.send(raw)
        error = await client.error()
        assert says.replace("\\c", ":") in error.headers["message"]
        assert error.headers["retry"] == "false"  # type: ignore[typeddict-item]
        assert client.socket.close_code == 1002
        await other.subscribe("still-served", ITEM)


@pytest.mark.parametrize(
    "destination",
    [
        "/topic/run/not-a-uuid/item",
        f"/topic/run/{RUN}/secrets",
        f"/topic/run/{RUN}/item/../log",
        f"/topic/run/{RUN}/*",
        "/queue/x",
        "/topic/runs/",
        "/topic/experiments/x",
        "evt.run.>",
    ],
)
async def test_unknown_destination_is_named(gateway: Gateway, destination: str) -> None:
    async with gateway.client() as client:
        await client.send(
            SubscribeFrame.build(subscription_id="1", destination=destination, ack="auto", headers={"receipt": "r"})
        )
        error = await client.error()
    assert destination in error.headers["message"]
    assert error.headers["receipt-id"] == "r"


@pytest.mark.parametrize("from_seq", ["-1", "x", "1.5", "", "9" * 30, "²"])
async def test_from_seq_that_is_no_number_is_refused(gateway: Gateway, from_seq: str) -> None:
    async with gateway.client() as client:
        await client.send(
            SubscribeFrame.build(subscription_id="1", destination=ITEM, ack="auto", headers={"from-seq": from_seq})
        )
        assert "from-seq" in (await client.error()).headers["message"]


@pytest.mark.parametrize(
    "frame",
    [
        SendFrame(headers={"destination": ITEM}, body=b"hello"),
        SendFrame(headers={"destination": ITEM, "content-length": "3"}, body=b"a\x00b"),
        AckFrame(headers={"id": "1", "subscription": "1"}),
    ],
)
async def test_client_may_not_send_or_acknowledge_messages(gateway: Gateway, frame: SendFrame | AckFrame) -> None:
    async with gateway.client() as client:
        await client.send(frame)
        assert "one-way" in (await client.error()).headers["message"]


async def test_frame_before_connect_is_refused(gateway: Gateway) -> None:
    async with gateway.open() as client:
        await client.send(SubscribeFrame(headers={"id": "1", "destination": ITEM}))
        assert "before CONNECT" in (await client.error()).headers["message"]


async def test_duplicate_subscription_id_and_too_many_subscriptions_are_refused(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.subscribe("1", ITEM)
        await client.send(SubscribeFrame(headers={"id": "1", "destination": "/topic/runs"}))
        assert "in use" in (await client.error()).headers["message"]
    async with gateway.client() as client:
        for number in range(64):
            await client.subscribe(str(number), ITEM)
        await client.send(SubscribeFrame(headers={"id": "64", "destination": ITEM}))
        assert "64 subscriptions" in (await client.error()).headers["message"]


@pytest.mark.shows("S-13")
async def test_message_over_the_limit_disconnects_only_its_sender(gateway: Gateway) -> None:
    async with gateway.client() as client, gateway.client() as other:
        await client.send("x" * 70_000)
        await client.socket.wait_closed()
        assert client.socket.close_code == 1009
        await other.subscribe("1", ITEM)


async def test_frames_may_arrive_in_pieces_and_several_at_once(gateway: Gateway) -> None:
    async with gateway.open() as client:
        whole = (
            b"\n\r\nCONNECT\r\naccept-version:1.2\r\nhost:127.0.0.1:8400\r\n\r\n\x00\n"
            b"SUBSCRIBE\nid:1\ndestination:/topic/runs\nreceipt:one\n\n\x00"
            b"SUBSCRIBE\nid:2\ndestination:/topic/runs\nreceipt:two\n\n\x00"
        )
        for start in range(0, len(whole), 7):
            await client.send(whole[start : start + 7])
        await until(lambda: len(client.frames_of(ReceiptFrame)) == 2)
        await client.send(whole[whole.index(b"SUBSCRIBE") :].replace(b"id:", b"id:x"))
        await until(lambda: len(client.frames_of(ReceiptFrame)) == 4)
        assert len(client.frames_of(ConnectedFrame)) == 1


async def test_random_bytes_do_not_affect_other_clients(gateway: Gateway) -> None:
    async with gateway.client() as other:
        for seed in range(20):
            async with gateway.client() as client:
                await client.send(bytes((seed * 37 + n * n) % 256 for n in range(500)) + b"\x00")
                await client.socket.wait_closed()
        await other.subscribe("1", ITEM)


async def test_readiness_is_200_with_a_broker(gateway: Gateway) -> None:
    assert await _ready(gateway) == 200


async def test_service_waits_for_an_unreachable_broker(tmp_path: Path) -> None:
    port = free_port()
    async with running_gateway(f"nats://llmbench:only-for-tests@127.0.0.1:{port}") as gateway:
        assert await _ready(gateway) == 503
        with pytest.raises(InvalidStatus) as refused:
            async with gateway.open():
                pass
        assert refused.value.response.status_code == 503
        async with nats_server(tmp_path, port=port):
            async with asyncio.timeout(90):
                while await _ready(gateway) != 200:
                    await asyncio.sleep(0.05)
            async with gateway.client() as client:
                await client.subscribe("1", ITEM)


async def _ready(gateway: Gateway) -> int:
    async with httpx.AsyncClient(timeout=90) as http:
        return (await http.get(f"http://127.0.0.1:{gateway.port}/health/ready")).status_code
