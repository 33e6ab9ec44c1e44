"""Run many API clients, each on its own connection. They send the requests that the page of a run sends in a browser.

This program prints `ready` when all clients are connected, and sends requests until it reads a line from stdin. Then it
prints one JSON object. In this object, `took_ms` maps each kind of request to a list of durations in milliseconds, and
`errors` lists the messages of failed requests.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from benchmarks.client_process import READY

PAUSE_S = 2.0
"""The average pause in seconds between an answer and a client's next request."""
# The requests about the newest run, and their relative frequencies. `{seq}` is the number of the next event that the
# client does not know yet.
REQUESTS: Mapping[str, tuple[str, int]] = {
    "the run": ("/api/runs/{run}", 4),
    "its items": ("/api/runs/{run}/items?limit=100", 4),
    "its events": ("/api/runs/{run}/events?from_seq={seq}&limit=500", 4),
    "its failed items": ("/api/runs/{run}/items?status=FAILED&limit=100", 1),
    "its spread": ("/api/runs/{run}/distribution", 1),
    "the list of runs": ("/api/runs?limit=20", 2),
}


@dataclass
class Seen:
    took_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    newest: str = ""


class Client:
    def __init__(self, session: aiohttp.ClientSession, seen: Seen, number: int) -> None:
        self._session = session
        self._seen = seen
        self._random = random.Random(number)  # noqa: S311  # a fixed seed gives the same order each time
        self._known: dict[str, int] = defaultdict(int)

    async def connect(self) -> None:
        async with self._session.get("/api/runs?limit=20") as response:
            self._note((await response.json())["items"])

    async def send_requests(self) -> None:
        names, weights = list(REQUESTS), [weight for _, weight in REQUESTS.values()]
        while True:
            await asyncio.sleep(self._random.uniform(0, 2 * PAUSE_S))
            await self._ask(self._random.choices(names, weights)[0])

    async def _ask(self, name: str) -> None:
        run = self._seen.newest
        path = REQUESTS[name][0].format(run=run, seq=self._known[run] + 1)
        began = time.perf_counter()
        try:
            async with self._session.get(path) as response:
                body = await response.read()
                if response.status != 200:
                    self._seen.errors.append(f"{name}: {response.status} {body[:200].decode(errors='replace')}")
                    return
        except (aiohttp.ClientError, TimeoutError) as error:
            self._seen.errors.append(f"{name}: {error!r}")
            return
        self._seen.took_ms[name].append((time.perf_counter() - began) * 1000)
        answer = json.loads(body)
        if name == "the list of runs":
            self._note(answer["items"])
        elif name == "its events":
            self._known[run] = answer["next_seq"] - 1

    def _note(self, runs: list[dict[str, Any]]) -> None:
        if runs:
            self._seen.newest = runs[0]["id"]


async def ask(url: str, clients: int) -> Seen:
    seen = Seen()
    sessions = [aiohttp.ClientSession(url, timeout=aiohttp.ClientTimeout(60)) for _ in range(clients)]
    try:
        api_clients = [Client(session, seen, number) for number, session in enumerate(sessions)]
        await asyncio.gather(*(client.connect() for client in api_clients))
        tasks = [asyncio.create_task(client.send_requests()) for client in api_clients]
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.readline)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        seen.errors += [repr(result) for result in ended if not isinstance(result, asyncio.CancelledError)]
    finally:
        for session in sessions:
            await session.close()
    return seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--clients", type=int, required=True)
    arguments = parser.parse_args()
    found = asyncio.run(ask(arguments.url, arguments.clients))
    json.dump({"took_ms": found.took_ms, "errors": found.errors}, sys.stdout)
    sys.stdout.write("\n")
