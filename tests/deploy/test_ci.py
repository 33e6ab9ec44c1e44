"""Test that the scripts of CI exist. Steps that need containers print one line, and are skipped where no container can
run."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def _commands(name: str) -> list[str]:
    document = yaml.safe_load((ROOT / "deploy" / "ci" / name).read_text("utf-8"))
    if name.startswith("github"):
        return [step["run"] for step in document["jobs"]["audit"]["steps"] if "run" in step]
    return list(document["audit"]["script"])


@pytest.mark.parametrize("name", ["github-audit.yml", "gitlab-audit.yml"])
def test_audit_job_runs_make_audit(name: str) -> None:
    assert _commands(name) == ["make audit"]
    assert "audit" in TARGETS


def test_ci_runs_the_scripts_that_need_containers() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for name in re.findall(r"scripts/[a-z-]+\.sh", script):
        assert os.access(ROOT / name, os.X_OK), name
    assert {"scripts/test-bare.sh", "scripts/test-compose.sh", "scripts/test-containers.sh"} <= set(script.split())
    assert re.search(r"^exec make test\b", script, re.MULTILINE)


@pytest.mark.parametrize("script", ["test-compose.sh", "test-containers.sh", "test-bare.sh"])
def test_script_without_a_docker_engine_prints_one_line_and_exits_with_77(script: str, tmp_path: Path) -> None:
    nowhere = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    ended = subprocess.run([ROOT / "scripts" / script], env=nowhere, capture_output=True, text=True, check=False)
    assert ended.returncode == 77
    assert ended.stderr.splitlines() == ["error: no Docker engine answers. Start one, or name it in DOCKER_HOST."]
    assert ended.stdout == ""


def _docker(folder: Path, *, images: str) -> dict[str, str]:
    """Return an environment in which a fake `docker` has an engine and these images, but no registry."""
    program = folder / "docker"
    program.write_text(
        "#!/bin/sh\n"
        'case "$1" in\n'
        "  version | compose) exit 0 ;;\n"
        f'  image) case " {images} " in *" $3 "*) exit 0 ;; esac ;;\n'
        "esac\n"
        "exit 1\n"
    )
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def test_unavailable_image_is_named(tmp_path: Path) -> None:
    environment = _docker(tmp_path, images="one:1")
    command = [str(ROOT / "scripts" / "engine.sh"), "compose", "one:1"]
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    ended = subprocess.run([*command, "two:2"], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 77
    assert ended.stderr.startswith("error: the image two:2 cannot be had")
