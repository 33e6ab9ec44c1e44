"""Test that a webhook is sent to the IP address that was checked, because its host name is resolved only once."""

import asyncio
from collections.abc import Sequence

import pytest
from webhook_receiver import receiving

from llmbench.http.listeners import Listeners
from orchestrator.evaluations.adapters.webhook_sender import HttpWebhookSender
from orchestrator.evaluations.ports.webhooks import Undeliverable
from orchestrator.kernel.domain.webhooks import check_url


class Names:
    """A fake name server. It answers each request with the next of the given lists of addresses."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def look_up(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self._answers.pop(0)


@pytest.mark.parametrize(
    "addresses",
    [
        *(["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]),
        *(["64:ff9b::7f00:1"], ["::7f00:1"], ["0.0.0.0"], ["224.0.0.1"], ["100.64.0.1"]),
    ],
    ids=",".join,
)
@pytest.mark.shows("S-09")
async def test_webhook_host_that_resolves_to_a_private_address_is_not_called(addresses: Sequence[str]) -> None:
    names = Names(addresses)
    sender = HttpWebhookSender(private_allowed=False, look_up=names.look_up)
    with pytest.raises(Undeliverable, match="is a private address"):
        await sender.post("http://hook.example/x", b"{}", {})
    assert names.asked == ["hook.example"]


@pytest.mark.shows("S-09")
async def test_webhook_is_sent_to_the_checked_address_despite_dns_rebinding() -> None:
    async with receiving() as receiver:
        port = receiver.url.rpartition(":")[2].partition("/")[0]
        # A second look-up would return an address where no server listens.
        names = Names(["127.0.0.1"], ["192.0.2.1"])
        sender = HttpWebhookSender(private_allowed=True, look_up=names.look_up)
        assert await sender.post(f"http://rebound.example:{port}/hook", b"{}", {}) == 204
    assert names.asked == ["rebound.example"]
    assert receiver.requests[0].headers["host"] == f"rebound.example:{port}"


async def test_webhook_redirect_is_not_followed() -> None:
    async with receiving() as receiver:
        receiver.answers = [f"302 Found\r\nLocation: {receiver.url}/again"]
        assert await HttpWebhookSender(private_allowed=True).post(receiver.url, b"{}", {}) == 302
        assert len(receiver.requests) == 1


async def test_webhook_response_body_is_not_read() -> None:
    """The response of the receiver may be endless, so it is not read."""

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        except OSError:
            writer.close()

    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await HttpWebhookSender(private_allowed=True).post(url, b"{}", {}) == 200


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "169.254.1.1", "fe80::1%eth0", "fd00:ec2::254", "100.100.100.200", "168.63.129.16"),
        *("::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "192.0.0.192", "fd20:ce::254"),
    ],
)
@pytest.mark.shows("S-09")
async def test_allowed_private_webhooks_do_not_reach_metadata_addresses(address: str) -> None:
    sender = HttpWebhookSender(private_allowed=True, look_up=Names(["10.0.0.1", address]).look_up)
    with pytest.raises(Undeliverable, match="is a link-local or metadata address"):
        await sender.post("http://hook.example/x", b"{}", {})
    if "%" not in address:
        host = f"[{address}]" if ":" in address else address
        with pytest.raises(ValueError, match="is a link-local or metadata address"):
            check_url(f"http://{host}/latest", private_allowed=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "0.0.0.0", "::ffff:127.0.0.1"])
@pytest.mark.shows("S-10")
async def test_allowed_private_webhooks_do_not_reach_the_platform_itself(address: str) -> None:
    async with receiving() as receiver:
        port = int(receiver.url.rpartition(":")[2].partition("/")[0])
        sender = HttpWebhookSender(
            private_allowed=True, own=Listeners([("127.0.0.1", port)]), look_up=Names([address]).look_up
        )
        with pytest.raises(Undeliverable, match="llmbench itself listens there"):
            await sender.post(f"http://hook.example:{port}/x", b"{}", {})
    assert not receiver.requests
