"""The importers of files with verdicts: one module for each published format, found by `judge_files.registry`."""
