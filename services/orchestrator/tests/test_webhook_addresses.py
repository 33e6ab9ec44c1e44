"""A webhook goes to the address that was looked at: a name is asked for once, and called by number."""

import asyncio
from collections.abc import Sequence

import pytest
from webhook_receiver import receiving

from orchestrator.adapters.webhook_sender import HttpWebhookSender
from orchestrator.ports.webhooks import Undeliverable


class Names:
    """A name server that says something else each time."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def look_up(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self._answers.pop(0)


@pytest.mark.parametrize(
    "addresses",
    [
        *(["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"]),
        *(["fe80::1%eth0"], ["64:ff9b::7f00:1"], ["::7f00:1"], ["0.0.0.0"], ["224.0.0.1"], ["100.64.0.1"]),
    ],
    ids=",".join,
)
async def test_a_name_of_a_private_address_is_not_called(addresses: Sequence[str]) -> None:
    names = Names(addresses)
    sender = HttpWebhookSender(private_allowed=False, look_up=names.look_up)
    with pytest.raises(Undeliverable, match="is a private address"):
        await sender.post("http://hook.example/x", b"{}", {})
    assert names.asked == ["hook.example"]


async def test_a_name_that_changes_its_address_is_called_where_it_was_when_looked_at() -> None:
    async with receiving() as receiver:
        port = receiver.url.rpartition(":")[2].partition("/")[0]
        # A second answer would lead to nobody.
        names = Names(["127.0.0.1"], ["192.0.2.1"])
        sender = HttpWebhookSender(private_allowed=True, look_up=names.look_up)
        assert await sender.post(f"http://rebound.example:{port}/hook", b"{}", {}) == 204
    assert names.asked == ["rebound.example"]
    assert receiver.told[0].headers["host"] == f"rebound.example:{port}"


async def test_a_redirect_is_an_answer_and_followed_by_nobody() -> None:
    async with receiving() as receiver:
        receiver.answers = [f"302 Found\r\nLocation: {receiver.url}/again"]
        assert await HttpWebhookSender(private_allowed=True).post(receiver.url, b"{}", {}) == 302
        assert len(receiver.told) == 1


async def test_what_a_receiver_says_is_not_read() -> None:
    """Its answer may be without end."""

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
