"""Run `make test-compose`: the containers of deploy/docker-compose.yml, with faults during a benchmark.

The script builds the images, then runs a benchmark against a mock provider on this machine while services are killed
and scaled. It checks that every answer is paid once, and that data survive a restart and a restore. It then lets people
sign in. It also checks the users of the processes and the places they write to.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx

from benchmarks.mock_provider.server import mock_provider
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import services_of
from tests.deploy.in_docker.project import Project, address_for_containers, docker, inspected, processes, project
from tests.deploy.in_docker.sign_in import SETTINGS, check_edge_refuses, check_sign_in
from tests.platform import Platform

TASKS = 40
MODEL, JUDGE = "mock-1s", "mock-500ms-judge"
KILLED = ("inference-gateway", "orchestrator", "judge", "gateway-ws", "config-api", "edge", "nats", "postgres")
UPLOAD = b'{"prompt": "1?", "expected": "1"}\n{"prompt": "2?", "expected": "2"}\n'
EVALUATORS = [{"kind": "contains", "params": {"text": "1"}}]
NEW_KEY = b"another-master-key-of-more-than-32-characters\n"

_began = time.monotonic()


def say(text: str) -> None:
    print(f"── compose: {text} ({time.monotonic() - _began:.0f} s)", flush=True)


async def journey(opened: Project, folder: Path) -> None:
    """Run all checks on the project: build, start, run with faults, restart, back up, and restore."""
    say("building the images")
    await asyncio.to_thread(opened.compose, "--profile", "tools", "--profile", "sign-in", "build")
    started = time.monotonic()
    await up(opened)
    say(f"healthy {time.monotonic() - started:.0f} s after `up`")
    url = f"http://127.0.0.1:{opened.port}"
    async with (
        mock_provider(host=address_for_containers(*opened.containers("inference-gateway"))) as provider_url,
        httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http,
        httpx.AsyncClient(base_url=provider_url, timeout=90, trust_env=False) as provider_http,
    ):
        inside = f"http://host.docker.internal:{provider_url.rpartition(':')[2]}"
        platform = Platform(url, inside, "", "", {}, http, provider_http, folder)
        await check_hosts_and_origins(opened, http)
        check_users(opened)
        await platform.seed(TASKS)
        dataset = await upload_dataset(platform)
        run_id = await run_with_faults(opened, platform)
        await audit(platform, run_id)
        before = await stored_data(platform, run_id, dataset)

        say("restarting everything")
        await asyncio.to_thread(opened.compose, "down", "--timeout", "30")
        await up(opened)
        assert await stored_data(platform, run_id, dataset) == before, "data changed over a restart"

        backup = await asyncio.to_thread(opened.tools, "backup", "-")
        say(f"backed up, {len(backup)} bytes; losing every volume, and restoring")
        await asyncio.to_thread(opened.compose, "down", "--volumes", "--timeout", "30")
        await asyncio.to_thread(opened.tools, "restore", "-", given=backup)
        await asyncio.to_thread(opened.tools, "rotate-key", "--new-key-file", "-", given=NEW_KEY)
        opened.set_secret("MASTER_KEY", NEW_KEY.decode().strip())
        await up(opened)
        assert await stored_data(platform, run_id, dataset) == before, "data changed over a restore"
        # A run needs the provider's secret, so it shows that the secret can be decrypted with the new master key.
        await platform.until_status(await platform.start_run(MODEL, judge=None, evaluators=EVALUATORS), "FINISHED")
        findings = json.loads(await asyncio.to_thread(opened.tools, "doctor", "--json"))
        assert findings["ok"], findings
        say("restored with another master key, and the doctor finds nothing wrong")
        await asyncio.to_thread(check_edge_refuses, opened)
        for name, value in SETTINGS.items():
            opened.set_secret(name, value)
        await up(opened)
        signed_in = await check_sign_in(opened, platform, run_id)
        async with signed_in.http:
            assert await stored_data(signed_in, run_id, dataset) == before, "data changed when people began to sign in"
            run_again = await signed_in.start_run(MODEL, judge=None, evaluators=EVALUATORS)
            await signed_in.until_status(run_again, "FINISHED")
        say("the first owner signed in, and a second organisation saw nothing; without it the edge is not published")
        check_written_files(opened)
        check_users(opened)


async def up(opened: Project, *words: str) -> None:
    await asyncio.to_thread(opened.compose, "up", "--detach", "--wait", "--no-build", *words)


async def check_hosts_and_origins(opened: Project, http: httpx.AsyncClient) -> None:
    """Check which hosts and origins are accepted from outside, and from inside the containers' network."""
    for origin in ("http://judge:8000", "http://edge:8400", "http://evil.example"):
        assert (await http.get("/api/tasks", headers={"Origin": origin})).status_code == 403, origin
    assert (await http.post("/api/tasks", headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
    assert (await http.get("/api/tasks", headers={"Host": "evil.example"})).status_code == 421
    assert "via" not in (await http.get("/api/tasks")).headers
    for service in services_of("off"):
        (container,) = opened.containers(service)
        (network,) = inspected(container)["NetworkSettings"]["Networks"].values()
        for path in ("/health/ready", "/metrics"):
            asked = f"http://{network['IPAddress']}:8000{path}"
            docker("exec", container, "python", "-m", "llmbench.http.probe", asked)
    await asyncio.to_thread(opened.tools, "list")
    say("strangers are refused, probes by address and the command line inside are answered")


def check_users(opened: Project) -> None:
    containers = opened.containers()
    for container in containers:
        name = inspected(container)["Name"]
        for uid, command in processes(container):
            assert uid != 0, f"{name} runs {command} as root"
    say(f"nobody is root in {len(containers)} containers")


def check_written_files(opened: Project) -> None:
    """Require that each container's file system is read-only, and that nothing was written outside volumes and
    tmpfs."""
    for container in opened.containers():
        found = inspected(container)
        assert found["HostConfig"]["ReadonlyRootfs"], found["Name"]
        # Docker itself creates the directories at which volumes and tmpfs are mounted.
        made = {mount["Destination"] for mount in found["Mounts"]} | set(found["HostConfig"]["Tmpfs"] or ())
        # Docker reports /var/run as /run, because the former is a link in every image.
        made |= {path.removeprefix("/var") for path in made if path.startswith("/var/run/")}
        for line in docker("diff", container).decode().splitlines():
            kind, path = line.split(" ", 1)
            mounts = [mount for mount in made if mount == path or mount.startswith(f"{path}/")]
            assert mounts, f"{found['Name']} wrote {kind} {path}"
    say("nobody wrote outside of the volumes")


async def upload_dataset(platform: Platform) -> str:
    dataset: str = (await platform.post("/v1/datasets", {"name": "Questions"}))["dataset_id"]
    answer = await platform.http.post(f"/v1/datasets/{dataset}/versions", files={"file": ("cases.jsonl", UPLOAD)})
    assert answer.is_success, answer.text
    return dataset


async def run_with_faults(opened: Project, platform: Platform) -> str:
    """Kill each service in turn during a run, and start second replicas of some. Return the run's id."""
    # The provider holds further calls of the model after two, so that the run cannot end before the last kill.
    await platform.control(model=MODEL, hold=2)
    run_id = await platform.start_run(MODEL, judge=JUDGE)
    containers = [container for service in KILLED for container in opened.containers(service)]
    assert len(containers) == len(KILLED)
    for container in containers:
        await platform.until_held(MODEL)
        await platform.control(model=MODEL, hold=2)
        for action in ("kill", "start"):
            await asyncio.to_thread(docker, action, container)
        await platform.until(run_id, lambda run: "status" in run)
    assert (await platform.get(f"/api/runs/{run_id}"))["status"] == "RUNNING", "the run ended before the kills"
    await platform.control(model=MODEL, hold=None)
    say(f"killed {', '.join(KILLED)} in the middle of a run")
    replicas = [word for name in ("inference-gateway", "judge", "orchestrator") for word in ("--scale", f"{name}=2")]
    await up(opened, *replicas)
    assert len(opened.containers("inference-gateway")) == 2
    say("two gateways, judges and orchestrators")
    run = await platform.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete", run
    await up(opened)
    assert len(opened.containers("inference-gateway")) == 1
    return run_id


async def audit(platform: Platform, run_id: str) -> None:
    """Check that every item is completed, and that at most one call per kill was repeated."""
    items = await platform.items(run_id)
    assert Counter(item["status"] for item in items) == {"COMPLETED": TASKS}, items
    calls = Counter(call["call_id"] for call in await platform.ledger())
    # One call for the answer and one for the score of each item, and one warm-up per model.
    assert len(calls) == 2 * TASKS + len((MODEL, JUDGE)), f"{len(calls)} different calls"
    again = sum(count - 1 for count in calls.values())
    assert again <= len(KILLED), f"{again} calls were repeated"
    say(f"{len(calls)} calls for {TASKS} items, {again} of them repeated after a kill")


async def stored_data(platform: Platform, run_id: str, dataset: str) -> object:
    """Return the data that must survive: a run's results and items, and the versions of an uploaded dataset."""
    run = await platform.get(f"/api/runs/{run_id}")
    items = sorted((item["id"], item["status"], item["score"]) for item in await platform.items(run_id))
    versions = await platform.get(f"/v1/datasets/{dataset}/versions")
    return run["results"], items, versions


async def main() -> None:
    """Run all steps. If one fails, print the reason and the containers' logs, and exit with 1. Always remove the
    containers."""
    with tempfile.TemporaryDirectory(prefix="llmbench-compose-") as folder:
        with project(f"llmbench-test-{os.getpid()}", Path(folder), free_port()) as opened:
            try:
                await journey(opened, Path(folder))
            except BaseException:
                print(opened.logs(), file=sys.stderr)
                raise
        say("everything went well, and nothing of it is left")


if __name__ == "__main__":
    asyncio.run(main())
