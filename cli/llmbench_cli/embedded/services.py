"""The Python programs of the stack: the five services and the built-in model."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.http_ready import answers
from llmbench_cli.embedded.libraries import loader_path
from llmbench_cli.embedded.process import ProcessSpec

# Name → package. The name is also the log's, the upstream's and the port variable's.
SERVICES = {
    "config-api": "config_api",
    "orchestrator": "orchestrator",
    "inference-gateway": "inference_gateway",
    "judge": "judge",
    "gateway-ws": "gateway_ws",
}
MODEL = "model"
# What a user may set for all programs alike.
_PASSED_ON = frozenset({"LLMBENCH_LOG_FORMAT", "LLMBENCH_LINK_LOCAL_PROVIDERS"})
_NEEDS_MASTER_KEY = frozenset({"config-api", "orchestrator", "inference-gateway"})


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What every service is told about the stack."""

    # By service: each has logins of its own, and only those that use the database are told of one.
    database_urls: Mapping[str, str]
    nats_urls: Mapping[str, str]
    master_key: str
    public_origins: str
    log_level: str | None
    logs: Path
    files: Path


def service_spec(name: str, port: int, told: Surroundings) -> ProcessSpec:
    """Return how to run one service. The user's settings of this service are passed on to it."""
    prefix = f"LLMBENCH_{variable(name)}_"
    settings = {
        **({"LLMBENCH_CONFIG_API_FILES": str(told.files.absolute())} if name == "config-api" else {}),
        **{name_: value for name_, value in os.environ.items() if name_.startswith(prefix)},
        "LLMBENCH_NATS_URL": told.nats_urls[name],
        "LLMBENCH_PUBLIC_ORIGINS": told.public_origins,
        f"{prefix}PORT": str(port),
    }
    if name in told.database_urls:
        settings["LLMBENCH_DATABASE_URL"] = told.database_urls[name]
    if name in _NEEDS_MASTER_KEY:
        settings["LLMBENCH_MASTER_KEY"] = told.master_key
    if told.log_level:
        settings["LLMBENCH_LOG_LEVEL"] = told.log_level
    return ProcessSpec(
        name=name,
        command=(sys.executable, "-m", SERVICES[name]),
        env=python_environment(settings),
        log=told.logs / f"{name}.log",
        ready=lambda: answers(port, "/health/ready"),
    )


def model_spec(port: int, logs: Path) -> ProcessSpec:
    """Return how to run the built-in model. Raises StartError."""
    return ProcessSpec(
        name=MODEL,
        command=(sys.executable, "-m", "llmbench_cli.embedded.model", "--port", str(port)),
        env=python_environment(loader_path(logs.parent / "libraries")),
        log=logs / f"{MODEL}.log",
        ready=lambda: answers(port, "/health"),
    )


def upstreams(ports: Mapping[str, int]) -> dict[str, str]:
    """Return the edge's variables that say where each service listens."""
    return {f"{variable(name)}_UPSTREAM": f"127.0.0.1:{ports[name]}" for name in SERVICES}


def python_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the user's environment (proxies, certificates) with only our own LLMBENCH_ settings."""
    inherited = {
        name: value for name, value in os.environ.items() if name in _PASSED_ON or not name.startswith("LLMBENCH_")
    }
    return {**inherited, "PYTHONUNBUFFERED": "1", **settings}


def with_login(url: str, user: str, password: str) -> str:
    """Return the URL of the same server for another login."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{user}:{password}@{rest.rpartition('@')[2]}"


def variable(name: str) -> str:
    """Return a service's name as it stands in the names of variables.

    >>> variable("inference-gateway")
    'INFERENCE_GATEWAY'
    """
    return name.upper().replace("-", "_")
