"""Test the backlog of one client, destinations, heartbeats, and splitting of frames."""

import contextlib
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stompman.frames import MessageFrame, SubscribeFrame
from stompman.serde import FrameParser, dump_frame

from gateway_ws.domain.backlog import Backlog, Limits, Outgoing, TooSlow
from gateway_ws.domain.destinations import KINDS, UnknownDestination, parse_destination
from gateway_ws.domain.frames import ClientFrame, FrameCutter, ProtocolError, message
from gateway_ws.domain.heartbeat import Heartbeat, negotiate


def test_client_that_keeps_up_gets_every_frame() -> None:
    backlog = Backlog(Limits(conflate_from=3))
    backlog.put(Outgoing(b"1", subscription="s", conflation="progress"))
    backlog.put(Outgoing(b"2", subscription="s", conflation="progress"))
    assert backlog.take(1000) == b"12"
    assert not backlog


def test_slow_client_gets_only_the_latest_progress_after_the_other_frames() -> None:
    backlog = Backlog(Limits(conflate_from=2))
    for frame, key in ((b"p1", "p"), (b"i2", None), (b"p3", "p"), (b"i4", None), (b"p5", "p")):
        backlog.put(Outgoing(frame, subscription="s", conflation=key))
    assert backlog.take(1000) == b"i2i4p5"


def test_backlog_of_frames_that_cannot_be_conflated_is_limited() -> None:
    backlog = Backlog(Limits(frames=3, size_bytes=100, conflate_from=2))
    for _ in range(3):
        backlog.put(Outgoing(b"x", subscription="s"))
    with pytest.raises(TooSlow):
        backlog.put(Outgoing(b"x", subscription="s"))
    backlog.clear()
    backlog.put(Outgoing(b"x" * 200, subscription="s"))  # a single frame of any size may wait
    with pytest.raises(TooSlow):
        backlog.put(Outgoing(b"x", subscription="s"))


def test_each_frame_of_a_batch_counts_towards_the_limit() -> None:
    backlog = Backlog(Limits(frames=5))
    backlog.put(Outgoing(b"abc", frames=3))
    with pytest.raises(TooSlow):
        backlog.put(Outgoing(b"def", frames=3))
    backlog.put(Outgoing(b"de", frames=2))
    assert (len(backlog), backlog.take(1), len(backlog)) == (5, b"abc", 2)


def test_chunk_never_splits_a_frame() -> None:
    backlog = Backlog(Limits())
    for frame in (b"aaa", b"bbb", b"cc" * 10):
        backlog.put(Outgoing(frame))
    assert [backlog.take(6) for _ in range(3)] == [b"aaabbb", b"cc" * 10, b""]


def test_frames_of_a_removed_subscription_are_dropped() -> None:
    backlog = Backlog(Limits(conflate_from=1))
    backlog.put(Outgoing(b"a", subscription="a", conflation="a"))
    backlog.put(Outgoing(b"b", subscription="b", conflation="b"))
    backlog.put(Outgoing(b"receipt"))
    backlog.forget("a")
    assert backlog.take(100) == b"breceipt"


def test_each_kind_of_event_has_its_topic() -> None:
    assert sorted(KINDS) == ["answer", "item", "log", "progress", "status"]
    run = uuid4()
    assert parse_destination(f"/topic/run/{str(run).upper()}/log").run_id == run
    assert parse_destination("/topic/experiments").kinds == {"status", "round", "look"}
    with pytest.raises(UnknownDestination):
        parse_destination(f"/topic/run/{run}/log\n")


@pytest.mark.parametrize(
    ("header", "ours", "expected"),
    [
        (None, 10_000, Heartbeat(None, None)),
        ("0,0", 10_000, Heartbeat(None, None)),
        ("5000,0", 10_000, Heartbeat(None, 20.0)),
        ("0,20000", 10_000, Heartbeat(20.0, None)),
        ("30000,5000", 10_000, Heartbeat(10.0, 60.0)),
        ("1000,1000", 0, Heartbeat(None, None)),
    ],
)
def test_heartbeats_are_negotiated(header: str | None, ours: int, expected: Heartbeat) -> None:
    assert negotiate(header, ours) == expected


@pytest.mark.parametrize("header", ["1", "a,b", "1,-1", "1,1,1", "9" * 20 + ",0"])
def test_invalid_heartbeat_is_refused(header: str) -> None:
    with pytest.raises(ValueError, match="heart-beat"):
        negotiate(header, 10_000)


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_any_bytes_are_frames_or_a_protocol_error(chunks: list[bytes]) -> None:
    cutter = FrameCutter()
    with contextlib.suppress(ProtocolError):
        for chunk in chunks:
            list(cutter.feed(chunk))


@given(
    headers=st.dictionaries(
        st.text(min_size=1, max_size=20), st.text(max_size=50).filter(lambda text: "\r" not in text), max_size=5
    ).filter(lambda headers: not any("\r" in key or "\x00" in key + value for key, value in headers.items())),
    sizes=st.lists(st.integers(1, 20), max_size=200),
)
def test_frames_written_by_a_library_are_read_in_any_pieces(headers: dict[str, str], sizes: list[int]) -> None:
    headers = {key: value for key, value in headers.items() if key.lower() != "content-length"}
    raw = dump_frame(SubscribeFrame(headers=headers))  # type: ignore[arg-type]
    cutter = FrameCutter()
    frames: list[ClientFrame] = []
    for size in sizes:
        frames += cutter.feed(raw[:size])
        raw = raw[size:]
    frames += cutter.feed(raw)
    assert [frame.headers for frame in frames] == [headers]


@given(st.text().filter(lambda text: "\r" not in text and "\x00" not in text))
def test_subscription_id_is_returned_unchanged(id_: str) -> None:
    raw = message(id_, b"message-id:1\ncontent-length:3\n\na\x00b\x00")
    [frame] = FrameParser().parse_frames_from_chunk(raw)
    assert isinstance(frame, MessageFrame)
    assert frame.headers["subscription"] == id_
    assert frame.body == b"a\x00b"
