"""Communicate with one issuer: read its description and keys, build the address where people sign in, and exchange
authorisation codes for ID tokens.

The library `authlib` builds the requests and checks the tokens. Every answer of the issuer is checked before it is
used.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from authlib.common.urls import add_params_to_uri
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.client import OAuth2Client
from authlib.oauth2.rfc6749.parameters import prepare_token_request
from authlib.oidc.discovery import get_well_known_url
from joserfc.jwk import KeySet

from identity.openid_connect.attempts import Trip
from identity.openid_connect.failures import Reason, Refused
from identity.openid_connect.fetching import ANSWER_S, Answer, Fetcher, Question
from identity.openid_connect.id_token import Claims, Expected, UnknownKey, claims_of, key_set, verified
from identity.openid_connect.issuers import Issuer, endpoint_url, is_loopback_url
from identity.openid_connect.logout_token import LogoutToken, verified_logout
from llmbench.http.listeners import Listeners

FRESH_S: Final = 3600.0
"""Seconds after which the issuer's description is fetched again."""
_KEYS_FRESH_S: Final = 10.0
_FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Endpoints:
    """An issuer's addresses, and the methods that it supports, from its description (OpenID Connect Discovery 1.0)."""

    authorization: str
    token: str
    keys: str
    userinfo: str | None
    end_session: str | None
    algorithms: tuple[str, ...]
    client_auth: str
    names_itself: bool
    """True if the issuer adds `iss` to its answers (RFC 9207). An answer without it is then not from this issuer."""


class Provider:
    def __init__(
        self,
        issuer: Issuer,
        *,
        own: Listeners,
        limit_s: float = ANSWER_S,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.issuer = issuer
        self._here = is_loopback_url(issuer.issuer)
        self._fetcher = Fetcher(own=own, loopback_allowed=self._here, limit_s=limit_s)
        self._monotonic = monotonic
        self._now = now
        self._discovery: asyncio.Task[Endpoints] | None = None
        self._endpoints: Endpoints | None = None
        self._discovered_at = 0.0
        self._keys: KeySet | None = None
        self._keys_at = 0.0

    async def endpoints(self) -> Endpoints:
        """Return the issuer's endpoints, at most an hour old. Raises `Refused` if the issuer gives no valid description
        of itself.

        Simultaneous calls share one request to the issuer, so their waiting times do not add up.
        """
        known = self._endpoints
        if known is not None and self._monotonic() - self._discovered_at <= FRESH_S:
            return known
        if self._discovery is None:
            self._discovery = asyncio.create_task(self._discover())
            self._discovery.add_done_callback(self._discovered)
        return await asyncio.shield(self._discovery)

    async def _discover(self) -> Endpoints:
        endpoints = self._read(await self._document(get_well_known_url(self.issuer.issuer, external=True)))
        self._endpoints, self._discovered_at = endpoints, self._monotonic()
        # Fetch the keys again as well, so that a key that the issuer withdrew is trusted for an hour at most.
        self._keys = None
        return endpoints

    def _discovered(self, task: "asyncio.Task[Endpoints]") -> None:
        self._discovery = None
        if not task.cancelled():
            # Retrieve the exception, so that asyncio does not log it if every waiting request has gone.
            task.exception()

    async def sign_in_url(self, state: str, trip: Trip) -> str:
        """Return the address at the issuer to which the browser goes. Raises `Refused` if the issuer gives no valid
        description of itself."""
        endpoints = await self.endpoints()
        client = OAuth2Client(
            session=None,
            client_id=self.issuer.client_id,
            redirect_uri=trip.redirect_uri,
            scope=" ".join(self.issuer.scopes),
            code_challenge_method="S256",
        )
        url, _ = client.create_authorization_url(
            endpoints.authorization, state=state, code_verifier=trip.verifier, nonce=trip.nonce
        )
        return str(url)

    async def sign_out_url(self, back_to: str) -> str | None:
        """Return the address at which the person ends the session at the issuer. Return `None` if the issuer has no
        such address, or does not answer."""
        try:
            endpoints = await self.endpoints()
        except Refused:
            return None
        if endpoints.end_session is None:
            return None
        asked = [("client_id", self.issuer.client_id), ("post_logout_redirect_uri", back_to)]
        return str(add_params_to_uri(endpoints.end_session, asked))

    async def logout(self, token: str) -> LogoutToken:
        """Return the content of a logout token. Raises `Refused` if the token is not valid.

        The issuer's keys are fetched again if they are older than 10 s. A token with an unknown key is no reason to
        fetch them: otherwise attackers could cause any number of requests.
        """
        endpoints = await self.endpoints()
        fetched = self._monotonic() - self._keys_at > _KEYS_FRESH_S or self._keys is None
        if fetched:
            await self._fetch_keys(endpoints)
        assert self._keys is not None
        return verified_logout(
            token,
            self._keys,
            issuer=self.issuer.issuer,
            client_id=self.issuer.client_id,
            algorithms=endpoints.algorithms,
            now=self._now(),
        )

    async def require_same_issuer(self, named: str | None) -> None:
        """Raise `Refused` if an answer names another issuer, or names no issuer although this issuer always adds its
        name (RFC 9207)."""
        if named is None and (await self.endpoints()).names_itself:
            raise Refused(Reason.ATTEMPT, "the answer names no issuer, and this issuer names itself")
        if named is not None and named != self.issuer.issuer:
            raise Refused(Reason.ATTEMPT, f"the answer is that of the issuer {named[:200]!r}")

    async def claims(self, code: str, trip: Trip) -> Claims:
        """Exchange a code for an ID token, check it, and return the person. Raises `Refused` if the issuer refuses the
        code, or if the token is not valid."""
        endpoints = await self.endpoints()
        try:
            tokens = await self._exchange(endpoints, code, trip)
        except Refused:
            # The endpoint may have moved, so the next attempt reads the description again.
            self._endpoints = None
            raise
        access_token = tokens.get("access_token")
        access_token = access_token if isinstance(access_token, str) else None
        expected = Expected(
            issuer=self.issuer.issuer,
            client_id=self.issuer.client_id,
            nonce=trip.nonce,
            algorithms=endpoints.algorithms,
            access_token=access_token,
        )
        document = await self._verified(endpoints, tokens.get("id_token"), expected)
        if endpoints.userinfo and access_token and self._lacks(document):
            document = await self._completed(endpoints.userinfo, access_token, document)
        return claims_of(document, groups_claim=self.issuer.groups_claim)

    async def _exchange(self, endpoints: Endpoints, code: str, trip: Trip) -> dict[str, Any]:
        body = prepare_token_request(
            "authorization_code", "", redirect_uri=trip.redirect_uri, code=code, code_verifier=trip.verifier
        )
        secret = self.issuer.client_secret.get_secret_value() if self.issuer.client_secret else None
        auth = ClientAuth(self.issuer.client_id, secret, endpoints.client_auth)
        url, headers, body = auth.prepare("POST", endpoints.token, {"Content-Type": _FORM}, body)
        answer = await self._fetcher.ask(Question(url, body, headers))
        if answer.status != 200:
            raise _refusal(answer, "refuses the code")
        return answer.document

    async def _verified(self, endpoints: Endpoints, token: object, expected: Expected) -> dict[str, Any]:
        """Check the token and return its claims. If its key is unknown, fetch the keys once more, because issuers
        change them."""
        known = self._keys
        if known is not None:
            try:
                return verified(token, known, expected, now=self._now())
            except UnknownKey:
                pass
        return verified(token, await self._fetch_keys(endpoints), expected, now=self._now())

    async def _fetch_keys(self, endpoints: Endpoints) -> KeySet:
        self._keys_at = self._monotonic()
        self._keys = keys = key_set(await self._document(endpoints.keys))
        return keys

    def _lacks(self, document: dict[str, Any]) -> bool:
        claim = self.issuer.groups_claim
        return "email" not in document or bool(self.issuer.roles and claim.partition(".")[0] not in document)

    async def _completed(self, url: str, access_token: str, document: dict[str, Any]) -> dict[str, Any]:
        """Return `document`, the claims of the token, with the claims that only the userinfo endpoint has. Raises
        `Refused` if that endpoint fails, or names another subject."""
        answer = await self._fetcher.ask(Question(url, headers={"Authorization": f"Bearer {access_token}"}))
        if answer.status != 200 or answer.document.get("sub") != document["sub"]:
            raise _refusal(answer, "names another subject at its userinfo endpoint")
        return {**answer.document, **document}

    async def _document(self, url: str) -> dict[str, Any]:
        answer = await self._fetcher.ask(Question(url))
        if answer.status != 200:
            raise Refused(Reason.UNAVAILABLE, f"{url} answers {answer.status}")
        return answer.document

    def _read(self, document: dict[str, Any]) -> Endpoints:
        if document.get("issuer") != self.issuer.issuer:
            raise Refused(Reason.ISSUER, "the description is that of another issuer")
        keys, token = self._endpoint(document, "jwks_uri"), self._endpoint(document, "token_endpoint")
        authorization = self._endpoint(document, "authorization_endpoint")
        if not (authorization and token and keys):
            raise Refused(Reason.ISSUER, "the description names no endpoint for authorisation, tokens or keys")
        return Endpoints(
            authorization=authorization,
            token=token,
            keys=keys,
            userinfo=self._endpoint(document, "userinfo_endpoint"),
            end_session=self._endpoint(document, "end_session_endpoint"),
            algorithms=_texts(document, "id_token_signing_alg_values_supported") or ("RS256",),
            client_auth=self._client_auth(_texts(document, "token_endpoint_auth_methods_supported")),
            names_itself=document.get("authorization_response_iss_parameter_supported") is True,
        )

    def _endpoint(self, document: dict[str, Any], name: str) -> str | None:
        url = document.get(name)
        if url is None:
            return None
        try:
            if not isinstance(url, str) or (is_loopback_url(endpoint_url(url)) and not self._here):
                raise ValueError("leads to this machine")
        except ValueError as error:
            raise Refused(Reason.ISSUER, f"{name}: {error}") from None
        return url

    def _client_auth(self, offered: tuple[str, ...]) -> str:
        if self.issuer.client_secret is None:
            return "none"
        methods = ("client_secret_basic", "client_secret_post")
        found = next((each for each in methods if each in (offered or methods)), None)
        if found is None:
            raise Refused(Reason.ISSUER, "the issuer takes no client secret as basic authentication or in the body")
        return found


def _texts(document: dict[str, Any], name: str) -> tuple[str, ...]:
    listed = document.get(name)
    return tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()


def _refusal(answer: Answer, what: str) -> Refused:
    error = str(answer.document.get("error"))[:100]
    reason = Reason.UNAVAILABLE if answer.status >= 500 else Reason.ISSUER
    return Refused(reason, f"the issuer {what}: {answer.status} {error!r}")
