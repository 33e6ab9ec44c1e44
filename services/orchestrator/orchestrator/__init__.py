"""The orchestrator: creates runs, leads them through their states, and serves their results."""
