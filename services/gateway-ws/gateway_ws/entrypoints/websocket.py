"""Serve `/ws`: one task reads a client's socket, another writes to it.

When the connection ends, both are stopped. The writer has up to `LAST_FRAMES_S` seconds for its last frames.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from gateway_ws.domain.backlog import Limits
from gateway_ws.domain.frames import HEARTBEAT
from gateway_ws.handlers.clients import CHECK_AGAIN, Clients
from gateway_ws.handlers.connection import Connection
from gateway_ws.handlers.hub import Hub
from llmbench.access import Resource, Verb, allowed
from llmbench.errors import Problem
from llmbench.http.authentication import bound_principal, require_allowed
from llmbench.http.problems import problem
from llmbench.observability.metrics import WEBSOCKET_CLIENTS

SUBPROTOCOL = "v12.stomp"
CONNECT_WITHIN_S = 10.0
LAST_FRAMES_S = 30.0
"""The seconds that a slow client has to read its last frames, such as an ERROR, before the connection is closed."""
CHECK_SIGN_IN_S = 3600.0
"""The seconds after which a connection with sign-in is closed, so that its client is checked again."""
MESSAGE_BYTES = 256 * 1024
"""The approximate maximum size of a WebSocket message, which may contain several frames."""


@dataclass(frozen=True)
class WebSocketSettings:
    """The settings of the WebSocket endpoint.

    Frames are gathered for `batch_s` seconds, and then sent together. `heartbeat_ms` is the interval of heartbeats in
    both directions; 0 means none. `limits` are those of each client's backlog.
    """

    heartbeat_ms: int
    batch_s: float
    limits: Limits
    max_clients: int


def router(hub: Hub, wire: WebSocketSettings, clients: Clients, started: Callable[[], bool]) -> APIRouter:
    api = APIRouter()
    WEBSOCKET_CLIENTS.set_function(lambda: len(clients))

    @api.websocket("/ws")
    async def ws(socket: WebSocket) -> None:
        if SUBPROTOCOL not in socket.scope["subprotocols"]:
            await socket.send_denial_response(
                problem(Problem(400, "Unknown subprotocol", f"Offer the WebSocket subprotocol {SUBPROTOCOL}."))
            )
            return
        if not started() or len(clients) >= wire.max_clients:
            title = "Too many clients" if started() else "Not ready"
            await socket.send_denial_response(problem(Problem(503, title, "Try again later.")))
            return
        try:
            if not _may_read(Resource.EXPERIMENTS):
                require_allowed(Resource.RUNS, Verb.READ)
        except Problem as refusal:
            await socket.send_denial_response(problem(refusal))
            return
        principal = bound_principal()
        connection = Connection(hub, limits=wire.limits, heartbeat_ms=wire.heartbeat_ms, may_read=_may_read)
        clients.add(connection, None if principal is None else principal.credential_id)
        try:
            await socket.accept(subprotocol=SUBPROTOCOL)
            await _serve(socket, connection, wire.batch_s, None if principal is None else CHECK_SIGN_IN_S)
        finally:
            clients.discard(connection)
            connection.gone()

    return api


def _may_read(resource: Resource) -> bool:
    """Return whether the client may read the resource. Without sign-in, everybody may."""
    principal = bound_principal()
    return principal is None or allowed(principal, Verb.READ, resource)


async def _serve(socket: WebSocket, connection: Connection, batch_s: float, lasts_s: float | None) -> None:
    reading = asyncio.create_task(_read(socket, connection))
    writing = asyncio.create_task(_write(socket, connection, batch_s))
    ended = asyncio.create_task(connection.ended.wait())
    tasks = {reading, writing, ended}
    try:
        ended_tasks, _ = await asyncio.wait(tasks, timeout=lasts_s, return_when=asyncio.FIRST_COMPLETED)
        if not ended_tasks:
            connection.fail(CHECK_AGAIN, retry=True)
        if not writing.done() and connection.ending is not None:
            await asyncio.wait({writing}, timeout=LAST_FRAMES_S)
    finally:
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result


async def _read(socket: WebSocket, connection: Connection) -> None:
    """Read until the client disconnects. A client that sends no CONNECT, or no heartbeat in time, is disconnected."""
    loop = asyncio.get_running_loop()
    connect_by = loop.time() + CONNECT_WITHIN_S
    while True:
        patience = connection.heartbeat.expect_within_s if connection.connected else max(0.0, connect_by - loop.time())
        try:
            async with asyncio.timeout(patience):
                message = await socket.receive()
        except TimeoutError:
            silence = "No heartbeat came in time." if connection.connected else "No CONNECT came in time."
            connection.fail(silence, retry=True)
            return
        if message["type"] == "websocket.disconnect":
            connection.gone()
            return
        text = message.get("text")
        connection.received(text.encode() if text is not None else message.get("bytes") or b"")


async def _write(socket: WebSocket, connection: Connection, batch_s: float) -> None:
    """Send the client's backlog until the connection ends, then close the socket.

    After a pause frames are sent at once, otherwise in batches. A heartbeat is sent if there is nothing else to send.
    """
    loop = asyncio.get_running_loop()
    sent_at = loop.time() - batch_s
    while True:
        try:
            async with asyncio.timeout(connection.heartbeat.send_every_s):
                await connection.wake.wait()
        except TimeoutError:
            await socket.send_text(HEARTBEAT)
            sent_at = loop.time()
            continue
        connection.wake.clear()
        if not connection.urgent:
            await asyncio.sleep(max(0.0, sent_at + batch_s - loop.time()))
        connection.urgent = False
        while connection.backlog:
            chunk = connection.backlog.take(MESSAGE_BYTES)
            connection.taken()
            await socket.send_text(chunk.decode())
        sent_at = loop.time()
        if connection.ending is not None and not connection.backlog:
            # A close reason has at most 123 bytes (RFC 6455).
            reason = connection.ending.reason.encode()[:120].decode(errors="ignore")
            with contextlib.suppress(RuntimeError):  # the client has closed the socket meanwhile
                await socket.close(connection.ending.code, reason)
            return
