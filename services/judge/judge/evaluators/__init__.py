"""One file per evaluator. Each defines `EVALUATOR`, with examples that a conformance test runs;
`registry` finds them. `base` imports no evaluator."""
