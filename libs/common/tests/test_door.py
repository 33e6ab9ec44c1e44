"""Test that accepted hosts and trusted origins are separate lists, and that pages of other sites can change
nothing."""

import pytest
from starlette.types import Scope

from llmbench.http.door import Door, door, is_host_name

OURS = "https://bench.example"
BY_DEFAULT = door(origins=[OURS], hosts=["edge", "[FD00::7]"])
PUBLISHED = door(origins=[OURS], hosts=["edge"], listens_on="0.0.0.0")
CHANGES = ("POST", "PUT", "PATCH", "DELETE", "WEBSOCKET")


def refused(asked: Door, method: str = "GET", path: str = "/api/tasks", **headers: str) -> int | None:
    """Return the HTTP status with which `asked`, a check of hosts and origins, refuses a request; `None` if it accepts
    the request."""
    named = {"host": "127.0.0.1:8400", **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope: Scope = {
        "type": "websocket" if method == "WEBSOCKET" else "http",
        "path": path,
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }
    refusal = asked.refusal(scope if method == "WEBSOCKET" else {**scope, "method": method})
    return None if refusal is None else refusal.status


@pytest.mark.shows("S-02")
def test_allowed_host_is_not_an_allowed_origin() -> None:
    for method in ("GET", *CHANGES):
        assert refused(BY_DEFAULT, method, host="edge:8400") is None
        assert refused(BY_DEFAULT, method, host="edge:8400", origin="http://edge:8400") == 403
        assert refused(BY_DEFAULT, method, host="edge:8400", origin=OURS) is None
    assert refused(BY_DEFAULT, host="[fd00::7]:8400") is None


def test_host_of_a_public_origin_is_allowed() -> None:
    assert refused(BY_DEFAULT, host="bench.example") is None
    assert refused(BY_DEFAULT, host="other.example") == 421


@pytest.mark.parametrize("method", CHANGES)
@pytest.mark.shows("S-02")
def test_cross_site_change_by_a_browser_is_refused(method: str) -> None:
    for site in ("cross-site", "same-site", "", "SAME-ORIGIN", "none, cross-site"):
        assert refused(BY_DEFAULT, method, sec_fetch_site=site) == 403, site
        # A correct Origin does not make up for a wrong Sec-Fetch-Site.
        assert refused(BY_DEFAULT, method, sec_fetch_site=site, origin=OURS) == 403, site
    for site in ("same-origin", "none"):
        assert refused(BY_DEFAULT, method, sec_fetch_site=site) is None
        assert refused(BY_DEFAULT, method, sec_fetch_site=site, origin=OURS) is None
        assert refused(BY_DEFAULT, method, sec_fetch_site=site, origin="https://evil.example") == 403


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_cross_site_read_by_a_browser_is_allowed(method: str) -> None:
    assert refused(BY_DEFAULT, method, sec_fetch_site="cross-site") is None


@pytest.mark.parametrize("method", CHANGES)
def test_request_without_origin_and_fetch_headers_is_allowed(method: str) -> None:
    assert refused(BY_DEFAULT, method) is None


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_published_service_answers_health_probes_with_any_host(path: str) -> None:
    assert refused(PUBLISHED, path=path, host="10.42.0.17:8000") is None
    assert refused(PUBLISHED, path=path, host="10.42.0.17:8000", origin="http://10.42.0.17:8000") == 403
    assert refused(PUBLISHED, path=path, host="10.42.0.17@evil") == 421
    assert refused(PUBLISHED, "WEBSOCKET", path=path, host="10.42.0.17:8000") == 421
    assert refused(BY_DEFAULT, path=path, host="10.42.0.17:8000") == 421


@pytest.mark.parametrize("path", ["/", "/api/tasks", "/metrics/", "/health", "/health/ready/x", "/openapi.json"])
def test_other_paths_are_answered_for_allowed_hosts_only(path: str) -> None:
    assert refused(PUBLISHED, path=path, host="10.42.0.17:8000") == 421


@pytest.mark.parametrize(
    ("address", "published"),
    [
        *((address, False) for address in ("127.0.0.1", "127.1.2.3", "::1", "localhost")),
        *((address, True) for address in ("0.0.0.0", "::", "10.0.0.7", "judge")),
    ],
)
def test_address_beyond_loopback_counts_as_published(address: str, published: bool) -> None:
    assert door(origins=[], listens_on=address).any_host_may_probe is published


def test_host_name_has_neither_scheme_nor_port() -> None:
    for name in ("edge", "bench.example.org", "10.0.0.7", "fd00::7", "[fd00::7]"):
        assert is_host_name(name), name
    for other in ("http://edge", "edge:8400", "edge/x", "", "*.example.org", "[fd00::7]:8400", "a b", "evil@edge"):
        assert not is_host_name(other), other
