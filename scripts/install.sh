#!/usr/bin/env bash
# Installs lock files into the virtual environment $1, then the project itself as an editable.
# Only what a lock names, and only with a hash that it names.
set -euo pipefail

venv=$1
shift
locks=()
for lock in "$@"; do locks+=(-r "$lock"); done

echo "── python: installing $*"
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-input --no-deps --require-hashes "${locks[@]}"
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --editable .
