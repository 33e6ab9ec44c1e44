"""Compare two or more columns: pair their cases, decide verdicts and gates, and find the winner. A column is one target
of a run with its answers."""
