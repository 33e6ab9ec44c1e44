"""`/v1/evaluations`: score existing answers, one by one or in batches. A webhook reports the end of a batch."""
