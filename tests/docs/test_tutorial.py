"""Test that the excerpts in a tutorial equal the files that they quote."""

from llmbench_cli.embedded.binaries import checkout

FOLDER = checkout() / "docs" / "tutorials"
PAGE = (FOLDER / "decide-between-two-models.md").read_text("utf-8")


def test_quoted_run_file_is_complete() -> None:
    assert f"```yaml\n{(FOLDER / 'reviews.yaml').read_text('utf-8')}```" in PAGE


def test_quoted_rows_are_the_first_of_the_file() -> None:
    shown = PAGE.split("```csv\n")[1].split("```")[0]
    assert (FOLDER / "reviews.csv").read_text("utf-8").startswith(shown)
