"""Check the webhook that a request names."""

import secrets
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import AfterValidator, Field, SecretStr

from llmbench.errors import FieldError
from llmbench.http.listeners import OWN, Listeners
from orchestrator.kernel.domain.new_run import NewWebhook
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.webhooks import check_url, key_of, secret_of

SECRET_BYTES: Final = 32


def _well_formed(secret: SecretStr) -> SecretStr:
    key_of(secret.get_secret_value())
    return secret


WebhookSecret = Annotated[
    SecretStr,
    AfterValidator(_well_formed),
    Field(description="`whsec_` and 24 to 64 bytes in base64. By default one is generated and shown once."),
]


@dataclass(frozen=True)
class WebhookRules:
    """The rules for the addresses to which webhooks may go. Private addresses are allowed only if `private_allowed` is
    true. The addresses of `own`, on which the platform itself listens, are never allowed."""

    private_allowed: bool
    own: Listeners

    def check(self, url: str | None, secret: SecretStr | None, *, what: str) -> None:
        """Raise a 422 `Problem` if the URL is not allowed, or if there is a secret without a URL. `what` names the
        kind of request in the title of the problem."""
        if url is None:
            if secret is not None:
                raise invalid([FieldError("webhook_secret", "is for a webhook_url: name it as well")], what)
            return
        try:
            check_url(url, private_allowed=self.private_allowed)
            if self.own.has_url(url):
                raise ValueError(OWN)
        except ValueError as wrong:
            raise invalid([FieldError("webhook_url", str(wrong))], what) from None


def webhook_of(url: str | None, secret: SecretStr | None) -> tuple[NewWebhook | None, str | None]:
    """Return the webhook, and its secret if it had to be generated."""
    if url is None:
        return None, None
    generated = None if secret is not None else secret_of(secrets.token_bytes(SECRET_BYTES))
    return NewWebhook(url, generated or (secret.get_secret_value() if secret else "")), generated
