"""docker-compose.yml cannot rot: what it says is started, and a benchmark runs through its edge."""

import subprocess
from pathlib import Path

import httpx
import pytest

from benchmarks.mock_provider.server import mock_provider
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import SERVICES
from tests.deploy import compose, dockerfile
from tests.deploy.compose_stack import compose_stack
from tests.platform import Platform

SECRETS = compose.made_secrets()


async def test_what_the_file_says_runs_a_benchmark(tmp_path: Path) -> None:
    port = free_port()
    services = compose.read({**SECRETS, "LLMBENCH_PORT": str(port)})
    async with mock_provider() as provider_url, compose_stack(services, tmp_path) as stack:
        url = f"http://127.0.0.1:{port}"
        async with (
            httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http,
            httpx.AsyncClient(base_url=provider_url, timeout=90) as provider_http,
        ):
            opened = Platform(url, provider_url, "", "", {}, http, provider_http, tmp_path)
            await opened.seed(2)
            run = await opened.until_status(await opened.start_run("mock-0ms"), "FINISHED")
            assert run["outcome"] == "complete"
            for service in SERVICES:
                assert (await http.get(f"/health/{service}")).status_code == 200
            # A browser of the published address is let in, one of another is not.
            ours = {"Origin": f"http://localhost:{port}"}
            assert (await http.get("/api/tasks", headers=ours)).status_code == 200
            assert (await http.get("/api/tasks", headers={"Origin": "http://evil.test"})).status_code == 403
        # Prometheus asks by a service's name.
        async with httpx.AsyncClient(trust_env=False) as inside:
            answer = await inside.get(
                f"http://127.0.0.1:{stack.port('judge', 8000)}/metrics", headers={"Host": "judge:8000"}
            )
        assert answer.status_code == 200


@pytest.mark.parametrize("secret", sorted(SECRETS))
def test_no_secret_has_a_default(secret: str) -> None:
    with pytest.raises(compose.VariableMissing, match=secret):
        compose.read({name: value for name, value in SECRETS.items() if name != secret})


def test_the_key_may_come_under_either_name() -> None:
    services = compose.read({**SECRETS, "MASTER_KEY": "", "LLMBENCH_MASTER_KEY": "the other name"})
    assert services["config-api"].environment["LLMBENCH_MASTER_KEY"] == "the other name"


def test_only_the_edge_is_published_and_on_loopback() -> None:
    services = compose.read(SECRETS)
    published = {name: each.fields["ports"] for name, each in services.items() if "ports" in each.fields}
    assert published == {"edge": ["127.0.0.1:8400:8400"]}


def test_every_service_is_in_the_file_checked_and_restarted() -> None:
    services = compose.read(SECRETS)
    assert set(services) == {*SERVICES, "postgres", "nats", "migrate", "edge"}
    for name, service in services.items():
        if name == "migrate":
            assert service.fields["restart"] == "no"
        else:
            assert service.fields["restart"] == "unless-stopped", name
            assert service.health, name
    for name, package in SERVICES.items():
        assert services[name].command == ["python", "-m", package]
        assert services[name].fields["read_only"] is True
        assert services[name].fields["cap_drop"] == ["ALL"]


def test_no_container_writes_to_its_image_or_gains_rights() -> None:
    # PostgreSQL's image hands its volume to its user before it becomes that user. Caddy's program carries a capability.
    may_keep = {"postgres": None, "nats": ["DAC_OVERRIDE"], "edge": ["NET_BIND_SERVICE"]}
    for name, service in compose.read(SECRETS).items():
        fields = service.fields
        assert fields["read_only"] is True, name
        assert not {"privileged", "pid", "ipc", "network_mode", "userns_mode", "devices"} & set(fields), name
        if name != "edge":
            assert fields["security_opt"] == ["no-new-privileges:true"], name
        if name != "postgres":
            assert fields["cap_drop"] == ["ALL"], name
        assert fields.get("cap_add") == may_keep.get(name), name
        # What is mounted from the checkout is not written to.
        assert all(each.endswith(":ro") for each in fields.get("volumes", ()) if each.startswith(".")), name
        assert not [each for each in fields.get("volumes", ()) if "docker.sock" in each], name


def test_every_container_of_ours_runs_as_nobody_in_particular() -> None:
    for name, service in compose.read(SECRETS).items():
        if "build" not in service.fields:
            continue
        user = service.fields.get("user")
        (built_in,) = dockerfile.stages()[service.fields["build"]["target"]].arguments("USER")
        assert int(str(user or built_in).partition(":")[0]) > 1000, name


def test_data_lies_in_named_volumes() -> None:
    services = compose.read(SECRETS)
    mounted = {
        each.split(":")[0]
        for service in services.values()
        for each in service.fields.get("volumes", ())
        if not each.startswith(".")
    }
    assert mounted == compose.volumes() == {"postgres", "nats", "files"}


def test_the_host_is_reachable_for_the_one_who_talks_to_models() -> None:
    services = compose.read(SECRETS)
    told = {name for name, each in services.items() if "extra_hosts" in each.fields}
    assert told == {"inference-gateway"}
    assert services["inference-gateway"].fields["extra_hosts"] == ["host.docker.internal:host-gateway"]


def test_secrets_are_told_only_to_those_who_need_them() -> None:
    services = compose.read(SECRETS)
    for name, service in services.items():
        told = " ".join(service.environment)
        assert ("MASTER_KEY" in told) == (name in {"config-api", "orchestrator", "inference-gateway"}), name
        assert ("DATABASE_URL" in told) == (name in {"config-api", "inference-gateway", "orchestrator", "migrate"})


def test_each_service_has_logins_of_its_own() -> None:
    services = compose.read(SECRETS)
    for name in SERVICES:
        for variable in ("LLMBENCH_NATS_URL", "LLMBENCH_DATABASE_URL"):
            url = services[name].environment.get(variable)
            others = [services[other].environment.get(variable) for other in SERVICES if other != name]
            assert url is None or url not in others


def test_what_was_made_is_not_overwritten(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text("MASTER_KEY=precious\n", "ascii")
    made = subprocess.run([compose.FILE.parent / "make-env.sh", env], capture_output=True, text=True, check=False)
    assert (made.returncode, env.read_text("ascii")) == (1, "MASTER_KEY=precious\n")
    assert "left as it is" in made.stderr
