"""`/v1/evaluations`: score existing answers, one by one or in batches. A batch can have a webhook, which reports its
end."""
