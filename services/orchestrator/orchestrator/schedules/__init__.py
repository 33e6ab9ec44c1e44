"""Schedules: cron expressions at whose times runs are created. The runs wait in the queue like any other."""
