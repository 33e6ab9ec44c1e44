"""Create the providers of a job on the platform, with their keys."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from llmbench.faults import meant
from llmbench_cli.ci.wanted import Provider
from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed

PATH = "/api/providers"


async def have_providers(client: Client, providers: Sequence[Provider], *, own: bool) -> None:
    """Create the providers of the job that are missing on the platform.

    If the platform was started for the job (`own`), existing providers of the same names are replaced. On any other
    platform they are used unchanged. Raises `CommandFailed` if the address or type of an existing provider differs from
    the job's, or if the type does not exist.
    """
    if not providers:
        return
    types = {entry["type"]: entry for entry in (await client.get(f"{PATH}/types"))["items"]}
    for provider in providers:
        wanted = provider.entry
        if wanted.type not in types:
            raise CommandFailed(f"there is no provider type {wanted.type!r}; {meant(wanted.type, list(types))}")
        found = (await client.get(PATH, name=wanted.name))["items"]
        body = _body(provider, types[wanted.type])
        if not found:
            await client.post(PATH, body)
        elif own:
            await client.put(f"{PATH}/{found[0]['id']}", body)
        else:
            _require_same(provider, found[0])


async def forget_keys(client: Client) -> None:
    """Remove the secret headers of all providers, so that a saved baseline contains no secret."""
    async for provider in client.every(PATH):
        kept = [header for header in provider["headers"] if not header["is_secret"]]
        if len(kept) == len(provider["headers"]):
            continue
        names = ("name", "type", "base_url", "models_endpoint", "inference_endpoint", "options", "prices")
        headers = [{name: header[name] for name in ("header_key", "header_value", "is_secret")} for header in kept]
        await client.put(f"{PATH}/{provider['id']}", {name: provider[name] for name in names} | {"headers": headers})


def _body(provider: Provider, type_: Json) -> Json:
    wanted = provider.entry
    headers = []
    if provider.key is not None:
        name = type_["secret_header"] or "Authorization"
        prefix = type_["secret_prefix"] if type_["secret_header"] else "Bearer "
        value = prefix + provider.key.get_secret_value()
        headers.append({"header_key": name, "header_value": value, "is_secret": True})
    given = {"name": wanted.name, "type": wanted.type, "base_url": wanted.url, "options": wanted.options}
    return {name: value for name, value in given.items() if value is not None} | {"headers": headers}


def _require_same(provider: Provider, found: Json) -> None:
    wanted = provider.entry
    if wanted.type != found["type"]:
        raise CommandFailed(f"the platform has a provider {wanted.name!r} of another type: {found['type']}")
    if wanted.url and _plain(wanted.url) != _plain(found["base_url"]):
        raise CommandFailed(
            f"the platform has a provider {wanted.name!r} with another address, {found['base_url']}: rename the job's "
            "provider, or leave it out to use that one"
        )


def _plain(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.netloc.lower(), parts.path.rstrip("/")
