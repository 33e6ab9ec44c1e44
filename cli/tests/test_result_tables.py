"""Test the tables of a run's results."""

import io

from rich.console import Console

from llmbench_cli.runs import result_tables


def test_table_of_judges_shows_their_reliability() -> None:
    judging = {
        "asked": 40,
        "parse_rate": 0.9,
        "repair_rate": 0.025,
        "swapped": 20,
        "swap_consistency": 0.5,
        "repeated": 0,
        "self_agreement": None,
        "modes": {"logprobs": 18, "samples": 2},
    }
    one = {"name": "tone", "judge_model": "judge", "member": False, "primary": True, "judging": judging}
    output = io.StringIO()
    Console(file=output, width=200).print(result_tables.judges({"evaluators": [one, one | {"judging": None}]}))
    (row,) = [line for line in output.getvalue().splitlines() if "tone: judge" in line]
    assert row.split()[2:8] == ["40", "90.0%", "2.5%", "50.0%", "-", "18"]
    assert result_tables.judges({"evaluators": [one | {"judging": None}]}) is None
