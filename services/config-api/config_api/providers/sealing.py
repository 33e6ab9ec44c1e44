"""Turn a user's input into stored values: defaults are filled in, secrets encrypted or kept.

A secret is bound to provider, header name and URL origin, and kept only while that origin stays. Otherwise a user who
changes the URL could send the stored key to another server.
"""

from uuid import UUID

from config_api.providers.defaults import Rules
from config_api.providers.headers import repeated
from config_api.providers.schemas import ConnectionIn, HeaderIn, ProviderIn
from config_api.providers.store import Connection, Header, Provider, Written
from config_api.providers.urls import refusal
from llmbench.contracts.describe_provider_type import ProviderTypeDescribed
from llmbench.db.secrets import Binding, SecretBox, hint, origin
from llmbench.errors import FieldError, Problem
from llmbench.http.listeners import Listeners
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.organisation import bound_organisation


def connection_of(body: ConnectionIn, rules: Rules, described: ProviderTypeDescribed) -> Connection:
    """Return the connection, with the type's defaults for missing fields.

    Raises a 422 problem for an unknown type, a missing base URL, a refused address, or invalid options.
    """
    info = described.info
    if info is None:
        raise invalid(FieldError("type", f"is no provider type; the known types are {', '.join(described.known)}"))
    base_url = body.base_url or rules.base_urls.get(info.type, info.base_url)
    if base_url is None:
        raise invalid(FieldError("base_url", f"must be given for the type {body.type}"))
    # Only the operator's organisation learns where the platform listens. For every organisation, the gateway refuses to
    # call these addresses.
    own = rules.own if bound_organisation() == DEFAULT_ORG_ID else Listeners()
    refused = refusal(base_url, link_local_allowed=rules.link_local_allowed, own=own)
    if refused is not None:
        raise invalid(FieldError("base_url", refused))
    if described.problems:
        raise invalid(*(FieldError(f"options.{problem.field}", problem.message) for problem in described.problems))
    models, inference = info.endpoints(base_url)
    return Connection(
        type=body.type,
        base_url=base_url,
        models_endpoint=body.models_endpoint or models,
        inference_endpoint=body.inference_endpoint or inference,
        options=body.options,
    )


def written_of(body: ProviderIn, rules: Rules, described: ProviderTypeDescribed) -> Written:
    """Return the provider's properties as they are stored, with the type's defaults for missing fields.

    Headers are not included (see `headers_of`).

    Raises a 422 problem for a model with two prices, an unknown type, a missing base URL, a refused address, or invalid
    options.
    """
    models = [price.model for price in body.prices]
    twice = [
        FieldError(f"prices.{index}.model", "has a price already")
        for index, model in enumerate(models)
        if model in models[:index]
    ]
    if twice:
        raise invalid(*twice)
    return Written(body.name, connection_of(body, rules, described), tuple(body.prices))


def headers_of(
    body: ConnectionIn, box: SecretBox, *, provider_id: UUID, base_url: str, before: Provider | None
) -> tuple[Header, ...]:
    """Return the headers as they are stored, with secrets encrypted or kept.

    `before` is the stored provider, `None` for a new one. A secret header without a value gets the value that it has in
    `before`, if the URL's origin stays. Raises a 422 problem for a repeated header name, and for each header that lacks
    its value.
    """
    again = repeated([header.header_key for header in body.headers])
    if again is not None:
        fault = FieldError(f"headers.{again}.header_key", "is there already; header names are equal in any case")
        raise invalid(fault)
    same_origin = before is not None and origin(before.connection.base_url) == origin(base_url)
    stored = {header.header_key.lower(): header for header in (before.headers if before else ()) if header.is_secret}
    headers, faults = [], []
    for index, header in enumerate(body.headers):
        kept = stored.get(header.header_key.lower()) if header.is_secret else None
        if header.header_value is not None:
            headers.append(_sealed(header, header.header_value, box, provider_id, base_url))
        elif kept is not None and same_origin:
            headers.append(Header(header.header_key, True, sealed_value=kept.sealed_value, hint=kept.hint))
        else:
            what = (
                "must be given"
                if kept is None
                else "must be entered again: the stored secret was meant for the server that base_url named before"
            )
            faults.append(FieldError(f"headers.{index}.header_value", what))
    if faults:
        raise invalid(*faults)
    return tuple(headers)


def _sealed(header: HeaderIn, value: str, box: SecretBox, provider_id: UUID, base_url: str) -> Header:
    if not header.is_secret:
        return Header(header.header_key, False, plain_value=value)
    binding = Binding(provider_id, header.header_key, base_url)
    return Header(header.header_key, True, sealed_value=box.seal(value, binding), hint=hint(value))


def invalid(*faults: FieldError) -> Problem:
    listed = "; ".join(f"{fault.field}: {fault.message}" for fault in faults[:5])
    return Problem(422, "Invalid request", listed, errors=faults)
