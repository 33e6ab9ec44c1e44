"""Define a finding of the doctor: its subject, its state, and advice if something is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One row of the report. `advice` is set if something is wrong (`ok` is False) or should be known."""

    about: str
    name: str
    ok: bool
    detail: str
    advice: str = ""
