"""Define a finding: the result of one check of `llmbench doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One row of the doctor's report. `about` is the group of the check, such as `library`, and `name` its subject.

    `advice` says what to do. It may also be set if `ok` is True, for example if an optional part is not installed.
    """

    about: str
    name: str
    ok: bool
    detail: str
    advice: str = ""
