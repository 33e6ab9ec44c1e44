"""The evaluators, one file each, and the modules that they share.

An evaluator's file defines `EVALUATOR`, with examples that a conformance test runs. `registry` discovers the
evaluators; `base` imports none of them.
"""
