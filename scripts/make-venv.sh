#!/usr/bin/env bash
# Makes the virtual environment $1 with a Python that is new enough.
set -euo pipefail

for python in "${PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3 python; do
  [ -n "$python" ] && command -v "$python" >/dev/null || continue
  if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    "$python" "$(dirname "$0")/check_machine.py" "$(dirname "$1")" || exit 1
    echo "── python: a virtual environment in $1 ($("$python" --version))"
    if ! "$python" -m venv "$1"; then
      rm -rf "$1"
      echo "error: $python cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2
      exit 1
    fi
    # A new venv is older than nothing: the stamps inside it start from here.
    exit 0
  fi
done
echo "error: no Python 3.11 or newer found. On Debian 12 and Ubuntu 24.04 or newer: apt install python3-venv. Or name one: make PYTHON=/path/to/python3.11" >&2
exit 1
