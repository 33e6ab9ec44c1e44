"""The PostgreSQL transaction that leads a run: one module per protocol of `orchestrator.runs.ports.transaction`."""
