"""Baselines (runs that later runs are compared with), their gates, and the verdicts on runs. A verdict is decided when
a run ends."""
