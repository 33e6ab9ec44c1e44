"""`python -m judge`"""

from llmbench.serve import serve

if __name__ == "__main__":
    serve("judge")
