"""Check that LLMBENCH_AUTH=proxy comes with the settings for verifying the tokens of the proxy."""

import os
from collections.abc import Mapping
from typing import Final

from llmbench_cli.embedded.errors import StartError

_PREFIX: Final = "LLMBENCH_IDENTITY_PROXY_"
_NEEDED: Final = ("KEYS", "ISSUER", "AUDIENCE")
_HEADER: Final = "X-Forwarded-Identity"


def proxy_header(auth: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the header in which a proxy names people; empty unless `auth` is "proxy". Raises StartError if a setting
    is missing that is needed to verify the proxy's tokens."""
    if auth != "proxy":
        return ""
    missing = [f"{_PREFIX}{name}" for name in _NEEDED if not environment.get(f"{_PREFIX}{name}")]
    if missing:
        raise StartError(
            f"LLMBENCH_AUTH=proxy needs {', '.join(missing)}, which say whose tokens count (docs/how-to/sign-in.md)"
        )
    return environment.get(f"{_PREFIX}HEADER") or _HEADER
