"""Test that `migrate` migrates an empty database, and does nothing if the schema is already current."""

from pathlib import Path

from llmbench.db.history import head
from llmbench_cli.embedded.migration import migrate
from tests.embedded.recorder import Recorder


async def test_empty_database_is_migrated_and_a_current_one_unchanged(empty_postgres_url: str, tmp_path: Path) -> None:
    log, report = tmp_path / "migrate.log", Recorder()
    await migrate(empty_postgres_url, log=log, report=report)
    assert head() in log.read_text()
    log.write_text("")
    await migrate(empty_postgres_url, log=log, report=report)
    assert log.read_text() == ""
    assert report.events.count(("ready", "migrations")) == 2
