"""The reasons why a sign-in through an issuer fails, as they appear in the URL of the page that explains the
failure."""

from enum import StrEnum

from llmbench.errors import LlmbenchError


class Reason(StrEnum):
    """The reason for a refused sign-in. Its value is part of the URL of the page that explains the refusal."""

    ATTEMPT = "attempt"
    """The answer belongs to no open attempt of this browser. The attempt was used, has expired, was forged, was begun
    in another browser, or was replaced by an attempt in another window."""
    DENIED = "denied"
    """The person or the issuer declined."""
    UNAVAILABLE = "unavailable"
    """The issuer does not answer."""
    ISSUER = "issuer"
    """The issuer's answer cannot be trusted or understood."""
    EMAIL = "email"
    """The issuer does not confirm an e-mail address."""
    ACCOUNT_EXISTS = "account-exists"
    """The e-mail address already has an account. Only the person who has signed in to the account can link it."""
    NOT_ALLOWED = "not-allowed"
    """No rule makes this person a member."""
    INVITATION = "invitation"
    """The invitation was used or withdrawn, or has expired."""
    MEMBER = "member"
    """The person who accepts an invitation is a member already."""
    FULL = "full"
    """The plan of the organisation allows no further member."""
    SESSION = "session"
    """The login cannot be linked, because the person has signed out meanwhile."""
    TAKEN = "taken"
    """The login belongs to another account."""


class Refused(LlmbenchError):
    """Raised to end a sign-in. `detail` is for the log and may quote the issuer; people see the reason only."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
