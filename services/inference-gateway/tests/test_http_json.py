"""Test the provider type HTTP_JSON: filled templates, answers read at JSONPaths, and the connection test."""

import json
import time
from typing import Any

import pytest
from gateway_world import World
from hypothesis import given
from hypothesis import strategies as st

from inference_gateway.domain.draft import Draft, NotACompletion
from inference_gateway.domain.http_call import JsonPaths
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.domain.reading import Reading
from inference_gateway.domain.template import filled
from inference_gateway.profiles.base import NotPossible
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.chat import ChatMessage, ChatRequest, SamplingParams
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.outcome import Answered, Citation, Malformed
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.ids import new_id

CITED = {"request": {"question": "{{question}}", "history": "{{history}}"}, "citations_path": "$.citations[*]"}
PATHS = JsonPaths("$.answer", "$.citations", "$.document", "$.section", "$.relevance_score")


def read(body: Any, paths: JsonPaths = PATHS) -> Draft:
    reading = Reading(paths, "application/json")
    reading.feed(json.dumps(body).encode(), 0)
    reading.close(0)
    return reading.draft


def asked(own: dict[str, Any], /, *messages: str, **params: Any) -> dict[str, Any]:
    provider = ProviderSnapshot(
        provider_id=new_id(),
        name="p",
        type="HTTP_JSON",
        base_url="http://host",
        models_endpoint="/models",
        inference_endpoint="/query",
        options=own,
    )
    roles = ("user", "assistant")
    said = tuple(ChatMessage(role=roles[index % 2], content=text) for index, text in enumerate(messages))
    request = ChatRequest(model="m", messages=said, params=SamplingParams(**params))
    return dict(profile_for(provider.type).completion(provider, request, ModelAbilities()).body)


@given(st.text())
def test_no_prompt_changes_the_shape_of_the_body(prompt: str) -> None:
    template = {"whole": "{{question}}", "part": ["Q: {{ question }}!"], "fixed": {"admin": False}}
    body = filled(template, {"question": prompt, "system_prompt": "secret"})
    assert body == {"whole": prompt, "part": [f"Q: {prompt}!"], "fixed": {"admin": False}}


def test_what_has_no_value_is_left_out_and_messages_become_lines_in_a_text() -> None:
    template = {"t": "{{temperature}}", "list": ["{{seed}}", 1], "text": "{{history}}|{{seed}}|{{max_tokens}}"}
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert filled(template, {"history": history, "max_tokens": 8}) == {
        "list": [1],
        "text": "user: Hi\nassistant: Hello||8",
    }


@pytest.mark.parametrize(
    ("options", "messages", "params", "words"),
    [
        ({}, ("a", "b", "c"), {}, "no place for the turns before the question"),
        ({}, ("a",), {"system_prompt": "Be brief."}, "no place for the system prompt"),
        ({"request": {"q": "{{prompt}}"}}, ("a",), {}, "{{prompt}}, which does not exist"),
        ({"answer_path": "$..a"}, ("a",), {}, "options.answer_path may only take"),
        ({}, ("a",), {"options": {"request": {"q": "?"}}}, "must have a place for the question"),
    ],
)
def test_what_would_change_the_question_is_refused(
    options: dict[str, Any], messages: tuple[str, ...], params: dict[str, Any], words: str
) -> None:
    with pytest.raises(NotPossible, match=words.replace("{", r"\{").replace("$", r"\$")):
        asked(options, *messages, **params)


def test_many_spaces_in_a_placeholder_take_linear_time() -> None:
    """A template with 4,000 spaces in a row is filled at once. A regular expression that backtracks over them would
    take minutes."""
    spaces = " " * 4000
    template = {"q": "{{question}}", "open": "{{" + spaces, "closed": "{{" + spaces + "seed" + spaces + "}}!"}
    began = time.thread_time()
    assert profile_for("HTTP_JSON").option_problems({"request": template}) == []
    body = asked({"request": template}, "Hi", seed=1)
    assert time.thread_time() - began < 5
    assert body == {"q": "Hi", "open": "{{" + spaces, "closed": "1!"}


def test_a_target_may_overrule_the_template_and_add_a_field() -> None:
    own = {"request": {"q": "{{messages}}"}, "top_k": 9}
    assert asked({"request": {"question": "{{question}}"}}, "Hi", options=own) == {
        "q": [{"role": "user", "content": "Hi"}],
        "top_k": 9,
    }


def test_an_answer_with_its_citations() -> None:
    draft = read(
        {
            "answer": "30 days.",
            "citations": [
                {"document": "HR.md", "section": "Leave", "relevance_score": 0.87},
                {"document": "HR.pdf", "section": 3},
                "Plain.md",
                {"document": "Odd.md", "relevance_score": 87},
                {"title": "no document"},
            ],
        }
    )
    assert "".join(draft.content) == "30 days."
    assert draft.citations == (
        Citation(document="HR.md", section="Leave", relevance=0.87),
        Citation(document="HR.pdf", section="3"),
        Citation(document="Plain.md"),
        Citation(document="Odd.md"),
    )
    assert [note.split(":")[0] for note in draft.notes] == [
        "A citation's relevance was left out",
        "1 citations were left out",
    ]


def test_no_citations_are_not_the_same_as_no_fields_for_them() -> None:
    assert read({"answer": "x"}).citations == ()
    none = JsonPaths("$.answer", None, "$.document", "$.section", "$.relevance_score")
    assert read({"answer": "x", "citations": ["a"]}, none).citations is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    )
)
def test_any_json_is_read_or_refused_with_a_reason(body: Any) -> None:
    if isinstance(body, str):
        assert "".join(read({"answer": body, "citations": body}).content) == body
    elif isinstance(body, bool | float):
        assert json.loads("".join(read({"answer": body}).content)) == pytest.approx(body, nan_ok=True)
    else:
        with pytest.raises(NotACompletion, match=r"answer_path \$\.answer finds"):
            read({"answer": body, "citations": body})
    citations = read({"answer": "x", "citations": body}).citations
    assert citations is not None
    assert all(citation.document for citation in citations)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"reply": "x", "sources": []}, "finds nothing in it; it has reply, sources"),
        ({"answer": {"text": "x"}}, "finds an object in it where a text should be"),
        ([1], "it is a list"),
        ({}, "it is an empty object"),
    ],
)
def test_an_answer_that_is_elsewhere_says_what_is_there(body: Any, words: str) -> None:
    with pytest.raises(NotACompletion, match=words):
        read(body)


def test_the_services_own_error_is_told() -> None:
    draft = read({"error": {"message": "index is being built", "code": 503}})
    assert draft.error is not None
    assert (draft.error.message, draft.error.status) == ("index is being built", 503)


async def test_a_service_is_asked_and_tested(world: World) -> None:
    url = f"{world.provider_url}/rag"
    good = await world.add_provider(base_url=f"{url}/mock-0ms", type_="HTTP_JSON", options=CITED)
    good = good.model_copy(update={"inference_endpoint": "/query"})
    elsewhere = good.model_copy(update={"base_url": f"{url}/mock-0ms-empty"})
    down = good.model_copy(update={"base_url": "http://127.0.0.1:9"})
    history = [("user", "Hi"), ("assistant", "Hello"), ("user", "How much leave?")]
    messages = tuple(ChatMessage.model_validate({"role": role, "content": text}) for role, text in history)
    command = world.command("default", provider=good, request=ChatRequest(model="default", messages=messages))
    async with world.gateway():
        finished = await world.ask(command)
        empty = await world.ask(world.command("default", provider=elsewhere))
        tests = [
            ModelsListed.model_validate_json(await world.request(ListModels(provider=one, probe=True)))
            for one in (good, elsewhere, down)
        ]
        calls = len(await world.ledger())
        listed = ModelsListed.model_validate_json(await world.request(ListModels(provider=down)))
        assert len(await world.ledger()) == calls, "a list of models asks the service nothing"
    assert isinstance(finished.outcome, Answered)
    assert finished.outcome.citations is not None
    assert [(one.document, one.relevance) for one in finished.outcome.citations] == [
        ("HR_Policy_2026.md", 0.87),
        ("Handbook.md", 0.41),
    ]
    [row, *_] = await world.rows()
    assert json.loads(row["request"])["body"]["history"] == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
    ]
    assert json.loads(row["outcome"])["citations"][0]["section"] == "Time Off"
    assert isinstance(empty.outcome, Malformed)
    assert [test.problem_kind for test in tests] == [None, "no_completion", "refused"]
    assert tests[0].models == listed.models == ("default",)
    assert "answer_path $.answer finds nothing in it; it has reply" in (tests[1].problem or "")
