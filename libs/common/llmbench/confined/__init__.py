"""Read untrusted files in subprocesses that have few rights, and none of the service's secrets."""
