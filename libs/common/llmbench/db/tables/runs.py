"""The tables of runs and of what belongs to a run, except items, scores and evaluators."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.run_words import (
    ClusterLevel,
    GroupStatus,
    RunOutcome,
    RunPhase,
    RunStatus,
    RunType,
    WebhookStatus,
)
from llmbench.db.columns import (
    actor_column,
    counter_column,
    id_column,
    json_column,
    list_column,
    now_column,
    one_of,
    org_column,
    owner_column,
    time_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

run = Table(
    "run",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("description", Text),
    Column("tags", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("baseline_run_id", Uuid, ForeignKey("run.id", ondelete="SET NULL")),
    # The schedule that started the run; null for other runs, and after the schedule was deleted.
    Column("schedule_id", Uuid, ForeignKey("schedule.id", ondelete="SET NULL")),
    # The experiment whose round the run is; null for other runs, and after the experiment was deleted.
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="SET NULL")),
    # The run whose judges this run checks, before the gates of that run are decided; null for all other types of runs.
    Column("check_of_run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE")),
    # The subject of the run. The finished run is compared with all baselines of the subject, or only with that of the
    # label.
    Column("preset_id", Uuid, ForeignKey("evaluation_preset.id", ondelete="SET NULL")),
    Column("suite_family_id", Uuid, ForeignKey("suite_family.id", ondelete="SET NULL")),
    Column("baseline_label", Text),
    # True from the end of a run with a subject until it has been compared.
    Column("gate_due", Boolean, nullable=False, server_default=text("false")),
    list_column("warnings"),
    Column("type", Text, nullable=False, server_default=text("'BENCHMARK'")),
    # True if the run may be active at the same time as another run, because each local model that it uses is loaded for
    # the other, too.
    Column("concurrent", Boolean, nullable=False, server_default=text("false")),
    # The order of queued runs: higher priorities first, then places, then times. A move gives a
    # place to each run that is queued at that moment; runs that join later have none.
    Column("priority", Integer, nullable=False, server_default=text("0")),
    Column("queue_place", Integer),
    # How the cases were sampled; null if the run has all cases of its sources.
    json_column("sample", nullable=True),
    # Further settings of an evaluation of supplied answers: how they were sampled, and a description of their model.
    json_column("evaluation", nullable=True),
    Column("status", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("outcome", Text),
    Column("status_reason", Text),
    Column("concurrency", Integer, nullable=False),
    # The maximum number of model groups at work at the same time.
    Column("parallel_groups", Integer, nullable=False, server_default=text("1")),
    Column("timeout_s", Float, nullable=False),
    Column("max_attempts", Integer, nullable=False),
    Column("max_backoff_s", Float, nullable=False),
    # The number of earlier turns of a conversation that are sent with the next one.
    Column("max_conversation_history", Integer, nullable=False, server_default=text("10")),
    # The metadata key of cases whose values group dependent results; null for the coarsest grouping available.
    # `cluster_level` is the level actually used.
    Column("cluster_by", Text),
    Column("cluster_level", Text, nullable=False, server_default=text("'case'")),
    # True when the choices in a case's metadata are appended to its question.
    Column("show_choices", Boolean, nullable=False, server_default=text("true")),
    Column("max_cost_usd", Float),
    # The cost of the run's calls, and the number of calls without a known price.
    Column("cost_usd", Float, nullable=False, server_default=text("0")),
    counter_column("unpriced_count"),
    # The default judge of the run's evaluators. Null when none of them uses a model.
    Column("judge_provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT")),
    Column("judge_provider_name", Text),
    Column("judge_model", Text),
    json_column("judge_params"),
    counter_column("item_count"),
    # The number of cases. Items are numbered by target and epoch, and within an epoch by case.
    counter_column("case_count"),
    # The number of cases in a block (llmbench.db.tables.figures).
    Column("block_cases", Integer, nullable=False, server_default=text("1")),
    counter_column("answered_count"),
    counter_column("judged_count"),
    counter_column("failed_count"),
    counter_column("skipped_count"),
    # The number of gates between tasks of its suite that are not decided (run_task_gate).
    counter_column("open_task_gates"),
    counter_column("last_seq", BigInteger),
    Column("traceparent", Text),
    now_column("created_at"),
    actor_column(),
    time_column("started_at"),
    # The last time that a finished run was reopened. `took_s` is the sum of the finished periods of work.
    time_column("reopened_at"),
    time_column("finished_at"),
    Column("took_s", Float, nullable=False, server_default=text("0")),
    one_of("type", RunType),
    one_of("status", RunStatus),
    one_of("phase", RunPhase),
    one_of("outcome", RunOutcome),
    one_of("cluster_level", ClusterLevel),
    CheckConstraint("(status IN ('FINISHED', 'CANCELLED')) = (finished_at IS NOT NULL)", name="ended"),
    CheckConstraint("(status = 'FINISHED') = (outcome IS NOT NULL)", name="has_outcome"),
    CheckConstraint("priority BETWEEN -100 AND 100", name="priority"),
    CheckConstraint("parallel_groups BETWEEN 1 AND 16", name="parallel_groups"),
    CheckConstraint("num_nulls(judge_provider_id, judge_provider_name, judge_model) IN (0, 3)", name="judge"),
    Index(
        "run_one_active",
        "org_id",
        unique=True,
        postgresql_where=text("status IN ('RUNNING', 'PAUSING') AND NOT concurrent"),
    ),
    Index("run_queue", "created_at", "id", postgresql_where=text("status = 'QUEUED'")),
    Index(None, "org_id", "created_at", "id"),
    Index(None, "tags", postgresql_using="gin"),
    Index(None, "baseline_run_id"),
    Index(None, "schedule_id"),
    Index(None, "experiment_id", postgresql_where=text("experiment_id IS NOT NULL")),
    Index(None, "check_of_run_id", postgresql_where=text("check_of_run_id IS NOT NULL")),
    Index(None, "preset_id", postgresql_where=text("preset_id IS NOT NULL")),
    Index(None, "suite_family_id", postgresql_where=text("suite_family_id IS NOT NULL")),
    Index("run_gate_due", "finished_at", postgresql_where=text("gate_due")),
    info=owned_by("orchestrator", readers=["config-api", "inference-gateway"]),
)

run_collection = Table(
    "run_collection",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("collection_id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The dataset versions of a run, with their names at that time. A version may be deleted once the run has ended.
run_dataset_version = Table(
    "run_dataset_version",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("version_id", Uuid, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("dataset_id", Uuid, nullable=False),
    Column("name", Text, nullable=False),
    Column("version_number", Integer, nullable=False),
    Index(None, "version_id"),
    owner_column(),
    info=owned_by("orchestrator", readers=["config-api"]),
)

run_group = Table(
    "run_group",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("phase", Text, nullable=False),
    Column("position", Integer, nullable=False),
    # All three columns are null in the group of scores that need no model.
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT")),
    Column("model", Text),
    Column("token", Text),
    json_column("provider"),
    Column("concurrency", Integer, nullable=False),
    Column("releases", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    counter_column("dispatch"),
    counter_column("warm_up_attempts"),
    Column("call_in_flight", Boolean, nullable=False, server_default=text("false")),
    # The machine of a local provider, which one model and one organisation use at a time; null for a hosted provider.
    Column("local_host", Text),
    # Counters of the group's items, or of its scores in JUDGING, updated in the transaction of each change. So
    # advance() takes the same time for ten items as for a million.
    counter_column("new_count"),
    counter_column("in_flight_count"),
    counter_column("done_count"),
    counter_column("failed_count"),
    time_column("backoff_since"),
    time_column("backoff_until"),
    counter_column("backoff_count"),
    Column("backoff_reason", Text),
    # The item or score that failed last, unless a call has succeeded since. If another one fails, too, the cause is the
    # provider and not the request.
    Column("suspect_id", Uuid),
    # The reason why the provider's account has no credit; the group waits until the user adds some and resumes.
    Column("out_of_credit_reason", Text),
    Column("failure_reason", Text),
    # The key by which the group's failures are grouped: see llmbench.contracts.item_failure.
    Column("failure_cause", Text),
    time_column("opened_at"),
    time_column("closed_at"),
    UniqueConstraint("run_id", "phase", "provider_id", "model"),
    UniqueConstraint("run_id", "id"),
    one_of("phase", RunPhase),
    one_of("status", GroupStatus),
    CheckConstraint("new_count >= 0 AND in_flight_count >= 0 AND done_count >= 0 AND failed_count >= 0", name="counts"),
    CheckConstraint(
        "num_nulls(provider_id, model, token) = 0 OR num_nulls(provider_id, model, token) = 3 AND phase = 'JUDGING'",
        name="lane",
    ),
    Index(None, "provider_id"),
    Index("run_group_by_program", "run_id", unique=True, postgresql_where=text("provider_id IS NULL")),
    owner_column(),
    info=owned_by("orchestrator", readers=["config-api"]),
)

target = Table(
    "target",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    # `group_id` and `provider_id` are null if the client supplied the answers, so that no model is called.
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE")),
    Column("position", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT")),
    Column("provider_name", Text, nullable=False),
    Column("model", Text, nullable=False),
    json_column("params"),
    # A copy of the prompt's version, with its templates; null if the questions are sent as they are.
    json_column("prompt", nullable=True),
    Column("epochs", Integer, nullable=False, server_default=text("1")),
    Column("timeout_s", Float, nullable=False),
    Column("max_attempts", Integer, nullable=False),
    Column("use_cache", Boolean, nullable=False, server_default=text("false")),
    UniqueConstraint("run_id", "label"),
    CheckConstraint("num_nulls(group_id, provider_id) IN (0, 2)", name="called"),
    owner_column(),
    info=owned_by("orchestrator", readers=["config-api"]),
)

run_event = Table(
    "run_event",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("run_seq", BigInteger, primary_key=True),
    Column("type", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("item_id", Uuid),
    json_column("body"),
    owner_column(),
    info=owned_by("orchestrator", maintainers=["orchestrator"]),
)

# The webhook of a batch, notified once when the batch has ended. The secret is encrypted like a provider's, and bound
# to id and URL.
webhook = Table(
    "webhook",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("url", Text, nullable=False),
    Column("sealed_secret", LargeBinary, nullable=False),
    Column("status", Text, nullable=False, server_default=text("'PENDING'")),
    counter_column("attempts"),
    # The end of the lease of the current attempt. After this time another orchestrator may try again.
    now_column("next_attempt_at"),
    Column("last_error", Text),
    time_column("delivered_at"),
    now_column("created_at"),
    one_of("status", WebhookStatus),
    CheckConstraint("(status = 'DELIVERED') = (delivered_at IS NOT NULL)", name="delivered"),
    Index("webhook_due", "next_attempt_at", postgresql_where=text("status = 'PENDING'")),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The run that a POST with an Idempotency-Key created, stored in the transaction that created the run.
idempotency_key = Table(
    "idempotency_key",
    metadata,
    org_column(primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request_hash", Text, nullable=False),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    now_column("created_at"),
    Index(None, "run_id"),
    info=owned_by("orchestrator"),
)
