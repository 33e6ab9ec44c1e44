"""Limit the size of logs: child processes append to their files, and this module rotates them.

A log is copied and then truncated, so that children keep their descriptors and no log is lost when the supervisor dies.
A line written between the two steps is lost, which is acceptable.
"""

import asyncio
import json
import shutil
from pathlib import Path

MAX_BYTES = 5_000_000
KEEP = 3
CHECK_EVERY_S = 10.0
# uvicorn's last line says only that it failed; the reason is in the line before.
_SAYS_NOTHING = "Application startup failed. Exiting."


async def rotate_for_ever(folder: Path) -> None:
    """Rotate the logs of the folder every `CHECK_EVERY_S`. Never returns."""
    while True:
        rotate_all(folder)
        await asyncio.sleep(CHECK_EVERY_S)


def rotate_all(folder: Path) -> None:
    """Rotate every log of the folder that is larger than MAX_BYTES."""
    for log in folder.glob("*.log"):
        rotate(log)


def rotate(log: Path, *, max_bytes: int = MAX_BYTES, keep: int = KEEP) -> bool:
    """Rotate a log if it is larger than `max_bytes`: x.log → x.log.1 → x.log.2 …, up to the number `keep`. Return
    whether it was rotated."""
    if log.stat().st_size <= max_bytes:
        return False
    for number in range(keep, 1, -1):
        older = log.with_name(f"{log.name}.{number - 1}")
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number}"))
    shutil.copyfile(log, log.with_name(f"{log.name}.1"))
    with log.open("r+b") as file:
        file.truncate(0)
    return True


def last_messages(log: Path, *, lines: int = 1, max_bytes: int = 65_536) -> str:
    """Return the last `lines` messages of a log, each on its own line; an empty text if there is no log. Only the log's
    last `max_bytes` are read.

    A JSON line is reduced to the last line of its traceback, or else of its message.
    """
    try:
        with log.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - max_bytes))
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""
    messages = [_message_of(line) for line in text.splitlines() if line.strip() and _SAYS_NOTHING not in line]
    return "\n".join(messages[-lines:])


def _message_of(line: str) -> str:
    """Return the last line of a JSON record's traceback or else of its message. Return any other line unchanged."""
    try:
        record = json.loads(line)
        words = str(record.get("exception") or record["message"]).strip()
    except (ValueError, KeyError, AttributeError):
        return line
    return words.splitlines()[-1] if words else line
