"""Read and write YAML: a list of tasks. All plain values are read as texts, even `no`, `1.10` and `2026-01-01`."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

import yaml

from config_api.files.yaml_text import YamlText, resolved, texts
from config_api.transfer.formats.base import STRUCTURED, Example, Fault, Format, Note, Row, Writing


def read(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    for line, value in YamlText(text, marks_plain=True).entries():
        if isinstance(value, dict):
            yield Row(
                line, {name: resolved(each) if name in STRUCTURED else texts(each) for name, each in value.items()}
            )
        else:
            yield Fault(line, None, "is not a task: `field: value` lines are wanted")


def _entry(fields: Mapping[str, Any], _: bool) -> str:
    return yaml.dump(
        [dict(fields)],
        Dumper=yaml.CSafeDumper,
        allow_unicode=True,
        sort_keys=False,
        width=120,
        default_flow_style=False,
    )


FORMAT: Final = Format(
    name="yaml",
    title="YAML list",
    read=read,
    table=read,
    file_names=("*.yaml", "*.yml"),
    writing=Writing("application/yaml", "yaml", _entry),
    examples=(
        Example(
            "# Two tasks\n- task_id: '07'\n  category: arithmetic\n  question: >-\n    What is\n    17 + 25?\n"
            "  good: 42\n  pass: ~\n- just a text\n",
            (
                Row(
                    2,
                    {
                        "task_id": "07",
                        "category": "arithmetic",
                        "question": "What is 17 + 25?",
                        "good": "42",
                        "pass": None,
                    },
                ),
                Fault(9, None, "is not a task: `field: value` lines are wanted"),
            ),
        ),
    ),
)
