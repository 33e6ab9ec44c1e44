"""The evaluators, one file each. Each file defines `EVALUATOR`, with examples that a conformance test runs; `registry`
discovers them. `base` imports no evaluator.
"""
