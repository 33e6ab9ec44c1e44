"""Test that the edge closes an idle connection before the service does.

Otherwise the service might close a connection just when the edge sends a request over it.
"""

import re

from llmbench.service.serve import KEEP_ALIVE_S
from llmbench_cli.embedded.binaries import checkout


def test_edge_closes_idle_connections_before_services() -> None:
    caddyfile = (checkout() / "deploy" / "Caddyfile").read_text()
    snippet = caddyfile[caddyfile.index("(service)") : caddyfile.index("(probes)")]
    found = [int(kept_s) for kept_s in re.findall(r"keepalive (\d+)s", snippet)]
    assert found
    assert max(found) < KEEP_ALIVE_S / 2
