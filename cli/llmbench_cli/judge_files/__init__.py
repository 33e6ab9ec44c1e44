"""Importers of published files with verdicts of people, or with verdicts that are known to be right.

A judge check compares a judge's verdicts with these.
"""
