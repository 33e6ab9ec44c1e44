"""Programs for the development of llmbench, which are not part of the platform."""
