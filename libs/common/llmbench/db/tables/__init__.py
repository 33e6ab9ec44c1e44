"""Every table, as SQLAlchemy Core. The migrations make them; a test compares the two.

One writer per table (each file here names it). Ids are UUIDv7 made in Python, times are
`timestamptz`, states are text with a CHECK, root tables carry `org_id` and names are unique per
organisation.
"""

from llmbench.db.tables.calls import model_call
from llmbench.db.tables.datasets import dataset, dataset_version, ground_truth, test_case
from llmbench.db.tables.making import collection, collection_task, organisation, provider, provider_header, task
from llmbench.db.tables.metadata import metadata
from llmbench.db.tables.outboxes import config_outbox, run_outbox
from llmbench.db.tables.results import evaluator_revision, item, run_evaluator, score
from llmbench.db.tables.runs import (
    idempotency_key,
    run,
    run_collection,
    run_dataset_version,
    run_event,
    run_group,
    target,
    webhook,
)

__all__ = [
    "collection",
    "collection_task",
    "config_outbox",
    "dataset",
    "dataset_version",
    "evaluator_revision",
    "ground_truth",
    "idempotency_key",
    "item",
    "metadata",
    "model_call",
    "organisation",
    "provider",
    "provider_header",
    "run",
    "run_collection",
    "run_dataset_version",
    "run_evaluator",
    "run_event",
    "run_group",
    "run_outbox",
    "score",
    "target",
    "task",
    "test_case",
    "webhook",
]
