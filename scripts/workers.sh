#!/usr/bin/env bash
# Prints how many processes share the tests: two more than there are cores, because tests on real servers wait for them
# half of their time; no more than the memory of the machine and its container allows, for some start a whole platform.
set -euo pipefail

per_worker_kb=1500000
memory_kb=$(awk '/^MemTotal/ {print $2}' /proc/meminfo 2>/dev/null || echo 1000000000)
for limit in ${CGROUP_MEMORY:-/sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes}; do
  # A container without a limit says "max", or a number beyond all machines.
  if [ -r "$limit" ] && bytes=$(<"$limit") && [[ $bytes =~ ^[0-9]+$ ]] && [ $((bytes / 1024)) -lt "$memory_kb" ]; then
    memory_kb=$((bytes / 1024))
  fi
done
workers=$(($(getconf _NPROCESSORS_ONLN) + 2)) most=$((memory_kb / per_worker_kb))
[ "$workers" -le "$most" ] || workers=$((most > 0 ? most : 1))
echo "$workers"
