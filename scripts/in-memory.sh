#!/usr/bin/env bash
# in-memory.sh COMMAND…  runs it with its temporary files in memory, where this machine has some to spare: tests make a
# database each, of hundreds of files, and on a disk most of a test's time can go into making them.
# What a command that failed left behind is moved to the ordinary temporary folder. A command that goes on after a
# failure asks for the same with a file `failed` in it.
set -euo pipefail

# The least of what the folder, the machine and its container have; a container without a limit says "max".
spare_kb=$( {
  df --output=avail -k /dev/shm 2>/dev/null | tail -1 || echo 0
  awk '/^MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 0
  awk '/^[0-9]+$/ {print int($1 / 1024)}' /sys/fs/cgroup/memory.max 2>/dev/null || true
} | sort -n | head -1)
[ -d /dev/shm ] && [ "${spare_kb:-0}" -ge 12000000 ] || exec "$@"

# What a run that was killed left there would fill the memory: a folder's name says whose it is.
for old in /dev/shm/llmbench-tests-*; do
  [ -d "$old" ] && ! kill -0 "${old##*-}" 2>/dev/null && rm -rf "$old"
done

folder=/dev/shm/llmbench-tests-$$
# Servers that may not run as root enter it too.
mkdir -m 755 "$folder"
ordinary=${TMPDIR:-/tmp}

cleanup() {
  local status=$?
  if { [ "$status" -ne 0 ] || [ -e "$folder/failed" ]; } && [ -n "$(ls -A "$folder")" ]; then
    mv "$folder" "$ordinary/" && echo "what it left behind: $ordinary/${folder##*/}" >&2
  fi
  rm -rf "$folder"
}
trap cleanup EXIT
TMPDIR=$folder "$@"
