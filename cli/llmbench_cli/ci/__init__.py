"""`llmbench ci`: run a suite in a CI job, compare it with a baseline, and report the result.

`ci_file` and `wanted` read what the job asks for, `place` finds or starts the platform, `work` does the job on it, and
the other modules write its reports.
"""
