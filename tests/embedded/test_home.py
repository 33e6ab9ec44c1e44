"""Test the home folder: one supervisor at a time, persistent and private secrets, and a damaged runtime file."""

from pathlib import Path

import pytest

from llmbench_cli.embedded.errors import BrokenData, HomeInUse
from llmbench_cli.embedded.home import Child, Home, Runtime


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    return home


def _runtime() -> Runtime:
    return Runtime(
        supervisor=Child(name="supervisor", pid=1, created=1.0),
        url="http://127.0.0.1:8400",
        database_url="postgresql://x",
        nats_url="nats://x",
    )


def test_second_supervisor_of_a_home_is_refused(home: Home) -> None:
    home.write_runtime(_runtime())
    with (
        home.held(),
        pytest.raises(HomeInUse, match=r"runs at http://127\.0\.0\.1:8400 \(pid 1.*LLMBENCH_HOME"),
        home.held(),
    ):
        pass
    with home.held():
        pass


def test_secrets_are_created_once_with_private_permissions(home: Home) -> None:
    key, password = home.master_key(), home.password("nats")
    assert len(key) >= 32
    assert password.isalnum()
    assert not password[0].isdigit()
    assert (home.master_key(), home.password("nats")) == (key, password)
    assert (home.root / "master.key").stat().st_mode & 0o777 == 0o600
    assert (home.root / "nats.password").stat().st_mode & 0o777 == 0o600


def test_runtime_file_is_written_read_and_removed(home: Home) -> None:
    assert home.runtime() is None
    home.write_runtime(_runtime())
    assert home.runtime() == _runtime()
    assert home.runtime_file.stat().st_mode & 0o777 == 0o600
    home.runtime_file.write_text('{"supervisor": 1}')
    assert home.runtime() is None
    home.forget_runtime()
    assert not home.runtime_file.exists()


def test_file_in_place_of_the_home_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokenData, match="cannot be used"):
        Home(tmp_path / "file" / "home").create()


@pytest.mark.shows("S-25")
def test_home_is_private_including_files_of_an_earlier_version(tmp_path: Path) -> None:
    root = tmp_path / "home"
    (root / "files" / "org").mkdir(parents=True, mode=0o755)
    (root / "files" / "org" / "cases.csv").write_text("secret")
    (root / "files" / "link").symlink_to("/etc/hostname")
    (root / "lock").touch()
    for path in (root, root / "files", root / "files" / "org"):
        path.chmod(0o755)
    (root / "files" / "org" / "cases.csv").chmod(0o644)
    Home(root).create()
    assert [
        oct(path.stat().st_mode & 0o777)
        for path in (root, root / "files", root / "files" / "org", root / "files" / "org" / "cases.csv")
    ] == ["0o700", "0o700", "0o700", "0o600"]
    new = Home(tmp_path / "new")
    new.create()
    assert new.root.stat().st_mode & 0o777 == 0o700


def test_mode_of_a_folder_that_is_no_home_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / "somebodys").touch()
    tmp_path.chmod(0o755)
    Home(tmp_path).create()
    assert tmp_path.stat().st_mode & 0o777 == 0o755
