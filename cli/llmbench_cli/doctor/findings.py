"""Define a finding of the doctor: its subject, its state, and advice if something is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One row of the doctor's report. `advice` says what to do. It may also be set if `ok` is True, for example if an
    optional part is not installed."""

    about: str
    name: str
    ok: bool
    detail: str
    advice: str = ""
