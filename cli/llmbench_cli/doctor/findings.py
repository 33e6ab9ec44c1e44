"""What a look found: what, how it is, and what to do when it is not well."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One row. `advice` only where something is wrong (`ok` False) or worth knowing."""

    about: str
    name: str
    ok: bool
    detail: str
    advice: str = ""
