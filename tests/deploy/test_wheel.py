"""Test that the wheel of `make dist` runs without a checkout: in a new venv, with an empty home, and not as root.

The test takes about 15 s of CPU: building and installing the wheel without the model's weights, then one start of the
platform. The dependencies are those of the test's own environment; downloading them again would test the registry.
"""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from llmbench_cli.embedded.accounts import Account, account_for_postgres, as_account
from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.ports import free_port

SERVERS = ("caddy", "nats-server")


@dataclass(frozen=True)
class Installed:
    """The wheel, installed in a venv. `account` is the user who runs it; `None` stands for the user who runs the
    test."""

    wheel: Path
    python: Path
    home: Path
    account: Account | None

    def command(self, *arguments: str) -> list[str]:
        # The interpreter runs the script, because temporary folders can be mounted noexec.
        return [str(self.python), str(self.python.with_name("llmbench")), *arguments]

    def environment(self, **more: str) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **more}


@pytest.fixture(scope="module")
def installed() -> Iterator[Installed]:
    if not (checkout() / "web" / "dist" / "index.html").is_file():
        pytest.skip("the web application is not built: make web")
    folder = Path(tempfile.mkdtemp(prefix="llmbench-wheel-"))
    try:
        # The user who runs the wheel must be able to enter this folder. Other users cannot enter the folders of pytest.
        folder.chmod(0o755)
        yield _install(folder)
    finally:
        shutil.rmtree(folder)


def _install(folder: Path) -> Installed:
    subprocess.run([checkout() / "scripts" / "dist.sh", folder, "--without-weights"], check=True, capture_output=True)
    [wheel] = folder.glob("llmbench-*.whl")
    account, base = _user_and_python()
    environment = folder / "venv"
    subprocess.run([base, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    install = ("install", "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check", str(wheel))
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *install], check=True)
    packages = environment / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    # Python ignores .pth files in a folder that a .pth file adds. So the venv gets the dependencies, but not the
    # checkout.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    for name in SERVERS:
        (environment / "bin" / name).symlink_to(script(name))
    home = folder / "home"
    home.mkdir()
    if account:
        account.own(home)
    return Installed(wheel, python, home, account)


def _user_and_python() -> tuple[Account | None, str]:
    """Return an unprivileged user and a Python that this user can run, or `None` and the test's own Python.

    `None` stands for the user who runs the test. It is returned if that user is not root, or if the unprivileged user
    can run no Python.
    """
    own = str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
    account = account_for_postgres()
    if account is not None:
        needs = f"import sys, os; os.listdir({sysconfig.get_path('purelib')!r})"
        for python in (own, f"/usr/bin/{Path(own).name}"):
            if account.can_run(python, "-c", needs):
                return account, python
    return None, own


@contextmanager
def _running(installed: Installed, port: int) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        installed.command("up", "--no-model"),
        cwd="/",
        env=installed.environment(LLMBENCH_PORT=str(port)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **as_account(installed.account),
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)


def test_installed_wheel_serves_web_application_and_api(installed: Installed) -> None:
    port = free_port()
    with _running(installed, port) as process:
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if "Ready in" in line:
                break
        assert "Ready in" in printed, printed
        assert str(installed.home / ".llmbench") in printed
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            page = http.get("/")
            assert page.headers["content-type"].startswith("text/html")
            assert '<div id="root">' in page.text
            assert http.get("/health/orchestrator").is_success
            assert http.get("/api/runs").json()["items"] == []
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 0, rest
    owner = (installed.home / ".llmbench").stat().st_uid
    assert owner == (installed.account.uid if installed.account else os.geteuid())


def _printed(installed: Installed, *command: str) -> str:
    done = subprocess.run(command, cwd="/", env=installed.environment(), check=True, capture_output=True, text=True)
    return done.stdout


def test_installed_program_does_not_use_the_checkout(installed: Installed) -> None:
    where = "import llmbench, judge, llmbench_cli; print(llmbench.__path__, judge.__path__, llmbench_cli.__path__)"
    printed = _printed(installed, str(installed.python), "-c", where)
    assert printed.count(str(installed.python.parents[1])) == 3
    assert str(checkout() / "cli") not in printed


def test_wheel_is_named_by_the_one_version(installed: Installed) -> None:
    printed = _printed(installed, *installed.command("--version"))
    name, version = printed.split()
    assert installed.wheel.name == f"{name}-{version}-py3-none-any.whl"
    assert f'version = "{version}"' in (checkout() / "pyproject.toml").read_text("utf-8")


def test_wheel_holds_nothing_of_tests_and_tools(installed: Installed) -> None:
    with ZipFile(installed.wheel) as archive:
        names = archive.namelist()
    assert not [name for name in names if "/tests/" in name or name.startswith(("tools", "tests", "benchmarks"))]
    packaged = {name for name in names if name.startswith("llmbench_cli/packaged/")}
    assert {
        f"llmbench_cli/packaged/{name}" for name in ("deploy/Caddyfile", "deploy/nats.conf", "deploy/nats-sign-in.conf")
    } <= packaged
