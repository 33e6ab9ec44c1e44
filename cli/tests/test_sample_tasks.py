"""Test the file of sample tasks: each task has all fields, no two are alike, and a license lets users copy it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import llmbench_cli

FILE = Path(llmbench_cli.__file__).parent / "samples" / "tasks.yaml"
TASKS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
GRADES = ("excellent", "good", "pass", "incorrect_answer_direction")
FIELDS = {"task_id", "category", "subcategory", "question", *GRADES}


def test_sample_has_enough_tasks_in_enough_categories() -> None:
    categories = Counter(task["category"] for task in TASKS)
    assert len(TASKS) >= 40
    assert len(categories) >= 4
    assert min(categories.values()) >= 4


def test_task_names_and_questions_are_unique() -> None:
    assert len({task["task_id"] for task in TASKS}) == len(TASKS)
    assert len({task["question"] for task in TASKS}) == len(TASKS)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["task_id"])
def test_sample_task_has_all_fields_and_different_grades(task: dict[str, Any]) -> None:
    assert set(task) == FIELDS
    assert all(isinstance(text, str) and text == text.strip() and text for text in task.values())
    assert len({task[grade] for grade in GRADES}) == len(GRADES)
    assert len(task["task_id"]) <= 255
    # Texts suit a model of a few hundred million parameters and a context of 2,048 tokens.
    assert max(len(text) for text in task.values()) <= 400


def test_sample_file_states_its_licence() -> None:
    header = FILE.read_text("utf-8").partition("\n- ")[0]
    assert "Apache-2.0" in header
    assert "Copy this file" in header
