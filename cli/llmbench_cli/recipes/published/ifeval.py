"""IFEval: prompts with instructions that a program can check (Zhou et al. 2023)."""

from typing import Final

from llmbench_cli.recipes.base import BadRow, Figure, Json, Recipe, Row

_SOURCE: Final = "Zhou et al. 2023, arXiv:2311.07911"


def _case(row: Row) -> Json:
    names = row.texts("instruction_id_list")
    arguments = row.fields.get("kwargs")
    if not isinstance(arguments, list) or len(arguments) != len(names):
        raise BadRow("'kwargs' has to be a list with an object for each instruction")
    checks: list[Json] = []
    for name, given in zip(names, arguments, strict=True):
        if not isinstance(given, dict | None):
            raise BadRow(f"'kwargs' of {name} has to be an object")
        # The Parquet of Hugging Face has every argument in every object, as null.
        known = {argument: value for argument, value in (given or {}).items() if value is not None}
        checks.append({"kind": "ifeval", "params": {"instruction": name, "arguments": known}})
    return {
        "id": f"ifeval-{row.fields.get('key', row.number)}",
        "prompt": row.text("prompt"),
        "checks": checks,
        "metadata": {"category": names[0].partition(":")[0], "tags": sorted(set(names))},
    }


RECIPE = Recipe(
    name="ifeval",
    title="IFEval",
    category="instructions",
    files="input_data.jsonl of the authors, or the Parquet of google/IFEval: key, prompt, instruction_id_list, kwargs",
    metric="prompt-level strict accuracy: the share of prompts all of whose instructions are followed.",
    difference="It is the pass rate here; the score is the mean share of instructions that are followed. All 25 "
    "instructions are decided by the rules of the authors' program, with the languages of langdetect at a fixed seed.",
    figures=(
        Figure(76.89, "GPT-4", "prompt-level strict, all 541 prompts", _SOURCE),
        Figure(43.07, "PaLM 2 S", "prompt-level strict, all 541 prompts", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "case_checks"},),
    params={"temperature": 0, "max_tokens": 2048},
)
