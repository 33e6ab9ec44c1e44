"""Run the complete platform for a test: real servers, the five services as separate processes, and the mock provider.

Services can be killed and restarted one by one.

    async with platform() as stack:
        run_id = await stack.start_run("mock-0ms")
"""

import asyncio
import contextlib
import itertools
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import nats as nats_client

from benchmarks.mock_provider.server import mock_provider
from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench.db.migrate import upgrade
from llmbench.service.settings import AuthMode
from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.edge import Edge
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.services import (
    GATEWAY,
    IDENTITY,
    SERVICES,
    Surroundings,
    listeners,
    service_spec,
    services_of,
    with_login,
)
from tests import preloaded
from tests.migrated import migrated_data
from tests.servers import FAST, Service, nats_service, postgres_service

JUDGE_MODEL = "mock-0ms-judge"
MASTER_KEY = "only-for-tests-only-for-tests-only-for-tests"
RUN_TIMEOUT_S = 300.0
HOSTED = "localhost"
"""The host of provider URLs that counts as hosted in tests, while 127.0.0.1 counts as local."""
_MORE_SETTINGS = {
    # The gateway waits only this long for unfinished calls at its end.
    GATEWAY: {
        "LLMBENCH_INFERENCE_GATEWAY_STOP_GRACE_S": "3",
        # The mock is on this machine, also for the second organisation of a test with sign-in.
        "LLMBENCH_PRIVATE_PROVIDERS": "all",
    },
    "orchestrator": {"LLMBENCH_ORCHESTRATOR_HOSTED_HOSTS": HOSTED},
}
OF_AN_ORGANISATION = ("config-api", "orchestrator", "gateway-ws")
"""The services that answer requests about the data of an organisation."""


@dataclass
class Platform:
    """A running platform, and methods that use its API, its servers and the mock provider."""

    url: str
    provider_url: str
    database_url: str
    nats_url: str
    services: dict[str, Service]
    http: httpx.AsyncClient
    provider_http: httpx.AsyncClient
    logs: Path
    provider_id: str = ""
    collection_id: str = ""
    task_ids: list[str] = field(default_factory=list)
    ports: dict[str, int] = field(default_factory=dict)
    seeds: int = 0
    servers: dict[str, Service] = field(default_factory=dict)
    """The processes of PostgreSQL and NATS, named `postgres` and `nats`."""
    surroundings: Surroundings | None = None
    """The environment of every service."""

    async def seed(self, tasks: int) -> None:
        """Create a provider that leads to the mock provider, and a collection of `tasks` tasks. Each further call uses
        new names."""
        self.seeds += 1
        again = f" {self.seeds}" if self.seeds > 1 else ""
        provider = {"name": f"Mock{again}", "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": self.provider_url}
        self.provider_id = (await self.post("/api/providers", provider))["id"]
        self.task_ids = [
            (
                await self.post(
                    "/api/tasks",
                    {
                        "task_id": f"sum-{number:03}{again.replace(' ', '-')}",
                        "category": "arithmetic",
                        "question": f"What is {number} + {number}?",
                        "excellent": str(2 * number),
                        "incorrect_answer_direction": "any other number",
                    },
                )
            )["id"]
            for number in range(tasks)
        ]
        self.collection_id = (await self.post("/api/collections", {"name": f"Sums{again}", "task_ids": self.task_ids}))[
            "id"
        ]

    async def post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        response = await self.http.post(path, json=body)
        assert response.is_success, f"{path}: {response.status_code} {response.text}"
        answer: dict[str, Any] = response.json()
        return answer

    async def get(self, path: str, **params: Any) -> dict[str, Any]:
        response = await self.http.get(path, params=params)
        assert response.is_success, f"{path}: {response.status_code} {response.text}"
        answer: dict[str, Any] = response.json()
        return answer

    def run_body(self, *models: str, judge: str | None = JUDGE_MODEL, **more: Any) -> dict[str, Any]:
        return {
            "judge": {"provider_id": self.provider_id, "model": judge} if judge else None,
            "targets": [{"provider_id": self.provider_id, "model": model} for model in models],
            "collection_ids": [self.collection_id],
            # The mock lists only a few models, but accepts any name that follows its rules.
            "check_providers": False,
        } | more

    async def start_run(self, *models: str, **more: Any) -> str:
        run_id: str = (await self.post("/api/runs", self.run_body(*models, **more)))["id"]
        return run_id

    async def until(
        self, run_id: str, condition: Callable[[dict[str, Any]], bool], timeout_s: float = RUN_TIMEOUT_S
    ) -> dict[str, Any]:
        """Poll the run until the condition holds, and return it. Requests may fail while a service restarts."""
        run: dict[str, Any] = {}
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    with contextlib.suppress(httpx.TransportError, AssertionError):
                        run = await self.get(f"/api/runs/{run_id}")
                        if condition(run):
                            return run
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"the run never got there: {json.dumps(run, indent=1)[:3000]}") from None

    async def until_status(self, run_id: str, status: str) -> dict[str, Any]:
        return await self.until(run_id, lambda run: run["status"] == status)

    def second_process(self, name: str) -> Service:
        """Return a second process of a service. It is not started yet, and the edge sends it no requests."""
        assert self.surroundings is not None
        spec = _spec(name, free_port(), self.surroundings)
        return Service(replace(spec, log=spec.log.with_stem(f"{name}-2")), preloaded=True)

    @asynccontextmanager
    async def of_organisation(self, org_id: UUID) -> AsyncIterator["Platform"]:
        """Yield a `Platform` for another organisation. The services with an HTTP API run a second time, behind a second
        edge; gateway, judge, database and broker are shared."""
        assert self.surroundings is not None
        ports = {**self.ports, **{name: free_port() for name in OF_AN_ORGANISATION}}
        edge_port = free_port()
        surroundings = replace(
            self.surroundings,
            public_origins=f"http://127.0.0.1:{edge_port}",
            logs=self.logs / str(org_id),
        )
        surroundings.logs.mkdir()
        async with AsyncExitStack() as stack:
            services = {}
            for name in OF_AN_ORGANISATION:
                spec = _spec(name, ports[name], surroundings)
                spec = replace(spec, env={**spec.env, "LLMBENCH_ORGANISATION": str(org_id)})
                services[name] = Service(spec, preloaded=True)
                stack.push_async_callback(services[name].stop)
            await asyncio.gather(*(service.start() for service in services.values()))
            url = await stack.enter_async_context(_edge(surroundings.logs, edge_port, ports))
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=90))
            yield replace(self, url=url, http=http, services=services, ports=ports, seeds=0, surroundings=surroundings)

    async def quieten(self) -> None:
        """Clean up after a test: start the services that were killed, and cancel all runs that are not finished."""
        for service in self.services.values():
            if service.process is None or service.process.returncode is not None:
                await service.start()
        for run in (await self.get("/api/runs", limit=100))["items"]:
            if run["status"] not in ("FINISHED", "CANCELLED"):
                await self.post(f"/api/runs/{run['id']}/cancel")
                await self.until_status(run["id"], "CANCELLED")

    async def items(self, run_id: str) -> list[dict[str, Any]]:
        found, cursor = [], None
        while True:
            page = await self.get(f"/api/runs/{run_id}/items", limit=500, **({"cursor": cursor} if cursor else {}))
            found += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    async def events(self, run_id: str) -> list[dict[str, Any]]:
        found, from_seq = [], 1
        while True:
            page = await self.get(f"/api/runs/{run_id}/events", from_seq=from_seq, limit=1000)
            found += page["events"]
            from_seq = page["next_seq"]
            if from_seq > page["last_seq"]:
                return found

    async def ledger(self) -> list[dict[str, Any]]:
        """Return all calls that the provider has received, sorted by start time."""
        answer = (await self.provider_http.get("/ledger")).json()
        calls: list[dict[str, Any]] = answer["calls"] if isinstance(answer, dict) else answer
        return sorted(calls, key=lambda call: call["started_monotonic"])

    async def control(self, **settings: Any) -> None:
        """Change the behaviour of the mock provider from now on."""
        (await self.provider_http.post("/control", json=settings)).raise_for_status()

    async def until_ledger(self, condition: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        async with asyncio.timeout(RUN_TIMEOUT_S):
            while True:
                calls = await self.ledger()
                if condition(calls):
                    return calls
                await asyncio.sleep(0.02)

    async def until_held(self, model: str) -> dict[str, Any]:
        """Wait until the mock provider delays a call of `model`, and return this call. The provider answers it only
        after `control` ends the delay."""
        calls = await self.until_ledger(lambda calls: any(_is_held(call, model) for call in calls))
        return next(call for call in calls if _is_held(call, model))

    async def purge_streams(self) -> None:
        connection = await nats_client.connect(self.nats_url)
        try:
            js = connection.jetstream()
            await js.purge_stream("COMMANDS")
            await js.purge_stream("EVENTS")
            await js.purge_stream("REPORTS")
        finally:
            await connection.close()


@asynccontextmanager
async def platform(
    *,
    tasks: int = 6,
    log_level: str | None = None,
    prepare: Callable[[str, str], Awaitable[None]] | None = None,
    database_settings: Mapping[str, str] = FAST,
    disk: Path | None = None,
    auth: AuthMode = "off",
    settings_of: Mapping[str, Mapping[str, str]] | None = None,
    proxy_header: str = "",
    interpreted: bool = False,
) -> AsyncIterator[Platform]:
    """Run the complete platform behind one URL, with its own database. Create a provider, and a collection of `tasks`
    tasks.

    If `prepare` is given, it fills the database instead: it gets the URLs of the empty database and of the mock
    provider. Nothing is created unless `auth` is "off", because a person has to sign in first. With `auth` "proxy",
    `proxy_header` is the header with the identity.

    PostgreSQL does not wait for the disk, unless `database_settings` is {}, as measurements need. `disk` is the folder
    for all data, including those of NATS and PostgreSQL. `settings_of` has further environment variables, by service.
    Within pytest the services are forked from preloaded processes. With `interpreted`, each is started by a new
    interpreter.
    """
    folder = Path(tempfile.mkdtemp(prefix="llmbench-platform-", dir=disk))
    async with AsyncExitStack() as stack:
        postgres, database_url = await stack.enter_async_context(
            postgres_service(
                folder, settings=database_settings, disk=disk, data=None if prepare else await migrated_data()
            )
        )
        nats, nats_url = await stack.enter_async_context(nats_service(folder / "nats", auth=auth))
        provider_url = await stack.enter_async_context(mock_provider(start=preloaded.start))
        if prepare:
            await prepare(database_url, provider_url)
            await upgrade(database_url)
        passwords = dict.fromkeys(SERVICE_GRANTS, "only-for-tests")
        await ensure_logins(database_url, passwords)
        edge_port = free_port()
        url = f"http://127.0.0.1:{edge_port}"
        ports = {name: free_port() for name in services_of(auth)}
        surroundings = Surroundings(
            # Services use the same restricted logins as in `llmbench up`, so each journey also tests that no right is
            # missing.
            database_urls={
                name: with_login(database_url, grants.role, passwords[name]) for name, grants in SERVICE_GRANTS.items()
            },
            nats_urls={name: with_login(nats_url, name, "only-for-tests") for name in SERVICES},
            master_key=MASTER_KEY,
            public_origins=url,
            log_level=log_level,
            logs=folder,
            files=folder / "files",
            listeners=listeners({**ports, "edge": edge_port}),
            identity_url=f"http://127.0.0.1:{ports[IDENTITY]}" if auth != "off" else None,
            auth=auth,
        )
        specs = {name: _spec(name, ports[name], surroundings) for name in ports}
        services = {
            name: Service(
                replace(spec, env={**spec.env, **(settings_of or {}).get(name, {})}), preloaded=not interpreted
            )
            for name, spec in specs.items()
        }
        for service in services.values():
            stack.push_async_callback(service.stop)
        await asyncio.gather(*(service.start() for service in services.values()))
        await stack.enter_async_context(_edge(folder, edge_port, ports, auth, proxy_header))
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=90))
        provider_http = await stack.enter_async_context(httpx.AsyncClient(base_url=provider_url, timeout=90))
        opened = Platform(
            url=url,
            provider_url=provider_url,
            database_url=database_url,
            nats_url=nats_url,
            services=services,
            http=http,
            provider_http=provider_http,
            logs=folder,
            ports=ports,
            servers={"postgres": postgres, "nats": nats},
            surroundings=surroundings,
        )
        if not prepare and auth == "off":
            await opened.seed(tasks)
        yield opened


@asynccontextmanager
async def _edge(
    folder: Path, port: int, ports: Mapping[str, int], auth: AuthMode = "off", proxy_header: str = ""
) -> AsyncIterator[str]:
    edge = Service(
        Edge(
            program=script("caddy"),
            config=checkout() / "deploy" / "Caddyfile",
            spa=checkout() / "web" / "dist",
            state=folder / "caddy",
            log=folder / "edge.log",
            auth=auth,
            proxy_header=proxy_header,
        ).spec(port, ports)
    )
    await edge.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await edge.stop()


def _is_held(call: dict[str, Any], model: str) -> bool:
    return call["model"] == model and call["held"] and call["finished_monotonic"] is None


def _spec(name: str, port: int, surroundings: Surroundings) -> ProcessSpec:
    """Return the specification of a service's process as in `llmbench up`, with settings for tests."""
    spec = service_spec(name, port, surroundings)
    return replace(spec, env={**spec.env, **_MORE_SETTINGS.get(name, {})})


def overlaps(calls: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield pairs of consecutive calls that were in flight at the same time."""
    for before, after in itertools.pairwise(calls):
        if before["finished_monotonic"] is None or after["started_monotonic"] < before["finished_monotonic"]:
            yield before, after
