"""Choose free loopback ports, the same ones at each start if they are still free; and find the process that uses a
port.

A provider's URL refers to the built-in model by port, so a chosen port is kept while it is free. Ports are below the
kernel's range for outgoing connections. Otherwise another program's connection could take a port while the stack is
down.

A port is chosen some time before its server binds it. Each process that starts a stack draws from its own block of
ports, so that two of them never choose the same port.
"""

import functools
import itertools
import json
import secrets
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from llmbench_cli.embedded.errors import StartError

LOOPBACK = "127.0.0.1"
_RANGE = range(20000, 32000)
_BLOCK = 100


def is_free(port: int) -> bool:
    """Return whether a listener could bind the port on loopback now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # The servers set this option, too: a connection in TIME_WAIT must not count as a listener.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


@dataclass(frozen=True)
class _Block:
    """A block of ports that no other process of llmbench uses at the same time. The kernel releases the block when this
    process ends."""

    claim: socket.socket
    """The socket that claims the block by its first port. It uses UDP, so that a server can still use the port."""
    ports: Iterator[int]
    """A cycle: a port is used again only after all others."""


@functools.cache
def _block() -> _Block:
    for start in secrets.SystemRandom().sample(_RANGE[::_BLOCK], k=len(_RANGE) // _BLOCK):
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            claim.bind((LOOPBACK, start))
        except OSError:
            claim.close()
        else:
            return _Block(claim, itertools.cycle(range(start, start + _BLOCK)))
    raise _none_free()


def _none_free() -> StartError:
    return StartError(f"no free loopback port found between {_RANGE.start} and {_RANGE.stop}")


def free_port(excluding: Iterable[int] = ()) -> int:
    """Return a port that is free on loopback and not in `excluding`, from the block of ports that this process has for
    itself. A port is offered again only after all others of the block. Raises StartError if there is none."""
    taken = set(excluding)
    for port in itertools.islice(_block().ports, _BLOCK):
        if port not in taken and is_free(port):
            return port
    raise _none_free()


def sticky_ports(file: Path, names: Iterable[str], *, avoid: Iterable[int] = ()) -> dict[str, int]:
    """Return a free port per name, none of them in `avoid`, and remember them in `file`. A remembered port is used
    again if it is still free."""
    avoided = set(avoid)
    remembered = _remembered(file)
    ports: dict[str, int] = {}
    for name in names:
        port = remembered.get(name)
        if port is None or port in avoided or port in ports.values() or not is_free(port):
            port = free_port(excluding={*avoided, *remembered.values(), *ports.values()})
        ports[name] = port
    # Names of an earlier start that are not needed now (such as the model) keep their ports.
    file.write_text(json.dumps({**remembered, **ports}, indent=2) + "\n")
    return ports


def holder(port: int) -> str:
    """Describe the process that listens on the port: its pid and command, or `another process` if this user may not see
    it."""
    try:
        for connection in psutil.net_connections(kind="tcp"):
            listens = connection.status == psutil.CONN_LISTEN
            if listens and connection.laddr and connection.laddr.port == port and connection.pid:
                process = psutil.Process(connection.pid)
                return f"pid {process.pid} ({' '.join(process.cmdline())[:80] or process.name()})"
    except psutil.Error:
        # The process belongs to another user, or has ended meanwhile.
        pass
    return "another process"


def _remembered(file: Path) -> dict[str, int]:
    try:
        found = json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        # The file is missing or damaged: choose new ports.
        return {}
    return {name: port for name, port in found.items() if isinstance(port, int)}
