#!/usr/bin/env bash
# Makes deploy/.env (or the file $1): the master key, and a password for every login of PostgreSQL and NATS.
# With --add before the file, adds to an existing one the passwords that a newer version needs.
# Letters and digits, because they become part of URLs; a letter first, because NATS reads a number otherwise.
set -euo pipefail
umask 077
add=
if [ "${1:-}" = --add ]; then
  add=yes
  shift
fi
file=${1:-"$(dirname "$0")/.env"}

if [ -e "$file" ] && [ -z "$add" ]; then
  echo "$file is there already, and its master key opens the stored secrets: left as it is." >&2
  exit 1
fi
secret() {
  if [ -z "$add" ] || ! grep -q "^$1=" "$file"; then
    echo "$1=p$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')"
  fi
}
made=$(
  # Another master key would open none of the stored secrets.
  [ -n "$add" ] || secret MASTER_KEY
  for login in "" CONFIG_API_ ORCHESTRATOR_ INFERENCE_GATEWAY_ IDENTITY_; do secret "POSTGRES_${login}PASSWORD"; done
  for login in "" CONFIG_API_ ORCHESTRATOR_ INFERENCE_GATEWAY_ JUDGE_ GATEWAY_WS_ IDENTITY_ VIEWER_; do
    secret "NATS_${login}PASSWORD"
  done
)
[ -z "$made" ] || echo "$made" >>"$file"
echo "$file is written. Keep its MASTER_KEY: without it the stored API keys cannot be opened."
