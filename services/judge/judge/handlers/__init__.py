"""The judge's use cases. They reach other services only through the ports in `judge.ports`."""
