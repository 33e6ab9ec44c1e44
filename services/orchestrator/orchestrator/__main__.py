"""`python -m orchestrator`"""

from llmbench.serve import serve

if __name__ == "__main__":
    serve("orchestrator")
