#!/usr/bin/env bash
# Runs a command with Node 20 or newer and npm on PATH: the machine's, else the one of a wheel.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
new_enough='process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)'

if ! { command -v npm && command -v node && node -e "$new_enough"; } >/dev/null 2>&1; then
  export PATH="$root/.venv/bin:$PATH"
  if [ ! -e "$root/.venv/.node" ] || [ "$root/requirements-node.lock" -nt "$root/.venv/.node" ]; then
    "$root/scripts/step.sh" --usual 15 "node: none of version 20 or newer here, one goes into .venv" \
      "$root/.venv/bin/pip" install --progress-bar off --disable-pip-version-check --no-input --no-deps --require-hashes \
      -r "$root/requirements-node.lock" >&2
    touch "$root/.venv/.node"
  fi
fi
exec "$@"
