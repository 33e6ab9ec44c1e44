"""A program that the tests of fork servers start: `python -m tests.preloaded.probe WHAT …`. The argument WHAT names the
action to test."""

import asyncio
import atexit
import json
import os
import random
import signal
import sys
from collections.abc import Callable

import uuid_utils

_STREAM = ("encoding", "errors", "name", "mode", "line_buffering", "write_through")


def main() -> None:
    what, *arguments = sys.argv[1:]
    _DOING[what](*arguments)


def _end(how: str) -> None:
    atexit.register(print, "at exit")
    kind, _, value = how.partition(" ")
    if kind == "exit":
        sys.exit(int(value) if value.isdigit() else value)
    if kind == "raise":
        raise ValueError("on purpose")
    if kind == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
    if kind == "signal":
        os.kill(os.getpid(), int(value))


def _show(*arguments: str) -> None:
    handlers = {number.name: str(signal.getsignal(number)) for number in signal.Signals}
    # The listing itself has a descriptor, which is closed then.
    descriptors = [number for number in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{number}")]
    shown = {
        "arguments": arguments,
        "program": sys.argv[0],
        "name": [__name__, __package__, sys.modules["__main__"].__name__],
        "path": sys.path,
        "folder": os.getcwd(),
        "umask": os.umask(0),
        "environment": dict(os.environ),
        "streams": [
            [
                getattr(stream, name)
                for name in ("encoding", "errors", "name", "mode", "line_buffering", "write_through")
            ]
            for stream in (sys.stdin, sys.stdout, sys.stderr)
        ],
        "handlers": handlers,
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "descriptors": sorted(map(int, descriptors)),
        "pid": os.getpid(),
        "session": os.getsid(0),
        "group": os.getpgrp(),
    }
    print(json.dumps(shown))


def _echo() -> None:
    for line in sys.stdin:
        print(line, end="")


def _both() -> None:
    print("to stdout")
    print("to stderr", file=sys.stderr)


def _wait() -> None:
    print("waiting", flush=True)
    signal.pause()


def _draw(number: str) -> None:
    print(json.dumps({"number": number, "random": random.random(), "uuid": str(uuid_utils.uuid7())}))
    sys.exit(int(number) % 7)


def _use() -> None:
    """Start two processes from a fork server, and wait to be killed."""
    from tests.preloaded.client import Servers

    async def use() -> None:
        servers = Servers({__spec__.name if __spec__ else "": "import uuid_utils, tests.preloaded"})
        for _ in range(2):
            process = await servers.start("tests.preloaded.probe", "wait", stdout=asyncio.subprocess.PIPE)
            assert process.stdout is not None
            await process.stdout.readline()
        print("using", flush=True)
        await asyncio.Event().wait()

    asyncio.run(use())


_DOING: dict[str, Callable[..., None]] = {
    "end": _end,
    "show": _show,
    "echo": _echo,
    "both": _both,
    "wait": _wait,
    "draw": _draw,
    "use": _use,
}

if __name__ == "__main__":
    main()
