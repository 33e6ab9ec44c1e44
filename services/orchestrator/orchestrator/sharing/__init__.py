"""Share the report of a run with people who do not sign in, by links that expire."""
