"""The checks of `llmbench doctor`. They return findings, and change nothing."""
