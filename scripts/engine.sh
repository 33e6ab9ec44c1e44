#!/usr/bin/env bash
# engine.sh [compose] [IMAGE]…  ends with 0 where a Docker engine answers and each image is there or can be pulled within
# PULL_S seconds (300), with 77 and one line that says what is missing otherwise. `compose`: docker compose as well.
set -euo pipefail

missing() { echo "error: $*" >&2; exit 77; }
command -v docker >/dev/null && timeout 60 docker version >/dev/null 2>&1 \
  || missing "no Docker engine answers. Start one, or name it in DOCKER_HOST."
for what in "$@"; do
  if [ "$what" = compose ]; then
    docker compose version >/dev/null 2>&1 || missing "docker has no compose. Install its plug-in, version 2.24 or newer."
  elif ! docker image inspect "$what" >/dev/null 2>&1; then
    timeout "${PULL_S:-300}" docker pull --quiet "$what" >/dev/null 2>&1 \
      || missing "the image $what cannot be had: no registry answers, or not within ${PULL_S:-300} s."
  fi
done
