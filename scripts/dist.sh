#!/usr/bin/env bash
# dist.sh FOLDER [--without-weights]  builds one wheel with all that `llmbench up` and `demo` need: the packages, the
# web application, the servers' configuration, and the weights of the built-in model (94 MB).
#
# It is built from what git knows of a copy of the sources, so that nothing else gets into it.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "$1"
goal=$(cd "$1" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
git ls-files -z pyproject.toml README.md LICENSE NOTICE libs services cli \
  | xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' _ \
  | tar --create --null --files-from=- | tar --extract --directory "$stage"

packaged=$stage/cli/llmbench_cli/packaged
mkdir -p "$packaged/deploy" "$packaged/web" "$packaged/model"
cp deploy/Caddyfile deploy/nats.conf deploy/nats-sign-in.conf "$packaged/deploy"
cp -R web/dist "$packaged/web/dist"
if [ "${2:-}" != --without-weights ]; then
  weights=$(.venv/bin/python -c "from llmbench_cli.embedded.model import weights; print(weights() or '')")
  [ -n "$weights" ] || { echo "error: the weights of the built-in model are not installed" >&2; exit 1; }
  cp "$weights" "$packaged/model"
fi

python=$PWD/.venv/bin/python
cd "$stage"
# Not the version of the same name that is installed as an editable.
"$python" -m hatchling build --target wheel --directory "$goal"
