#!/usr/bin/env bash
# in-memory.sh COMMAND…  runs it with its temporary files in memory, where this machine has some to spare: tests make a
# database each, of hundreds of files, and on a disk most of a test's time is spent on making them.
set -euo pipefail

spare_kb=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1 || echo 0)
free_kb=$(awk '/^MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 0)
if [ "${spare_kb:-0}" -lt 4000000 ] || [ "${free_kb:-0}" -lt 12000000 ]; then exec "$@"; fi

folder=$(mktemp -d /dev/shm/llmbench-tests-XXXXXX)
trap 'rm -rf "$folder"' EXIT
# Servers that may not run as root enter it too.
chmod 755 "$folder"
TMPDIR=$folder "$@"
