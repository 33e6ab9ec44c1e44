"""Test the pure functions of `/v1`: whether an evaluation has to wait, sampling, webhooks, and the words for states."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.evaluations.domain.evaluation import (
    Candidate,
    Sampling,
    batch_word,
    chosen,
    expected_end,
    run_word,
    single_word,
)
from orchestrator.evaluations.domain.placement import Active, Held, Place, place
from orchestrator.kernel.domain.webhooks import MAX_ATTEMPTS, check_url, key_of, next_attempt, secret_of, signed

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BOX = UUID(int=1)
SMALL, LARGE, HOSTED = (BOX, "small"), (BOX, "large"), (UUID(int=2), "hosted")


def held(*models: tuple[UUID, str]) -> Active:
    return Active("Weekend", [Held(model, local=model[0] == BOX, concurrency=1) for model in models])


@pytest.mark.parametrize(
    ("judges", "active", "where"),
    [
        (set(), None, Place.CONCURRENT),
        (set(), held(LARGE), Place.CONCURRENT),
        ({SMALL}, None, Place.ALONE),
        ({SMALL}, held(LARGE), Place.TAKEN),
        ({SMALL}, held(SMALL, LARGE), Place.TAKEN),
        ({SMALL}, held(SMALL, HOSTED), Place.CONCURRENT),
        ({SMALL}, held(HOSTED), Place.CONCURRENT),
    ],
)
def test_evaluation_waits_if_it_would_load_another_local_model(
    judges: set[tuple[UUID, str]], active: Active | None, where: Place
) -> None:
    assert place(judges, active) == where


def test_stratified_sample_keeps_the_shares_and_is_reproducible_by_its_seed() -> None:
    cases = [Candidate(f"{index}".encode(), "rare" if index % 10 == 0 else "usual") for index in range(100)]
    sampling = Sampling(rate=0.2, strategy="stratified", stratify_by="kind", seed=7)
    found = chosen(cases, sampling)
    assert len(found) == 20
    assert found == sorted(found)
    assert sum(cases[index].stratum == "rare" for index in found) == 2
    # The sample does not depend on the order of the cases.
    turned = chosen(cases[::-1], sampling)
    assert {cases[index].digest for index in found} == {cases[::-1][index].digest for index in turned}
    assert found != chosen(cases, Sampling(rate=0.2, strategy="stratified", stratify_by="kind", seed=8))
    assert chosen(cases[:3], Sampling(rate=0.01, strategy="random", stratify_by="", seed=1)) != []
    assert chosen(cases, Sampling(rate=1, strategy="random", stratify_by="", seed=1)) == list(range(100))


def test_sample_never_splits_a_conversation() -> None:
    talks = [Candidate(f"{talk}{turn}".encode(), None, talk, turn) for turn in (3, 1, 2) for talk in "abcdef"]
    cases = [*talks, *(Candidate(f"{index}".encode(), None) for index in range(6))]
    for percent in range(5, 100, 5):
        found = [cases[place] for place in chosen(cases, Sampling(percent / 100, "random", "", seed=percent))]
        wanted = max(1, int(len(cases) * percent / 100 + 0.5))
        assert wanted <= len(found) <= wanted + 2
        for talk in "abcdef":
            assert sum(candidate.conversation == talk for candidate in found) in (0, 3)


def test_retries_of_a_webhook_are_delayed_longer_each_time_and_end() -> None:
    waits = []
    for attempts in range(1, MAX_ATTEMPTS):
        at = next_attempt(attempts, NOW, first_s=5, jitter=0.5)
        assert at is not None
        waits.append((at - NOW).total_seconds())
    assert waits == [5.0, 20.0, 80.0, 320.0, 1280.0, 5120.0, 20480.0]
    assert next_attempt(MAX_ATTEMPTS, NOW, first_s=5, jitter=0.5) is None
    assert next_attempt(1, NOW, first_s=5, jitter=0) == NOW + timedelta(seconds=4)


@pytest.mark.parametrize(
    "secret", ["", "whsec_", "whsec_AAAA", "AAAA" * 8, "whsec_" + "A" * 31, "whsec_" + "AAAA" * 22]
)
def test_weak_or_malformed_webhook_secret_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="24 to 64 random bytes"):
        key_of(secret)


def test_webhook_signature_depends_on_the_time() -> None:
    secret = secret_of(b"k" * 32)
    first, second = (signed(b"{}", id="x", at=NOW + timedelta(seconds=s), secret=secret) for s in (0, 1))
    assert first["webhook-id"] == second["webhook-id"]
    assert first["webhook-signature"] != second["webhook-signature"]


@pytest.mark.parametrize(
    "url",
    [
        "example.com",
        "ftp://example.com",
        "https://",
        "https://user:secret@example.com",
        "https://example.com/#here",
        "https://exam ple.com",
        "https://example.com:99999",
        "https://[::1",
        "https://192.168.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "http://app.localhost/",
        "http://localhost./",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "https://[::7f00:1]/",
        "http://169.254.169.254/latest/meta-data/",
        "https://example.com/" + "x" * 2_000,
    ],
)
@pytest.mark.shows("S-07")
def test_invalid_or_private_webhook_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_url(url, private_allowed=False)


def test_private_webhook_url_may_be_allowed() -> None:
    check_url("http://192.168.0.1:8080/hook?x=1", private_allowed=True)
    check_url("https://example.com/hook", private_allowed=False)


def test_statuses_are_translated_to_the_words_of_the_v1_api() -> None:
    assert {run_word(status, None) for status in RunStatus} == {"PENDING", "RUNNING", "COMPLETED", "CANCELLED"}
    assert run_word(RunStatus.FINISHED, RunOutcome.FAILED) == "FAILED"
    assert batch_word(RunStatus.QUEUED, None) == "queued"
    assert batch_word(RunStatus.PAUSED, None) == "running"
    assert single_word(RunStatus.QUEUED, None) == "pending"
    assert single_word(RunStatus.FINISHED, RunOutcome.PARTIAL) == "completed"


def test_expected_end_assumes_the_pace_so_far() -> None:
    began = NOW - timedelta(seconds=30)
    assert expected_end(total=100, done=25, started_at=began, now=NOW) == NOW + timedelta(seconds=90)
    assert expected_end(total=100, done=0, started_at=began, now=NOW) is None
    assert expected_end(total=100, done=100, started_at=began, now=NOW) is None
    assert expected_end(total=100, done=0, started_at=None, now=NOW) is None
