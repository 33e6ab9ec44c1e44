"""Start the identity service: `python -m identity`."""

from llmbench.service.serve import serve

if __name__ == "__main__":
    serve("identity")
