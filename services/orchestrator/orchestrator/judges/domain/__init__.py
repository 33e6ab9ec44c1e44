"""Pure functions of judge checks: their cases, and the figures of a judge."""
