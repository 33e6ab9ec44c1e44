"""Register the built-in model with the platform, once per home.

`model.json` in the home records the registered address. A provider that the user deleted is not created again by a
normal start. `llmbench demo` creates it, as does a start without that file. An existing provider is updated when the
model's port changes.
"""

import asyncio
import json
import sys

from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.keeper import Reporter
from llmbench_cli.embedded.services import python_environment


async def register_once(home: Home, *, url: str, model_url: str, report: Reporter) -> None:
    """Register the model at `model_url` with the platform at `url`, if needed. An error is only reported as a note: the
    platform works without this provider."""
    registered = _registered(home)
    if registered == model_url:
        return
    options = ["--only-move"] if registered else []
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.demo.provider",
        "--url",
        url,
        "--model-url",
        model_url,
        *options,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=python_environment({}),
        start_new_session=True,
    )
    try:
        _, errors = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode == 0:
        home.model_file.write_text(json.dumps({"base_url": model_url}) + "\n")
    else:
        lines = errors.decode(errors="replace").strip().splitlines()
        report.note(f"the built-in model could not be registered as a provider: {lines[-1] if lines else 'no reason'}")


def _registered(home: Home) -> str | None:
    try:
        found = json.loads(home.model_file.read_text())["base_url"]
    except (OSError, ValueError, KeyError, TypeError):
        # The record is missing or damaged: register again, which changes nothing if the provider exists.
        return None
    return found if isinstance(found, str) else None
