"""`python -m inference_gateway`"""

from inference_gateway.main import SERVICE, Settings, create_app
from llmbench.db.sealed import preflight
from llmbench.serve import serve

if __name__ == "__main__":
    serve(SERVICE, Settings, create_app, preflight=preflight)
