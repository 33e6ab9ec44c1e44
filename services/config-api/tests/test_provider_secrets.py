"""Test that a secret is never returned, and never stored, logged or published in plain text.

The secret is sent only to the server for which it was entered.
"""

import logging
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest
from config_api_asserting import assert_problem, create_resource
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.secrets import Binding, SecretBox
from llmbench.db.tables import metadata, provider_header
from llmbench.errors import SecretsLocked

MASTER_KEY = "a master key that only tests use 0123456789"
SECRET = "Bearer sk-0123456789-tail"
PROVIDER: dict[str, Any] = {"name": "P", "type": "OPENAI", "base_url": "https://api.example.org/v1"}


def _with(*, value: str | None = None, key: str = "Authorization", **changes: Any) -> dict[str, Any]:
    header: dict[str, Any] = {"header_key": key, "is_secret": True}
    if value is not None:
        header["header_value"] = value
    return {**PROVIDER, **changes, "headers": [header]}


async def _sealed(engine: AsyncEngine) -> bytes:
    async with engine.connect() as connection:
        sealed = (await connection.execute(select(provider_header.c.sealed_value))).scalar_one()
    assert isinstance(sealed, bytes)
    return sealed


def _binding(provider: dict[str, object], key: str = "Authorization", url: str = PROVIDER["base_url"]) -> Binding:
    return Binding(UUID(str(provider["id"])), key, url)


async def test_secret_is_neither_returned_nor_stored_nor_logged_in_plain_text(
    api: httpx.AsyncClient, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answers = [await api.post("/api/providers", json=_with(value=SECRET))]
    path = answers[0].headers["location"]
    answers += [
        await api.get(path),
        await api.get("/api/providers"),
        await api.put(path, json=_with()),
        await api.post("/api/providers", json=_with(value=SECRET)),
        await api.put(path, json=_with(value=f"{SECRET}\x00")),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 409, 422]
    for answer in answers:
        assert "sk-0123456789" not in answer.text
    assert answers[1].json()["headers"] == [
        {"header_key": "Authorization", "header_value": None, "is_secret": True, "hint": "tail"}
    ]
    assert "sk-0123456789" not in caplog.text

    connection = await asyncpg.connect(postgres_url)
    try:
        for table in metadata.sorted_tables:
            for row in await connection.fetch(f"SELECT * FROM {table.name}"):
                assert b"sk-0123456789" not in b"".join(_bytes(value) for value in row.values())
    finally:
        await connection.close()


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


async def test_short_secret_has_no_hint(api: httpx.AsyncClient) -> None:
    provider = await create_resource(api, "/api/providers", **_with(value="elevenchars"))
    headers = provider["headers"]
    assert isinstance(headers, Sequence)
    assert headers[0]["hint"] is None


async def test_omitted_value_keeps_the_secret_and_a_new_one_replaces_it(
    api: httpx.AsyncClient, engine: AsyncEngine
) -> None:
    box = SecretBox(MASTER_KEY)
    provider = await create_resource(api, "/api/providers", **_with(value=SECRET))
    path = f"/api/providers/{provider['id']}"
    before = await _sealed(engine)

    # An absent or null value keeps the secret, whatever the case of the header's name or the path on the same server.
    null = _with()
    null["headers"][0]["header_value"] = None
    for body in (_with(), null, _with(key="AUTHORIZATION"), _with(base_url="https://API.example.org:443/v2")):
        answer = await api.put(path, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["headers"][0]["hint"] == "tail"
        assert await _sealed(engine) == before
    assert box.open(before, _binding(provider)) == SECRET

    assert (await api.put(path, json=_with(value="Bearer sk-another-key"))).status_code == 200
    assert box.open(await _sealed(engine), _binding(provider)) == "Bearer sk-another-key"
    assert (await api.put(path, json=PROVIDER)).json()["headers"] == []


@pytest.mark.parametrize("mask", ["••••tail", "****tail", "••••", "********", "…………tail"])
async def test_mask_is_refused_as_a_secret(api: httpx.AsyncClient, engine: AsyncEngine, mask: str) -> None:
    assert_problem(await api.post("/api/providers", json=_with(value=mask)), 422, "headers.0.header_value")
    provider = await create_resource(api, "/api/providers", **_with(value=SECRET))
    before = await _sealed(engine)
    answer = await api.put(f"/api/providers/{provider['id']}", json=_with(value=mask))
    assert_problem(answer, 422, "headers.0.header_value")
    assert await _sealed(engine) == before


@pytest.mark.parametrize(
    "base_url", ["https://evil.example.org", "http://api.example.org/v1", "https://api.example.org:8443/v1"]
)
async def test_another_server_requires_the_secret_again(
    api: httpx.AsyncClient, engine: AsyncEngine, base_url: str
) -> None:
    provider = await create_resource(api, "/api/providers", **_with(value=SECRET))
    path = f"/api/providers/{provider['id']}"
    assert_problem(await api.put(path, json=_with(base_url=base_url)), 422, "headers.0.header_value")
    assert (await api.get(path)).json() == provider
    two = {"headers": [{"header_key": "Authorization", "is_secret": True}, {"header_key": "X-K", "is_secret": True}]}
    answer = await api.put(path, json={**_with(base_url=base_url), **two})
    assert_problem(answer, 422, "headers.0.header_value", "headers.1.header_value")

    # Even write access to the database reveals nothing: the ciphertext cannot be decrypted for another server.
    with pytest.raises(SecretsLocked):
        SecretBox(MASTER_KEY).open(await _sealed(engine), _binding(provider, url=base_url))

    moved = await api.put(path, json=_with(base_url=base_url, value=SECRET))
    assert moved.status_code == 200
    assert SecretBox(MASTER_KEY).open(await _sealed(engine), _binding(provider, url=base_url)) == SECRET


async def test_secret_cannot_be_made_public_or_renamed_without_its_value(api: httpx.AsyncClient) -> None:
    provider = await create_resource(api, "/api/providers", **_with(value=SECRET))
    body = {**PROVIDER, "headers": [{"header_key": "Authorization", "is_secret": False}]}
    assert_problem(await api.put(f"/api/providers/{provider['id']}", json=body), 422, "headers.0.header_value")
    renamed = _with(key="X-Api-Key")
    assert_problem(await api.put(f"/api/providers/{provider['id']}", json=renamed), 422, "headers.0.header_value")


@given(secret=st.text(st.characters(exclude_categories=["Cs"])), key=st.text(min_size=1, alphabet="abcXYZ-"))
def test_encrypted_secret_can_be_decrypted_for_its_binding_only(secret: str, key: str) -> None:
    box = SecretBox(MASTER_KEY)
    mine = Binding(UUID(int=1), key, "https://host/path")
    sealed = box.seal(secret, mine)
    assert box.open(sealed, Binding(UUID(int=1), key.swapcase(), "https://HOST:443/other")) == secret
    assert len(secret) < 8 or secret.encode() not in sealed
    others = (
        Binding(UUID(int=2), key, "https://host"),
        Binding(UUID(int=1), key + "x", "https://host"),
        Binding(UUID(int=1), key, "http://host"),
        Binding(UUID(int=1), key, "https://host:444"),
    )
    for other in others:
        with pytest.raises(SecretsLocked):
            box.open(sealed, other)
    with pytest.raises(SecretsLocked):
        SecretBox("x" * 32).open(sealed, mine)
    with pytest.raises(SecretsLocked):
        box.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), mine)
