#!/usr/bin/env bash
# test-bare.sh [demo|test|TARGET]…  runs the README's commands on a bare machine: a container with Python, git and make and
# nothing else, a plain user, a space in the home's name, /tmp mounted noexec, 2 GB of memory.
#
#   demo   `make demo DEMO=--exit` ends with 0
#   test   `make test` ends with 0, or says in its first lines what to install, before it has installed anything
#   any other target of make ends with 0 (PYTEST=… is passed on)
#
# A Docker engine has to answer; docker's own DOCKER_HOST says where. BASE is the image to start from (debian:12-slim),
# MEMORY the container's limit (2g). The settings with which pip and npm reach their registries here are passed on.
# Ends with 77 where it cannot be tried: without an engine, or without the image.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${BASE:-debian:12-slim} memory=${MEMORY:-2g}
user=newcomer home="/home/new comer"
checkout="$home/llmbench"
[ $# -gt 0 ] || set -- demo test

if ! docker version >/dev/null 2>&1; then
  echo "error: no Docker engine answers. Start one, or name it in DOCKER_HOST." >&2
  exit 77
fi
if ! docker image inspect "$base" >/dev/null 2>&1 && ! timeout "${PULL_S:-300}" docker pull --quiet "$base" >/dev/null 2>&1; then
  echo "error: the image $base cannot be had. Name another in BASE: a Debian or Ubuntu of a release that has Python 3.11." >&2
  exit 77
fi

options=()
for name in {HTTP,HTTPS,NO}_PROXY {http,https,no}_proxy PIP_{INDEX_URL,EXTRA_INDEX_URL,CERT} SSL_CERT_FILE \
  {NPM_CONFIG,npm_config}_{registry,cafile,REGISTRY,CAFILE} NODE_EXTRA_CA_CERTS; do
  value=${!name:-}
  case $value in
    '' | file://*) continue ;;
    /*) [ ! -f "$value" ] || [[ " ${options[*]} " == *" $value:$value:ro "* ]] || options+=(--volume "$value:$value:ro") ;;
  esac
  options+=(--env "$name")
done

echo "── bare: an image from $base with git, make and Python"
log=$(mktemp)
image=llmbench-bare container=
cleanup() {
  [ -z "$container" ] || docker rm --force --volumes "$container" >/dev/null
  rm -f "$log"
}
trap cleanup EXIT
docker build --tag "$image" - >"$log" 2>&1 <<DOCKERFILE || { tail -20 "$log" >&2; exit 1; }
FROM $base
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends ca-certificates git make python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --home-dir "$home" --shell /bin/bash $user && install -d -o $user -g $user "$checkout"
DOCKERFILE

container=$(docker create --init --user $user --workdir "$checkout" --memory "$memory" --memory-swap "$memory" \
  --tmpfs /tmp:rw,noexec,nosuid,nodev,mode=1777 "${options[@]}" "$image" sleep infinity)
docker start "$container" >/dev/null
inside() { docker exec "$container" "$@"; }

# What is committed, or would be: as a clone has it. Some checks ask git for the list.
git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' _ \
  | tar --create --null --files-from=- | docker exec --interactive "$container" tar --extract --no-same-owner
inside sh -c 'git init --quiet && git add --all'
for program in cc node npm chromium; do
  ! inside sh -c "command -v $program" || { echo "error: $base is not bare: it has $program" >&2; exit 1; }
done

try_demo() {
  inside make demo DEMO=--exit
}

try_test() {
  local status=0
  inside make test >"$log" 2>&1 || status=$?
  cat "$log"
  [ "$status" -ne 0 ] || return 0
  # Refused at once, with one line that says what to install, and before anything was set up.
  grep -q '^error: .*apt install' "$log" && [ "$(wc -l <"$log")" -le 4 ] && inside test ! -e .venv/.dev
}

for what in "$@"; do
  began=$SECONDS
  echo "── bare: $what"
  case $what in
    demo | test) tried=("try_$what") ;;
    *) tried=(inside make "$what" "PYTEST=${PYTEST:-}") ;;
  esac
  "${tried[@]}" || { echo "error: $what failed on a bare machine ($base, $memory)" >&2; exit 1; }
  echo "── bare: $what went well, $((SECONDS - began)) s"
done
