"""Sign principals with the platform's Ed25519 key, which is created at the first start and stored encrypted."""

import base64
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jwt.algorithms import OKPAlgorithm
from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.access import Principal
from llmbench.db.secrets import SIGNING_KEY, Binding, SecretBox
from llmbench.db.tables import signing_key
from llmbench.http.authentication import not_signed_in
from llmbench.http.principal_token import ALGORITHM, BadPrincipal, key_id_of, read, write
from llmbench.ids import new_id

_LOCK: Final = 5_120_443_817


@dataclass(frozen=True)
class Signer:
    """Signs principals with one key, and verifies signatures by all stored keys."""

    key_id: str
    key: Ed25519PrivateKey
    public_keys: dict[str, Ed25519PublicKey]

    def sign(self, principal: Principal) -> str:
        """Return the token of the principal, valid from now on."""
        return write(principal, key_id=self.key_id, key=self.key, at=datetime.now(UTC))

    async def read(self, token: str) -> Principal:
        """Return the principal of a token. Raises a 401 `Problem` if the token is not valid."""
        try:
            key = self.public_keys.get(key_id_of(token))
            if key is None:
                raise BadPrincipal("it names an unknown key")
            return read(token, key=key, at=datetime.now(UTC))
        except BadPrincipal as error:
            raise not_signed_in(f"The identity of this request cannot be used: {error}.") from None

    def key_set(self) -> dict[str, object]:
        """Return the public keys as a JSON Web Key Set (RFC 7517)."""
        return {"keys": [_jwk(key_id, key) for key_id, key in self.public_keys.items()]}


async def load_signer(engine: AsyncEngine, box: SecretBox) -> Signer:
    """Return the signer with the newest stored key. Create a key if there is none.

    Raises `SecretsLocked` if the stored key was encrypted with another master key.
    """
    async with engine.begin() as connection:
        await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        rows = (await connection.execute(select(signing_key).order_by(signing_key.c.id))).all()
        if not rows:
            await _create(connection, box)
            rows = (await connection.execute(select(signing_key))).all()
    newest = rows[-1]
    private = base64.b64decode(box.open(newest.sealed_key, _binding(newest.id)))
    return Signer(
        key_id=str(newest.id),
        key=Ed25519PrivateKey.from_private_bytes(private),
        public_keys={str(row.id): Ed25519PublicKey.from_public_bytes(row.public_key) for row in rows},
    )


async def _create(connection: AsyncConnection, box: SecretBox) -> None:
    id_, key = new_id(), Ed25519PrivateKey.generate()
    values = {
        "id": id_,
        "public_key": key.public_key().public_bytes_raw(),
        "sealed_key": box.seal(base64.b64encode(key.private_bytes_raw()).decode(), _binding(id_)),
    }
    await connection.execute(insert(signing_key).values(values))


def _binding(id_: UUID) -> Binding:
    return Binding(id_, SIGNING_KEY, "")


def _jwk(key_id: str, key: Ed25519PublicKey) -> dict[str, object]:
    public: dict[str, object] = json.loads(OKPAlgorithm.to_jwk(key))
    return {**public, "kid": key_id, "use": "sig", "alg": ALGORITHM}
