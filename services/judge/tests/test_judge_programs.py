"""Test the evaluators that need no model: against reference values, against the libraries whose results they reproduce,
and with hostile texts."""

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judge_world import command

from judge.domain.choice import chosen
from judge.domain.citations import citations
from judge.domain.numbers import numbers
from judge.domain.plain_text import plain
from judge.domain.schema_check import BadSchema, checked
from judge.domain.similarity import Method, similarity
from judge.domain.simplified import simplified
from judge.evaluators.base import Request
from judge.evaluators.registry import evaluators
from llmbench.contracts.answer_scored import Errored, Scored, Verdict
from llmbench.contracts.judge_answer import JudgeAnswer

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))["vectors"]
ORIGINALS = Path(__file__).parents[4] / "shared" / "vectors.json"
BY_PROGRAM = {kind: evaluator for kind, evaluator in evaluators().items() if not evaluator.needs_judge}
PARAMS: dict[str, dict[str, Any]] = {
    "exact_match": {f"ignore_{name}": True for name in ("case", "punctuation", "articles", "accents")},
    "contains": {"texts": ["a", "b", "ab ab", "a" * 900], "mode": "all", "whole_words": True},
    "regex": {"pattern": r"(\w+\s?)*x$"},
    "latency": {"max_ms": 5},
    "cost": {"max_usd": 1},
    "numeric": {"expected": 42, "units": {"km": 1000, "%": 0.01}},
    "multiple_choice": {"expected": "B"},
    "json_schema": {"json_schema": {"type": "object", "properties": {"a": {"pattern": "^(a|aa)+$"}}}},
    "citations": {"documents": ["HR Policy.md", "b/handbook.pdf"]},
    "ifeval": {
        "instruction": "length_constraints:number_sentences",
        "arguments": {"num_sentences": 3, "relation": "at least"},
    },
    "python_tests": {"tests": "assert True", "entry_point": "f", "processor_s": 1},
    "case_checks": {"checks": [{"kind": "contains", "params": {"text": "a"}}]},
}
METHODS: tuple[Method, ...] = ("ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio")
STRANGE = st.text(max_size=300) | st.text(alphabet="aA1 .,-[]{}()\x00\ud800\u0301\u200b今た\\\"'`#:", max_size=300)


def _vectors(topic: str, *needed: str) -> list[Any]:
    chosen = [
        vector for vector in VECTORS if vector["topic"] == topic and all(name in vector["inputs"] for name in needed)
    ]
    return [pytest.param(vector["inputs"], vector["expected"], id=vector["id"]) for vector in chosen]


@pytest.mark.skipif(not ORIGINALS.exists(), reason="the originals are not beside this checkout")
def test_copied_vectors_equal_the_originals() -> None:
    originals = {original["id"]: original for original in json.loads(ORIGINALS.read_text("utf-8"))["vectors"]}
    for vector in VECTORS:
        assert {name: originals[vector["id"]][name] for name in ("inputs", "expected")} == {
            name: vector[name] for name in ("inputs", "expected")
        }


async def _verdict(kind: str, answer: str, reference: str = "", **params: Any) -> Verdict:
    return await evaluators()[kind].evaluate(_task(kind, answer, reference, params), _never)


async def _never(part: str, request: Request, *, reuse: bool = False) -> Any:
    raise AssertionError("an evaluator by program asks no model")


def _task(kind: str, answer: str, reference: str, params: dict[str, Any]) -> JudgeAnswer:
    task = command()
    evaluator = task.evaluator.model_copy(update={"kind": kind, "params": params})
    case = task.case.model_copy(update={"excellent": reference})
    facts = task.facts.model_copy(update={"time_ms": 10, "cost_usd": 0.5})
    return task.model_copy(
        update={"evaluator": evaluator, "case": case, "answer": answer, "judge": None, "facts": facts}
    )


async def _score(kind: str, answer: str, reference: str, **params: Any) -> Scored:
    verdict = await _verdict(kind, answer, reference, **params)
    assert isinstance(verdict, Scored)
    return verdict


@pytest.mark.parametrize(("inputs", "expected"), _vectors("bleu", "candidate"))
async def test_bleu_equals_the_reference_values(inputs: dict[str, Any], expected: dict[str, Any]) -> None:
    for smoothing, value, name in (
        ("exp", None, "exp_default"),
        ("none", None, "none"),
        ("add-k", 1, "add-k_1"),
        ("floor", 0.1, "floor_0.1"),
    ):
        verdict = await _score(
            "bleu", inputs["candidate"], inputs["reference"], smoothing=smoothing, smoothing_value=value
        )
        assert verdict.raw == pytest.approx(expected[name], abs=1e-6)
        assert verdict.details["brevity_penalty"] == pytest.approx(expected["bp"], abs=1e-6)
        assert (verdict.details["answer_tokens"], verdict.details["reference_tokens"]) == (
            expected["sys_len"],
            expected["ref_len"],
        )


async def test_mean_of_sentence_scores_equals_the_reference_and_not_corpus_bleu() -> None:
    [(inputs, expected)] = [vector.values for vector in _vectors("bleu", "candidates")]
    scores = [
        (await _score("bleu", candidate, reference)).raw
        for candidate, reference in zip(inputs["candidates"], inputs["references"], strict=True)
    ]
    mean = sum(scores) / len(scores)
    assert mean == pytest.approx(expected["mean_of_sentence_bleu"], abs=1e-6)
    assert abs(mean - expected["bleu"]) > 1e-3


async def test_bleu_of_a_perfect_match_is_1_despite_rounding() -> None:
    text = "the cat sat on the mat and the dog sat on the"
    assert (await _score("bleu", text, text)).raw == 1


@pytest.mark.parametrize(("inputs", "expected"), _vectors("rouge"))
async def test_rouge_l_equals_the_reference_values(inputs: dict[str, Any], expected: dict[str, Any]) -> None:
    verdict = await _score("rouge_l", inputs["candidate"], inputs["reference"])
    if not inputs["candidate"].isascii():
        # rouge-score finds no words in these scripts and returns 0.
        assert verdict.raw == pytest.approx(2 / 3)
        return
    found = {name: verdict.details[long] for name, long in (("p", "precision"), ("r", "recall"), ("f", "f"))}
    assert found == pytest.approx(expected["rougeL"], abs=1e-6)


@pytest.mark.parametrize(("inputs", "expected"), _vectors("fuzzy"))
def test_fuzzy_measures_equal_the_reference_values(inputs: dict[str, Any], expected: dict[str, Any]) -> None:
    for method in METHODS:
        assert similarity(inputs["a"], inputs["b"], method) == pytest.approx(expected[method], abs=1e-6)


@given(one=STRANGE, other=STRANGE, method=st.sampled_from(METHODS))
def test_similarity_is_symmetric_bounded_and_1_for_equal_texts(one: str, other: str, method: Method) -> None:
    value = similarity(one, other, method)
    assert 0 <= value <= 1
    assert value == pytest.approx(similarity(other, one, method), abs=1e-9)
    assert similarity(one, one, method) == 1


@given(STRANGE)
@example("0:&")
def test_simplifying_a_text_twice_changes_nothing_more(text: str) -> None:
    for options in ({"case": True, "punctuation": True}, {"case": False, "punctuation": False}):
        once = simplified(text, articles=False, accents=False, **options)
        assert simplified(once, articles=False, accents=False, **options) == once


@settings(max_examples=40, deadline=None)
@given(answer=STRANGE, reference=STRANGE)
@pytest.mark.parametrize("kind", BY_PROGRAM)
async def test_any_text_can_be_scored_or_is_an_error(kind: str, answer: str, reference: str) -> None:
    verdict = await _verdict(kind, answer, reference, **PARAMS.get(kind, {}))
    if isinstance(verdict, Scored):
        assert 0 <= verdict.normalised <= 1
        assert b"\\u0000" not in verdict.model_dump_json().encode()
    else:
        assert isinstance(verdict, Errored)


HOSTILE = {
    "one letter": "a" * 190_000,
    "spaces": " " * 190_000,
    "words": "ab " * 60_000,
    "marks": "a" + "\u0300\u0316" * 90_000,
    "brackets": "[" * 95_000 + "(" * 95_000,
    "pairs of brackets": "[a](b " * 30_000,
    "open objects": '{"a":' * 35_000,
    "numbers": "1,234 " * 30_000,
    "digits": "9" * 190_000,
    "grouped digits": "1" + ",111" * 45_000,
    "names": "a.b/c-" * 30_000,
    "files": "a.md " * 38_000,
    "sources": "source: " * 23_000,
    "answers": "answer: is " * 17_000,
    "letters": "A B C D " * 23_000,
    "code blocks": "```\n{}\n" * 27_000,
    "fences": "```\n````\n~~~\n" * 15_000,
    "backticks": "`a" * 95_000,
    "unclosed arrays": "[" * 900 + "[1]," * 40_000,
    "long arrays of no JSON": "[1,1,1,NaN," * 17_000,
    "initials": "A. B. " * 30_000,
    "signs": "-5-#%" * 38_000,
    "lines": "a b\n" * 40_000,
    "different lines": "\n".join(f"a {number}" for number in range(25_000)),
    "cited lists": "[1][2]" * 30_000,
    "possessives": "a.md's " * 25_000,
    "nul": "\x00" * 190_000,
    "chinese": "今天天气很好" * 30_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("kind", BY_PROGRAM)
async def test_adversarial_text_is_scored_within_the_time_limit(kind: str, text: str) -> None:
    start = time.process_time()
    await _verdict(kind, text, text[: len(text) // 2] + "b", **PARAMS.get(kind, {}))
    assert time.process_time() - start < 40


@pytest.mark.parametrize("inside", ["x.md y.md " * 25, "a 1.pdf, " * 30], ids=["unknown", "alike"])
def test_many_documents_in_many_brackets_are_compared_in_time(inside: str) -> None:
    known = [f"the {'very ' * (number % 20)}long name {number}/a 1.pdf" for number in range(1000)]
    start = time.process_time()
    citations(f"[{inside}] " * 600, known)
    assert time.process_time() - start < 40


def test_many_brackets_and_many_documents_are_compared_in_time() -> None:
    known = [f"folder/document {number}.pdf" for number in range(1000)]
    start = time.process_time()
    assert citations("[nothing] " * 19_000 + "[999]", known)[-1].known == known[-2]
    assert time.process_time() - start < 40


@pytest.mark.parametrize("kind", BY_PROGRAM)
async def test_answer_of_a_million_characters_is_an_error(kind: str) -> None:
    verdict = await _verdict(kind, "x" * 1_000_000, "x", **PARAMS.get(kind, {}))
    assert isinstance(verdict, Errored)
    assert "1,000,000 characters" in verdict.failure.message  # type: ignore[union-attr]


@pytest.mark.shows("S-15")
async def test_exponentially_branching_schema_is_given_up() -> None:
    branching: dict[str, Any] = {f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(40)}
    schema = {"$defs": {**branching, "d40": {}}, "$ref": "#/$defs/d0"}
    verdict = await _verdict("json_schema", "{}", json_schema=schema)
    assert isinstance(verdict, Errored)
    assert "took more than" in verdict.failure.message  # type: ignore[union-attr]
    endless = await _verdict("json_schema", "{}", json_schema={"$ref": "#"})
    assert isinstance(endless, Errored)


@pytest.mark.shows("S-15")
def test_schema_that_takes_too_long_to_check_is_refused() -> None:
    nested: dict[str, Any] = {"anyOf": [{"anyOf": [{"anyOf": [{}] * 20}] * 20}] * 20}
    with pytest.raises(BadSchema, match="make it smaller"):
        checked(nested, patience_s=0)


async def test_number_too_large_for_its_schema_is_an_error() -> None:
    verdict = await _verdict("json_schema", "9" * 400, json_schema={"multipleOf": 0.1})
    assert isinstance(verdict, Errored)
    assert "too large" in verdict.failure.message  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        ("[1, 1.0]", {"uniqueItems": True}, False),
        ("[1, true]", {"uniqueItems": True}, True),
        ('[{"a": 1, "b": 2}, {"b": 2, "a": 1}]', {"uniqueItems": True}, False),
        ('"aab"', {"pattern": "^a+b$"}, True),
        ('"abb"', {"pattern": "^a+b$"}, False),
        ('{"a": "x"}', {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "number"}}}, False),
        ('{"a": 1}', {"properties": {}, "additionalProperties": False}, False),
        ("7", {"$schema": "http://json-schema.org/draft-07/schema#", "const": 7}, True),
        # RE2 matches here, too: Python's own engine does not support `\pL`.
        ('"ab"', {"allOf": [{"$schema": "http://json-schema.org/draft-07/schema#", "pattern": r"^\pL+$"}]}, True),
        (
            '["a1"]',
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "anyOf": [{"type": "string", "pattern": r"^\pL+$"}, {"type": "array", "items": {"$ref": "#"}}],
            },
            False,
        ),
    ],
)
async def test_value_is_validated_against_the_schema(value: str, schema: dict[str, Any], fits: bool) -> None:
    assert (await _score("json_schema", value, "", json_schema=schema)).passed is fits


def test_boolean_schema_is_valid_and_a_list_is_not() -> None:
    checked(True)
    with pytest.raises(BadSchema):
        checked([])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs $1,234.50.", ["2469/2"]),
        # The minus sign, unlike the hyphen, never begins a list item.
        ("\u2212 5 and \u22125", ["-5", "-5"]),
        ("7 \u2212 5", ["7", "5"]),
        ("1 234 567 or 1'000 or 12_000", ["1234567", "1000", "12000"]),
        ("1.5e3 and 2E-1", ["1500", "1/5"]),
        ("R2 and H2O at v1.2.3", []),
        ("1.234,5 and 1,234.5", ["2469/2", "2469/2"]),
        ("10,20,30", ["10", "20", "30"]),
        ("3.5 \u00d7 10\u2078", ["350000000"]),
        ("3 1/2, 2^10, 50%", ["7/2", "1024", "1/2"]),
        (".5", ["1/2"]),
        ("\u0664\u0662", ["42"]),
        ("no number", []),
    ],
)
def test_numbers_are_found_in_prose(text: str, expected: list[str]) -> None:
    assert [str(number.value) for number in numbers(plain(text))] == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5 km.", "1500"),
        ("5 m away", "5"),
        ("1 km/5", "1000"),
        ("5 metres", None),
        ("5 m\u00b2", None),
        ("5 m/s", None),
    ],
)
def test_unit_is_not_found_within_another_word(text: str, value: str | None) -> None:
    found = next(numbers(plain(text), units={"km": Fraction(1000), "m": Fraction(1)}))
    assert (str(found.value) if found.own_unit else None) == value


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("B", "B"),
        ("**B**", "B"),
        ("\\boxed{C}", "C"),
        ("The correct answer is (D).", "D"),
        ("Answer: c", "C"),
        ("A is correct.", "A"),
        ("Therefore A is the answer.", "A"),
        ("The answer is not B", None),
        ("Vitamin B", None),
        ("\u7b54\u6848\u662fB", "B"),
        ("\u9009B", "B"),
        ("C and A", "A, C"),
        ("A) Rome is in Italy\nso:\nB) Paris", None),
        ("I think a good answer is hard to find", None),
        ("", None),
        ("Option B is right", "B"),
        ("It's D", "D"),
    ],
)
def test_chosen_letter_is_read_from_the_answer(answer: str, letter: str | None) -> None:
    assert chosen(answer, "ABCD", {}).text == letter


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("As [the policy](HR.md#leave) says", [("HR.md", "leave", "HR.md")]),
        ("(HR.md: Section 3.2)", [("HR.md", "3.2", "HR.md")]),
        ("【hr.md†Leave】", [("hr.md", "Leave", "HR.md")]),
        ("Source: HR.md, Section: Time Off", [("HR.md", "Time Off", "HR.md")]),
        ("[1] and [2, 3]", [("HR.md", None, "HR.md"), ("docs/Travel Guide.pdf", None, "docs/Travel Guide.pdf")]),
        ("[Travel Guide, page 4]", [("docs/Travel Guide.pdf", "page 4", "docs/Travel Guide.pdf")]),
        ("[Other.docx]", [("Other.docx", None, None)]),
        ("See https://example.org/a.html and list[1]", []),
        ("I see. It is (really) fine [sic].", []),
    ],
)
def test_citations_are_found_in_prose(text: str, found: list[tuple[str, str | None, str | None]]) -> None:
    known = ["HR.md", "docs/Travel Guide.pdf"]
    seen = [(citation.document, citation.section, citation.known) for citation in citations(text, known)]
    assert [citation for citation in seen if citation[0] != "[3]"] == found


def test_heavy_libraries_are_imported_only_on_use() -> None:
    import subprocess
    import sys

    code = (
        "import sys, judge.main\nfrom judge.evaluators.registry import evaluators\n"
        "[evaluator.info() for evaluator in evaluators().values()]\n"
        "heavy = {'sympy', 'math_verify', 'sacrebleu', 'rouge_score', 'nltk', 'rapidfuzz', 'numpy', 're2'}\n"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


async def test_bleu_signature_names_library_version_and_tokenizer() -> None:
    signature = (await _score("bleu", "Paris", "Paris", tokenizer="char")).details["signature"]
    assert "tok:char" in signature
    assert "version:" in signature
