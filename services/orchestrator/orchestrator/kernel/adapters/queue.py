"""Define the order in which SQL queries read the queue."""

from typing import Final

from llmbench.db import tables as t

ORDER: Final = (t.run.c.priority.desc(), t.run.c.queue_place.asc().nulls_last(), t.run.c.created_at, t.run.c.id)
"""The order in which queued runs start. Among runs of one priority, those without a stored position (`queue_place`)
come last, because they joined the queue after it was last reordered."""
