"""One file per command. A command talks to a person; what it does is decided elsewhere.

What is heavy to import is imported inside the command that needs it: every other command would
wait for it otherwise.
"""
