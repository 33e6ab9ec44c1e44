"""Try forbidden actions in a confined process, and print their outcomes as a line of JSON. `test_bounded` runs this
module."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from llmbench.confined.confinement import confine


def _tried(action: Callable[[], object]) -> str:
    try:
        action()
    except OSError as refused:
        return type(refused).__name__
    except MemoryError:
        return "MemoryError"
    return "done"


def _print(outcomes: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(outcomes) + "\n")
    sys.stdout.flush()


def main() -> None:
    what, *rest = sys.argv[1:]
    confine(memory_bytes=64 * 1024 * 1024, processor_s=2)
    if what == "spin":
        while True:
            pass
    if what == "sleep":
        _print({})
        time.sleep(600)
    if what == "endless":
        while True:
            os.write(1, b"\n" * 65_536)
    if what == "long":
        sys.stdout.write("x" * (int(rest[0]) + 10))
        return
    outcomes = {
        "environment": sorted(name for name in os.environ if name.startswith(("LLMBENCH", "AWS", "MASTER"))),
        "network": _tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
        "unix socket": _tried(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)),
        "a file": _tried(lambda: Path(rest[0]).read_bytes()),
        "a new file": _tried(lambda: Path(rest[0] + ".new").write_bytes(b"")),
        "a readable file": _tried(lambda: Path(rest[1]).read_bytes()),
        "a readable file's end": _tried(lambda: os.open(rest[1], os.O_RDONLY | os.O_TRUNC)),
        "its parent's environment": _tried(lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes()),
        "its parent's end": _tried(lambda: os.kill(os.getppid(), 0)),
        "a program": _tried(lambda: subprocess.run(["/bin/true"], check=True)),
        "memory": _tried(lambda: bytearray(256 * 1024 * 1024)),
        "its input": sys.stdin.read(),
        "a module": __import__("decimal").__name__,
    }
    _print(outcomes)


if __name__ == "__main__":
    main()
