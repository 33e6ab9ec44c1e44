"""Report the organisation's usage: calls, tokens, cost and items by day, person and model; also its storage and
budget."""
