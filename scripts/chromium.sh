#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: one that is there, else Playwright's own,
# else Debian's. Everything but the path goes to stderr.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)

there() {
  local name
  for name in "${CHROMIUM_PATH:-}" "${PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH:-}" \
    chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && command -v "$name" 2>/dev/null; then return 0; fi
  done
  return 1
}

playwrights_own() {
  local path
  path=$(cd "$root/web" && "$root/scripts/with-node.sh" node -p \
    'require("@playwright/test").chromium.executablePath()' 2>/dev/null) || return 1
  [ -x "$path" ] && echo "$path"
}

there && exit 0
playwrights_own && exit 0

echo "── chromium: none here, asking Playwright for its own" >&2
if (cd "$root/web" && timeout 300 "$root/scripts/with-node.sh" npx --no-install playwright install chromium) >&2; then
  playwrights_own && exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "── chromium: installing Debian's package" >&2
  if apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >&2; then
    there && exit 0
  fi
fi
echo "error: no Chromium for the browser tests. Install chromium or Google Chrome, or set CHROMIUM_PATH." >&2
exit 1
