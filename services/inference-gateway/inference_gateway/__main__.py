"""Start the inference gateway: `python -m inference_gateway`."""

from llmbench.service.serve import serve

if __name__ == "__main__":
    serve("inference_gateway")
