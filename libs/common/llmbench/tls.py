"""Encrypted connections to PostgreSQL and NATS: check the files that settings name, and explain what failed.

This module imports neither server's client, to keep the supervisor of `llmbench up` small.
"""

import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_FILES = ("sslrootcert", "sslcert", "sslkey")
_HOW_TO = "docs/how-to/use-your-own-servers.md"


@dataclass(frozen=True, kw_only=True)
class NatsTls:
    """The files for an encrypted connection to NATS, in PEM: the certificates of trusted authorities, and the client's
    certificate with its key. If `ca` is empty, the system's authorities are trusted. If `cert` is empty, there is no
    client certificate."""

    ca: str = ""
    cert: str = ""
    key: str = ""

    def __bool__(self) -> bool:
        return bool(self.ca or self.cert or self.key)

    def context(self) -> ssl.SSLContext:
        """Return a context that checks the server's certificate and its name. Raises `ValueError`, which names the file
        that cannot be used."""
        if self.key and not self.cert:
            raise ValueError("LLMBENCH_NATS_TLS_KEY is the key of LLMBENCH_NATS_TLS_CERT, which is not set")
        try:
            context = ssl.create_default_context(cafile=readable(self.ca) if self.ca else None)
        except ssl.SSLError as error:
            raise ValueError(f"{self.ca} has no certificates in PEM") from error
        if self.cert:
            try:
                context.load_cert_chain(
                    readable(self.cert), readable(self.key) if self.key else None, password=_no_password
                )
            except ssl.SSLError as error:
                raise ValueError(
                    f"{self.cert} and {self.key or 'the same file'} are no certificate and its key without a password, "
                    "in PEM"
                ) from error
        return context


NO_TLS = NatsTls()


def check_database_files(url: str) -> None:
    """Check that the `sslmode` of a PostgreSQL URL is known, and that the files of its certificates and keys can be
    read. Raises `ValueError`, whose message does not repeat the URL."""
    given = parse_qs(urlsplit(url).query)
    mode = given.get("sslmode", ["prefer"])[-1]
    if mode not in SSL_MODES:
        raise ValueError(f"has an unknown sslmode; the known ones are {', '.join(SSL_MODES)}")
    for name in _FILES:
        for path in given.get(name, ()):
            try:
                readable(path)
            except ValueError as error:
                raise ValueError(f"has {name}={error}") from error


def readable(path: str) -> str:
    """Return the path unchanged if its file can be read. Raises `ValueError` otherwise."""
    try:
        with Path(path).open("rb") as file:
            file.read(1)
    except OSError as error:
        raise ValueError(f"{path}, which cannot be read: {error.strerror}") from error
    return path


def tls_trouble(error: BaseException | None, authority: str) -> str | None:
    """Return a text that explains what is wrong with the certificates and what to do, if they caused the error;
    otherwise `None`.

    `authority` becomes the part of the text that says which setting has the path of the authority's certificate, for
    example "in LLMBENCH_NATS_TLS_CA".
    """
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            if "mismatch" in error.verify_message:
                return (
                    f"the server's certificate is for another name ({error.verify_message.rstrip('.')}): use in the "
                    f"URL a name that the certificate has ({_HOW_TO})"
                )
            return (
                f"the server's certificate is not trusted ({error.verify_message}): name the certificate of the "
                f"authority that signed it, {authority} ({_HOW_TO})"
            )
        if isinstance(error, ssl.SSLError):
            return f"no encrypted connection ({error.reason or error}): see {_HOW_TO}"
        error = error.__cause__ or error.__context__
    return None


def database_tls_trouble(error: BaseException) -> str | None:
    """Return a text that explains why no encrypted connection to PostgreSQL is possible, and what to do. Return `None`
    if the error has another cause."""
    if "rejected SSL upgrade" in str(error):
        return f"the server does not encrypt connections, and the URL's sslmode demands it ({_HOW_TO})"
    return tls_trouble(error, "with sslrootcert=FILE in LLMBENCH_DATABASE_URL")


def nats_tls_trouble(error: BaseException) -> str | None:
    """Return a text that explains why no encrypted connection to NATS is possible, and what to do. Return `None` if the
    error has another cause."""
    if "does not encrypt connections" in str(error):
        return str(error)
    return tls_trouble(error, "in LLMBENCH_NATS_TLS_CA")


def _no_password() -> str:
    # Without this function OpenSSL would ask on the terminal.
    return ""
