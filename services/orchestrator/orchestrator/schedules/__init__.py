"""Schedules: create runs at the times of a cron expression. These runs wait in the queue like any other run."""
