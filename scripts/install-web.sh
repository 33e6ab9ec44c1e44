#!/usr/bin/env bash
# install-web.sh  installs the packages of web/package-lock.json, with the machine's Node or the one of a wheel.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=$(grep -c '^    "node_modules/' web/package-lock.json)
exec scripts/step.sh --usual 30 --total "$packages" \
  --counter "find web/node_modules -maxdepth 3 -name package.json 2>/dev/null | wc -l" \
  --hint "Where a download failed: see whether a package registry can be reached (\`npm config get registry\` names the one that is asked)." \
  "web: $packages packages" scripts/with-node.sh npm --prefix web ci --no-audit --no-fund --loglevel=error
