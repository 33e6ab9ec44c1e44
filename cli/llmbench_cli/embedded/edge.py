"""Caddy from the wheel: the one origin of the stack; routes and headers in `deploy/Caddyfile`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.http_ready import answers
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.services import upstreams


@dataclass(frozen=True, kw_only=True)
class Edge:
    """What Caddy needs to serve the stack."""

    program: Path
    config: Path
    spa: Path
    state: Path
    log: Path

    def spec(self, port: int, ports: Mapping[str, int]) -> ProcessSpec:
        """Return how to run it on the public port, in front of the services' ports."""
        return ProcessSpec(
            name="edge",
            command=(
                str(self.program),
                "run",
                "--adapter",
                "caddyfile",
                "--config",
                str(self.config),
            ),
            env={
                # Collected twice as often: 2 to 3 MB less.
                "GOGC": "50",
                "EDGE_BIND": LOOPBACK,
                "EDGE_PORT": str(port),
                "EDGE_ROOT": str(self.spa),
                # Caddy keeps state even where it has nothing to keep; not in the user's home.
                "XDG_DATA_HOME": str(self.state),
                "XDG_CONFIG_HOME": str(self.state),
                **upstreams(ports),
            },
            log=self.log,
            ready=lambda: answers(port, "/health/config-api"),
        )
