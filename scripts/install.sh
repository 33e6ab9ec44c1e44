#!/usr/bin/env bash
# install.sh VENV PURPOSE SECONDS LOCK…  installs lock files into the virtual environment, then the project itself as an
# editable. Only what a lock names, and only with a hash that it names. SECONDS is what it usually takes. The first lock
# brings what builds packages that are published as source: pip alone would fetch the newest tools, without a hash.
set -euo pipefail

if [ "$1" = --now ]; then
  venv=$2
  shift 2
  install() {
    "$venv/bin/pip" install --progress-bar off --disable-pip-version-check --no-input --no-deps --no-build-isolation "$@"
  }
  for lock in "$@"; do install --require-hashes -r "$lock"; done
  install --editable .
  exit
fi

venv=$1 purpose=$2 usual=$3
shift 3
packages=$(cat "$@" | grep -cE '^[A-Za-z0-9._-]+(\[.*\])?==')
installed="find '$venv' -maxdepth 4 -name '*.dist-info' | wc -l"
# pip first collects all, then installs all: two parts of each package.
counter="echo \$((\$(part | grep -cE '^(Collecting|Requirement already satisfied|Ignoring) ') \
  + \$($installed) - $(eval "$installed")))"

exec "$(dirname "$0")/step.sh" --usual "$usual" --total $((2 * packages)) --counter "$counter" \
  --hint "Where a download failed: see whether a package registry can be reached (\`$venv/bin/pip config list\` names the one that is asked)." \
  "python: $packages packages $purpose" "$0" --now "$venv" "$@"
