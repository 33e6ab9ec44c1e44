"""Start the services of docker-compose.yml without Docker: their commands, environment and health checks.

Hosts become loopback, ports become free ones, and paths in the images become paths of the checkout. PostgreSQL and NATS
come from the wheels. All other settings are those of the file, and each service starts when its dependencies have the
state that the file requires.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import httpx

from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from llmbench_cli.embedded.process import ProcessSpec, end, spawn
from tests.deploy import dockerfile
from tests.deploy.compose import FILE, ComposeService
from tests.servers import START_TIMEOUT_S, postgres_server, running

_URL = re.compile(r"http://\S+")
ANYWHERE = "0.0.0.0"
# Variables that are not translated: their addresses are those that browsers use, and no service connects to them.
AS_IT_IS = frozenset({"LLMBENCH_PUBLIC_ORIGINS", "LLMBENCH_ALLOWED_HOSTS", "EDGE_HOSTS"})
_PROGRAMS = {"python": sys.executable}


@dataclass
class ComposeStack:
    """The services of the compose file as processes. `folder` contains their volumes and logs."""

    services: Mapping[str, ComposeService]
    folder: Path
    ports: dict[tuple[str, int], int] = field(default_factory=dict)
    """The port on this machine by service and port in the container."""
    healthy: list[str] = field(default_factory=list)

    def port(self, service: str, inside: int) -> int:
        return self.ports.setdefault((service, inside), free_port(excluding=self.ports.values()))

    def localised(self, service: str, text: str) -> str:
        """Replace the addresses in `text`, a word of a command or the value of a variable, by addresses on this
        machine."""

        def local_address(found: re.Match[str]) -> str:
            host, port = found.groups()
            return f"{LOOPBACK}:{self.port(host if host in self.services else service, int(port))}"

        hosts = "|".join(map(re.escape, [*self.services, LOOPBACK]))
        text = re.sub(rf"(?<![\w.-])({hosts}):(\d+)", local_address, text)
        return LOOPBACK if text == ANYWHERE else text

    def environment(self, service: ComposeService) -> dict[str, str]:
        environment = service.environment
        for name in environment.keys() - AS_IT_IS:
            value = environment[name] = self.localised(service.name, environment[name])
            if name.endswith("_PORT"):
                environment[name] = str(self.port(service.name, int(value)))
            elif value.startswith("/"):
                environment[name] = self.path(service, value)
        return environment

    def path(self, service: ComposeService, inside: str) -> str:
        """Return the path on this machine that stands for `inside`, a path in the service's container. `inside` may be
        part of the image or of a mount."""
        if inside == "/tmp":  # the container's tmpfs
            return str(self.folder / service.name)
        volumes = [volume.split(":")[1] for volume in service.fields.get("volumes", ())]
        if "build" in service.fields and inside not in volumes:
            copied = dockerfile.copied(service.fields["build"]["target"])
            return str(checkout() / copied[inside])
        source = service.mounted(inside)
        return str((FILE.parent / source).resolve() if source.startswith(".") else self.folder / source)

    def command(self, service: ComposeService) -> tuple[str, ...]:
        words = [self.localised(service.name, word) for word in service.command]
        for at, word in enumerate(words):
            if word.startswith("/"):
                words[at] = self.path(service, word)
            elif words[at - 1] in ("--port", "--http_port"):
                words[at] = str(self.port(service.name, int(word)))
        if service.name == "nats":
            return (str(script("nats-server")), *words)
        return (_PROGRAMS.get(words[0]) or str(script(words[0])), *words[1:])

    async def start(self, service: ComposeService, stack: AsyncExitStack) -> None:
        if service.name == "postgres":
            await self._start_postgres(service, stack)
        elif service.fields.get("restart") == "no":
            await self._run_once(service)
        else:
            await stack.enter_async_context(running(self._spec(service)))
        self.healthy.append(service.name)

    async def _start_postgres(self, service: ComposeService, stack: AsyncExitStack) -> None:
        """Start a new PostgreSQL server, and configure it from its environment as the official image does."""
        url = await stack.enter_async_context(postgres_server(self.folder))
        env = service.environment
        assert service.health[0] == "pg_isready"
        assert {env["POSTGRES_USER"], env["POSTGRES_DB"]} <= set(service.health)
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(
                f"ALTER ROLE \"{env['POSTGRES_USER']}\" LOGIN PASSWORD '{env['POSTGRES_PASSWORD']}'"
            )
            await connection.execute(f'CREATE DATABASE "{env["POSTGRES_DB"]}" OWNER "{env["POSTGRES_USER"]}"')
        finally:
            await connection.close()
        self.ports[service.name, 5432] = int(url.rpartition(":")[2].partition("/")[0])

    async def _run_once(self, service: ComposeService) -> None:
        spec = self._spec(service)
        process = await spawn(spec)
        try:
            code = await asyncio.wait_for(process.wait(), START_TIMEOUT_S)
        finally:
            await end(process, spec)
        assert code == 0, spec.log.read_text()[-2000:]

    def _spec(self, service: ComposeService) -> ProcessSpec:
        return ProcessSpec(
            name=service.name,
            command=self.command(service),
            env=self.environment(service),
            log=self.folder / f"{service.name}.log",
            ready=lambda: self._until_healthy(service),
        )

    async def _until_healthy(self, service: ComposeService) -> None:
        """Wait until a service's health check succeeds. For llmbench's images, the check is the command in the compose
        file. For other images, only the URL in this command is requested."""
        check = [self.localised(service.name, word) for word in service.health]
        assert check, f"{service.name} has no health check"
        while not await _passes(check):
            await asyncio.sleep(0.1)


async def _passes(check: list[str]) -> bool:
    if check[0] in _PROGRAMS:
        process = await asyncio.create_subprocess_exec(
            _PROGRAMS[check[0]], *check[1:], stderr=asyncio.subprocess.DEVNULL, env={}
        )
        return await process.wait() == 0
    (url,) = _URL.findall(" ".join(check))
    async with httpx.AsyncClient(trust_env=False) as client:
        try:
            return (await client.get(url)).status_code == 200
        except httpx.TransportError:
            return False


@asynccontextmanager
async def compose_stack(services: Mapping[str, ComposeService], folder: Path) -> AsyncIterator[ComposeStack]:
    """Start all services in the order that `depends_on` requires, and stop them in reverse order."""
    opened = ComposeStack(services, folder)
    for service in services.values():
        for _, outside, inside in (port.split(":") for port in service.fields.get("ports", ())):
            opened.ports[service.name, int(inside)] = int(outside)
    async with AsyncExitStack() as stack:
        waiting = dict(services)
        while waiting:
            startable = [
                waiting_service
                for waiting_service in waiting.values()
                if set(waiting_service.depends_on) <= set(opened.healthy)
            ]
            assert startable, f"nothing can start among {sorted(waiting)}: depends_on goes in a circle"
            for service in startable:
                await opened.start(service, stack)
                del waiting[service.name]
        yield opened
