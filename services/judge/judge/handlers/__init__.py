"""The use cases of the judge: score one answer, call the judge model, describe evaluators."""
