"""Register the built-in model with the platform, once per home.

`model.json` in the home records the registered address. If the user deletes the provider, only `llmbench demo` or a
start without that file creates it again. An existing provider is updated when the model's port changes.
"""

import asyncio
import json
import sys

from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.keeper import Reporter
from llmbench_cli.embedded.services import python_environment


async def register_once(home: Home, *, url: str, model_url: str, report: Reporter) -> None:
    """Create the provider for the built-in model at `model_url` on the platform at `url`, or update its address. Do
    nothing if the home records this address already. An error is only reported as a note: the platform works without
    this provider."""
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
