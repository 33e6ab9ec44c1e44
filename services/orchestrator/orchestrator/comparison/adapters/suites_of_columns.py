"""Build the SQL that reads the suite to which a column (a target of a run) belongs. For each task of the suite, it also
reads the measure: the primary revisions that scored the task, and their weights."""

from typing import Final

from llmbench.contracts.run_words import TaskGateStatus
from orchestrator.kernel.adapters.primary_revision import primary_revisions
from orchestrator.kernel.domain.limits import SUITE_TASK

SUITE_OF_COLUMN: Final = f"""
    (SELECT jsonb_build_object(
        'name', name, 'version_number', version_number, 'aggregation', aggregation, 'left_out', left_out,
        'skipped', (
            SELECT coalesce(jsonb_agg(DISTINCT held), '[]')
            FROM run_task_gate AS gate CROSS JOIN unnest(gate.holds) AS held
            WHERE gate.target_id = target.id AND gate.status = '{TaskGateStatus.FAILED}'
        ), 'tasks', (
            SELECT jsonb_agg(jsonb_build_object(
                'name', task.name, 'category', task.category, 'weight', task.weight, 'measure', (
                    SELECT string_agg(of_run.evaluator_revision_id || '*' || of_run.weight, ', '
                                      ORDER BY of_run.evaluator_revision_id)
                    FROM ({primary_revisions("= run.id", "weight", '"only"')}) AS of_run
                    WHERE of_run.weight > 0
                          AND coalesce(of_run."only" ->> '{SUITE_TASK}', task.name) = task.name
                )) ORDER BY task.position)
            FROM run_suite_task AS task WHERE task.run_id = run.id
        ))
     FROM run_suite WHERE run_suite.run_id = run.id)
"""  # noqa: S608  # made of constants
"""SQL: the suite of a row of `target` and its `run` as JSON, with the fields of `ScoredSuite`; null unless it is a run
of a suite."""
