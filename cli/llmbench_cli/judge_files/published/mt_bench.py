"""MT-Bench human judgements: people compared two models in a conversation of two turns (Zheng et al. 2023).

Several people judged the same pair; the majority counts. In the second turn the judge reads both turns.
"""

from typing import Any

from llmbench_cli.judge_files.base import SAME, JudgeFile, case, same
from llmbench_cli.recipes.base import BadRow, Json, Row, Skipped

_TIES = ("tie", "tie (inconsistent)")


def _case(row: Row) -> Json | Skipped:
    turn, names = row.fields.get("turn"), (row.text("model_a"), row.text("model_b"))
    if turn not in (1, 2):
        raise BadRow(f"'turn' has to be 1 or 2, and is {turn!r:.40}")
    if "question_id" not in row.fields:
        raise BadRow("'question_id' is missing")
    winner = row.text("winner")
    if winner not in ("model_a", "model_b", *_TIES):
        raise BadRow(f"'winner' has to be model_a, model_b or tie, and is {winner!r:.40}")
    columns = ("conversation_a", "conversation_b")
    texts = {name: _said(row, column, turn) for name, column in zip(names, columns, strict=True)}
    # Rows may name the same two models in either order.
    first, second = sorted(names)
    (question, one), (_, other) = texts[first], texts[second]
    if same(one, other):
        return SAME
    won = None if winner in _TIES else names[0] if winner == "model_a" else names[1]
    right = "tie" if won is None else "first" if won == first else "second"
    identity = f"{row.fields['question_id']}-{turn}-{first}-{second}"
    return case(identity, f"turn {turn}", question, one, other, right=right)


def _said(row: Row, column: str, turn: int) -> tuple[str, str]:
    """Return two texts: the questions and the answers of the first `turn` turns of the conversation in `column`."""
    messages: Any = row.fields.get(column)
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        raise BadRow(f"{column!r} has to be a list of messages")
    texts = {
        role: [str(each.get("content", "")) for each in messages if each.get("role") == role][:turn]
        for role in ("user", "assistant")
    }
    if any(len(said) < turn or not all(text.strip() for text in said) for said in texts.values()):
        raise BadRow(f"{column!r} lacks a message of turn {turn}")
    asked, answered = ("\n\n".join(_numbered(texts[role])) for role in ("user", "assistant"))
    return asked, answered


def _numbered(texts: list[str]) -> list[str]:
    return texts if len(texts) == 1 else [f"[Turn {place}]\n{text}" for place, text in enumerate(texts, start=1)]


JUDGE_FILE = JudgeFile(
    name="mt-bench",
    title="MT-Bench human",
    files="the Parquet or JSON lines of lmsys/mt_bench_human_judgments: question_id, model_a, model_b, winner, judge, "
    "conversation_a, conversation_b, turn",
    source="Zheng et al., Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, NeurIPS 2023",
    convert=_case,
    votes=True,
)
