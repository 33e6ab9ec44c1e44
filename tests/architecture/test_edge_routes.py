"""Test that the Caddyfile has the routes that `make gen` writes, and that a path prefix belongs to one service."""

import pytest

from tests.architecture.repository import text
from tools.gen.edge import CADDYFILE, edge, prefixes, routes
from tools.gen.nats import SIGN_IN, nats, without_people


def test_committed_caddyfile_equals_the_generated_routes() -> None:
    assert edge() == {CADDYFILE: text(CADDYFILE)}


def test_committed_configuration_of_nats_equals_the_generated_one() -> None:
    assert nats() == {SIGN_IN: text(SIGN_IN)}


@pytest.mark.parametrize("marks", ["# People: begin", "# People: end", "# People: begin\n# People: begin"])
def test_mark_without_its_counterpart_is_refused(marks: str) -> None:
    with pytest.raises(ValueError, match="has no counterpart"):
        without_people(f"port: 4222\n{marks}\n")


def test_path_prefix_served_by_two_services_is_refused() -> None:
    paths = {"config-api": ["/api/labels/{id}", "/v1/labels"], "orchestrator": ["/api/runs", "/api/runs/{run_id}"]}
    assert prefixes(paths) == {"/api/labels": "config-api", "/v1/labels": "config-api", "/api/runs": "orchestrator"}
    with pytest.raises(ValueError, match="config-api and orchestrator both serve /api/labels"):
        prefixes({**paths, "orchestrator": ["/api/labels/{id}/runs"]})


def test_route_names_its_service_by_an_environment_variable() -> None:
    assert "{$CONFIG_API_UPSTREAM:config-api:8000}" in routes({"/api/labels": "config-api"})
