"""Start the judge: `python -m judge`."""

from llmbench.service.serve import serve

if __name__ == "__main__":
    serve("judge")
