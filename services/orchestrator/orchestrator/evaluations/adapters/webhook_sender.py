"""Post webhooks, but never to the platform's own listeners, and to private addresses only if the settings allow it.

For each delivery, the host name is resolved once, its addresses are checked, and the request goes to a checked IP
address. This prevents DNS rebinding. Redirects are not followed, and proxies are not used.
"""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from llmbench.http.addresses import is_link_local, is_public
from llmbench.http.listeners import OWN, Listeners, LookUp, look_up
from orchestrator.evaluations.ports.webhooks import Undeliverable
from orchestrator.kernel.domain.webhooks import METADATA, PRIVATE

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 10.0


class HttpWebhookSender:
    """Implement the port `WebhookSender`: post webhooks over HTTP."""

    def __init__(self, *, private_allowed: bool, own: Listeners | None = None, look_up: LookUp = look_up) -> None:
        self._private_allowed = private_allowed
        self._own = own or Listeners()
        self._look_up = look_up

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        # Import here: the import takes 50 ms, and only services with webhooks need it.
        import httpx

        named_url = httpx.URL(url)
        try:
            async with asyncio.timeout(TIMEOUT_S), AsyncExitStack() as stack:
                address = await self._address(named_url)
                client = await stack.enter_async_context(httpx.AsyncClient(trust_env=False, follow_redirects=False))
                # The Host header and the certificate check still use the name.
                request = client.build_request(
                    "POST",
                    named_url.copy_with(host=address),
                    content=body,
                    headers={**headers, "host": named_url.netloc.decode("ascii")},
                    extensions={"sni_hostname": named_url.raw_host.decode("ascii")},
                )
                response = await client.send(request, stream=True)
                stack.push_async_callback(response.aclose)
                # Return without reading the response's body.
                return response.status_code
        except TimeoutError:
            raise Undeliverable(f"no answer within {TIMEOUT_S:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Undeliverable(f"could not be called: {type(error).__name__}: {error}") from None

    async def _address(self, url: "httpx.URL") -> str:
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            addresses = await self._look_up(url.host, port)
        except OSError as error:
            raise Undeliverable(f"the host {url.host} is not known: {error}") from None
        await self._own.refresh(port)
        if any(self._own.has(address, port) for address in addresses):
            raise Undeliverable(f"{url.host}:{port}: {OWN}")
        if any(is_link_local(address) for address in addresses):
            raise Undeliverable(METADATA.format(host=url.host))
        if not self._private_allowed and not all(is_public(address) for address in addresses):
            raise Undeliverable(PRIVATE.format(host=url.host))
        return addresses[0]
