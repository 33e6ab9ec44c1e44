"""All tables, as SQLAlchemy Core. Migrations create them; a test compares the two.

Each table names the service that writes it (`owned_by`). Times are `timestamptz`, and states are text with a CHECK.
Most tables have the column `org_id`, which names the organisation of a row. The tables of organisations, plans, people,
sessions, sign-in and signing keys have no such column.

`metadata` contains the tables of all modules in this folder, even of a module that is not listed below.
"""

import importlib
import pkgutil

from llmbench.db.tables.annotation import (
    annotation_invitation,
    annotation_item,
    annotation_lease,
    annotation_task,
    annotator,
    human_annotation,
)
from llmbench.db.tables.calibrations import calibration, calibration_answer
from llmbench.db.tables.calls import model_call
from llmbench.db.tables.comments import item_comment
from llmbench.db.tables.datasets import dataset, dataset_version, ground_truth, loose_file, test_case
from llmbench.db.tables.documents import document, document_page
from llmbench.db.tables.experiments import (
    assignment,
    experiment,
    experiment_case,
    experiment_round,
    look,
    observation,
    variant,
)
from llmbench.db.tables.figures import (
    block_cluster,
    block_figure,
    block_score_figure,
    counted_block,
    run_block,
    run_ranking,
    spanning_cluster,
)
from llmbench.db.tables.gates import baseline, baseline_promotion, gate, gate_verdict, judge_check
from llmbench.db.tables.limits import plan, runs_of_day, usage_of_day
from llmbench.db.tables.making import (
    collection,
    collection_task,
    default_providers,
    provider,
    provider_header,
    task,
)
from llmbench.db.tables.metadata import metadata
from llmbench.db.tables.openid_connect import logout_token, person_login, session_login, sign_in_attempt
from llmbench.db.tables.outboxes import config_outbox, run_outbox
from llmbench.db.tables.overrulings import overruling
from llmbench.db.tables.people import (
    api_key,
    audit_entry,
    invitation,
    membership,
    organisation,
    password_reset,
    person,
    recovery_code,
    second_factor,
    signing_key,
    web_session,
)
from llmbench.db.tables.presets import evaluation_preset
from llmbench.db.tables.prompts import prompt, prompt_version
from llmbench.db.tables.report_links import report_link
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
from llmbench.db.tables.schedules import schedule, schedule_firing, schedule_webhook
from llmbench.db.tables.suites import run_suite, run_suite_task, run_task_gate, suite, suite_family

__all__ = [
    "annotation_invitation",
    "annotation_item",
    "annotation_lease",
    "annotation_task",
    "annotator",
    "api_key",
    "assignment",
    "audit_entry",
    "baseline",
    "baseline_promotion",
    "block_cluster",
    "block_figure",
    "block_score_figure",
    "calibration",
    "calibration_answer",
    "collection",
    "collection_task",
    "config_outbox",
    "counted_block",
    "dataset",
    "dataset_version",
    "default_providers",
    "document",
    "document_page",
    "evaluation_preset",
    "evaluator_revision",
    "experiment",
    "experiment_case",
    "experiment_round",
    "gate",
    "gate_verdict",
    "ground_truth",
    "human_annotation",
    "idempotency_key",
    "invitation",
    "item",
    "item_comment",
    "judge_check",
    "logout_token",
    "look",
    "loose_file",
    "membership",
    "metadata",
    "model_call",
    "observation",
    "organisation",
    "overruling",
    "password_reset",
    "person",
    "person_login",
    "plan",
    "prompt",
    "prompt_version",
    "provider",
    "provider_header",
    "recovery_code",
    "report_link",
    "run",
    "run_block",
    "run_collection",
    "run_dataset_version",
    "run_evaluator",
    "run_event",
    "run_group",
    "run_outbox",
    "run_ranking",
    "run_suite",
    "run_suite_task",
    "run_task_gate",
    "runs_of_day",
    "schedule",
    "schedule_firing",
    "schedule_webhook",
    "score",
    "second_factor",
    "session_login",
    "sign_in_attempt",
    "signing_key",
    "spanning_cluster",
    "suite",
    "suite_family",
    "target",
    "task",
    "test_case",
    "usage_of_day",
    "variant",
    "web_session",
    "webhook",
]

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
