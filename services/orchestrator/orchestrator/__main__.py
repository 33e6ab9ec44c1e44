"""Start the orchestrator: `python -m orchestrator`."""

from llmbench.service.serve import serve

if __name__ == "__main__":
    serve("orchestrator")
