"""Compare two or more columns by paired cases, verdicts, gates and the winner. A column is one target of a run with its
answers; columns are compared over the same cases."""
