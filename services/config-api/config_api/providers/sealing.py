"""From what a user sent to what is stored: defaults filled in, secrets sealed or kept.

A secret is bound to provider, header name and URL origin. It is kept only while that origin stays;
otherwise whoever changes a URL could have the stored key sent to a server of their own.
"""

from uuid import UUID

from config_api.providers.defaults import PLACES, default_endpoints
from config_api.providers.headers import repeated
from config_api.providers.schemas import HeaderIn, ProviderIn
from config_api.providers.store import Endpoint, Header, Provider
from llmbench.errors import FieldError, Problem
from llmbench.secrets import Binding, SecretBox, hint, origin


def endpoint_of(body: ProviderIn) -> Endpoint:
    """Raises a 422 problem when the type has no default base URL and none was given."""
    base_url = body.base_url or PLACES[body.type].base_url
    if base_url is None:
        raise invalid("base_url", f"must be given for the type {body.type}")
    models, inference = default_endpoints(body.type, base_url)
    return Endpoint(
        name=body.name,
        type=body.type,
        base_url=base_url,
        models_endpoint=body.models_endpoint or models,
        inference_endpoint=body.inference_endpoint or inference,
        options=body.options,
    )


def headers_of(
    body: ProviderIn, box: SecretBox, *, provider_id: UUID, base_url: str, before: Provider | None
) -> tuple[Header, ...]:
    """Raises a 422 problem naming the header that is repeated or lacks its value."""
    again = repeated([header.header_key for header in body.headers])
    if again is not None:
        raise invalid(f"headers.{again}.header_key", "is there already; header names are equal in any case")
    same_origin = before is not None and origin(before.endpoint.base_url) == origin(base_url)
    stored = {header.header_key.lower(): header for header in (before.headers if before else ()) if header.is_secret}
    headers = []
    for index, header in enumerate(body.headers):
        kept = stored.get(header.header_key.lower()) if header.is_secret else None
        if header.header_value is not None:
            headers.append(_sealed(header, header.header_value, box, provider_id, base_url))
        elif kept is None:
            raise invalid(f"headers.{index}.header_value", "must be given")
        elif not same_origin:
            raise invalid(
                f"headers.{index}.header_value",
                "must be entered again: the stored secret was meant for the server that base_url named before",
            )
        else:
            headers.append(Header(header.header_key, True, sealed_value=kept.sealed_value, hint=kept.hint))
    return tuple(headers)


def _sealed(header: HeaderIn, value: str, box: SecretBox, provider_id: UUID, base_url: str) -> Header:
    if not header.is_secret:
        return Header(header.header_key, False, plain_value=value)
    binding = Binding(provider_id, header.header_key, base_url)
    return Header(header.header_key, True, sealed_value=box.seal(value, binding), hint=hint(value))


def invalid(field: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{field}: {message}", errors=[FieldError(field, message)])
