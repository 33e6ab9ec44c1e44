"""The subcommands, one file each. A command handles input and output; other modules do the work.

Heavy imports are inside the command that needs them, so that other commands start quickly.
"""
