"""Start, watch and stop the programs of a stack, and back up its data.

This folder runs programs and knows nothing about benchmarks. The servers come from the installed wheels, never from
PATH. A process is identified by pid and creation time, and never stopped by name.
"""
