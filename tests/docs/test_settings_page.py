"""Test the generated table of settings: each variable has one row, however many programs read it."""

from tools.gen.settings import settings_page


def test_every_setting_has_one_row() -> None:
    [page] = settings_page().values()
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `LLMBENCH_")]
    variables = [row[0] for row in rows]
    assert len(set(variables)) == len(variables)
    [database] = [row for row in rows if row[0] == "| `LLMBENCH_DATABASE_URL`"]
    assert "none (llmbench)" in database[1]
    assert "(config-api, orchestrator, inference-gateway, identity)" in database[1]
    assert "never a transaction pooler" in database[2]
