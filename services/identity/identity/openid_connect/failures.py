"""The reasons for which a sign-in through an issuer ends, as the page after it names them."""

from enum import StrEnum

from llmbench.errors import LlmbenchError


class Reason(StrEnum):
    """The reason for a refused sign-in. The value stands in the address of the page that says so."""

    ATTEMPT = "attempt"
    """The answer belongs to no attempt of this browser: used, expired, forged, or begun in another window."""
    DENIED = "denied"
    """The person or the issuer declined."""
    UNAVAILABLE = "unavailable"
    """The issuer does not answer."""
    ISSUER = "issuer"
    """The issuer's answer cannot be trusted or understood."""
    EMAIL = "email"
    """The issuer does not confirm an e-mail address."""
    ACCOUNT_EXISTS = "account-exists"
    """The address has an account already, which is linked only by the person who has signed in to it."""
    NOT_ALLOWED = "not-allowed"
    """No rule makes this person a member."""
    SESSION = "session"
    """The login cannot be linked: the person has signed out meanwhile."""
    TAKEN = "taken"
    """The login belongs to another account."""


class Refused(LlmbenchError):
    """Raised to end a sign-in. `detail` is for the log and may quote the issuer; people see the reason only."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
