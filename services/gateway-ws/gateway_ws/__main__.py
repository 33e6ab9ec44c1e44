"""`python -m gateway_ws`"""

from llmbench.serve import serve

if __name__ == "__main__":
    serve("gateway_ws")
