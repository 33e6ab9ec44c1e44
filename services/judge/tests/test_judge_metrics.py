"""Test the measures of text similarity against reference values, and against the libraries whose results they
reproduce."""
# ruff: noqa: RUF001  # characters that look alike are what is tested

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge_world import score_of

from judge.domain import rouge
from judge.domain.words import words

ACCEPTED = json.loads((Path(__file__).parent / "accepted_answers.json").read_text("utf-8"))["cases"]
VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))["vectors"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in ACCEPTED if case["family"] == "qa_f1"])
async def test_squad_f1_equals_that_of_squads_script(case: dict[str, Any]) -> None:
    verdict = await score_of("squad_f1", case["answer_text"], case["reference"])
    assert verdict.raw == pytest.approx(case["expected"], abs=1e-6)
    assert verdict.details["f1"] == verdict.raw


@pytest.mark.parametrize(
    ("answer", "references", "f1", "exact"),
    [
        ("Paris", ["Paris"], 1, 1),
        ("paris.", ["Paris"], 1, 1),
        ("in Paris", ["Paris"], 2 / 3, 0),
        ("The Eiffel Tower", ["Eiffel Tower"], 1, 1),
        ("an eiffel  tower!", ["the Eiffel Tower"], 1, 1),
        ("Rome", ["Paris", "London"], 0, 0),
        ("London", ["Paris", "London"], 1, 1),
        ("theatre", ["the theatre"], 1, 1),
        ("Anna", ["Ann"], 0, 0),
        ("U.S.", ["US"], 1, 1),
        ("don't", ["dont"], 1, 1),
        ("well-known", ["well known"], 0, 0),
        ("1,000", ["1000"], 1, 1),
        ("-5", ["5"], 1, 1),
        ("a b a b", ["a b"], 2 / 3, 0),
        ("x y", ["y x"], 1, 0),
        ("x x y", ["x y y"], 2 / 3, 0),
        ("", [""], 1, 1),
        ("the", [""], 1, 1),
        ("Paris", [""], 0, 0),
        ("", ["Paris", ""], 0, 0),
        ("Cafe\u0301", ["Café"], 1, 1),
        ("a_b", ["ab"], 1, 1),
        ("one two three four", ["three four five six"], 0.5, 0),
        ("Ａ", ["A"], 0, 0),
        ("two\nthree", ["two three"], 1, 1),
    ],
)
async def test_squad_measures_are_f1_and_exact_match(
    answer: str, references: list[str], f1: float, exact: float
) -> None:
    verdict = await score_of("squad_f1", answer, references)
    assert verdict.raw == pytest.approx(f1)
    assert (verdict.details["exact_match"], verdict.passed) == (exact, exact == 1)
    assert (await score_of("squad_f1", answer, references, measure="exact_match")).raw == exact


@pytest.mark.parametrize(
    ("reference", "tokenizer"),
    [
        ("The cat sat on the mat.", "13a"),
        ("Das Wort 北京 kommt aus dem Chinesischen und steht hier allein.", "13a"),
        ("今天天气很好", "zh"),
        ("我喜欢用 Python 写程序", "zh"),
        ("今日はとても良い天気です", "char"),
        ("오늘 날씨가 좋아요", "char"),
        ("วันนี้อากาศดีมาก", "char"),
        ("Сегодня хорошая погода", "13a"),
        ("الطقس جميل اليوم", "13a"),
        ("42", "13a"),
    ],
)
async def test_bleu_selects_a_tokenizer_for_the_script_and_names_it(reference: str, tokenizer: str) -> None:
    verdict = await score_of("bleu", reference, [reference])
    assert verdict.raw == pytest.approx(1)
    assert verdict.details["tokenizer"] == tokenizer
    assert f"tok:{tokenizer}" in verdict.details["signature"]
    assert tokenizer in verdict.reason


async def test_bleu_of_chinese_with_a_word_tokenizer_has_a_warning() -> None:
    assert "choose auto" in (await score_of("bleu", "今天天气很好", ["今天天气不错"], tokenizer="intl")).reason
    assert (await score_of("bleu", "今天天气很好", ["今天天气不错"])).raw > 0.3


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in VECTORS if vector["topic"] == "rouge"]
)
@pytest.mark.parametrize(
    ("kind", "theirs"), [("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_lsum", "rougeLsum")]
)
async def test_every_rouge_variant_equals_its_reference_values(vector: dict[str, Any], kind: str, theirs: str) -> None:
    inputs = vector["inputs"]
    verdict = await score_of(kind, inputs["candidate"], [inputs["reference"]])
    if not inputs["candidate"].isascii():
        # rouge-score finds no words in these scripts and returns 0.
        assert verdict.raw > 0.5
        return
    measured = {name: verdict.details[long] for name, long in (("p", "precision"), ("r", "recall"), ("f", "f"))}
    assert measured == pytest.approx(vector["expected"][theirs], abs=1e-6)


@settings(max_examples=80, deadline=None)
@given(
    answer=st.text(alphabet="ab cd12.,-_'\nAB", max_size=90), reference=st.text(alphabet="ab cd12._\nA", max_size=90)
)
def test_every_rouge_variant_equals_rouge_score_for_ascii_text(answer: str, reference: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    theirs = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"]).score(reference, answer)
    ours = {
        "rouge1": rouge.rouge_n(words(answer), words(reference), 1),
        "rouge2": rouge.rouge_n(words(answer), words(reference), 2),
        "rougeL": rouge.rouge_l(words(answer), words(reference)),
        "rougeLsum": rouge.rouge_lsum(_lines(answer), _lines(reference)),
    }
    for name, measured in ours.items():
        assert (measured.precision, measured.recall, measured.f) == pytest.approx(tuple(theirs[name]), abs=1e-12), name


def _lines(text: str) -> list[list[str]]:
    return [words(line) for line in text.split("\n") if line]


async def test_chrf_equals_that_of_sacrebleu() -> None:
    from sacrebleu.metrics.chrf import CHRF

    for answer, reference in (("the cats", "the cat sat"), ("今天天气很好", "今天天气不错"), ("x", "Ελλάδα")):
        theirs = CHRF().sentence_score(answer, [reference]).score / 100
        verdict = await score_of("chrf", answer, [reference])
        assert verdict.raw == pytest.approx(theirs)
        assert "nw:0" in verdict.details["signature"]
    assert "nw:2" in (await score_of("chrf", "a b", ["a b"], word_order=2)).details["signature"]
