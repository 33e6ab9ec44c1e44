"""Pure functions and values: states, validation, the order of cases, rounds, and the analysis."""
