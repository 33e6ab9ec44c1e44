"""Posts a webhook to an address that was looked at, and to no other.

The host's addresses are asked for once, checked, and called by number: between the look and the call nobody can
put another address behind the name (DNS rebinding). Redirects are not followed, proxies not used.
"""

import asyncio
import socket
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from orchestrator.domain.webhooks import PRIVATE, is_public
from orchestrator.ports.webhooks import Undeliverable

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 10.0


class HttpWebhookSender:
    """See orchestrator.ports.webhooks.WebhookSender."""

    def __init__(self, *, private_allowed: bool) -> None:
        self._private_allowed = private_allowed

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        # Half a tenth of a second of imports that only those need who have webhooks.
        import httpx

        asked = httpx.URL(url)
        try:
            async with asyncio.timeout(TIMEOUT_S), AsyncExitStack() as stack:
                address = await self._address(asked)
                client = await stack.enter_async_context(httpx.AsyncClient(trust_env=False, follow_redirects=False))
                # The name stays what the server is asked for, and what its certificate has to say.
                request = client.build_request(
                    "POST",
                    asked.copy_with(host=address),
                    content=body,
                    headers={**headers, "host": asked.netloc.decode("ascii")},
                    extensions={"sni_hostname": asked.raw_host.decode("ascii")},
                )
                answer = await client.send(request, stream=True)
                stack.push_async_callback(answer.aclose)
                # Nobody reads what else it says.
                return answer.status_code
        except TimeoutError:
            raise Undeliverable(f"no answer within {TIMEOUT_S:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Undeliverable(f"could not be called: {type(error).__name__}: {error}") from None

    async def _address(self, url: "httpx.URL") -> str:
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                url.host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
            )
        except OSError as error:
            raise Undeliverable(f"the host {url.host} is not known: {error}") from None
        addresses = [str(one[4][0]) for one in found]
        if not self._private_allowed and not all(is_public(address) for address in addresses):
            raise Undeliverable(PRIVATE.format(host=url.host))
        return addresses[0]
