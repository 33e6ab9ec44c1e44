"""`/v1/evaluations`: score answers that exist already, alone or in batches, and report the end by webhook."""
