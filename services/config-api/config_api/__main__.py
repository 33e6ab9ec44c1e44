"""Start config-api: `python -m config_api`."""

from llmbench.service.serve import serve

if __name__ == "__main__":
    serve("config_api")
