"""Test the evaluators without a model on answers as models write them. The verdicts must be those of a careful human
reader."""
# ruff: noqa: RUF001  # characters that look alike are what is tested

import json
from pathlib import Path
from typing import Any

import pytest
from judge_world import score_of

from judge.domain.citations import citations

ACCEPTED = json.loads((Path(__file__).parent / "accepted_answers.json").read_text("utf-8"))["cases"]
ORIGINALS = Path(__file__).parents[4] / "shared" / "extraction.json"


def _accepted(family: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in ACCEPTED if case["family"] == family]


@pytest.mark.skipif(not ORIGINALS.exists(), reason="the originals are not beside this checkout")
def test_copied_accepted_answers_equal_the_originals() -> None:
    originals = {case["id"]: case for case in json.loads(ORIGINALS.read_text("utf-8"))["cases"]}
    assert {case["id"] for case in ACCEPTED} == {
        name for name, each in originals.items() if each["family"] in ("exact", "qa_f1")
    }
    for case in ACCEPTED:
        assert {name: originals[case["id"]][name] for name in case} == case


@pytest.mark.parametrize(
    "params",
    [{"profile": "squad"}, {"ignore_case": True, "ignore_punctuation": True, "ignore_articles": True}],
    ids=["profile", "parameters"],
)
@pytest.mark.parametrize("case", _accepted("exact"))
async def test_exact_match_agrees_with_a_careful_grader(case: dict[str, Any], params: dict[str, Any]) -> None:
    assert (await score_of("exact_match", case["answer_text"], case["reference"], **params)).passed is case["expected"]


@pytest.mark.parametrize(
    ("answer", "reference", "same"),
    [
        ("-5", "5", False),
        ("\u22125", "-5", True),
        ("(-5)", "-5", True),
        ("C#", "C", False),
        ("C#.", "C#", True),
        ("C++", "C", False),
        ("C++!", "C++", True),
        ("F#", "F", False),
        ("U.S.A.", "USA", True),
        ("U.S.A", "u.s.a.", True),
        ("U. S. A.", "USA", True),
        ("Ph.D.", "PhD", True),
        ("B.Sc.", "BSc", True),
        ("J. K. Rowling", "J.K. Rowling", True),
        ("3.14", "314", False),
        ("3.14.", "3.14", True),
        (".5", "5", False),
        ("1,000", "1000", True),
        ("1,000,000", "1000000", True),
        ("1.5", "15", False),
        ("50%", "50", False),
        ("50 %", "5 0", False),
        ("1/2", "12", False),
        ("½", "12", False),
        ("10²", "102", False),
        ("m²", "m2", False),
        ("㎡", "m²", True),
        ("H₂O", "H2O", True),
        ("`Paris`", "Paris", True),
        ("**Paris**", "Paris", True),
        ("“Paris”", '"Paris"', True),
        ("Par\u200bis", "Paris", True),
        ("\ufeffParis", "Paris", True),
        ("Ｐａｒｉｓ！", "Paris", True),
        ("don’t", "don't", True),
        ("AT&T", "AT T", False),
        ("R & D", "R&D", True),
        ("A-", "A", False),
        ("A+", "A", False),
        ("well-known", "well known", True),
        ("Yes!", "yes", True),
        ("Paris, France", "Paris", False),
        ("1, 2, 3", "1,2,3", True),
        ("10:30", "1030", False),
        ("x != 1", "x = 1", False),
        ("$5", "5", False),
        ("?", "!", False),
        ("Straße", "STRASSE", True),
        ("Ελλάδα.", "ΕΛΛΆΔΑ", True),
        ("東京。", "東京", True),
        ("２０２４年", "2024年", True),
        ("Cafe\u0301", "Café", True),
        ("e.g.", "eg", True),
    ],
)
async def test_meaningful_punctuation_counts_even_if_punctuation_is_ignored(
    answer: str, reference: str, same: bool
) -> None:
    verdict = await score_of("exact_match", answer, [reference], ignore_punctuation=True, ignore_case=True)
    assert verdict.passed is same


@pytest.mark.parametrize(
    ("answer", "reference", "same"),
    [
        ("Ｐａｒｉｓ", "Paris", True),
        ("it’s", "it's", True),
        ("a\u00a0b", "a b", True),
        ("co\u00adoperate", "cooperate", True),
        ("❤️", "❤", True),
        ("ﬁnd", "find", True),
        ("`Paris`", "Paris", False),
        ("paris", "Paris", False),
        ("10²", "102", False),
        ("10\u2011K", "10-K", True),
        ("Paris.", "Paris", False),
    ],
)
async def test_unicode_forms_of_a_character_are_equal(answer: str, reference: str, same: bool) -> None:
    assert (await score_of("exact_match", answer, [reference])).passed is same


@pytest.mark.parametrize(
    ("answer", "text", "found"),
    [
        ("We went to a party.", "art", False),
        ("Art is long.", "art", True),
        ("state-of-the-art!", "art", True),
        ("I can't say.", "can", False),
        ("I can’t say.", "can", False),
        ("Yes, I can.", "can", True),
        ("Paris's streets", "Paris", True),
        ("It is -5.", "5", False),
        ("It is 5.", "5", True),
        ("3.5 litres", "5", False),
        ("3.5 litres", "3", False),
        ("3.5 litres", "3.5", True),
        ("1,500 people", "500", False),
        ("(5)", "5", True),
        ("$5", "5", True),
        ("15 and 5", "5", True),
        ("C++ it is", "C", False),
        ("C# it is", "C", False),
        ("C, not C++", "C", True),
        ("C++ it is", "C++", True),
        (".NET", ".NET", True),
        ("snake_case", "snake", False),
        ("nothing at all", "no", False),
        ("No, nothing", "no", True),
        ("我住在北京市", "北京", True),
        ("서울은 크다", "서울", True),
        ("ночью", "ночь", False),
        ("Это ночь.", "ночь", True),
        ("a café", "caf", False),
        ("CO2 and O2", "O2", True),
        ("CO2", "O2", False),
        ("New\nYork", "new york", True),
    ],
)
async def test_whole_word_is_not_found_within_another_word(answer: str, text: str, found: bool) -> None:
    assert (await score_of("contains", answer, [], text=text, whole_words=True)).passed is found


@pytest.mark.parametrize("mode", ["any", "all"])
@pytest.mark.parametrize(("answer", "right"), [("Fine.", True), ("Sorry.", False), ("Sorry, I cannot.", False)])
async def test_forbidden_texts_must_all_be_absent_in_either_mode(mode: str, answer: str, right: bool) -> None:
    verdict = await score_of("contains", answer, [], texts=["sorry", "cannot"], mode=mode, absent=True)
    assert verdict.passed is right


@pytest.mark.parametrize(
    ("answer", "reference", "method", "passes"),
    [
        (".", "It is Paris.", "partial_ratio", False),
        (".", "It is Paris.", "token_set_ratio", False),
        ("…", "Paris", "ratio", False),
        ("the", "the cat sat on the mat", "token_set_ratio", False),
        ("the", "the cat", "token_set_ratio", False),
        ("The", "The Cat", "partial_ratio", False),
        ("der", "der Hund", "token_set_ratio", False),
        ("a", "Paris", "partial_ratio", False),
        ("of the", "The Lord of the Rings", "token_set_ratio", False),
        ("Not", "No", "ratio", False),
        ("No", "Not", "ratio", False),
        ("No.", "No", "ratio", True),
        ("no", "No", "ratio", True),
        ("eyes", "yes", "ratio", False),
        ("Yes!", "yes", "ratio", True),
        ("10", "100", "ratio", False),
        ("100", "100", "ratio", True),
        ("-5", "5", "ratio", False),
        ("12345", "12346", "ratio", False),
        ("15 km", "150 km", "ratio", False),
        ("July 21, 1969", "July 20, 1969", "ratio", False),
        ("July 20 1969", "July 20, 1969", "ratio", True),
        ("1,000 dollars", "1000 dollars", "ratio", True),
        ("Mississipi", "Mississippi", "ratio", True),
        ("Schwarzeneger", "Schwarzenegger", "ratio", True),
        ("Einstein", "Albert Einstein", "partial_ratio", True),
        ("It was Albert Einstein, I think.", "Albert Einstein", "partial_ratio", True),
        ("illegal", "legal", "partial_ratio", False),
        ("legal", "illegal", "partial_ratio", False),
        ("I do not know", "No", "partial_ratio", False),
        ("No, it is not.", "No", "partial_ratio", True),
        ("No, it is not.", "No", "token_set_ratio", True),
        ("through the employee portals", "employee portal", "partial_ratio", True),
        ("Einstein, Albert", "Albert Einstein", "token_sort_ratio", True),
        ("C", "C++", "ratio", False),
        ("C++", "C#", "ratio", False),
        ("不可以", "可以", "ratio", False),
        ("北京大学", "北京大学。", "ratio", True),
        ("Paris", "London", "ratio", False),
        ("", "Paris", "partial_ratio", False),
        ("?", "?", "ratio", True),
        ("?", "!", "ratio", False),
        ("seven", "even", "ratio", False),
    ],
)
async def test_fuzzy_match_passes_what_a_reader_would_pass(
    answer: str, reference: str, method: str, passes: bool
) -> None:
    assert (await score_of("fuzzy_match", answer, [reference], method=method)).passed is passes


AGE = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
LIST = {"type": "array", "items": {"type": "integer"}, "minItems": 2}


@pytest.mark.parametrize(
    ("answer", "schema", "fits"),
    [
        ('{"age": 1}', AGE, True),
        ('\ufeff{"age": 1}\n', AGE, True),
        ('Sure! {"age": 1}', AGE, True),
        ('{"age": 1} and also {"name": "Ann"}', AGE, True),
        ('{"name": "Ann"} and also {"age": 1}', AGE, True),
        ('{"age": "one"} no: {"age": 1}', AGE, True),
        ('{"age": "one"}', AGE, False),
        ('{"age": "one"} or {"age": 1.5}', AGE, False),
        ('```json\n{"age": 1}\n```', AGE, True),
        ('```\n{"age": 1}\n```', AGE, True),
        ('~~~json\n{"age": 1}\n~~~', AGE, True),
        ('```json\n{"age": 1}', AGE, True),
        ('```json title="x"\n{"age": 1}\n```', AGE, True),
        ('```json\n{"age": 1}\n```\nor\n```json\n{"name": 2}\n```', AGE, True),
        ('```json\n{"name": 2}\n```\nor\n```json\n{"age": 1}\n```', AGE, True),
        ('```python\nx = {"age": 1}\n```', AGE, True),
        ('```sh\nls\n```\n{"age": 1}', AGE, True),
        ('{"person": {"age": 1}}', AGE, False),
        ('[{"age": 1}]', AGE, False),
        ('{"age": 1', AGE, False),
        ("{'age': 1}", AGE, False),
        ('{"age": 1,}', AGE, False),
        ("age: 1", AGE, False),
        ("", AGE, False),
        ("[1, 2]", LIST, True),
        ("Here it is: [1, 2]. Anything else?", LIST, True),
        ("The list:\n[1,\n 2]", LIST, True),
        ("```json\n[1, 2]\n```", LIST, True),
        ("{} [1, 2] {}", LIST, True),
        ("[1, 2", LIST, False),
        ('[1, "2"]', LIST, False),
        ("As the source says [1].", {}, False),
        ("As the sources say [1][2], yes.", {}, False),
        ("Answer: [1]", {"type": "array"}, True),
        ("```json\n42\n```", {"type": "integer"}, True),
        ("It is 42.", {"type": "integer"}, False),
        ("42", {"type": "integer"}, True),
        ('"yes"', {"enum": ["yes"]}, True),
        ("Any {of this} is [no JSON]", {}, False),
        ('{"age": NaN} {"age": 1}', AGE, True),
        ("NaN", {}, False),
        ('<think>{"age": "?"}</think>{"age": 1}', AGE, True),
    ],
)
async def test_json_is_found_where_a_reader_would_find_it(answer: str, schema: dict[str, Any], fits: bool) -> None:
    assert (await score_of("json_schema", answer, [], json_schema=schema)).passed is fits


HR, TRAVEL = "HR Policy.md", "docs/travel.pdf"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = [1, 2]", []),
        ("```python\nfor x in [1, 2]:\n    pass\n```", []),
        ("~~~\n[1]\n~~~\nand [2]", [TRAVEL]),
        ("Use `[1]` here.", []),
        ("Call sum([1, 2]).", []),
        ("[1, 2].map(f)", []),
        ("The list [1, 2] is sorted.", []),
        ("return [1]", []),
        ("a[1]", []),
        ("Two weeks [1].", [HR]),
        ("Two weeks.[1]", [HR]),
        ("Two weeks ([1]).", [HR]),
        ("Two weeks [1, 2].", [HR, TRAVEL]),
        ("Two weeks [1; 2].", [HR, TRAVEL]),
        ("Two weeks [1][2].", [HR, TRAVEL]),
        ("Two weeks [1] [2].", [HR, TRAVEL]),
        ("Two weeks [1-2].", [HR, TRAVEL]),
        ("As shown in [2], yes.", [TRAVEL]),
        ("[1](http://example.org)", []),
        ("Two weeks [3].", ["[3]"]),
        ("travel.pdf's page 3 says so.", [TRAVEL]),
        ("As travel.pdf’s appendix has it", [TRAVEL]),
        ("The file docs/travel.pdf states it.", [TRAVEL]),
        ("According to travel.pdf's rules, no.", [TRAVEL]),
        ("According to HR Policy's rules, no.", [HR]),
        ("HR Policy.md's section 2 has it.", [HR]),
        ("[HR Policy.md]", [HR]),
        ("Source: HR Policy.md", [HR]),
        ("Source: `travel.pdf`", [TRAVEL]),
        ("(travel.pdf’s summary)", [TRAVEL]),
        ("handbook.pdf's page 3", ["handbook.pdf"]),
        ("I opened travel.pdf.", []),
        ("Two weeks.", []),
        ("See https://example.org/a.html's page", []),
        ("【travel.pdf†Leave】", [TRAVEL]),
        ("matrix [1, 2]", []),
        ("[1] x\n[2] y", [HR, TRAVEL]),
        ("[^1]", []),
        ("[2024]", []),
        ("It gives 2 * [1]", []),
        ("**Two weeks** [1].", [HR]),
        ("Sources:\n* [1]\n* [2]", [HR, TRAVEL]),
        ("> [2]", [TRAVEL]),
        ("Two weeks [1]\n* then three [2]", [HR, TRAVEL]),
        ("Two weeks [1].The next.", [HR]),
        ("It is on the list [1].", [HR]),
        ("a value in [0, 1]", []),
        ("n = 5 [1]", [HR]),
    ],
)
def test_citations_are_those_that_a_reader_would_find(text: str, found: list[str]) -> None:
    assert (
        list(dict.fromkeys(citation.known or citation.document for citation in citations(text, [HR, TRAVEL]))) == found
    )


@pytest.mark.parametrize(
    ("kind", "answer", "params", "read"),
    [
        ("exact_match", "Paris", {}, ("Paris", "identical", "Paris", "identical")),
        ("exact_match", " The Paris.", {"profile": "squad"}, ("paris", "squad", "paris", "squad")),
        ("contains", "In Paris", {}, ("“Paris”", "contained", "“Paris”", "any of the texts")),
        ("contains", "In Rome", {}, (None, "contained", "“Paris”", "any of the texts")),
        ("regex", "In Paris", {"pattern": "P.r"}, ("Par", "matched anywhere", "P.r", "pattern")),
        ("fuzzy_match", "Pariss", {}, ("pariss", "whole text", "paris", "whole text")),
        ("squad_f1", "the Paris", {}, ("paris", "squad", "paris", "squad")),
        ("json_schema", "So: {}", {}, ("{}", "value in the text", None, None)),
        ("json_schema", "no", {}, (None, "no JSON", None, None)),
        ("citations", "So [1]", {"documents": ["a.md"]}, ("a.md", "text", "a.md", "known documents")),
    ],
)
async def test_score_shows_the_extracted_answer_and_reference(
    kind: str, answer: str, params: dict[str, Any], read: tuple[str | None, ...]
) -> None:
    extraction = (await score_of(kind, answer, ["Paris"], **params)).details["extraction"]
    assert tuple(extraction[name] for name in ("answer", "answer_rule", "reference", "reference_rule")) == read
