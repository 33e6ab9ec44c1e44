"""JSON Schema: the answer is JSON that satisfies a schema."""

import json
from typing import Any

from pydantic import Field, model_validator

from judge.domain.extraction import Extraction
from judge.domain.schema_check import BadSchema, NoJson, checked, first_fit, read_json
from judge.domain.thoughts import without_thoughts
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer

_FAULTS_SHOWN = 5
_AGE = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}


class JsonSchemaParams(Params):
    json_schema: dict[str, Any] = Field(
        default_factory=dict,
        description="The JSON Schema (2020-12, unless it names another). External references are not fetched; "
        "`format` is not checked. If empty: any JSON passes.",
    )
    strict: bool = Field(
        default=False,
        description="The complete answer must be JSON. Otherwise the last valid code block, object or array within "
        "it is enough.",
    )

    @model_validator(mode="after")
    def _is_a_schema(self) -> "JsonSchemaParams":
        try:
            checked(self.json_schema)
        except BadSchema as error:
            raise ValueError(f"json_schema: {error}") from None
        return self


def score(task: JudgeAnswer, params: JsonSchemaParams) -> Scored:
    try:
        # Remove reasoning first, because JSON in it is a draft. With `strict` the complete answer must be JSON.
        is_reasoning = not params.strict and task.answer.lstrip().startswith("<")
        values = read_json(without_thoughts(task.answer) if is_reasoning else task.answer, strict=params.strict)
    except NoJson as error:
        return scored(
            0,
            passed=False,
            reason=f"{str(error)[0].upper()}{str(error)[1:]}.",
            is_json=False,
            faults=[],
            extraction=Extraction(answer=None, answer_rule="no JSON"),
        )
    read, schema_faults = first_fit(values, params.json_schema, limit=_FAULTS_SHOWN)
    return scored(
        float(not schema_faults),
        passed=not schema_faults,
        reason=f"It does not fit the schema: {schema_faults[0]}." if schema_faults else "It fits the schema.",
        is_json=True,
        faults=schema_faults,
        extraction=Extraction(answer=json.dumps(read.value, ensure_ascii=False), answer_rule=read.rule),
    )


EVALUATOR = by_program(
    kind="json_schema",
    title="JSON Schema",
    description="The answer is JSON that satisfies a schema.",
    params=JsonSchemaParams,
    score=score,
    schema_version="3",
    examples=(
        Example(
            name="fits",
            answer='{"age": 42}',
            params={"json_schema": _AGE},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="in a code block",
            answer='Here you are:\n```json\n{"age": 42}\n```\nAnything else?',
            params={"json_schema": _AGE},
            verdict={"raw": 1.0},
        ),
        Example(
            name="followed by another object",
            answer='Here it is: {"age": 42}. It follows {"type": "object"}.',
            params={"json_schema": _AGE},
            verdict={
                "raw": 1.0,
                "details": {
                    "extraction": {
                        "answer": '{"age": 42}',
                        "answer_rule": "value in the text",
                        "reference": None,
                        "reference_rule": None,
                    }
                },
            },
        ),
        Example(
            name="an array after prose",
            answer="The ages are: [42, 7]",
            params={"json_schema": {"type": "array", "items": {"type": "integer"}, "minItems": 2}},
            verdict={"raw": 1.0},
        ),
        Example(
            name="several code blocks",
            answer='```json\n{"age": 42}\n```\nFor example in Python:\n```python\nage = {"of": "Ann"}\n```',
            params={"json_schema": _AGE},
            verdict={"raw": 1.0},
        ),
        Example(
            name="a code block where the whole has to be JSON",
            answer='```json\n{"age": 42}\n```',
            params={"json_schema": _AGE, "strict": True},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="does not fit",
            answer='{"age": -1}',
            params={"json_schema": _AGE},
            verdict={
                "raw": 0.0,
                "reason": "It does not fit the schema: age: -1 is less than the minimum of 0.",
            },
        ),
        Example(name="no JSON", answer="age: 42", params={"json_schema": _AGE}, verdict={"raw": 0.0}),
        Example(name="NaN is not JSON", answer="NaN", verdict={"raw": 0.0, "reason": "NaN is not JSON."}),
        Example(
            name="a reference that would have to be fetched",
            answer="{}",
            params={"json_schema": {"$ref": "http://127.0.0.1:9/schema.json"}},
            verdict={"outcome": "errored"},
        ),
    ),
)
