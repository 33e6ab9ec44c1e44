"""The PostgreSQL transaction that leads a run. The modules implement `orchestrator.runs.ports.transaction`."""
