"""Report what the organisation used: calls, tokens, cost and items by day, person and model; storage; its budget."""
