#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: one that is there, else Playwright's own,
# else Debian's. Everything but the path goes to stderr.
#
# chromium.sh --early   says only whether there is none and none can be had; needs nothing that set-up installs.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
step="$root/scripts/step.sh"

there() {
  local name
  for name in "${CHROMIUM_PATH:-}" "${PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH:-}" \
    chromium chromium-browser google-chrome google-chrome-stable; do
    # One that lacks a library is there and does not run.
    if [ -n "$name" ] && command -v "$name" >/dev/null && "$name" --version >/dev/null 2>&1; then
      command -v "$name"
      return 0
    fi
  done
  return 1
}

playwrights_own() {
  local path
  path=$(cd "$root/web" && "$root/scripts/with-node.sh" node -p \
    'require("@playwright/test").chromium.executablePath()' 2>/dev/null) || return 1
  [ -x "$path" ] && "$path" --version >/dev/null 2>&1 && echo "$path"
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# Playwright's Chromium comes without the libraries that a desktop has.
libraries() {
  python3 "$root/scripts/check_machine.py" "$root" libnss3.so libnspr4.so libdbus-1.so.3 libatk-1.0.so.0 libgbm.so.1 \
    libxkbcommon.so.0 libasound.so.2 2>/dev/null
}

none() {
  echo "error: no Chromium for the browser tests. On Debian: apt install chromium. Or set CHROMIUM_PATH; the rest of the tests: make lint check-gen test-web test-python" >&2
  exit 1
}

if [ "${1:-}" = --early ]; then
  there >/dev/null || can_install || libraries || none
  exit 0
fi

there && exit 0
playwrights_own && exit 0

cd "$root/web"
if "$step" --usual 30 "chromium: none here, asking Playwright for its own" \
  timeout 300 "$root/scripts/with-node.sh" npx --no-install playwright install chromium >&2; then
  playwrights_own && exit 0
fi
if can_install; then
  export DEBIAN_FRONTEND=noninteractive
  if "$step" --usual 30 "chromium: installing Debian's package" \
    sh -c "apt-get update -qq && apt-get install -y -qq chromium" >&2; then
    there && exit 0
  fi
fi
none
