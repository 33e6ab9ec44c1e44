"""Start the parts of the stack in the order of the first line below, and stop them in the order of the second.

home lock → leftovers → postgres │ nats → migrations, logins → services │ model → edge → model's provider
stop:       edge → services, which let calls in flight finish → model, nats → postgres
"""

import asyncio
import os
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench_cli.embedded import model
from llmbench_cli.embedded.binaries import platform_files, script
from llmbench_cli.embedded.edge import Edge, networks
from llmbench_cli.embedded.errors import PortTaken, StartError
from llmbench_cli.embedded.first_owner import first_owner_link, size_of
from llmbench_cli.embedded.home import Runtime
from llmbench_cli.embedded.http_ready import gauge
from llmbench_cli.embedded.keeper import Keeper, Reporter
from llmbench_cli.embedded.leftovers import end_leftovers, identify
from llmbench_cli.embedded.libraries import require_openmp
from llmbench_cli.embedded.logs import rotate_for_ever
from llmbench_cli.embedded.migration import create_database, migrate
from llmbench_cli.embedded.model_provider import register_once
from llmbench_cli.embedded.nats import CONFIGS as NATS_CONFIGS
from llmbench_cli.embedded.nats import LOGINS as NATS_LOGINS
from llmbench_cli.embedded.nats import USER as NATS_OWNER
from llmbench_cli.embedded.nats import VIEWER, Nats
from llmbench_cli.embedded.place import place
from llmbench_cli.embedded.ports import LOOPBACK, holder, is_free, sticky_ports
from llmbench_cli.embedded.postgres import Cluster, prepare
from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.proxied import proxy_header
from llmbench_cli.embedded.reach import reach_database, reach_nats
from llmbench_cli.embedded.services import (
    CALLS_IN_FLIGHT,
    GATEWAY,
    IDENTITY,
    MODEL,
    SERVICES,
    Surroundings,
    call_grace_s,
    listeners,
    model_spec,
    service_spec,
    services_of,
    with_login,
)
from llmbench_cli.running import home_of
from llmbench_cli.settings import CliSettings

DATABASE = "llmbench"
# Each layer stops before the layers that it writes to.
STOP_ORDER = (("edge",), tuple(SERVICES), (MODEL, "nats"), ("postgres",))


class Stack:
    """The servers and services of one home: `async with Stack(...)` starts them, and stops them at the end of the
    block.

    Entering raises StartError if a part cannot start. With `with_model` the built-in model is started if it is
    installed. The URLs other than `url` are set while the stack starts; `model_url` stays None without the model.
    """

    def __init__(self, settings: CliSettings, report: Reporter, *, with_model: bool = True) -> None:
        self.home = home_of(settings)
        self.url = f"http://{LOOPBACK}:{settings.port}"
        self.nats_url = ""
        self.viewer_url = ""
        self.database_url = ""
        self.model_url: str | None = None
        self._settings = settings
        self._report = report
        self._with_model = with_model and model.installed()
        self._ports: dict[str, int] = {}
        self._database_urls: dict[str, str] = {}
        self._nats_urls: dict[str, str] = {}
        self._keepers: dict[str, Keeper] = {}
        self._exit = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Start everything. If that fails, stop what was started, and raise the first StartError if there is one, else
        the error itself."""
        try:
            await self._start()
        except BaseException as failed:
            await self._exit.aclose()
            first = _first_start_error(failed)
            if first is None or first is failed:
                raise
            raise first from failed
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything."""
        await self._exit.aclose()

    def pids(self) -> dict[str, int]:
        """Return the pids of the living processes by name."""
        return {name: keeper.pid for name, keeper in self._keepers.items() if keeper.pid}

    def hurry(self) -> None:
        """Kill the services and the model when they are stopped, instead of waiting for their calls. PostgreSQL and
        NATS stop as usual."""
        for name in (*SERVICES, MODEL):
            if name in self._keepers:
                self._keepers[name].hurry()

    async def _start(self) -> None:
        proxy_header(self._settings.auth)
        if self._with_model:
            require_openmp()
        self.home.create()
        self._exit.enter_context(self.home.held())
        self._end_leftovers()
        port = self._settings.port
        if not is_free(port):
            raise PortTaken(f"port {port} is taken by {holder(port)}: end it, or choose another with LLMBENCH_PORT")
        self._choose_ports()
        self._exit.callback(self.home.forget_runtime)
        self._remember()
        self._exit.push_async_callback(self._stop_all)
        rotation = asyncio.create_task(rotate_for_ever(self.home.logs))
        self._exit.callback(rotation.cancel)

        async with asyncio.TaskGroup() as group:
            group.create_task(self._start_postgres())
            group.create_task(self._start_nats())
        await migrate(self.database_url, log=self.home.log("migrate"), report=self._report)
        await self._make_database_logins()
        surroundings = self._surroundings()
        known_log = size_of(self.home.log(IDENTITY))
        async with asyncio.TaskGroup() as group:
            for name in services_of(self._settings.auth):
                group.create_task(self._run(service_spec(name, self._ports[name], surroundings)))
            if self._with_model:
                group.create_task(self._start_model())
        await self._start_edge()
        if self._settings.auth != "off":
            self._show_first_owner_link(known_log)
        elif self.model_url:
            # With sign-in, only people and programs that have signed in add providers.
            await register_once(self.home, url=self.url, model_url=self.model_url, report=self._report)

    def _show_first_owner_link(self, known_log: int) -> None:
        """Print the link with which a person becomes the platform's first owner, if there is no owner yet. The identity
        service has just written the link into its log, after the first `known_log` bytes."""
        link = first_owner_link(self.home.log(IDENTITY), known_log)
        if link is not None:
            self._report.note(f"to become the owner, open this link within 24 hours (it works once): {link}")

    def _end_leftovers(self) -> None:
        runtime = self.home.runtime()
        if runtime and (ended := end_leftovers(runtime)):
            self._report.note(f"ended processes that an earlier start left behind: {', '.join(ended)}")

    def _choose_ports(self) -> None:
        names = ["postgres", "nats", *([MODEL] if self._with_model else []), *services_of(self._settings.auth)]
        self._ports = sticky_ports(self.home.ports_file, names, avoid={self._settings.port})

    async def _start_postgres(self) -> None:
        if self._settings.database_url:
            self.database_url = self._settings.database_url
            await reach_database(self.database_url, self._report.note)
            return
        folder = self.home.root / "postgres"
        where = await asyncio.to_thread(place, folder)
        for text in where.notes:
            self._report.note(text)
        cluster = Cluster(
            programs=where.programs,
            data=where.data,
            account=where.account,
            password=self.home.password("postgres"),
            log=self.home.log("postgres"),
        )
        if await prepare(cluster):
            self._report.note(f"created a PostgreSQL data directory in {folder}")
        port = self._ports["postgres"]
        await self._run(cluster.spec(port))
        await create_database(cluster.url(port), DATABASE)
        self.database_url = cluster.url(port, DATABASE)

    async def _make_database_logins(self) -> None:
        """Create a login per service on the embedded database server. On a user's server, all services use the login of
        the user's URL."""
        if self._settings.database_url:
            self._database_urls = dict.fromkeys(SERVICE_GRANTS, self.database_url)
            return
        passwords = {name: self.home.password(f"postgres.{name}") for name in SERVICE_GRANTS}
        await ensure_logins(self.database_url, passwords)
        self._database_urls = {
            name: with_login(self.database_url, grants.role, passwords[name]) for name, grants in SERVICE_GRANTS.items()
        }

    async def _start_nats(self) -> None:
        if self._settings.nats_url:
            self.nats_url = self.viewer_url = self._settings.nats_url
            self._nats_urls = dict.fromkeys(SERVICES, self.nats_url)
            await reach_nats(self.nats_url, self._report.note, tls=self._settings.nats_tls())
            return
        server = Nats(
            program=script("nats-server"),
            config=platform_files() / "deploy" / NATS_CONFIGS[self._settings.auth],
            store=self.home.root / "nats",
            passwords={
                login: self.home.password("nats" if login == NATS_OWNER else f"nats.{login}") for login in NATS_LOGINS
            },
            log=self.home.log("nats"),
        )
        port = self._ports["nats"]
        self.nats_url = server.url(port)
        self.viewer_url = server.url(port, VIEWER) if self._settings.auth == "off" else ""
        self._nats_urls = {name: server.url(port, name) for name in SERVICES}
        await self._run(server.spec(port))

    async def _start_model(self) -> None:
        port = self._ports[MODEL]
        await self._run(model_spec(port, self.home.logs))
        self.model_url = f"http://{LOOPBACK}:{port}/v1"

    async def _start_edge(self) -> None:
        spa = platform_files() / "web" / "dist"
        if not (spa / "index.html").is_file():
            self._report.note("the web application is not built (make web): only the APIs are served")
        edge = Edge(
            program=script("caddy"),
            config=platform_files() / "deploy" / "Caddyfile",
            spa=spa,
            state=self.home.root / "edge",
            log=self.home.log("edge"),
            auth=self._settings.auth,
            proxy_header=proxy_header(self._settings.auth),
            trusted_proxies=networks(self._settings.edge_trusted_proxies),
        )
        await self._run(edge.spec(self._settings.port, self._ports))

    def _surroundings(self) -> Surroundings:
        port = self._settings.port
        return Surroundings(
            database_urls=self._database_urls,
            nats_urls=self._nats_urls,
            nats_tls=self._settings.nats_tls(),
            master_key=self._settings.master_key or self.home.master_key(),
            public_origins=f"http://{LOOPBACK}:{port},http://localhost:{port}",
            log_level=self._settings.log_level,
            logs=self.home.logs,
            files=self.home.files,
            listeners=listeners(self._own_ports(), self._settings.listeners),
            identity_url=f"http://{LOOPBACK}:{self._ports[IDENTITY]}" if self._settings.auth != "off" else None,
            auth=self._settings.auth,
        )

    def _own_ports(self) -> dict[str, int]:
        """Return the ports of the stack's own processes. The built-in model is left out, because it is a provider.
        PostgreSQL and NATS are left out if they run elsewhere."""
        left_out = {MODEL}
        if self._settings.database_url:
            left_out.add("postgres")
        if self._settings.nats_url:
            left_out.add("nats")
        ports = {name: port for name, port in self._ports.items() if name not in left_out}
        return {"edge": self._settings.port, **ports}

    async def _run(self, spec: ProcessSpec) -> None:
        self._keepers[spec.name] = Keeper(spec, report=self._report, changed=self._remember)
        await self._keepers[spec.name].start()

    async def _stop_all(self) -> None:
        await self._report_calls_in_flight()
        for names in STOP_ORDER:
            keepers = [self._keepers[name] for name in names if name in self._keepers]
            await asyncio.gather(*(keeper.stop() for keeper in keepers))

    async def _report_calls_in_flight(self) -> None:
        keeper = self._keepers.get(GATEWAY)
        if keeper is None or keeper.pid is None:
            return
        calls = await gauge(self._ports[GATEWAY], CALLS_IN_FLIGHT)
        if calls:
            named = "1 call" if calls == 1 else f"{calls} calls"
            self._report.note(
                f"waiting for {named} to models, for at most {call_grace_s(keeper.spec):g} s; "
                "Ctrl-C again ends at once, and those calls are made and paid for again"
            )

    def _remember(self) -> None:
        supervisor = identify("supervisor", os.getpid())
        assert supervisor is not None  # this process exists
        self.home.write_runtime(
            Runtime(
                supervisor=supervisor,
                url=self.url,
                database_url=self.database_url,
                nats_url=self.nats_url,
                viewer_url=self.viewer_url,
                model_url=self.model_url,
                ports=self._ports,
                children=tuple(filter(None, (identify(*child) for child in self.pids().items()))),
            )
        )


def _first_start_error(error: BaseException) -> StartError | None:
    """Return the error if it is a StartError, or else the first StartError in its exception group, or `None`."""
    if isinstance(error, StartError):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_first_start_error, error.exceptions)), None)
    return None
