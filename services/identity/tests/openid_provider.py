"""A real OpenID Connect provider for tests, on authlib's server side: it listens on loopback and signs real tokens.

It is honest unless a test changes what it says: its description, the claims and the signature of its ID tokens, and
single answers.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc6749 import AuthorizationServer, OAuth2Request
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core.grants import OpenIDCode
from joserfc import jwt
from joserfc.jwk import ECKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

ALGORITHM = "ES256"
SECRET = "the client's secret, known to both"
Claims = dict[str, Any]


@dataclass(frozen=True)
class User:
    """A person at the provider."""

    sub: str = "ada-at-the-provider"
    name: str = "Ada"
    email: str = "ada@company.example"
    email_verified: Any = True
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class Client:
    """The platform, as the provider has registered it."""

    client_id: str
    secret: str | None
    id_token_signed_response_alg: str = ALGORITHM

    def get_client_id(self) -> str:
        return self.client_id

    def get_allowed_scope(self, scope: str | None) -> str:
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return "/api/auth/issuers/" in redirect_uri and redirect_uri.endswith("/callback")

    def check_client_secret(self, secret: str) -> bool:
        return self.secret is not None and secrets.compare_digest(secret, self.secret)

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return (method == "none") == (self.secret is None)

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


@dataclass(frozen=True)
class Code:
    """An authorisation code that was given out."""

    user: User
    data: Mapping[str, str]

    @property
    def code_challenge(self) -> str | None:
        return self.data.get("code_challenge")

    @property
    def code_challenge_method(self) -> str | None:
        return self.data.get("code_challenge_method")

    def get_redirect_uri(self) -> str | None:
        return self.data.get("redirect_uri")

    def get_scope(self) -> str:
        return self.data.get("scope", "")

    def get_nonce(self) -> str | None:
        return self.data.get("nonce")

    def get_auth_time(self) -> None:
        return None

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


@dataclass
class OpenIdProvider:
    """A running provider. Its fields may be changed at any time."""

    issuer: str = ""
    client: Client = field(default_factory=lambda: Client("llmbench", SECRET))
    user: User = field(default_factory=User)
    key: ECKey = field(default_factory=lambda: new_key("first"))
    names_itself: bool = True
    description: dict[str, Any] = field(default_factory=dict)
    """Fields that replace those of the provider's description (its metadata document); `None` removes a field."""
    claims: dict[str, Any] = field(default_factory=dict)
    """Claims that replace those of the ID token; `None` removes a claim."""
    sign: Callable[[Claims], str] | None = None
    """A function that makes the ID token from its claims, instead of the provider's honest signature."""
    answer: dict[str, Callable[[Request], Awaitable[Response]]] = field(default_factory=dict)
    """Functions that answer requests in the place of the honest provider, by path."""
    codes: dict[str, Code] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """The paths of the requests so far."""
    forms: list[dict[str, str]] = field(default_factory=list)
    """The bodies of the requests for tokens."""

    def described(self) -> dict[str, Any]:
        honest = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "end_session_endpoint": f"{self.issuer}/logout",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [ALGORITHM],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": self.names_itself,
        }
        return _changed(honest, self.description)

    def user_claims(self) -> Claims:
        return {
            "sub": self.user.sub,
            "name": self.user.name,
            "email": self.user.email,
            "email_verified": self.user.email_verified,
            "groups": list(self.user.groups),
        }

    def id_token(self, honest: Claims) -> str:
        claims = _changed(honest, self.claims)
        if self.sign is not None:
            return self.sign(claims)
        return jwt.encode({"alg": ALGORITHM, "kid": self.key.kid}, claims, self.key)

    async def respond(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        if request.url.path in self.answer:
            return await self.answer[request.url.path](request)
        match request.url.path:
            case "/.well-known/openid-configuration":
                return JSONResponse(self.described())
            case "/keys":
                return JSONResponse({"keys": [self.key.as_dict(private=False)]})
            case "/authorize":
                return await self._authorize(request)
            case "/token":
                asked = await _read(request)
                self.forms.append(asked.payload.data)
                answered: Response = _Server(self).create_token_response(asked)
                return answered
            case "/userinfo":
                return JSONResponse(self.user_claims())
            case "/logout":
                return Response("You have signed out.", media_type="text/plain")
        return Response(status_code=404)

    async def _authorize(self, request: Request) -> Response:
        """Answer at once that the person agrees; a real provider would show a page first."""
        server, asked = _Server(self), await _read(request)
        grant = server.get_consent_grant(asked, end_user=self.user)
        answered: Response = server.create_authorization_response(asked, grant_user=self.user, grant=grant)
        if self.names_itself:
            location = add_params_to_uri(answered.headers["location"], [("iss", self.issuer)])
            answered.headers["location"] = location
        return answered


def new_key(kid: str) -> ECKey:
    return ECKey.generate_key("P-256", {"kid": kid, "use": "sig", "alg": ALGORITHM})


def unsigned(claims: Claims) -> str:
    """Return a token whose algorithm is `none`."""
    return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}."


def signed_with_public_key(key: ECKey) -> Callable[[Claims], str]:
    """Return a function that signs claims with HMAC and uses the public key as its secret, which is an attack."""

    def sign(claims: Claims) -> str:
        text = f"{_part({'alg': 'HS256', 'typ': 'JWT', 'kid': key.kid})}.{_part(claims)}"
        digest = hmac.digest(key.as_pem(private=False), text.encode(), hashlib.sha256)
        return f"{text}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"

    return sign


def signed_by(key: ECKey, **header: Any) -> Callable[[Claims], str]:
    """Return a function that signs claims with this key instead of the published one. `header` adds header fields."""
    return lambda claims: jwt.encode({"alg": ALGORITHM, "kid": "first", **header}, claims, key)


def _part(document: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def _changed(honest: Claims, changes: Claims) -> Claims:
    merged = {**honest, **changes}
    return {name: value for name, value in merged.items() if value is not None}


class _Request(OAuth2Request):  # type: ignore[misc]  # authlib has no types
    def __init__(self, request: Request, data: dict[str, str]) -> None:
        super().__init__(request.method, str(request.url), headers=dict(_titled(request)))
        self.payload = BasicOAuth2Payload(data)

    @property
    def form(self) -> dict[str, str]:
        form: dict[str, str] = self.payload.data
        return form


def _titled(request: Request) -> list[tuple[str, str]]:
    return [(name.title(), value) for name, value in request.headers.items()]


async def _read(request: Request) -> _Request:
    text = (await request.body()).decode() if request.method == "POST" else request.url.query
    return _Request(request, dict(parse_qsl(text)))


class _Server(AuthorizationServer):  # type: ignore[misc]  # authlib has no types
    def __init__(self, provider: OpenIdProvider) -> None:
        super().__init__()
        self._provider = provider
        self.register_token_generator("default", BearerTokenGenerator(lambda **_: secrets.token_urlsafe(24)))
        self.register_grant(_code_grant(provider), [_OpenIdCode(provider), CodeChallenge(required=True)])

    def query_client(self, client_id: str) -> Client | None:
        client = self._provider.client
        return client if client.client_id == client_id else None

    def save_token(self, token: dict[str, Any], request: OAuth2Request) -> None:
        """Do not store the access token, because this provider has no endpoint that needs it."""

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Do nothing: authlib reports its steps with this method, and no test needs the reports."""

    def create_oauth2_request(self, request: OAuth2Request) -> OAuth2Request:
        return request

    def handle_response(self, status: int, body: Any, headers: list[tuple[str, str]]) -> Response:
        by_name = dict(headers)
        if "Location" in by_name:
            return RedirectResponse(by_name["Location"], status_code=status)
        return JSONResponse(body, status_code=status)


def _code_grant(provider: OpenIdProvider) -> type[AuthorizationCodeGrant]:
    class CodeGrant(AuthorizationCodeGrant):  # type: ignore[misc]  # authlib has no types
        TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic", "client_secret_post", "none")

        def save_authorization_code(self, code: str, request: OAuth2Request) -> None:
            provider.codes[code] = Code(request.user, request.payload.data)

        def query_authorization_code(self, code: str, client: Client) -> Code | None:
            return provider.codes.get(code)

        def delete_authorization_code(self, authorization_code: Code) -> None:
            left = {code: each for code, each in provider.codes.items() if each is not authorization_code}
            provider.codes = left

        def authenticate_user(self, authorization_code: Code) -> User:
            return authorization_code.user

    return CodeGrant


class _OpenIdCode(OpenIDCode):  # type: ignore[misc]  # authlib has no types
    def __init__(self, provider: OpenIdProvider) -> None:
        super().__init__(require_nonce=True)
        self._provider = provider

    def exists_nonce(self, nonce: str, request: OAuth2Request) -> bool:
        return any(code.get_nonce() == nonce for code in self._provider.codes.values())

    def encode_id_token(self, token: dict[str, Any], request: OAuth2Request) -> str:
        now = int(time.time())
        claims = {
            "iss": self._provider.issuer,
            "aud": request.client.client_id,
            "iat": now,
            "exp": now + 300,
            "nonce": request.authorization_code.get_nonce(),
            **self._provider.user_claims(),
        }
        return self._provider.id_token(claims)


@asynccontextmanager
async def providing(**fields: Any) -> AsyncIterator[OpenIdProvider]:
    """Run an OpenID provider on a free port of loopback, and yield it. `fields` are those of `OpenIdProvider`."""
    provider = OpenIdProvider(**fields)
    app = Starlette(routes=[Route("/{path:path}", provider.respond, methods=["GET", "POST"])])
    listening = socket.create_server(("127.0.0.1", 0))
    provider.issuer = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield provider
    finally:
        server.should_exit = True
        await serving
        listening.close()
