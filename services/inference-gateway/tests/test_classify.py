"""Test that a call gets the right outcome, however it ends, and a helpful message without secrets."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference_gateway.domain.classify import RequestFacts, classify
from inference_gateway.domain.draft import Draft, ReportedError
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.http_call import Exchange
from inference_gateway.domain.signs import Meaning, Sign
from inference_gateway.profiles.base import SIGNS
from inference_gateway.profiles.registry import profiles
from llmbench.contracts.outcome import Answered, Outcome, RateLimited, Rejected, Unavailable, Usage

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)
URL = "https://api.example.com/v1/chat/completions"


def a_call(**more: object) -> RequestFacts:
    given: dict[str, object] = {"url": URL, "model": "m", "prompt_characters": 40, "now": NOW, "signs": SIGNS}
    return RequestFacts(**(given | more))  # type: ignore[arg-type]


def status(code: int, body: str = "", **headers: str) -> Exchange:
    return Exchange(code, {name.replace("_", "-"): value for name, value in headers.items()}, body.encode())


TABLE: list[tuple[Exchange, str, str | None]] = [
    (status(400, '{"error": {"message": "bad temperature"}}'), "rejected", "bad_request"),
    (
        status(400, '{"error": {"code": "context_length_exceeded", "message": "too long"}}'),
        "rejected",
        "context_overflow",
    ),
    (status(400, "This model's maximum context length is 8192 tokens"), "rejected", "context_overflow"),
    (
        status(400, '{"error": {"message": "the request exceeds the available context size"}}'),
        "rejected",
        "context_overflow",
    ),
    (status(413, '{"error": "prompt is too long: 9000 tokens"}'), "rejected", "context_overflow"),
    (status(422, '{"detail": "reduce the length of the messages"}'), "rejected", "context_overflow"),
    (status(413, "Payload Too Large"), "rejected", "bad_request"),
    (status(400, '{"error": {"code": "content_filter", "message": "filtered"}}'), "refused", "content_filter"),
    (status(401), "rejected", "unauthorized"),
    (status(402, '{"error": {"message": "Insufficient credits", "code": 402}}'), "rate_limited", None),
    (status(403), "rejected", "unauthorized"),
    (status(404, '{"error": "model not found"}'), "rejected", "not_found"),
    (status(405), "rejected", "bad_request"),
    (status(408), "timed_out", None),
    (status(418), "rejected", "bad_request"),
    (status(429), "rate_limited", None),
    (status(301, location="http://elsewhere"), "rejected", "bad_request"),
    (status(500, "<html>oops</html>"), "unavailable", "server_error"),
    (status(502, "<html>Bad Gateway</html>"), "unavailable", "not_ready"),
    (status(503), "unavailable", "not_ready"),
    (status(503, retry_after="20"), "unavailable", "busy"),
    (status(503, '{"error": {"message": "Loading model"}}', retry_after="20"), "unavailable", "not_ready"),
    (status(504, "upstream request timeout"), "unavailable", "server_error"),
    (status(529), "unavailable", "busy"),
    (status(500, '{"error": "error loading model: unknown architecture"}'), "unavailable", "server_error"),
    (Exchange(fault=Fault(FaultKind.REFUSED)), "unavailable", "no_connection"),
    (Exchange(fault=Fault(FaultKind.DNS)), "unavailable", "no_connection"),
    (Exchange(fault=Fault(FaultKind.TLS, "certificate has expired")), "unavailable", "no_connection"),
    (Exchange(fault=Fault(FaultKind.UNREACHABLE)), "unavailable", "no_connection"),
    (Exchange(fault=Fault(FaultKind.LOST)), "unavailable", "connection_lost"),
    (Exchange(fault=Fault(FaultKind.TIMEOUT)), "timed_out", None),
    (Exchange(fault=Fault(FaultKind.NOT_HTTP)), "malformed", None),
    (Exchange(fault=Fault(FaultKind.TOO_LARGE)), "malformed", None),
    (Exchange(fault=Fault(FaultKind.NO_COMPLETION)), "malformed", None),
    (Exchange(fault=Fault(FaultKind.NOT_SENT)), "rejected", "bad_request"),
    (Exchange(200, draft=Draft(error=ReportedError("slow down", 429))), "rate_limited", None),
    (Exchange(200, draft=Draft(error=ReportedError("something broke", None))), "malformed", None),
    (Exchange(200, draft=Draft(error=ReportedError("Overloaded", None))), "unavailable", "busy"),
    (Exchange(200, draft=Draft(error=ReportedError("pay", None, ("insufficient_quota",)))), "rate_limited", None),
    (Exchange(200, draft=Draft(error=ReportedError("context window exceeded", None))), "rejected", "context_overflow"),
    (Exchange(200, draft=Draft(refusal=["No."], finished=True)), "refused", "refusal"),
    (Exchange(200, draft=Draft(content=["par"], finish_reason="content_filter")), "refused", "content_filter"),
    (Exchange(200, draft=Draft(content=["par"], finish_reason="error")), "malformed", None),
    (Exchange(200, draft=Draft(content=["42"], finish_reason="stop")), "answered", None),
    (Exchange(200, draft=Draft(finish_reason="length", reasoning=["hm"])), "answered", None),
]


@pytest.mark.parametrize(("exchange", "kind", "cause"), TABLE)
def test_exchange_is_classified(exchange: Exchange, kind: str, cause: str | None) -> None:
    outcome = classify(exchange, a_call())
    assert outcome.kind == kind
    assert getattr(outcome, "cause", None) == cause
    if not isinstance(outcome, Answered):
        message = message_of(outcome)
        assert "api.example.com" in message or kind == "refused"
        assert "<html>" not in message


def message_of(outcome: Outcome) -> str:
    message: str = getattr(outcome, "message", "")
    return message


KIND_OF = {
    Meaning.LOADING: ("unavailable", "not_ready"),
    Meaning.BUSY: ("unavailable", "busy"),
    Meaning.NO_CREDIT: ("rate_limited", None),
    Meaning.TOO_LARGE: ("rejected", "bad_request"),
}
SIGNED = [
    pytest.param(profile.signs, sign, code, body, id=f"{profile.type}: {code} {body[:60]}")
    for profile in profiles().values()
    for sign in profile.signs
    for code, body in sign.examples
]


@pytest.mark.parametrize(("signs", "sign", "code", "body"), SIGNED)
def test_error_texts_are_classified_as_the_profile_says(
    signs: tuple[Sign, ...], sign: Sign, code: int, body: str
) -> None:
    outcome = classify(status(code, body), a_call(signs=signs))
    assert (outcome.kind, getattr(outcome, "cause", None)) == KIND_OF[sign.meaning]
    assert sign.meaning.value in message_of(outcome)
    if isinstance(outcome, RateLimited):
        assert outcome.out_of_credit


@pytest.mark.parametrize(
    "body",
    [
        # The first three are from Azure, OpenAI and Google.
        '{"error": {"code": "429", "message": "Requests to the ChatCompletions_Create Operation have exceeded token '
        "rate limit of your current OpenAI S0 pricing tier. Please retry after 7 seconds. Please go here: "
        'https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit."}}',
        '{"error": {"message": "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit '
        '30000, Used 29000, Requested 2000. Please try again in 2s.", "code": "rate_limit_exceeded"}}',
        '[{"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing '
        'details.", "status": "RESOURCE_EXHAUSTED"}}]',
        "Request too large" * 100,
    ],
)
def test_passing_rate_limit_is_not_taken_for_missing_credit(body: str) -> None:
    limited = classify(status(429, body, retry_after_ms="7000"), a_call())
    assert isinstance(limited, RateLimited)
    assert not limited.out_of_credit
    assert limited.retry_after_s == 7


def test_validation_error_that_quotes_the_prompt_is_rejected() -> None:
    quoted = '{"detail": [{"type": "string_type", "input": "the model is loading"}]}'
    assert classify(status(422, quoted), a_call()).kind == "rejected"
    long = f"invalid prompt: the model is loading {'x' * 600}"
    assert classify(status(400, long), a_call()).kind == "rejected"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "20"}, 20.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after": "Thu, 01 Jan 2026 12:01:00 GMT"}, 60.0),
        ({"retry_after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry_after_ms": "1500", "retry_after": "2"}, 1.5),
        ({"x_ratelimit_reset_requests": "1s", "x_ratelimit_reset_tokens": "6m0s"}, 360.0),
        ({"x_ratelimit_reset_tokens": "250ms"}, 0.25),
        ({"retry_after": "99999999999"}, 86_400.0),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "soon"}, None),
        ({"x_ratelimit_reset_tokens": "later"}, None),
        ({}, None),
    ],
)
def test_waiting_time_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    limited = classify(status(429, **headers), a_call())
    assert isinstance(limited, RateLimited)
    assert limited.retry_after_s == seconds
    busy = classify(status(503, **headers), a_call())
    assert isinstance(busy, Unavailable)
    assert busy.retry_after_s == seconds


def test_answer_has_its_timings_and_estimated_usage() -> None:
    draft = Draft(content=["x" * 41], finish_reason="stop", first_token_s=0.02, first_content_s=0.03)
    draft.last_token_s = 0.12
    outcome = classify(Exchange(200, draft=draft, total_s=0.125), a_call())
    assert isinstance(outcome, Answered)
    assert outcome.usage == Usage(prompt_tokens=10, completion_tokens=11, source="estimated")
    assert (outcome.timings.total_ms, outcome.timings.first_token_ms, outcome.timings.first_content_ms) == (125, 20, 30)
    assert outcome.timings.tokens_per_second == pytest.approx(100), "ten tokens after the first, in 0.1 s"


@pytest.mark.parametrize(
    ("reasoning_tokens", "shown", "speed"), [(None, [], 100), (6, [], 40), (6, ["Hm."], 100), (10, [], None)]
)
def test_hidden_reasoning_tokens_do_not_count_in_the_speed(
    reasoning_tokens: int | None, shown: list[str], speed: float | None
) -> None:
    draft = Draft(content=["42"], reasoning=shown, finish_reason="stop", first_token_s=0.1, last_token_s=0.2)
    draft.usage = Usage(prompt_tokens=1, completion_tokens=11, reasoning_tokens=reasoning_tokens)
    outcome = classify(Exchange(200, draft=draft, total_s=0.2), a_call())
    assert isinstance(outcome, Answered)
    assert outcome.timings.tokens_per_second == (None if speed is None else pytest.approx(speed))


def test_speed_is_none_if_it_was_not_measured() -> None:
    not_streamed = classify(Exchange(200, draft=Draft(content=["a"], finish_reason="stop"), total_s=1), a_call())
    burst = classify(
        Exchange(200, draft=Draft(content=["a"], finish_reason="stop", first_token_s=1.0), total_s=1.0), a_call()
    )
    for outcome in (not_streamed, burst):
        assert isinstance(outcome, Answered)
        assert outcome.timings.tokens_per_second is None


def test_refused_local_address_in_a_container_is_explained() -> None:
    local = a_call(url="http://localhost:11434/v1/chat/completions", in_container=True)
    refused = Exchange(fault=Fault(FaultKind.REFUSED))
    assert "host.docker.internal" in message_of(classify(refused, local))
    assert "host.docker.internal" not in message_of(classify(refused, a_call(in_container=True)))


def test_credentials_in_a_url_are_not_shown() -> None:
    url = "https://me:hunter22@api.example.com/v1/chat/completions?key=hunter22"
    assert "hunter22" not in message_of(classify(status(500), a_call(url=url)))


texts = st.text(max_size=2000)


@given(code=st.integers(0, 999), body=st.binary(max_size=2000), headers=st.dictionaries(texts, texts, max_size=3))
def test_any_response_is_classified(code: int, body: bytes, headers: dict[str, str]) -> None:
    outcome = classify(Exchange(code, headers, body), a_call())
    assert len(message_of(outcome)) <= 500
    outcome.model_dump_json()
    if isinstance(outcome, Rejected):
        assert 300 <= outcome.http_status < 500


@given(before=texts, after=texts, key=st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=12, max_size=40))
def test_no_message_contains_a_secret(before: str, after: str, key: str) -> None:
    body = f"{before} Bearer {key} {after}"
    for exchange in (status(400, body), Exchange(200, draft=Draft(error=ReportedError(body, None)))):
        assert key not in message_of(classify(exchange, a_call(secrets=(f"Bearer {key}",))))
