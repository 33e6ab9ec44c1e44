"""Run Caddy from the wheel as the stack's only public address. `deploy/Caddyfile` has the routes and headers."""

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.http_ready import answers
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.services import upstreams


@dataclass(frozen=True, kw_only=True)
class Edge:
    """The settings of Caddy: the paths of its program, its Caddyfile, the built web application (`spa`), its state
    folder and its log, and how people sign in (`auth`, a value of LLMBENCH_AUTH)."""

    program: Path
    config: Path
    spa: Path
    state: Path
    log: Path
    auth: str = "off"
    proxy_header: str = ""
    """The header in which a proxy names people, with `auth` "proxy". The services never see it."""
    trusted_proxies: Sequence[str] = ()
    """The networks of the proxies before the edge. The address that they send in X-Forwarded-For is the client's."""

    def spec(self, port: int, ports: Mapping[str, int]) -> ProcessSpec:
        """Return the specification of Caddy's process. It listens on `port`, and forwards requests to the services.
        `ports` maps each service's name to its port."""
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
                "EDGE_TRUSTED_PROXIES": " ".join(self.trusted_proxies),
                **({"EDGE_PROXY_HEADER": self.proxy_header} if self.proxy_header else {}),
                # Caddy always creates a state folder; this keeps it out of the user's home.
                "XDG_DATA_HOME": str(self.state),
                "XDG_CONFIG_HOME": str(self.state),
                **upstreams(ports),
            },
            log=self.log,
            ready=lambda: answers(port, "/health/config-api"),
        )


def networks(text: str) -> tuple[str, ...]:
    """Return the networks in a text like `10.0.0.0/8, 2001:db8::7`, which are separated by commas or spaces. Raises
    `ValueError` for anything else, and for a network of all addresses.

    >>> networks("10.0.0.0/8, 192.168.1.7")
    ('10.0.0.0/8', '192.168.1.7/32')
    """
    found = []
    for part in text.replace(",", " ").split():
        try:
            network = ipaddress.ip_network(part)
        except ValueError:
            raise ValueError(f"{part!r} is no network such as 10.0.0.0/8 or 192.168.1.7") from None
        if not network.prefixlen:
            raise ValueError(f"{part!r} is everybody: name the networks of your proxies")
        found.append(str(network))
    return tuple(found)
