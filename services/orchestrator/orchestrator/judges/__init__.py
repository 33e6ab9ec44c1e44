"""Check judges: a run in which a judge scores prepared answers whose right verdicts are known."""
