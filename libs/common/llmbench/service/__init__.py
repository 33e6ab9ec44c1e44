"""Read the settings of a service, run it, and stop it."""
