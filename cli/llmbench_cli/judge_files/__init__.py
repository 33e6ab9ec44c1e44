"""Importers of published files with human or known verdicts, which a judge check compares a judge with."""
