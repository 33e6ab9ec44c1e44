#!/bin/sh
# Starts the edge (the command in "$@"), unless others than this machine could reach a platform without sign-in.
# EDGE_ADDRESS is the address on the host at which the edge is published.
set -eu

refuse() {
  echo "llmbench edge: $1" >&2
  exit 1
}

case "${EDGE_AUTH:-off}" in
  on | off) ;;
  proxy)
    for name in KEYS ISSUER AUDIENCE; do
      eval "value=\${LLMBENCH_IDENTITY_PROXY_$name:-}"
      [ -n "$value" ] || refuse "LLMBENCH_AUTH=proxy needs LLMBENCH_IDENTITY_PROXY_KEYS, _ISSUER and _AUDIENCE in \
deploy/.env: without them nobody could check who the proxy says is there (docs/how-to/sign-in.md)."
    done
    ;;
  *) refuse "LLMBENCH_AUTH=${EDGE_AUTH} is none of on, off and proxy." ;;
esac

case "${EDGE_ADDRESS:-127.0.0.1}" in
  127.* | ::1 | "[::1]" | localhost) ;;
  *)
    [ "${EDGE_AUTH:-off}" != off ] || refuse "EDGE_ADDRESS=$EDGE_ADDRESS publishes the platform beyond this machine, and \
everybody there could use it. Set LLMBENCH_AUTH=on and COMPOSE_PROFILES=sign-in in deploy/.env \
(docs/how-to/sign-in.md), or remove EDGE_ADDRESS."
    case "${LLMBENCH_PUBLIC_ORIGINS:-}" in
      *https://*) ;;
      *) refuse "LLMBENCH_PUBLIC_ORIGINS names no address with https://, and browsers sign in beyond this machine over \
TLS only. Put a proxy with a certificate in front, and name its address there (docs/how-to/sign-in.md)." ;;
    esac
    ;;
esac

# Caddy separates networks by blanks.
EDGE_TRUSTED_PROXIES=$(IFS=', '; for network in ${LLMBENCH_EDGE_TRUSTED_PROXIES:-}; do printf '%s ' "$network"; done)
export EDGE_TRUSTED_PROXIES
for network in $EDGE_TRUSTED_PROXIES; do
  case "$network" in
    */0) refuse "LLMBENCH_EDGE_TRUSTED_PROXIES=$LLMBENCH_EDGE_TRUSTED_PROXIES trusts everybody to say who the client is. \
Name the networks of your proxies." ;;
  esac
done
exec "$@"
