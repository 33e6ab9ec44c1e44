"""`python -m config_api`"""

from config_api.main import Settings, create_app
from llmbench.db.sealed import preflight
from llmbench.serve import serve

if __name__ == "__main__":
    serve("config-api", Settings, create_app, preflight=preflight)
