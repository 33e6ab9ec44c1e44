"""Test docker-compose.yml: its services start, and a benchmark runs through its edge."""

import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.mock_provider.server import mock_provider
from llmbench.http.listeners import places
from llmbench.service.settings import STOP_GRACE_S
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import SERVICES, services_of
from tests.deploy import compose, dockerfile
from tests.deploy.compose_stack import compose_stack
from tests.platform import Platform

SECRETS = compose.made_secrets()


async def test_services_of_the_compose_file_run_a_benchmark(tmp_path: Path) -> None:
    port = free_port()
    services = compose.started({**SECRETS, "LLMBENCH_PORT": str(port)})
    async with mock_provider() as provider_url, compose_stack(services, tmp_path):
        url = f"http://127.0.0.1:{port}"
        async with (
            httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http,
            httpx.AsyncClient(base_url=provider_url, timeout=90) as provider_http,
        ):
            opened = Platform(url, provider_url, "", "", {}, http, provider_http, tmp_path)
            await opened.seed(2)
            run = await opened.until_status(await opened.start_run("mock-0ms"), "FINISHED")
            assert run["outcome"] == "complete"
            for service in services_of("off"):
                assert (await http.get(f"/health/{service}")).status_code == 200
            assert (await http.get("/api/auth/session")).json() == {"auth": "off"}
            assert (await http.get("/api/members")).status_code == 404
            # The edge accepts a page from the published address, and refuses one from another address.
            ours = {"Origin": f"http://localhost:{port}"}
            assert (await http.get("/api/tasks", headers=ours)).status_code == 200
            assert (await http.get("/api/tasks", headers={"Origin": "http://evil.test"})).status_code == 403
            # Names of containers are accepted as hosts, but not as origins.
            inside = {"Host": "edge:8400"}
            assert (await http.get("/api/tasks", headers=inside)).status_code == 200
            for name in ("edge:8400", "judge:8000"):
                foreign = {**inside, "Origin": f"http://{name}"}
                assert (await http.get("/api/tasks", headers=foreign)).status_code == 403, name


async def test_services_of_the_compose_file_let_people_sign_in(tmp_path: Path) -> None:
    port = free_port()
    sign_in = {"LLMBENCH_AUTH": "on", "COMPOSE_PROFILES": "sign-in", "LLMBENCH_PORT": str(port)}
    services = compose.started({**SECRETS, **sign_in})
    async with compose_stack(services, tmp_path):
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http:
            for path in ("/api/tasks", "/api/runs", "/api/members"):
                assert (await http.get(path)).status_code == 401, path
            for service in SERVICES:
                assert (await http.get(f"/health/{service}")).status_code == 200, service
            found = re.findall(r"(http://\S+)/first-owner#([\w-]+)", (tmp_path / "identity.log").read_text())
            (origin, token) = found[-1]
            assert origin == url
            owner = {"token": token, "email": "ada@example.org", "name": "Ada", "organisation": "Engines"}
            entered = await http.post("/api/auth/first-owner", json={**owner, "password": "correct horse battery"})
            assert entered.status_code == 201, entered.text
            headers = {"X-CSRF-Token": entered.json()["csrf_token"]}
            task = {"task_id": "sum", "category": "arithmetic", "question": "1 + 1?", "excellent": "2"}
            assert (await http.post("/api/tasks", json=task)).status_code == 403
            made = await http.post("/api/tasks", json=task, headers=headers)
            assert (made.status_code, made.json()["created_by"]) == (201, entered.json()["person"]["id"])
            assert [each["name"] for each in (await http.get("/api/members")).json()["items"]] == ["Ada"]


@pytest.mark.parametrize("secret", sorted(SECRETS))
def test_secret_without_a_value_is_an_error(secret: str) -> None:
    with pytest.raises(compose.VariableMissing, match=secret):
        compose.read({name: value for name, value in SECRETS.items() if name != secret})


def test_master_key_is_accepted_under_either_variable() -> None:
    services = compose.read({**SECRETS, "MASTER_KEY": "", "LLMBENCH_MASTER_KEY": "the other name"})
    assert services["config-api"].environment["LLMBENCH_MASTER_KEY"] == "the other name"


def test_only_the_edge_is_published_on_loopback() -> None:
    services = compose.read(SECRETS)
    published = {name: each.fields["ports"] for name, each in services.items() if "ports" in each.fields}
    assert published == {"edge": ["127.0.0.1:8400:8400"]}


def test_all_listeners_of_the_platform_are_excluded_as_providers_and_webhooks() -> None:
    services = compose.read({**SECRETS, "LLMBENCH_PORT": "8500", "LLMBENCH_LISTENERS": "192.0.2.7:8500"})
    expected = {(name, 8000) for name in SERVICES}
    expected |= {("postgres", 5432), ("nats", 4222), ("nats", 8222), ("edge", 8400)}
    expected |= {("host.docker.internal", 8500), ("192.0.2.7", 8500)}
    for name in ("config-api", "orchestrator", "inference-gateway"):
        assert set(places(services[name].environment["LLMBENCH_LISTENERS"])) == expected


def test_every_service_has_a_health_check_and_is_restarted() -> None:
    services = compose.read(SECRETS)
    assert set(services) == {*SERVICES, "postgres", "nats", "migrate", "edge", "tools"}
    for name, service in services.items():
        if name in ("migrate", "tools"):
            assert service.fields["restart"] == "no"
        else:
            assert service.fields["restart"] == "unless-stopped", name
            assert service.health, name
    for name, package in SERVICES.items():
        assert services[name].command == ["python", "-m", package]
        assert services[name].fields["read_only"] is True
        assert services[name].fields["cap_drop"] == ["ALL"]


@pytest.mark.shows("S-27")
def test_containers_have_read_only_images_and_minimal_capabilities() -> None:
    # PostgreSQL's image changes the owner of its volume before it drops its rights. Caddy's program has a file
    # capability.
    may_keep = {
        "postgres": ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"],
        "edge": ["NET_BIND_SERVICE"],
    }
    for name, service in compose.read(SECRETS).items():
        fields = service.fields
        assert fields["read_only"] is True, name
        assert not {"privileged", "pid", "ipc", "network_mode", "userns_mode", "devices"} & set(fields), name
        assert fields["security_opt"] == ["no-new-privileges:true"], name
        assert fields["cap_drop"] == ["ALL"], name
        assert fields.get("cap_add") == may_keep.get(name), name
        # Folders of the checkout are mounted read-only.
        assert all(volume.endswith(":ro") for volume in fields.get("volumes", ()) if volume.startswith(".")), name
        assert not [volume for volume in fields.get("volumes", ()) if "docker.sock" in volume], name


def test_edge_allows_services_their_full_start_time() -> None:
    services = compose.read(SECRETS)
    checks = [services[name].fields["healthcheck"] for name in ("edge", "config-api")]
    assert checks[0]["start_period"] == checks[1]["start_period"]
    # Docker engines before version 25 refuse a compose file with `start_interval`.
    assert "start_interval" not in compose.FILE.read_text("utf-8")


def test_log_size_and_memory_of_every_container_are_limited() -> None:
    for name, service in compose.read(SECRETS).items():
        assert {"max-size", "max-file"} <= set(service.fields["logging"]["options"]), name
        assert re.fullmatch(r"\d+[mg]", service.fields["mem_limit"]), name
    larger = compose.read({**SECRETS, "SERVICE_MEMORY": "4g", "POSTGRES_MEMORY": "8g"})
    assert (larger["judge"].fields["mem_limit"], larger["postgres"].fields["mem_limit"]) == ("4g", "8g")


def test_edge_hosts_are_passed_to_edge_and_services() -> None:
    services = compose.read({**SECRETS, "EDGE_HOSTS": "bench.example.org"})
    hosts = {services["edge"].environment["EDGE_HOSTS"]}
    hosts |= {services[name].environment["LLMBENCH_ALLOWED_HOSTS"] for name in SERVICES if name != "identity"}
    assert hosts == {"edge bench.example.org"}


def test_identity_service_answers_by_the_name_that_the_other_services_use() -> None:
    services = compose.read({**SECRETS, "EDGE_HOSTS": "bench.example.org"})
    allowed = services["identity"].environment["LLMBENCH_ALLOWED_HOSTS"].split()
    assert allowed == ["identity", "edge", "bench.example.org"]
    used = {urlsplit(services[name].environment["LLMBENCH_IDENTITY_URL"]).hostname for name in SERVICES}
    assert used == {"identity"}


def test_command_line_container_has_its_settings_and_starts_on_request_only() -> None:
    services = compose.read(SECRETS)
    tools, migrate, config_api = services["tools"], services["migrate"], services["config-api"]
    assert tools.fields["profiles"] == ["tools"]
    assert "tools" not in compose.started(SECRETS)
    for owner, names in (
        (migrate, ["LLMBENCH_DATABASE_URL"]),
        (config_api, ["LLMBENCH_MASTER_KEY", "LLMBENCH_CONFIG_API_FILES"]),
    ):
        for name in names:
            assert tools.environment[name] == owner.environment[name], name
    # A backup contains the uploaded files, and a restore writes them to the same volume.
    assert tools.mounted("/files") == config_api.mounted("/files") == "files"
    assert tools.environment["LLMBENCH_HOME"] == tools.environment["TMPDIR"] == "/work"
    assert "/work" in tools.fields["volumes"]


@pytest.mark.shows("S-27")
def test_our_containers_do_not_run_as_root() -> None:
    for name, service in compose.read(SECRETS).items():
        if "build" not in service.fields:
            continue
        user = service.fields.get("user")
        (built_in,) = dockerfile.stages()[service.fields["build"]["target"]].arguments("USER")
        assert int(str(user or built_in).partition(":")[0]) > 1000, name


def test_data_is_stored_in_named_volumes() -> None:
    services = compose.read(SECRETS)
    mounted = {
        each.split(":")[0]
        for service in services.values()
        for each in service.fields.get("volumes", ())
        if not each.startswith((".", "/"))
    }
    assert mounted == compose.volumes() == {"postgres", "broker", "files"}


def test_services_that_call_external_addresses_can_reach_the_host() -> None:
    services = compose.started(SECRETS)
    reaching = {name for name, each in services.items() if "extra_hosts" in each.fields}
    assert reaching == {"inference-gateway", "config-api", "orchestrator"}
    for name in reaching:
        assert services[name].fields["extra_hosts"] == ["host.docker.internal:host-gateway"]


def test_gateway_is_killed_only_after_its_grace_period() -> None:
    gateway = compose.read(SECRETS)["inference-gateway"]
    grace_s = float(gateway.environment["LLMBENCH_INFERENCE_GATEWAY_STOP_GRACE_S"])
    assert grace_s == STOP_GRACE_S
    assert float(str(gateway.fields["stop_grace_period"]).removesuffix("s")) >= grace_s + 10


def test_only_services_that_need_a_secret_receive_it() -> None:
    services = compose.started(SECRETS)
    for name, service in services.items():
        variables = " ".join(service.environment)
        assert ("MASTER_KEY" in variables) == (name in {"config-api", "orchestrator", "inference-gateway"}), name
        assert ("DATABASE_URL" in variables) == (name in {"config-api", "inference-gateway", "orchestrator", "migrate"})


def test_identity_service_starts_only_with_its_profile() -> None:
    services = compose.read({**SECRETS, "LLMBENCH_AUTH": "on"})
    assert services["identity"].fields["profiles"] == ["sign-in"]
    assert "identity" not in compose.started(SECRETS)
    assert {services[name].environment["LLMBENCH_AUTH"] for name in SERVICES} == {"on"}
    assert services["edge"].environment["EDGE_AUTH"] == "on"
    assert services["identity"].environment["LLMBENCH_MASTER_KEY"] == SECRETS["MASTER_KEY"]


PROXY = {f"LLMBENCH_IDENTITY_PROXY_{name}": "x" for name in ("KEYS", "ISSUER", "AUDIENCE")}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, ""),
        ({"EDGE_ADDRESS": "127.0.0.1"}, ""),
        ({"EDGE_ADDRESS": "::1", "EDGE_AUTH": "off"}, ""),
        ({"EDGE_ADDRESS": "0.0.0.0"}, "LLMBENCH_AUTH=on"),
        ({"EDGE_ADDRESS": "10.0.0.7", "EDGE_AUTH": "off"}, "LLMBENCH_AUTH=on"),
        ({"EDGE_ADDRESS": "10.0.0.7", "EDGE_AUTH": "on"}, "TLS"),
        ({"EDGE_ADDRESS": "::", "EDGE_AUTH": "on", "LLMBENCH_PUBLIC_ORIGINS": "http://bench.example.org"}, "TLS"),
        ({"EDGE_ADDRESS": "::", "EDGE_AUTH": "on", "LLMBENCH_PUBLIC_ORIGINS": "https://bench.example.org"}, ""),
        ({"EDGE_AUTH": "proxy"}, "LLMBENCH_IDENTITY_PROXY_KEYS"),
        ({"EDGE_AUTH": "proxy", **PROXY, "LLMBENCH_IDENTITY_PROXY_ISSUER": ""}, "LLMBENCH_IDENTITY_PROXY_KEYS"),
        ({"EDGE_AUTH": "proxy", **PROXY}, ""),
        ({"EDGE_AUTH": "proxy", "EDGE_ADDRESS": "10.0.0.7", **PROXY}, "TLS"),
        ({"EDGE_AUTH": "yes"}, "none of on, off and proxy"),
        ({"LLMBENCH_EDGE_TRUSTED_PROXIES": "10.0.0.0/8, 192.168.1.7"}, ""),
        ({"LLMBENCH_EDGE_TRUSTED_PROXIES": "10.0.0.0/8,0.0.0.0/0"}, "trusts everybody"),
        ({"LLMBENCH_EDGE_TRUSTED_PROXIES": "::/0"}, "trusts everybody"),
    ],
    ids=str,
)
def test_edge_beyond_loopback_needs_sign_in_and_tls(settings: dict[str, str], reason: str) -> None:
    command = [str(compose.FILE.parent / "edge.sh"), "echo", "started"]
    completed = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    if reason:
        assert (completed.returncode, completed.stdout) == (1, "")
        assert reason in completed.stderr
    else:
        assert (completed.returncode, completed.stdout, completed.stderr) == (0, "started\n", "")


def test_edge_gets_the_networks_of_trusted_proxies_as_caddy_reads_them() -> None:
    command = [str(compose.FILE.parent / "edge.sh"), "/bin/sh", "-c", 'echo "$EDGE_TRUSTED_PROXIES"']
    settings = {"LLMBENCH_EDGE_TRUSTED_PROXIES": "10.0.0.0/8,192.168.1.7, ::1"}
    completed = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    assert completed.stdout.split() == ["10.0.0.0/8", "192.168.1.7", "::1"]


def test_edge_gets_the_address_at_which_it_is_published() -> None:
    edge = compose.read({**SECRETS, "EDGE_ADDRESS": "10.0.0.7"})["edge"]
    assert edge.fields["ports"] == ["10.0.0.7:8400:8400"]
    assert edge.environment["EDGE_ADDRESS"] == "10.0.0.7"
    (entrypoint,) = dockerfile.stages()["edge"].arguments("ENTRYPOINT")
    assert "edge.sh" in entrypoint


def test_secrets_of_a_newer_version_are_added_to_existing_ones(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text("MASTER_KEY=precious\nNATS_PASSWORD=known\n", "ascii")
    for _ in range(2):
        subprocess.run([compose.FILE.parent / "make-env.sh", "--add", env], capture_output=True, check=True)
    lines = env.read_text("ascii").splitlines()
    names = [line.partition("=")[0] for line in lines]
    assert lines[:2] == ["MASTER_KEY=precious", "NATS_PASSWORD=known"]
    assert sorted(names) == sorted(SECRETS)


def test_each_service_has_its_own_logins() -> None:
    services = compose.read(SECRETS)
    for name in SERVICES:
        for variable in ("LLMBENCH_NATS_URL", "LLMBENCH_DATABASE_URL"):
            url = services[name].environment.get(variable)
            others = [services[other].environment.get(variable) for other in SERVICES if other != name]
            assert url is None or url not in others


def test_existing_secrets_are_not_overwritten(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text("MASTER_KEY=precious\n", "ascii")
    completed = subprocess.run([compose.FILE.parent / "make-env.sh", env], capture_output=True, text=True, check=False)
    assert (completed.returncode, env.read_text("ascii")) == (1, "MASTER_KEY=precious\n")
    assert "left as it is" in completed.stderr


def test_edge_and_identity_learn_of_the_proxy_in_front() -> None:
    services = compose.read({**SECRETS, **PROXY, "LLMBENCH_AUTH": "proxy", "LLMBENCH_IDENTITY_PROXY_HEADER": "X-Who"})
    edge, identity = services["edge"].environment, services["identity"].environment
    assert (edge["EDGE_AUTH"], edge["EDGE_PROXY_HEADER"]) == ("proxy", "X-Who")
    assert {name: identity[name] for name in PROXY} == {name: edge[name] for name in PROXY} == PROXY
    assert identity["LLMBENCH_IDENTITY_PROXY_HEADER"] == "X-Who"
