"""A minimal OpenTelemetry collector for tests: it receives OTLP over HTTP and stores the spans."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

JSON = bool | int | float | str | list[Any]


@dataclass(frozen=True)
class CollectedSpan:
    """A span of a trace, as a service exported it. `kind` is the number that the protocol OTLP defines."""

    service: str
    name: str
    kind: int
    trace_id: str
    span_id: str
    parent_id: str
    attributes: dict[str, JSON]
    failed: bool


@dataclass
class Collector:
    """A running collector with the spans that it has received."""

    url: str
    spans: list[CollectedSpan] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    """The raw request bodies."""

    def take(self, body: bytes) -> None:
        """Store the spans of an OTLP request."""
        self.bodies.append(body)
        for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            resource = _attributes(of_resource.resource.attributes)
            for scope in of_resource.scope_spans:
                for span in scope.spans:
                    self.spans.append(
                        CollectedSpan(
                            service=str(resource["service.name"]),
                            name=span.name,
                            kind=span.kind,
                            trace_id=span.trace_id.hex(),
                            span_id=span.span_id.hex(),
                            parent_id=span.parent_span_id.hex(),
                            attributes=_attributes(span.attributes),
                            failed=span.status.code == 2,
                        )
                    )


@contextmanager
def collector() -> Iterator[Collector]:
    """Yield a collector of traces that listens on loopback until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802, RUF100  # the name that http.server calls
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collected.take(body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collected = Collector(f"http://127.0.0.1:{server.server_address[1]}")
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        try:
            yield collected
        finally:
            server.shutdown()
            serving.join()


def _attributes(pairs: Any) -> dict[str, JSON]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> JSON:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(entry) for entry in value.array_value.values]
    plain: JSON = getattr(value, kind)
    return plain
