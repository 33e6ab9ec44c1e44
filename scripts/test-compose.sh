#!/usr/bin/env bash
# test-compose.sh  builds and starts deploy/docker-compose.yml under a name of its own, breaks it, and removes it again.
#
# A Docker engine with compose has to answer; docker's own DOCKER_HOST says where. The images that ours are made from
# have to be there, or in a registry that answers: PULL_S seconds are spent on each (300).
# Ends with 77 where it cannot be tried.
set -euo pipefail
cd "$(dirname "$0")/.."

images=$(sed -nE 's/^ *(image:|FROM) ([a-z]+:[^ ]+).*/\2/p' deploy/docker-compose.yml deploy/Dockerfile | sort -u)
# shellcheck disable=SC2086
scripts/engine.sh compose $images

make .venv/.dev
exec .venv/bin/python -m tests.deploy.in_docker
