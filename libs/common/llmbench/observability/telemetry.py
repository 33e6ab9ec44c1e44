"""Propagate the W3C trace context from requests into messages, and record spans for an OpenTelemetry collector.

The context is always propagated. Spans are recorded only if one of OpenTelemetry's variables in `ENDPOINTS` is set;
otherwise `span` costs two microseconds.
"""

import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, StatusCode, Tracer

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

Attributes = Mapping[str, str | int | float | tuple[str, ...]]

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
FLUSH_S = 3.0

_TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_traceparent: ContextVar[str | None] = ContextVar("traceparent", default=None)
_tracer: Tracer | None = None
_provider: "TracerProvider | None" = None


def current_traceparent() -> str:
    """Return the current task's `traceparent` (https://www.w3.org/TR/trace-context/), or a new one if it has none."""
    return _traceparent.get() or new_traceparent()


def current_trace_id() -> str | None:
    traceparent = _traceparent.get()
    return traceparent and traceparent[3:35]


def new_traceparent() -> str:
    return f"00-{os.urandom(16).hex()}-{os.urandom(8).hex()}-01"


def continue_trace(traceparent: str | None) -> None:
    """Make `traceparent` the current task's trace; begin a new trace if it is missing or malformed."""
    _traceparent.set(_well_formed(traceparent) or new_traceparent())


@contextmanager
def incoming(
    traceparent: str | None, name: str, kind: SpanKind, attributes: Attributes | None = None
) -> Iterator[Span]:
    """Continue the trace of an incoming request or message during the block, and record a span.

    A new trace begins if `traceparent` is missing or malformed.
    """
    known = _well_formed(traceparent)
    token = _traceparent.set(known if _tracer else known or new_traceparent())
    try:
        with span(name, kind, attributes) as current:
            yield current
    finally:
        _traceparent.reset(token)


@contextmanager
def span(name: str, kind: SpanKind, attributes: Attributes | None = None) -> Iterator[Span]:
    """Record a span for the block, as a child of the current span. Messages that the block sends name the span as their
    parent. Without a collector, nothing is recorded."""
    if _tracer is None:
        yield INVALID_SPAN
        return
    current = _tracer.start_span(name, context=_parent(), kind=kind, attributes=attributes)
    context = current.get_span_context()
    token = _traceparent.set(f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}")
    try:
        yield current
    except BaseException as error:
        # The error's text is left out, because it may quote user content.
        current.set_attribute("error.type", type(error).__name__)
        current.set_status(StatusCode.ERROR)
        raise
    finally:
        current.end()
        _traceparent.reset(token)


def collect_spans(service: str) -> None:
    """Start recording and sending spans, if one of the variables in `ENDPOINTS` is set. Call this once, before work
    begins."""
    global _provider, _tracer
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return
    # Import here: this takes half a second, and only a collector needs it.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(
        resource=Resource.create({"service.namespace": "llmbench", "service.name": service}), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    # OpenTelemetry's global provider is not set: FastAPI would then record its own spans of every request.
    _provider, _tracer = provider, provider.get_tracer("llmbench")


def flush_spans() -> None:
    """Send the recorded spans, for at most `FLUSH_S` seconds."""
    if _provider is None:
        return
    flushing = threading.Thread(target=_provider.force_flush, daemon=True)
    flushing.start()
    flushing.join(FLUSH_S)


def _parent() -> Context:
    known = _traceparent.get()
    if known is None:
        return Context()
    remote = trace.SpanContext(
        trace_id=int(known[3:35], 16),
        span_id=int(known[36:52], 16),
        is_remote=True,
        trace_flags=trace.TraceFlags(int(known[53:55], 16)),
    )
    return trace.set_span_in_context(trace.NonRecordingSpan(remote), Context())


def _well_formed(traceparent: str | None) -> str | None:
    return traceparent if traceparent and _TRACEPARENT.fullmatch(traceparent) else None
