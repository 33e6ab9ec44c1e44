#!/usr/bin/env bash
# test-containers.sh [PATH]…  runs the tests that need PostgreSQL or NATS on the images of deploy/docker-compose.yml.
#
# A Docker engine has to answer; docker's own DOCKER_HOST says where. PULL_S seconds are spent on each image (300).
# Ends with 77 where it cannot be tried.
set -euo pipefail
cd "$(dirname "$0")/.."

images=$(sed -nE 's/^ *(image:|FROM) ((postgres|nats):[^ ]+).*/\2/p' deploy/docker-compose.yml deploy/Dockerfile | sort -u)
# shellcheck disable=SC2086
scripts/engine.sh $images

[ $# -gt 0 ] || set -- libs services tests/deploy/test_images.py
# The fixtures end what they start: Testcontainers' own helper, one image more, is not needed.
export TESTCONTAINERS_RYUK_DISABLED=true
exec make test-python PYTEST="--servers=containers $*"
