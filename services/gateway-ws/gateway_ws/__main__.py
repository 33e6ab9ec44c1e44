"""Start the WebSocket gateway: `python -m gateway_ws`."""

from llmbench.service.serve import serve

if __name__ == "__main__":
    serve("gateway_ws")
