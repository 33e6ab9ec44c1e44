"""Test, in a separate process, which modules a service loads and how many BLAS threads it uses."""

import os
import subprocess
import sys

import pytest

LOOK = """
import os, sys
from llmbench.service.serve import imported
imported(sys.argv[1])
print(*(name in sys.modules for name in ("nats.aio.client", "aiohttp")), os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(
    ("package", "nats_url", "has_aiohttp"),
    [
        ("config_api", "nats://127.0.0.1:4222", False),
        ("gateway_ws", "nats://127.0.0.1:4222", False),
        ("inference_gateway", "nats://127.0.0.1:4222", True),
        ("judge", "nats://127.0.0.1:4222", False),
        ("orchestrator", "nats://127.0.0.1:4222", False),
        ("judge", "nats://127.0.0.1:4222, WSS://nats.example", True),
    ],
)
def test_aiohttp_is_imported_only_by_services_that_make_http_calls(
    package: str, nats_url: str, has_aiohttp: bool
) -> None:
    environment = {**os.environ, "LLMBENCH_NATS_URL": nats_url}
    looked = subprocess.run(
        [sys.executable, "-c", LOOK, package], env=environment, capture_output=True, text=True, check=True
    )
    assert looked.stdout.split() == ["True", str(has_aiohttp), "1"]
