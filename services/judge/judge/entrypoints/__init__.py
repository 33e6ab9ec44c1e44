"""What comes in: commands on NATS."""
