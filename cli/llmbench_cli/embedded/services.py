"""The Python programs of the stack: the services and the built-in model."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from llmbench.service.settings import (
    AUTH,
    IDENTITY_URL,
    NATS_TLS_CA,
    NATS_TLS_CERT,
    NATS_TLS_KEY,
    NATS_URL,
    STOP_GRACE_S,
)
from llmbench.tls import NO_TLS, NatsTls
from llmbench_cli.embedded.http_ready import answers
from llmbench_cli.embedded.libraries import loader_path
from llmbench_cli.embedded.process import ProcessSpec

# The package of each service. The service's name is also that of its log, its upstream and its port variable.
SERVICES = {
    "config-api": "config_api",
    "orchestrator": "orchestrator",
    "inference-gateway": "inference_gateway",
    "judge": "judge",
    "gateway-ws": "gateway_ws",
    "identity": "identity",
}
IDENTITY = "identity"
"""The service that runs only with LLMBENCH_AUTH=on or proxy."""
MODEL = "model"
GATEWAY = "inference-gateway"
# The gateway's metric of the number of calls in flight. It is read from text, because importing prometheus_client would
# cost the supervisor memory.
CALLS_IN_FLIGHT = "llmbench_calls_in_flight"
_STOP_GRACE = "LLMBENCH_INFERENCE_GATEWAY_STOP_GRACE_S"
# The time that a service gets after the grace period for calls, to abort the last calls and close its connections.
_END_S = 10.0
# Settings that a user may set for all programs at once.
_PASSED_ON = frozenset(
    {
        *("LLMBENCH_LOG_FORMAT", "LLMBENCH_RETENTION_DAYS"),
        *("LLMBENCH_LINK_LOCAL_PROVIDERS", "LLMBENCH_PRIVATE_PROVIDERS"),
    }
)
# Services inherit only these variables of the user: paths, certificates, proxies, caches, and the language. A user's
# environment also has keys and passwords, which the services must not see.
_INHERITED = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
        *("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "VIRTUAL_ENV"),
    }
)
_INHERITED_PREFIXES = ("LC_", "SSL_CERT_", "PYTHON", "OTEL_", "XDG_", "MALLOC_", "OMP_", "GGML_")
# Further variables that a single service inherits: credentials of the bucket with the uploaded files.
_OWN_PREFIXES = {"config-api": ("AWS_",)}
_NEEDS_MASTER_KEY = frozenset({"config-api", "orchestrator", "inference-gateway", "identity"})


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """The addresses, logins, folders and settings from which `service_spec` makes the environment of each service."""

    # For each service that uses the database, the URL with the service's own login.
    database_urls: Mapping[str, str]
    nats_urls: Mapping[str, str]
    master_key: str
    public_origins: str
    log_level: str | None
    logs: Path
    files: Path
    # The addresses on which the stack's processes listen, in the form of LLMBENCH_LISTENERS.
    listeners: str = ""
    nats_tls: NatsTls = NO_TLS
    # Where the identity service answers; `None` without sign-in.
    identity_url: str | None = None
    # With an `identity_url`: whether people sign in to the platform, or to a proxy in front of it.
    auth: str = "on"


def service_spec(name: str, port: int, surroundings: Surroundings) -> ProcessSpec:
    """Return the specification of a service's process. Its environment includes the user's variables for this
    service."""
    prefix = f"LLMBENCH_{variable(name)}_"
    settings = {
        **({"LLMBENCH_CONFIG_API_FILES": str(surroundings.files.absolute())} if name == "config-api" else {}),
        **{
            name_: value
            for name_, value in os.environ.items()
            if name_.startswith((prefix, *_OWN_PREFIXES.get(name, ())))
        },
        NATS_URL: surroundings.nats_urls[name],
        NATS_TLS_CA: surroundings.nats_tls.ca,
        NATS_TLS_CERT: surroundings.nats_tls.cert,
        NATS_TLS_KEY: surroundings.nats_tls.key,
        "LLMBENCH_PUBLIC_ORIGINS": surroundings.public_origins,
        f"{prefix}PORT": str(port),
    }
    if name in surroundings.database_urls:
        settings["LLMBENCH_DATABASE_URL"] = surroundings.database_urls[name]
        settings["LLMBENCH_LISTENERS"] = surroundings.listeners
    if name in _NEEDS_MASTER_KEY:
        settings["LLMBENCH_MASTER_KEY"] = surroundings.master_key
    if surroundings.identity_url:
        settings |= {AUTH: surroundings.auth, IDENTITY_URL: surroundings.identity_url}
    if surroundings.log_level:
        settings["LLMBENCH_LOG_LEVEL"] = surroundings.log_level
    return ProcessSpec(
        name=name,
        command=(sys.executable, "-m", SERVICES[name]),
        env=python_environment(settings),
        log=surroundings.logs / f"{name}.log",
        ready=lambda: answers(port, "/health/ready"),
        stop_grace_s=_END_S + (_call_grace_s(settings) if name == GATEWAY else 0.0),
    )


def call_grace_s(gateway: ProcessSpec) -> float:
    """Return how many seconds the gateway waits for calls in flight when it is stopped. `gateway` is its
    specification."""
    return gateway.stop_grace_s - _END_S


def _call_grace_s(settings: Mapping[str, str]) -> float:
    try:
        return float(settings.get(_STOP_GRACE, STOP_GRACE_S))
    except ValueError:
        # The setting is invalid. The service reports it and does not start.
        return STOP_GRACE_S


def model_spec(port: int, logs: Path) -> ProcessSpec:
    """Return the specification of the built-in model's process. Raises StartError if the path of the home cannot be
    used to find libraries (see `loader_path`)."""
    return ProcessSpec(
        name=MODEL,
        command=(sys.executable, "-m", "llmbench_cli.embedded.model", "--port", str(port)),
        env=python_environment(loader_path(logs.parent / "libraries")),
        log=logs / f"{MODEL}.log",
        ready=lambda: answers(port, "/health"),
    )


def listeners(ports: Mapping[str, int], more: str | None = None) -> str:
    """Return the addresses on which the processes listen as host:port, separated by commas. `ports` has the port of
    each process by its name.

    The host is loopback, unless the user has set another one for the service. `more` is a text of additional addresses
    in the same form.
    """
    places = [more or ""]
    for name, port in ports.items():
        host = os.environ.get(f"LLMBENCH_{variable(name)}_HOST", "127.0.0.1")
        places.append(f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
    return ",".join(filter(None, places))


def upstreams(ports: Mapping[str, int]) -> dict[str, str]:
    """Return the environment variables from which Caddy, the public edge, gets the address of each service in
    `ports`."""
    return {f"{variable(name)}_UPSTREAM": f"127.0.0.1:{ports[name]}" for name in SERVICES if name in ports}


def services_of(auth: str) -> dict[str, str]:
    """Return the packages of the services that run with this setting of LLMBENCH_AUTH, by service name."""
    return {name: package for name, package in SERVICES.items() if name != IDENTITY or auth != "off"}


def python_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a Python process: some variables of the user, such as proxies, and `settings`, which
    have precedence."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name in _INHERITED or name.startswith(_INHERITED_PREFIXES)
    }
    return {**inherited, "PYTHONUNBUFFERED": "1", **settings}


def with_login(url: str, user: str, password: str) -> str:
    """Return the URL of the same server for another login. `user` and `password` are inserted unchanged, so they may
    have no character with a meaning in URLs."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{user}:{password}@{rest.rpartition('@')[2]}"


def variable(name: str) -> str:
    """Return a service's name in the form used in variable names.

    >>> variable("inference-gateway")
    'INFERENCE_GATEWAY'
    """
    return name.upper().replace("-", "_")
