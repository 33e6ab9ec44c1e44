"""A finding: its subject, its state, and advice when something is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One row of the report. `advice` is set only where something is wrong (`ok` is False) or worth knowing."""

    about: str
    name: str
    ok: bool
    detail: str
    advice: str = ""
