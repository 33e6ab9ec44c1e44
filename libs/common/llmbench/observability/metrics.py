"""The Prometheus metrics of the services, which each serves at `/metrics` on its own port.

The values of labels are bounded: no run, model or address is a label. Logs and traces have those.
"""

from prometheus_client import Counter, Gauge, Histogram

_SECONDS = (0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300)

HTTP_SECONDS = Histogram(
    "llmbench_http_request_seconds",
    "HTTP requests by route, until the last byte of the answer.",
    ("method", "route", "status"),
    buckets=_SECONDS,
)
MESSAGE_SECONDS = Histogram(
    "llmbench_message_seconds",
    "NATS messages by their type, until they were handled.",
    ("type",),
    buckets=_SECONDS,
)
OUTBOX_OLDEST_SECONDS = Gauge(
    "llmbench_outbox_oldest_seconds",
    "Age of the oldest message that waits in an outbox to be published; 0 when none does.",
    ("outbox",),
)
OUTBOX_PUBLISHED = Counter(
    "llmbench_outbox_published_total", "Messages published out of an outbox and acknowledged.", ("outbox",)
)
PROVIDER_CALL_SECONDS = Histogram(
    "llmbench_provider_call_seconds",
    "Calls of models by the type of their provider and how they ended; remembered answers are no calls.",
    ("provider_type", "outcome"),
    buckets=_SECONDS,
)
PROVIDER_TOKENS = Counter(
    "llmbench_provider_tokens_total",
    "Tokens of answered calls, reported or estimated; direction is input or output.",
    ("provider_type", "direction"),
)
CALLS_IN_FLIGHT = Gauge("llmbench_calls_in_flight", "Calls of models that this gateway waits for.")
LANES = Gauge("llmbench_lanes_open", "Model groups whose commands this gateway takes.")
LOCKS = Gauge("llmbench_locks_held", "Advisory locks (slots and calls) this gateway holds or asks for.")
WEBSOCKET_CLIENTS = Gauge("llmbench_websocket_clients", "WebSockets that are open.")
FRAMES_CONFLATED = Counter(
    "llmbench_websocket_frames_conflated_total", "Progress replaced by newer progress before a slow client read it."
)
FRAMES_DROPPED = Counter(
    "llmbench_websocket_frames_dropped_total", "Frames given up because their client was closed as too slow."
)
