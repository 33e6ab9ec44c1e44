"""Manage one docker compose project: deploy/docker-compose.yml with a project name, secrets and a port of its own.

A project with the default name on this machine is not touched.
"""

import json
import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.deploy import compose

COMMAND_TIMEOUT_S = 1_500.0
"""The time limit of a docker command, in seconds: building the images takes minutes, longer on a busy machine."""
HEALTH_CHECKS = {"interval": "2s", "retries": 30}
"""Health checks with a short interval, because each wait for healthy containers takes at least one interval.

Containers have a minute before they count as unhealthy, as with the compose file's own intervals.
"""


class CommandFailed(Exception):
    """Raised when a docker command fails; the message has the end of its output."""


@dataclass(frozen=True)
class Project:
    """A compose project. `env_file` contains its secrets; the edge listens on `port` of this machine."""

    name: str
    env_file: Path
    port: int
    override: Path

    def compose(self, *words: str, given: bytes | None = None) -> bytes:
        """Run a docker compose command and return its standard output. `given` is its standard input."""
        settings = ["--project-name", self.name, "--env-file", str(self.env_file)]
        files = ["--file", str(compose.FILE), "--file", str(self.override)]
        return docker("compose", *settings, *files, *words, given=given)

    def tools(self, *words: str, given: bytes | None = None) -> bytes:
        """Run an llmbench command in a container of the service `tools`."""
        return self.compose("run", "--rm", "-T", "tools", *words, given=given)

    def containers(self, service: str | None = None) -> list[str]:
        """Return the ids of the running containers: those of one service or, without `service`, all."""
        words = [service] if service else []
        return self.compose("ps", "--quiet", *words).decode().split()

    def logs(self) -> str:
        """Return the last lines of every container."""
        return self.compose("logs", "--no-color", "--tail", "40").decode(errors="replace")

    def set_secret(self, name: str, value: str) -> None:
        """Change a variable in the project's settings file, as a user does with an editor."""
        lines = self.env_file.read_text("ascii").splitlines()
        kept = [line for line in lines if not line.startswith(f"{name}=")]
        self.env_file.write_text("\n".join([*kept, f"{name}={value}"]) + "\n", "ascii")

    def remove(self) -> None:
        """Remove the project's containers, volumes and images."""
        self.compose("--profile", "tools", "down", "--volumes", "--remove-orphans", "--rmi", "local", "--timeout", "20")


@contextmanager
def project(name: str, folder: Path, port: int) -> Iterator[Project]:
    """Yield a project with new secrets; remove its containers, volumes and images at the end."""
    env_file = folder / ".env"
    secrets = compose.made_secrets() | {"LLMBENCH_PORT": str(port)}
    env_file.write_text("".join(f"{key}={value}\n" for key, value in secrets.items()), "ascii")
    checked = [each.name for each in compose.read(secrets).values() if each.health]
    override = folder / "health-checks.json"
    override.write_text(json.dumps({"services": {each: {"healthcheck": HEALTH_CHECKS} for each in checked}}), "ascii")
    opened = Project(name, env_file, port, override)
    try:
        yield opened
    finally:
        opened.remove()


def docker(*words: str, given: bytes | None = None) -> bytes:
    """Run docker and return its standard output. Raises `CommandFailed`."""
    # This shell's variables would override the settings file.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LLMBENCH_", "COMPOSE_"))}
    done = subprocess.run(
        ["docker", *words],
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        check=False,
        timeout=COMMAND_TIMEOUT_S,
        env=environment,
    )
    if done.returncode != 0:
        printed = (done.stderr + done.stdout).decode(errors="replace")[-4000:]
        raise CommandFailed(f"docker {' '.join(words)} ended with {done.returncode}:\n{printed}")
    return done.stdout


def inspected(container: str) -> dict[str, Any]:
    """Return the output of `docker inspect` for a container."""
    (found,) = json.loads(docker("inspect", container))
    return dict(found)


def address_for_containers(container: str) -> str:
    """Return the address at which a server on this machine has to listen, so that containers reach it as
    `host.docker.internal`."""
    asked = "import socket; print(socket.gethostbyname('host.docker.internal'))"
    address = docker("exec", container, "python", "-c", asked).decode().strip()
    try:
        with socket.create_server((address, 0)):
            return address
    except OSError:
        # Docker Desktop runs the engine in a virtual machine. A server on loopback can be reached from there.
        return "127.0.0.1"


def processes(container: str) -> Sequence[tuple[int, str]]:
    """Return the user id and the command line of each process in a container."""
    # `docker top` needs the column of process ids, although it is not used here.
    lines = docker("top", container, "-eo", "uid,pid,args").decode().splitlines()[1:]
    return [(int(uid), args) for uid, _, args in (line.split(None, 2) for line in lines)]
