"""Run Caddy from the wheel as the stack's single origin. `deploy/Caddyfile` has the routes and headers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.http_ready import answers
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.services import upstreams


@dataclass(frozen=True, kw_only=True)
class Edge:
    """The files that Caddy needs to serve the stack."""

    program: Path
    config: Path
    spa: Path
    state: Path
    log: Path
    auth: str = "off"

    def spec(self, port: int, ports: Mapping[str, int]) -> ProcessSpec:
        """Return the specification of the process: Caddy on the public port, in front of the services' ports."""
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
                # Collect garbage twice as often, which saves 2 to 3 MB.
                "GOGC": "50",
                "EDGE_BIND": LOOPBACK,
                "EDGE_PORT": str(port),
                "EDGE_ROOT": str(self.spa),
                "EDGE_AUTH": self.auth,
                # Caddy always creates a state folder; this keeps it out of the user's home.
                "XDG_DATA_HOME": str(self.state),
                "XDG_CONFIG_HOME": str(self.state),
                **upstreams(ports),
            },
            log=self.log,
            ready=lambda: answers(port, "/health/config-api"),
        )
